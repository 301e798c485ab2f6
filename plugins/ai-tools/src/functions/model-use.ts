import type { LanguageModel, ModelFeature } from '@quire/registry';
import { OperationalError } from '@quire/registry/errors';

/** Throws SERVICE_NOT_SET_UP, naming the feature, while the model is off or the feature's switch is: before a document is read. */
export function refuseUnlessUsable(model: LanguageModel, feature: ModelFeature): void {
  if (model.usable(feature)) return;
  const detail = model.usable() ? `aiEngine.features.${feature} is false` : 'aiEngine.enabled is false';
  throw new OperationalError('SERVICE_NOT_SET_UP', { service: feature, detail });
}

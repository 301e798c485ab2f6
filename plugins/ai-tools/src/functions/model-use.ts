import { OperationalError } from '@quire/registry/errors';

/** A question to the language model, as `tokens.languageModel` takes it. */
export interface Question {
  readonly feature: 'chat' | 'documentQuestions' | 'createPdf' | 'pdfComment' | 'classify';
  readonly tier: 'smart' | 'fast';
  /** The task: text of this server and of the caller, never of documents. */
  readonly instructions: string;
  /** With what: data. */
  readonly text: string;
  readonly history?: readonly { readonly role: 'user' | 'assistant'; readonly content: string }[];
  /** Name and JSON Schema of the answer. */
  readonly answer: { readonly name: string; readonly schema: object };
}

/** Asks the model; what comes back fits the schema. */
export type Ask = (question: Question) => Promise<unknown>;

/**
 * Throws SERVICE_NOT_SET_UP, naming the feature, while the model is off or the feature's switch is: before a document
 * is read.
 */
export function refuseUnlessUsable(
  model: { usable(feature?: Question['feature']): boolean },
  feature: Question['feature'],
): void {
  if (model.usable(feature)) return;
  const detail = model.usable() ? `aiEngine.features.${feature} is false` : 'aiEngine.enabled is false';
  throw new OperationalError('SERVICE_NOT_SET_UP', { service: feature, detail });
}

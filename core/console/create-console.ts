import type { Endpoint } from '@quire/registry';
import { CatalogAnswers, type CatalogAnswersDeps } from './catalog-answers.js';
import { consoleEndpoints } from './endpoints/console.endpoint.js';
import { ToolTexts } from './tool-texts.js';

export interface ConsoleFeature {
  readonly endpoints: readonly Endpoint[];
}

/** Creates the endpoints that the console for browsers reads. */
export function createConsole(deps: CatalogAnswersDeps): ConsoleFeature {
  return { endpoints: consoleEndpoints(new CatalogAnswers(deps), new ToolTexts(deps.catalog)) };
}

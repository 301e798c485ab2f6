import type { Endpoint } from '@quire/registry';
import { CatalogAnswers, type CatalogAnswersDeps } from './catalog-answers.js';
import { consoleEndpoints } from './endpoints/console.endpoint.js';
import { ToolTexts } from './tool-texts.js';

export interface ConsoleFeature {
  readonly endpoints: readonly Endpoint[];
}

export interface CreateConsoleDeps extends CatalogAnswersDeps {
  /** Called when somebody opens the console: a call of a tool will probably follow. */
  visited(): void;
}

/** Creates the endpoints that the console for browsers reads. */
export function createConsole(deps: CreateConsoleDeps): ConsoleFeature {
  return { endpoints: consoleEndpoints(new CatalogAnswers(deps), new ToolTexts(deps.catalog), deps.visited) };
}

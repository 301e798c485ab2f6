import type { Catalog } from '@quire/catalog';
import type { Clock, Endpoint, Logger } from '@quire/registry';
import type { LoginServices } from '../accounts/index.js';
import type { PipelineCallDeps } from '../operations/pipelines/endpoints/index.js';
import type { FindSaved } from '../operations/pipelines/index.js';
import type { ServerSecret } from '../secrets/index.js';
import type { Store } from '../store/index.js';
import { runSavedEndpoint } from './endpoints/run-pipeline.endpoint.js';
import { savedPipelineEndpoints } from './endpoints/saved-pipelines.endpoint.js';
import { PipelineRecords } from './pipeline-records.js';
import { SavedPipelines } from './saved-pipelines.js';

export interface CreateAutomationDeps extends PipelineCallDeps {
  readonly store: Store;
  readonly secret: ServerSecret;
  readonly clock: Clock;
  readonly log: Logger;
  readonly login: LoginServices | undefined;
  catalog(): Catalog;
}

export interface AutomationFeature {
  readonly saved: SavedPipelines;
  /** Finds saved pipelines that are steps of others. */
  readonly findSaved: FindSaved;
  readonly endpoints: readonly Endpoint[];
}

/** Creates saved pipelines and the tools that they are. */
export function createAutomation(deps: CreateAutomationDeps): AutomationFeature {
  const { store, secret, clock, log, login, settings } = deps;
  const records = new PipelineRecords(store, secret.keyFor('pipelines'));
  const saved = new SavedPipelines({
    records,
    clock,
    loginEnabled: deps.guard.loginEnabled,
    catalog: deps.catalog,
    report: (json, principal, savedAs) => deps.pipelines().report(json, principal, { savedAs }),
  });
  login?.accounts.onUserChange(async (userId, what) => {
    if (what === 'gone')
      await records
        .forgetUser(userId)
        .catch((error: unknown) => log.warn({ err: error }, 'saved pipelines of a deleted user could not be removed'));
  });
  const rootPath = settings.get('system.rootUriPath');
  return {
    saved,
    findSaved: saved.asStep,
    endpoints: [...savedPipelineEndpoints({ saved, login, rootPath }), runSavedEndpoint(deps, saved)],
  };
}

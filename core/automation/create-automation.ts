import type { Endpoint, Principal } from '@quire/registry';
import type { LoginServices } from '../accounts/index.js';
import { folderSettings } from '../folders/index.js';
import type { FindSaved } from '../operations/pipelines/index.js';
import { definitionOf } from './automations/check-automation.js';
import { webhookEndpoint, WebhookSpool } from './connectors/index.js';
import { createEngine, type AutomationStats, type CreateEngineDeps } from './create-engine.js';
import { automationHistoryEndpoints } from './endpoints/automation-history.endpoint.js';
import { automationListEndpoint } from './endpoints/automation-list.endpoint.js';
import { automationEndpoints, type AutomationEndpointDeps } from './endpoints/automations.endpoint.js';
import { importEndpoints } from './endpoints/import-automations.endpoint.js';
import { kindsEndpoint } from './endpoints/kinds.endpoint.js';
import { policyStreamEndpoint } from './endpoints/policy-stream.endpoint.js';
import { policyStoreEndpoints } from './endpoints/policy-store.endpoint.js';
import { policyEndpoints } from './endpoints/policies.endpoint.js';
import { policyRunEndpoints } from './endpoints/policy-runs.endpoint.js';
import { runSavedEndpoint, trySavedEndpoint } from './endpoints/run-pipeline.endpoint.js';
import { savedPipelineEndpoints } from './endpoints/saved-pipelines.endpoint.js';
import { sourceEndpoints } from './endpoints/sources.endpoint.js';
import { Importer } from './import/importer.js';
import { PipelineRecords } from './pipeline-records.js';
import { SavedPipelines } from './saved-pipelines.js';
import { tryWork } from './trial.js';

export interface CreateAutomationDeps extends CreateEngineDeps {
  readonly login: LoginServices | undefined;
  readonly scratchRoot: string;
}

export interface AutomationFeature {
  readonly saved: SavedPipelines;
  /** Finds saved pipelines that are steps of others. */
  readonly findSaved: FindSaved;
  readonly endpoints: readonly Endpoint[];
  /** For metrics; by the id of the automation. */
  stats(): Promise<AutomationStats>;
  /** Starts schedules and arrivals, and goes on with files of the last process. */
  start(): Promise<void>;
  /** Stops taking files; what was begun goes on at the next start. */
  stop(): Promise<void>;
}

/** Creates saved pipelines, the tools that they are, and automations. */
export function createAutomation(deps: CreateAutomationDeps): AutomationFeature {
  const { login, settings } = deps;
  const saved = createSaved(deps);
  const spool = new WebhookSpool(deps.store, deps.clock);
  const parts = createEngine({ ...deps, spool }, saved);
  const { automations, engine, runs, sources } = parts;
  const rootPath = settings.get('system.rootUriPath');
  const sourcesOf = (principal: Principal) => sources.usableBy(principal);
  const attempt: AutomationEndpointDeps['attempt'] = ({ id, name, content: { work } }, request) =>
    tryWork(deps, request, {
      work,
      path: `automations/${id}/try`,
      make: () => definitionOf(saved, work, name, request.principal),
    });
  const shown = { ...parts, rootPath, sourcesOf, attempt };
  const importer = new Importer({
    ...parts,
    scratchRoot: deps.scratchRoot,
    runner: () => deps.runner(),
    operations: () => deps.catalog().operations,
    report: (json, principal) => deps.pipelines().report(json, principal, { elsewhere: true }),
    places: () => ({ finished: folderSettings(settings).finished }),
  });
  return {
    saved,
    findSaved: saved.asStep,
    stats: () => parts.stats(),
    start: () => engine.start(),
    stop: () => engine.close(),
    endpoints: [
      ...savedPipelineEndpoints({ saved, login, rootPath }),
      runSavedEndpoint(deps, saved),
      trySavedEndpoint(deps, saved),
      ...automationEndpoints(shown),
      automationListEndpoint({ ...shown, list: parts.live, resume: (caller) => deps.guard.resume(caller) }),
      ...automationHistoryEndpoints(parts),
      kindsEndpoint(parts.kinds),
      ...sourceEndpoints(sources, rootPath),
      webhookEndpoint({ ...deps, spool, source: (webhookId) => parts.ofWebhook(webhookId) }),
      ...policyEndpoints(shown),
      ...policyStoreEndpoints({ ...shown, importer }),
      ...importEndpoints({ ...shown, importer }),
      ...policyRunEndpoints({ ...deps, automations, runs }),
      policyStreamEndpoint({ ...deps, automations, runs }, settings.get('policies.streamTimeoutMs')),
    ],
  };
}

function createSaved(deps: CreateAutomationDeps): SavedPipelines {
  const { store, secret, clock, log, login } = deps;
  const records = new PipelineRecords(store, secret.keyFor('pipelines'));
  login?.accounts.onUserChange(async (userId, what) => {
    if (what === 'gone')
      await records
        .forgetUser(userId)
        .catch((error: unknown) => log.warn({ err: error }, 'saved pipelines of a deleted user could not be removed'));
  });
  return new SavedPipelines({
    records,
    clock,
    loginEnabled: deps.guard.loginEnabled,
    catalog: deps.catalog,
    report: (json, principal, savedAs) => deps.pipelines().report(json, principal, { savedAs }),
  });
}

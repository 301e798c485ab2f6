import type { ConnectionTrials, ConnectionUses, Endpoint, Principal } from '@quire/registry';
import { folderSettings } from '../folders/index.js';
import type { FindSaved, FindStepFile } from '../operations/pipelines/index.js';
import { definitionOf } from './automations/check-automation.js';
import { connectionTrials, webhookEndpoint, WebhookSpool } from './connectors/index.js';
import { createEngine, type AutomationStats, type CreateEngineDeps, type EngineParts } from './create-engine.js';
import { assetEndpoints } from './endpoints/assets.endpoint.js';
import { automationHistoryEndpoints } from './endpoints/automation-history.endpoint.js';
import { automationListEndpoint } from './endpoints/automation-list.endpoint.js';
import { automationEndpoints, type AutomationEndpointDeps } from './endpoints/automations.endpoint.js';
import { importEndpoints } from './endpoints/import-automations.endpoint.js';
import { kindsEndpoint } from './endpoints/kinds.endpoint.js';
import { policyStreamEndpoint } from './endpoints/policy-stream.endpoint.js';
import { policyStoreEndpoints } from './endpoints/policy-store.endpoint.js';
import { policyEndpoints } from './endpoints/policies.endpoint.js';
import { policyRunEndpoints } from './endpoints/policy-runs.endpoint.js';
import { processingFolderEndpoints } from './endpoints/processing-folders.endpoint.js';
import { runSavedEndpoint, trySavedEndpoint } from './endpoints/run-pipeline.endpoint.js';
import { savedPipelineEndpoints } from './endpoints/saved-pipelines.endpoint.js';
import { sourceEndpoints } from './endpoints/sources.endpoint.js';
import type { FolderHandOver } from './folders/folder-hand-over.js';
import { Importer } from './import/importer.js';
import { PipelineRecords } from './pipeline-records.js';
import { SavedPipelines } from './saved-pipelines.js';
import { tryWork } from './trial.js';

export interface CreateAutomationDeps extends CreateEngineDeps {
  readonly scratchRoot: string;
  /** Reads a watched folder of which an automation is to be made, by its id. */
  handOver(folderId: string): Promise<FolderHandOver>;
}

export interface AutomationFeature {
  readonly saved: SavedPipelines;
  /** Finds saved pipelines that are steps of others. */
  readonly findSaved: FindSaved;
  /** Finds stored files that steps name. */
  readonly findFile: FindStepFile;
  readonly connectionUses: ConnectionUses;
  readonly connectionTrials: ConnectionTrials;
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
  const pipelineRecords = new PipelineRecords(deps.store, deps.secret.keyFor('pipelines'));
  const saved = createSaved(deps, pipelineRecords, (ids) => parts.assets.released(ids));
  const spool = new WebhookSpool(deps.store, deps.clock);
  const parts: EngineParts = createEngine({ ...deps, spool, pipelineRecords }, saved);
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
    findFile: parts.assets.forStep,
    connectionUses: parts.connectionUses,
    connectionTrials: connectionTrials(deps),
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
      ...assetEndpoints({ ...parts, scratchRoot: deps.scratchRoot }),
      ...policyStoreEndpoints({ ...shown, importer }),
      ...importEndpoints({ ...shown, importer, handOver: (folderId) => deps.handOver(folderId) }),
      ...processingFolderEndpoints({ ...deps, ...parts }),
      ...policyRunEndpoints({ ...deps, automations, runs }),
      policyStreamEndpoint({ ...deps, automations, runs }, settings.get('policies.streamTimeoutMs')),
    ],
  };
}

function createSaved(
  deps: CreateAutomationDeps,
  records: PipelineRecords,
  released: (assetIds: Iterable<string>) => Promise<void>,
): SavedPipelines {
  const { clock, log, login } = deps;
  login?.accounts.onUserChange(async (userId, what) => {
    if (what === 'gone')
      await records
        .forgetUser(userId)
        .catch((error: unknown) => log.warn({ err: error }, 'saved pipelines of a deleted user could not be removed'));
  });
  return new SavedPipelines({
    records,
    released,
    clock,
    loginEnabled: deps.guard.loginEnabled,
    catalog: deps.catalog,
    report: (json, principal, savedAs) => deps.pipelines().report(json, principal, { savedAs }),
  });
}

import { defineEndpoint, type Endpoint, type JoiRoot, type Principal } from '@quire/registry';
import { eventStream } from '../../http/response/index.js';
import type { Automations } from '../automations/automations.js';
import type { FoldersSeen } from '../folders/folders-seen.js';
import type { FilesNews, History, OneHistory, Page, PageQuery } from '../items/history.js';
import { itemStates, type ItemState, type ShownItem } from '../items/item-record.js';
import { runStates, type RunState } from '../runs/run-records.js';
import { itemSchema, itemWire, runSchema, runWire } from './history-wire.js';
import { automationParams, editCodes, idOf, ownCodes, shared } from './automations.endpoint.js';

export interface AutomationHistoryDeps {
  readonly automations: Automations;
  readonly folders: FoldersSeen;
  readonly history: History;
}

const MOST_ON_PAGE = 200;
const USUAL_ON_PAGE = 50;

const limitField = (joi: JoiRoot) =>
  joi.number().integer().min(1).max(MOST_ON_PAGE).default(USUAL_ON_PAGE).description('Most entries in the answer');

const filesSchema = (joi: JoiRoot) =>
  joi
    .object({
      files: joi.array().items(itemSchema(joi)).required(),
      total: joi.number().integer().required(),
      next: joi.number().integer().allow(null).required().description('`offset` of the following page'),
    })
    .label('AutomationFiles');

const eventSchema = (joi: JoiRoot) =>
  joi
    .object({
      counts: joi.object().unknown().required().description('Files by state'),
      files: joi.array().items(itemSchema(joi)).required(),
      total: joi.number().integer().required(),
      next: joi.number().integer().allow(null).required(),
    })
    .label('AutomationFilesEvent');

const countSchema = (name: string) => (joi: JoiRoot) =>
  joi.object({ count: joi.number().integer().min(0).required().description('Files') }).label(name);

/** What became of the files of automations. */
export function automationHistoryEndpoints(deps: AutomationHistoryDeps): Endpoint[] {
  return [...fileEndpoints(deps), ...changeEndpoints(deps), ...runEndpoints(deps)];
}

/** The history of an automation that the caller may see. Throws NOT_FOUND. */
async function historyOf(
  { automations, folders, history }: AutomationHistoryDeps,
  principal: Principal,
  params: Readonly<Record<string, string>>,
): Promise<OneHistory> {
  const id = idOf(params);
  if ((await folders.find(principal, id)) !== undefined) return folders.history(id);
  await automations.get(principal, id);
  return history.of(id);
}

function fileEndpoints(deps: AutomationHistoryDeps): Endpoint[] {
  return [
    defineEndpoint({
      ...shared,
      id: 'listAutomationFiles',
      method: 'GET',
      path: 'automations/{automationId}/items',
      summary: 'List the files of an automation',
      notes:
        'Those that changed last first: what waits, is processed, was delivered, or is parked and why. Of a watched ' +
        'folder, its failed files and those of its last 100 runs.',
      request: {
        params: automationParams,
        query: (joi) =>
          joi.object({
            state: joi.string().valid(...itemStates),
            limit: limitField(joi),
            offset: joi.number().integer().min(0).max(10_000_000).default(0).description('`next` of the page before'),
          }),
      },
      returns: { description: 'The files', json: filesSchema },
      errors: [...ownCodes],
      handle: async ({ principal, params, query }) => {
        const { state, ...page } = query as unknown as PageQuery & { readonly state?: ItemState };
        return { json: pageWire(await (await historyOf(deps, principal, params)).items(page, state)) };
      },
    }),
    defineEndpoint({
      ...shared,
      id: 'getAutomationEvents',
      method: 'GET',
      path: 'automations/{automationId}/events',
      summary: 'Stream the files of an automation (server-sent events)',
      notes: 'The first page of the files now, and again after changes of files or runs, at most once a second.',
      request: { params: automationParams, query: (joi) => joi.object({ limit: limitField(joi) }) },
      returns: { description: 'Events, each with the files', mediaType: 'text/event-stream', json: eventSchema },
      errors: [...ownCodes],
      handle: async ({ principal, params, query, signal }) => {
        const history = await historyOf(deps, principal, params);
        const news = history.events((query as unknown as PageQuery).limit, signal);
        return {
          stream: { mediaType: 'text/event-stream', body: eventStream(eventsOf(news), signal) },
          headers: { 'cache-control': 'private, no-store' },
        };
      },
    }),
  ];
}

function changeEndpoints(deps: AutomationHistoryDeps): Endpoint[] {
  return [
    defineEndpoint({
      ...shared,
      id: 'retryAutomationFiles',
      method: 'POST',
      path: 'automations/{automationId}/items/retry',
      summary: 'Process parked files again',
      notes: 'One file with `file`, otherwise all. Where only the delivery failed, only that is tried again.',
      request: {
        params: automationParams,
        query: (joi) => joi.object({ file: joi.string().max(100).description('`id` of the list of files') }),
      },
      returns: { description: 'The files are processed again', json: countSchema('AutomationFilesRetried') },
      errors: [...ownCodes, 'FAILED_FILE_GONE', 'WATCHED_FOLDER_UNREACHABLE'],
      handle: async ({ principal, params, query }) => {
        const history = await historyOf(deps, principal, params);
        return { json: { count: await history.retry(query['file'] as string | undefined) } };
      },
    }),
    defineEndpoint({
      ...shared,
      id: 'resetAutomationFiles',
      method: 'DELETE',
      path: 'automations/{automationId}/items',
      summary: 'Forget which files an automation has processed',
      notes: 'The next start takes everything that is in its sources again. Files that are being processed stay.',
      request: { params: automationParams },
      returns: { description: 'Forgotten', json: countSchema('AutomationFilesForgotten') },
      errors: [...editCodes],
      handle: async ({ principal, params }) => {
        await deps.folders.refuse(principal, idOf(params));
        await deps.automations.editable(principal, idOf(params));
        return { json: { count: await deps.history.reset(idOf(params)) } };
      },
    }),
  ];
}

function runEndpoints(deps: AutomationHistoryDeps): Endpoint[] {
  return [
    defineEndpoint({
      ...shared,
      id: 'listAutomationRuns',
      method: 'GET',
      path: 'automations/{automationId}/runs',
      summary: 'List the runs of an automation',
      notes:
        'The newest first. The last 2000 runs of an automation are kept for 90 days, 1000 of a watched folder; its ' +
        'runs are here when they have ended.',
      request: {
        params: automationParams,
        query: (joi) =>
          joi.object({
            state: joi.string().valid(...runStates),
            limit: limitField(joi),
            before: joi.string().isoDate().description('Only runs that began at this time or before'),
          }),
      },
      returns: {
        description: 'The runs',
        json: (joi) => joi.object({ runs: joi.array().items(runSchema(joi)).required() }).label('AutomationRuns'),
      },
      errors: [...ownCodes],
      handle: async ({ principal, params, query }) => {
        const history = await historyOf(deps, principal, params);
        const { limit, before, state } = query as { limit: number; before?: string; state?: RunState };
        const from = before === undefined ? undefined : Date.parse(before);
        return { json: { runs: (await history.runs(limit, from, state)).map(runWire) } };
      },
    }),
    defineEndpoint({
      ...shared,
      id: 'cancelAutomationRun',
      method: 'POST',
      path: 'automations/{automationId}/runs/{runId}/cancel',
      summary: 'Cancel a run of an automation',
      notes: 'Its file is parked and stays in its source.',
      request: {
        params: (joi) =>
          automationParams(joi).keys({ runId: joi.string().max(200).required().description('Id of the run') }),
      },
      returns: { description: 'Cancelled', status: 204 },
      errors: [...editCodes, 'JOB_UNKNOWN', 'JOB_COMPLETE'],
      handle: async ({ principal, params }) => {
        await deps.folders.refuse(principal, idOf(params));
        await deps.automations.editable(principal, idOf(params));
        await deps.history.cancel(idOf(params), params['runId'] ?? '');
        return { status: 204 };
      },
    }),
  ];
}

function pageWire({ entries, total, next }: Page<ShownItem>) {
  return { files: entries.map(itemWire), total, next };
}

async function* eventsOf(news: AsyncIterable<FilesNews>): AsyncGenerator<object> {
  for await (const { counts, page } of news) yield { counts, ...pageWire(page) };
}

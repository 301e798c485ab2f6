import { defineEndpoint, type Endpoint, type JoiRoot } from '@quire/registry';
import { eventStream } from '../../http/response/index.js';
import type { WatchedFolderService } from '../index.js';
import { failedList, folderDetail, folderList, outcome, retried, runList } from './folder-shapes.js';

const MOST_LISTED = 2000;
const USUAL_LISTED = 500;
const MOST_ON_PAGE = 200;
const USUAL_ON_PAGE = 50;

const base = { since: '1.4.0', tag: 'admin', access: { role: 'admin', area: 'folders' } } as const;
const codes = ['KEY_INVALID', 'ADMIN_ONLY', 'FEATURE_OFF', 'STORE_DOWN'] as const;
const folderCodes = [...codes, 'WATCHED_FOLDER_UNKNOWN'] as const;

const folderId = (joi: JoiRoot) => ({
  folderId: joi.string().max(100).required().description('`id` of the list'),
});
const fileId = (joi: JoiRoot) => ({
  fileId: joi.string().max(100).required().description('`id` of the list of failed files'),
});
const limit = (joi: JoiRoot, usual: number, most: number) =>
  joi.number().integer().min(1).max(most).default(usual).description('Most entries in the answer');
const before = (joi: JoiRoot) => joi.string().max(100).description('`next` of the page before');

interface PageQuery {
  readonly limit: number;
  readonly before?: string;
}

/** What watched folders do and did, and failed files that are processed again. */
export function watchedFolderEndpoints(service: WatchedFolderService): Endpoint[] {
  return [...listEndpoints(service), ...historyEndpoints(service), ...failedFileEndpoints(service)];
}

function listEndpoints(service: WatchedFolderService): Endpoint[] {
  return [
    defineEndpoint({
      ...base,
      id: 'listWatchedFolders',
      method: 'GET',
      path: 'admin/watched-folders',
      summary: 'List watched folders',
      notes:
        'The folders that the running nodes watch, by path, with state and numbers. A folder appears as soon as it ' +
        'contains a file. Answers FEATURE_OFF while `autoPipeline.enabled` is off.',
      request: {
        query: (joi) =>
          joi.object({
            limit: limit(joi, USUAL_LISTED, MOST_LISTED),
            after: joi.string().max(100).description('`next` of the page before'),
          }),
      },
      returns: {
        description: 'The folders',
        json: folderList,
        links: ['getWatchedFolder', 'listWatchedFolderRuns', 'listFailedFiles'].map((to) => ({
          to,
          parameters: { folderId: '$response.body#/folders/0/id' },
        })),
      },
      errors: codes,
      handle: async ({ query }) => ({ json: await service.list(query as { limit: number; after?: string }) }),
    }),
    defineEndpoint({
      ...base,
      id: 'getWatchedFolderEvents',
      method: 'GET',
      path: 'admin/watched-folders/events',
      summary: 'Stream the list of watched folders (server-sent events)',
      notes: 'The list now, and again after changes, at most once a second. The stream does not end by itself.',
      request: { query: (joi) => joi.object({ limit: limit(joi, USUAL_LISTED, MOST_LISTED) }) },
      returns: { description: 'Events, each with the list', mediaType: 'text/event-stream', json: folderList },
      errors: codes,
      handle: async ({ query, signal }) => {
        const asked = query as { limit: number };
        // A refusal must be the answer, not the end of a stream.
        await service.list({ limit: 1 });
        return {
          stream: { mediaType: 'text/event-stream', body: eventStream(service.events(asked, signal), signal) },
          headers: { 'cache-control': 'private, no-store' },
        };
      },
    }),
    defineEndpoint({
      ...base,
      id: 'getWatchedFolder',
      method: 'GET',
      path: 'admin/watched-folders/{folderId}',
      summary: 'Get a watched folder and its pipeline',
      request: { params: (joi) => joi.object(folderId(joi)) },
      returns: { description: 'The folder', json: folderDetail },
      errors: folderCodes,
      handle: async ({ params }) => {
        const { savedAtMs: _ms, ...folder } = await service.one(params['folderId'] ?? '');
        return { json: folder };
      },
    }),
  ];
}

function historyEndpoints(service: WatchedFolderService): Endpoint[] {
  return [
    defineEndpoint({
      ...base,
      id: 'listWatchedFolderRuns',
      method: 'GET',
      path: 'admin/watched-folders/{folderId}/runs',
      summary: 'List the runs of a watched folder',
      notes: 'Runs that have ended, newest first. The last 1000 runs of a folder are kept for 90 days.',
      request: {
        params: (joi) => joi.object(folderId(joi)),
        query: (joi) =>
          joi.object({
            limit: limit(joi, USUAL_ON_PAGE, MOST_ON_PAGE),
            before: before(joi),
            outcome: outcome(joi).description('Only runs with this outcome'),
          }),
      },
      returns: { description: 'Runs', json: runList },
      errors: folderCodes,
      handle: async ({ params, query }) => {
        const asked = query as unknown as PageQuery & { readonly outcome?: 'done' | 'partly' | 'failed' };
        const { items, next } = await service.runs(params['folderId'] ?? '', asked);
        return { json: { runs: items.map(({ endedAtMs: _ms, folder: _folder, facts: _facts, ...run }) => run), next } };
      },
    }),
    defineEndpoint({
      ...base,
      id: 'listFailedFiles',
      method: 'GET',
      path: 'admin/watched-folders/{folderId}/failed',
      summary: 'List the failed files of a watched folder',
      notes: 'Newest first, with the reason, until they are processed again or forgotten.',
      request: {
        params: (joi) => joi.object(folderId(joi)),
        query: (joi) => joi.object({ limit: limit(joi, USUAL_ON_PAGE, MOST_ON_PAGE), before: before(joi) }),
      },
      returns: {
        description: 'Failed files',
        json: failedList,
        links: ['retryFailedFile', 'forgetFailedFile'].map((to) => ({
          to,
          parameters: { folderId: '$request.path.folderId', fileId: '$response.body#/files/0/id' },
        })),
      },
      errors: folderCodes,
      handle: async ({ params, query }) => {
        const { items, total, next } = await service.failed(params['folderId'] ?? '', query as unknown as PageQuery);
        return { json: { files: items.map(({ failedAtMs: _ms, folder: _folder, ...file }) => file), total, next } };
      },
    }),
  ];
}

function failedFileEndpoints(service: WatchedFolderService): Endpoint[] {
  const errors = [...folderCodes, 'FAILED_FILE_UNKNOWN'] as const;
  return [
    defineEndpoint({
      ...base,
      id: 'retryFailedFile',
      method: 'POST',
      path: 'admin/watched-folders/{folderId}/failed/{fileId}/retry',
      summary: 'Process a failed file again',
      notes:
        'Moves the file out of the folder for failed files into a new run, which uses the pipeline that is in the ' +
        'folder now. If that pipeline has a problem, the file waits until the problem is fixed.',
      request: { params: (joi) => joi.object({ ...folderId(joi), ...fileId(joi) }) },
      returns: { description: 'The file is being processed again', json: retried },
      errors: [...errors, 'FAILED_FILE_GONE', 'WATCHED_FOLDER_UNREACHABLE'],
      handle: async ({ params }) => ({
        json: await service.retry(params['folderId'] ?? '', params['fileId'] ?? ''),
      }),
    }),
    defineEndpoint({
      ...base,
      id: 'retryFailedFiles',
      method: 'POST',
      path: 'admin/watched-folders/{folderId}/failed/retry',
      summary: 'Process all failed files of a watched folder again',
      notes:
        'Files that failed in one run are processed in one run again. Puts back at most 1000 files; `left` says how ' +
        'many remain.',
      request: {
        params: (joi) => joi.object(folderId(joi)),
        query: (joi) => joi.object({ run: joi.string().max(100).description('Only files of this run') }),
      },
      returns: { description: 'The files are being processed again', json: retried },
      errors: [...folderCodes, 'WATCHED_FOLDER_UNREACHABLE'],
      handle: async ({ params, query }) => ({
        json: await service.retryAll(params['folderId'] ?? '', (query as { run?: string }).run),
      }),
    }),
    defineEndpoint({
      ...base,
      id: 'forgetFailedFile',
      method: 'DELETE',
      path: 'admin/watched-folders/{folderId}/failed/{fileId}',
      summary: 'Forget a failed file',
      notes: 'Removes the entry from the list. The file and its report stay where they are.',
      request: { params: (joi) => joi.object({ ...folderId(joi), ...fileId(joi) }) },
      returns: {
        description: 'The entry was removed',
        json: (joi) => joi.object({ message: joi.string().required() }).label('FailedFileForgotten'),
      },
      errors,
      handle: async ({ params }) => {
        await service.forget(params['folderId'] ?? '', params['fileId'] ?? '');
        return { json: { message: 'The failed file was forgotten; the file itself stays where it is.' } };
      },
    }),
  ];
}

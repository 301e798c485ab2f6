import { defineEndpoint, type Endpoint, type JoiRoot, type PartSpec } from '@quire/registry';
import type { FileRecord, ShareRole } from '../index.js';
import { leastFileBytes } from '../../http/request/index.js';
import {
  answerContent,
  checkPlace,
  contentCodes,
  fileIdOf,
  fileIdParam,
  fileSchema,
  fileWire,
  inlineQuery,
  storageCodes,
  storageOf,
  storageShared,
  uploadOf,
  uuidField,
  type StorageEndpointDeps,
} from './storage-wire.js';

const parts: readonly PartSpec[] = [
  { field: 'file', description: 'The file to upload', kinds: ['any'], requiredWhen: 'always' },
  { field: 'historyBundle', description: 'History of the file; stored with it', kinds: ['any'], mayBeEmpty: true },
  { field: 'auditLog', description: 'Audit log of the file; stored with it', kinds: ['any'], mayBeEmpty: true },
];
const upload = { payloadType: 'multipart', payload: (joi: JoiRoot) => joi.object({}), files: parts } as const;
const uploadCodes = [
  ...storageCodes,
  'INPUT_FILE_MISSING',
  'INPUT_FILE_EMPTY',
  'FILE_TYPE_REFUSED',
  'INPUT_TOO_LARGE',
  'STORAGE_QUOTA',
  'LICENCE_TOO_LOW',
  ...contentCodes,
  'STORAGE_FULL',
] as const;
const params = (joi: JoiRoot) => joi.object({ fileId: fileIdParam(joi) });
const folderField = (joi: JoiRoot) =>
  uuidField(joi).allow(null).default(null).description('Target folder; null for the root');

async function viewOf(
  deps: StorageEndpointDeps,
  userId: string,
  file: FileRecord,
  role: ShareRole = 'editor',
): Promise<object> {
  return fileWire(await storageOf(deps).views.one(userId, file, role));
}

/** Endpoints of stored files (`docs/interface/storage.yml`). */
export function storageFileEndpoints(deps: StorageEndpointDeps): Endpoint[] {
  return [...uploadEndpoints(deps), ...readEndpoints(deps), ...moveEndpoints(deps)];
}

function uploadEndpoints(deps: StorageEndpointDeps): Endpoint[] {
  return [
    defineEndpoint({
      ...storageShared,
      id: 'storeFile',
      method: 'POST',
      path: 'storage/files',
      summary: 'Upload a file to the storage',
      notes: 'The file is stored in the root folder. Executable files are rejected by their content type.',
      request: upload,
      errors: [...uploadCodes],
      examples: [{ title: 'a file with two pages', files: { file: ['two-pages.pdf'] } }],
      returns: {
        description: 'The file',
        json: fileSchema,
        links: [
          ...[
            'getStoredFile',
            'replaceStoredFile',
            'downloadStoredFile',
            'moveStoredFile',
            'createShareLink',
            'shareStoredFile',
            'deleteStoredFile',
          ].map((to) => ({ to, parameters: { fileId: '$response.body#/id' } })),
          { to: 'moveStoredFiles', payload: { fileIds: ['$response.body#/id'] } },
        ],
      },
      admit: async ({ principal, declaredBytes }) => {
        await storageOf(deps).files.admit(principal.id, leastFileBytes(declaredBytes));
        return undefined;
      },
      handle: async (call) => {
        checkPlace(deps);
        return {
          json: await viewOf(
            deps,
            call.principal.id,
            await storageOf(deps).files.add(call.principal.id, uploadOf(call), call.signal),
          ),
        };
      },
    }),
    defineEndpoint({
      ...storageShared,
      id: 'replaceStoredFile',
      method: 'PUT',
      path: 'storage/files/{fileId}',
      summary: 'Replace the content of a stored file',
      notes:
        'Only for the owner. History and audit log belong to the old content: they are deleted unless they are ' +
        'sent again. Only additional bytes count for quotas.',
      request: { ...upload, params },
      examples: [{ title: 'a file with two pages', files: { file: ['two-pages.pdf'] } }],
      returns: { description: 'The file', json: fileSchema },
      errors: [...uploadCodes, 'NOT_FOUND', 'STORAGE_CONFLICT'],
      admit: async ({ principal, declaredBytes, params: { fileId = '' } }) => {
        await storageOf(deps).files.admit(principal.id, leastFileBytes(declaredBytes), fileId);
        return undefined;
      },
      handle: async (call) => {
        checkPlace(deps);
        return {
          json: await viewOf(
            deps,
            call.principal.id,
            await storageOf(deps).files.replace(call.principal.id, fileIdOf(call), uploadOf(call), call.signal),
          ),
        };
      },
    }),
  ];
}

function readEndpoints(deps: StorageEndpointDeps): Endpoint[] {
  return [
    defineEndpoint({
      ...storageShared,
      id: 'listStoredFiles',
      method: 'GET',
      path: 'storage/files',
      summary: 'List your stored files and those shared with you',
      notes: 'Newest first.',
      returns: { description: 'The files', json: (joi) => joi.array().items(fileSchema(joi)).label('StoredFiles') },
      errors: [...storageCodes],
      handle: async ({ principal }) => {
        const { files, views } = storageOf(deps);
        return { json: (await views.many(principal.id, await files.list(principal.id))).map(fileWire) };
      },
    }),
    defineEndpoint({
      ...storageShared,
      id: 'getStoredFile',
      method: 'GET',
      path: 'storage/files/{fileId}',
      summary: 'Get the details of a stored file',
      request: { params },
      returns: { description: 'The file', json: fileSchema },
      errors: [...storageCodes, 'NOT_FOUND'],
      handle: async (call) => {
        const { file, role } = await storageOf(deps).files.readable(call.principal.id, fileIdOf(call));
        return { json: await viewOf(deps, call.principal.id, file, role) };
      },
    }),
    defineEndpoint({
      ...storageShared,
      id: 'downloadStoredFile',
      method: 'GET',
      path: 'storage/files/{fileId}/download',
      summary: 'Download a stored file',
      notes: 'A single range gets 206. A file in an S3 bucket gets 302 to a URL that is valid for five minutes.',
      request: { params, query: inlineQuery },
      returns: {
        description: 'The file',
        mediaType: 'application/octet-stream',
        also: { 206: { description: 'The requested range' }, 302: { description: 'The file is in an S3 bucket' } },
      },
      errors: [...storageCodes, 'NOT_FOUND', 'RANGE_INVALID', ...contentCodes],
      handle: async (call) => {
        const storage = storageOf(deps);
        const { file } = await storage.files.readable(call.principal.id, fileIdOf(call));
        return answerContent(storage, file, call.query['inline'] === true, call);
      },
    }),
  ];
}

function moveEndpoints(deps: StorageEndpointDeps): Endpoint[] {
  return [
    defineEndpoint({
      ...storageShared,
      id: 'deleteStoredFile',
      method: 'DELETE',
      path: 'storage/files/{fileId}',
      summary: 'Delete a stored file',
      notes: "Only for the owner. Also deletes the file's shares and links.",
      request: { params },
      returns: { description: 'Deleted', status: 204 },
      errors: [...storageCodes, 'NOT_FOUND'],
      handle: async (call) => {
        await storageOf(deps).files.remove(call.principal.id, fileIdOf(call));
        return {};
      },
    }),
    defineEndpoint({
      ...storageShared,
      id: 'moveStoredFile',
      method: 'PATCH',
      path: 'storage/files/{fileId}/folder',
      summary: 'Move a stored file to a folder',
      request: { params, payload: (joi) => joi.object({ folderId: folderField(joi) }) },
      returns: { description: 'Moved', status: 204 },
      errors: [...storageCodes, 'INPUT_MEDIA_TYPE', 'INPUT_MALFORMED', 'NOT_FOUND', 'STORAGE_CONFLICT'],
      handle: async (call) => {
        await storageOf(deps).files.place(call.principal.id, fileIdOf(call), call.payload['folderId'] as string | null);
        return {};
      },
    }),
    defineEndpoint({
      ...storageShared,
      id: 'moveStoredFiles',
      method: 'PATCH',
      path: 'storage/files/folder',
      summary: 'Move several stored files to a folder',
      request: {
        payload: (joi) =>
          joi.object({
            folderId: folderField(joi),
            fileIds: joi
              .array()
              .items(joi.number().integer().min(1).max(Number.MAX_SAFE_INTEGER))
              .min(1)
              .max(1000)
              .required()
              .description('Ids of the files'),
          }),
      },
      returns: {
        description: 'All files were moved',
        json: movedSchema,
        also: {
          207: { description: 'Some files were skipped: unknown, or not owned by the caller', json: movedSchema },
        },
      },
      errors: [...storageCodes, 'INPUT_MEDIA_TYPE', 'INPUT_MALFORMED', 'STORAGE_CONFLICT'],
      handle: async ({ principal, payload }) => {
        const ids = [...new Set((payload['fileIds'] as number[]).map(String))];
        const { moved, skipped } = await storageOf(deps).files.placeAll(
          principal.id,
          ids,
          payload['folderId'] as string | null,
        );
        return {
          status: skipped.length === 0 ? 200 : 207,
          json: { movedFileIds: moved.map(Number), skippedFileIds: skipped.map(Number) },
        };
      },
    }),
  ];
}

function movedSchema(joi: JoiRoot) {
  const numbers = () => joi.array().items(joi.number().integer()).required();
  return joi.object({ movedFileIds: numbers(), skippedFileIds: numbers() }).label('MovedFiles');
}

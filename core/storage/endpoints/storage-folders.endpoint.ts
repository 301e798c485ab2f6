import { defineEndpoint, type Endpoint, type JoiRoot } from '@quire/registry';
import { folderLimits, type NewFolder } from '../index.js';
import {
  folderSchema,
  folderWire,
  storageCodes,
  storageOf,
  storageShared,
  uuidField,
  type StorageEndpointDeps,
} from './storage-wire.js';

const bodyCodes = [...storageCodes, 'INPUT_MEDIA_TYPE', 'INPUT_MALFORMED'] as const;
const params = (joi: JoiRoot) => joi.object({ folderId: uuidField(joi).required().description('Id of the folder') });
const nameField = (joi: JoiRoot) => joi.string().trim().max(255).description('Name, not blank');
/** Null removes the value; so does an empty one. */
const clears = (value: unknown): string | null =>
  value === undefined || value === null || value === '' ? null : String(value);
const colorField = (joi: JoiRoot) =>
  joi
    .string()
    .pattern(/^#(?:[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})$/, '#RRGGBB or #RRGGBBAA')
    .allow(null, '')
    .description('#RRGGBB or #RRGGBBAA')
    .example('#3366CC');
const iconField = (joi: JoiRoot) =>
  joi
    .string()
    .pattern(/^[a-z0-9_-]{1,64}$/, 'a-z, 0-9, _ and -, at most 64')
    .allow(null, '')
    .description('Name of an icon')
    .example('invoice');

/** Endpoints of folders for stored files (`docs/interface/storage.yml`). */
export function storageFolderEndpoints(deps: StorageEndpointDeps): Endpoint[] {
  return [...listEndpoints(deps), ...createEndpoints(deps), ...changeEndpoints(deps)];
}

function listEndpoints(deps: StorageEndpointDeps): Endpoint[] {
  return [
    defineEndpoint({
      ...storageShared,
      id: 'listFolders',
      method: 'GET',
      path: 'storage/folders',
      summary: 'List your storage folders',
      notes: 'Returns a flat list, sorted by name.',
      returns: { description: 'The folders', json: (joi) => joi.array().items(folderSchema(joi)).label('Folders') },
      errors: [...storageCodes],
      handle: async ({ principal }) => ({ json: (await storageOf(deps).folders.list(principal.id)).map(folderWire) }),
    }),
  ];
}

function createEndpoints(deps: StorageEndpointDeps): Endpoint[] {
  return [
    defineEndpoint({
      ...storageShared,
      id: 'createFolder',
      method: 'POST',
      path: 'storage/folders',
      summary: 'Create a storage folder',
      notes:
        `At most ${folderLimits.count} folders, ${folderLimits.depth} levels deep. If the same user has ` +
        'already created a folder with this id, that folder is returned.',
      request: {
        payload: (joi) =>
          joi
            .object({
              id: uuidField(joi).allow(null).description('Id chosen by the client'),
              name: nameField(joi).required(),
              parentFolderId: uuidField(joi).allow(null).default(null).description('Parent folder; null for the root'),
              color: colorField(joi),
              icon: iconField(joi),
            })
            .example({
              id: '0b0e7c2e-3f2a-4c7e-9d35-1f4b8f3f9a10',
              name: 'Invoices',
              parentFolderId: null,
              color: '#1e88e5',
              icon: 'receipt',
            }),
      },
      returns: {
        description: 'The folder',
        status: 201,
        json: folderSchema,
        links: ['changeFolder', 'deleteFolder'].map((to) => ({ to, parameters: { folderId: '$response.body#/id' } })),
      },
      errors: [...bodyCodes, 'STORAGE_CONFLICT'],
      handle: async ({ principal, payload }) => {
        const { id, name, parentFolderId, color, icon } = payload as unknown as NewFolder;
        const folder = await storageOf(deps).folders.create(principal.id, {
          id: id ?? undefined,
          name,
          parentFolderId,
          color: clears(color),
          icon: clears(icon),
        });
        return {
          status: 201,
          json: folderWire(folder),
          headers: { location: `${deps.settings.get('system.rootUriPath')}/api/v1/storage/folders/${folder.id}` },
        };
      },
    }),
  ];
}

function changeEndpoints(deps: StorageEndpointDeps): Endpoint[] {
  return [
    defineEndpoint({
      ...storageShared,
      id: 'changeFolder',
      method: 'PATCH',
      path: 'storage/folders/{folderId}',
      summary: 'Rename, recolour or move a storage folder',
      notes: 'Members that are not sent stay unchanged. An empty colour or icon is removed.',
      request: {
        params,
        payload: (joi) =>
          joi
            .object({
              name: nameField(joi).allow(null),
              reparent: joi.boolean().allow(null).description('Must be true for parentFolderId to be used'),
              parentFolderId: uuidField(joi)
                .allow(null)
                .description('New parent folder if reparent is true; null for the root'),
              color: colorField(joi),
              icon: iconField(joi),
            })
            .example({ name: 'Bills', color: '#43a047' }),
      },
      returns: { description: 'The folder', json: folderSchema },
      errors: [...bodyCodes, 'NOT_FOUND'],
      handle: async ({ principal, params: { folderId }, payload }) => {
        const { name, reparent, parentFolderId, color, icon } = payload as {
          readonly name?: string | null;
          readonly reparent?: boolean | null;
          readonly parentFolderId?: string | null;
          readonly color?: string | null;
          readonly icon?: string | null;
        };
        // Null is treated like a missing member; only for the parent it means the root.
        const changed = (value: string | null | undefined): string | null | undefined =>
          value === undefined || value === null ? undefined : clears(value);
        const folder = await storageOf(deps).folders.change(principal.id, folderId ?? '', {
          name: name ?? undefined,
          parentFolderId: reparent === true ? (parentFolderId ?? null) : undefined,
          color: changed(color),
          icon: changed(icon),
        });
        return { json: folderWire(folder) };
      },
    }),
    defineEndpoint({
      ...storageShared,
      id: 'deleteFolder',
      method: 'DELETE',
      path: 'storage/folders/{folderId}',
      summary: 'Delete a storage folder and its subfolders',
      notes: 'Files in the folders are moved to the root; none is deleted.',
      request: { params },
      returns: {
        description: 'The deleted folders',
        json: (joi) =>
          joi.object({ removedFolderIds: joi.array().items(joi.string()).required() }).label('RemovedFolders'),
      },
      errors: [...storageCodes, 'NOT_FOUND'],
      handle: async ({ principal, params: { folderId } }) => ({
        json: { removedFolderIds: await storageOf(deps).folders.remove(principal.id, folderId ?? '') },
      }),
    }),
  ];
}

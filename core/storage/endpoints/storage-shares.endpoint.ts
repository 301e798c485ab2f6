import { defineEndpoint, type Endpoint, type EndpointRequest, type JoiRoot } from '@quire/registry';
import { MAX_NAME } from '../../accounts/index.js';
import { localDateTime } from '../../jobs/index.js';
import { shareRoles, type FileRecord, type LinkRecord, type NewLink, type ShareRole } from '../index.js';
import {
  answerContent,
  contentCodes,
  fileIdOf,
  fileIdParam,
  fileSchema,
  fileWire,
  inlineQuery,
  linkAccess,
  linkSchema,
  linkWire,
  roleField,
  storageAccess,
  storageCodes,
  storageOf,
  storageShared,
  tokenParam,
  type StorageEndpointDeps,
} from './storage-wire.js';

const bodyCodes = ['INPUT_MEDIA_TYPE', 'INPUT_MALFORMED'] as const;
const params = (joi: JoiRoot) => joi.object({ fileId: fileIdParam(joi) });
const linkParams = (joi: JoiRoot) => joi.object({ fileId: fileIdParam(joi), token: tokenParam(joi) });
const tokenParams = (joi: JoiRoot) => joi.object({ token: tokenParam(joi) });
const nothing = { description: 'Done', status: 204 } as const;
const dateTime = (at: number): string => localDateTime(new Date(at));

const linkFacts = (joi: JoiRoot) =>
  joi
    .object({
      shareToken: joi.string().required(),
      fileId: joi.number().integer().required(),
      fileName: joi.string().required(),
      owner: joi.string().allow(null).required(),
      ownedByCurrentUser: joi.boolean().required(),
      accessRole: joi
        .string()
        .valid(...shareRoles)
        .required(),
      createdAt: joi.string().isoDate().required(),
      expiresAt: joi.string().isoDate().allow(null).required(),
      lastAccessedAt: joi.string().isoDate().allow(null).required(),
    })
    .label('SharedFile');

function factsOf(
  userId: string,
  owner: string | null,
  file: FileRecord,
  link: LinkRecord,
  lastAccessedAt: number | null,
): object {
  return {
    shareToken: link.id,
    fileId: file.number,
    fileName: file.fileName,
    owner,
    ownedByCurrentUser: file.ownerId === userId,
    accessRole: file.ownerId === userId ? 'editor' : link.role,
    createdAt: dateTime(link.createdAt),
    expiresAt: link.expiresAt === null ? null : dateTime(link.expiresAt),
    lastAccessedAt: lastAccessedAt === null ? null : dateTime(lastAccessedAt),
  };
}

/**
 * Sharing of stored files with users and by links (`docs/interface/storage.yml`). A share can be removed while sharing
 * is off, too.
 */
export function storageShareEndpoints(deps: StorageEndpointDeps): Endpoint[] {
  return [...userShareEndpoints(deps), ...linkEndpoints(deps), ...sharedFileEndpoints(deps)];
}

function userShareEndpoints(deps: StorageEndpointDeps): Endpoint[] {
  return [shareWithUser(deps), ...unshareEndpoints(deps)];
}

function shareWithUser(deps: StorageEndpointDeps): Endpoint {
  return defineEndpoint({
    ...storageShared,
    access: { ...storageAccess, needsSettings: [...storageAccess.needsSettings, 'storage.sharing.enabled'] },
    id: 'shareStoredFile',
    method: 'POST',
    path: 'storage/files/{fileId}/shares/users',
    summary: 'Share a stored file with a user or mail address',
    notes:
      'Only for the owner. A user who already has the file gets the new role. A mail address without an ' +
      'account is sent a link.',
    request: {
      params,
      payload: (joi) =>
        joi.object({
          username: joi
            .string()
            .trim()
            .max(MAX_NAME)
            .required()
            .description('User name or mail address')
            .example('ada.lovelace'),
          accessRole: roleField(joi),
        }),
    },
    returns: {
      description: 'The file',
      json: fileSchema,
      links: [
        {
          to: 'unshareStoredFile',
          parameters: { fileId: '$request.path.fileId', username: '$request.body#/username' },
        },
      ],
    },
    errors: [
      ...storageCodes,
      ...bodyCodes,
      'NOT_FOUND',
      'USER_UNKNOWN',
      'MAIL_REFUSED',
      'REMOTE_UNREACHABLE',
      'SERVICE_NOT_SET_UP',
    ],
    handle: async (call) => {
      const { shares, views } = storageOf(deps);
      const file = await shares.withUser(
        call.principal.id,
        fileIdOf(call),
        call.payload['username'] as string,
        call.payload['accessRole'] as ShareRole,
        { signal: call.signal, accepted: call.headers['accept-language'] },
      );
      return { json: fileWire(await views.one(call.principal.id, file, 'editor')) };
    },
  });
}

function unshareEndpoints(deps: StorageEndpointDeps): Endpoint[] {
  return [
    defineEndpoint({
      ...storageShared,
      id: 'unshareStoredFile',
      method: 'DELETE',
      path: 'storage/files/{fileId}/shares/users/{username}',
      summary: 'Stop sharing a stored file with a user',
      notes: 'Only for the owner.',
      request: {
        params: (joi) =>
          joi.object({
            fileId: fileIdParam(joi),
            username: joi.string().max(MAX_NAME).required().description('User name'),
          }),
      },
      returns: nothing,
      errors: [...storageCodes, 'NOT_FOUND', 'USER_UNKNOWN'],
      handle: async (call) => {
        await storageOf(deps).shares.notWithUser(call.principal.id, fileIdOf(call), call.params['username'] ?? '');
        return {};
      },
    }),
    defineEndpoint({
      ...storageShared,
      id: 'leaveStoredFile',
      method: 'DELETE',
      path: 'storage/files/{fileId}/shares/self',
      summary: 'Remove a shared file from your list',
      request: { params },
      returns: nothing,
      errors: [...storageCodes, 'STORED_FILE_FORBIDDEN', 'NOT_FOUND'],
      handle: async (call) => {
        await storageOf(deps).shares.leave(call.principal.id, fileIdOf(call));
        return {};
      },
    }),
  ];
}

function linkEndpoints(deps: StorageEndpointDeps): Endpoint[] {
  return [createLink(deps), deleteLink(deps), linkUses(deps)];
}

function newLinkOf(payload: EndpointRequest['payload']): NewLink {
  return {
    role: payload['accessRole'] as ShareRole,
    withoutAccount: payload['withoutAccount'] as boolean,
    password: payload['password'] as string | undefined,
    maxDownloads: payload['maxDownloads'] as number | null,
    expiresInHours: payload['expiresInHours'] as number | null,
  };
}

const newLinkSchema = (joi: JoiRoot) =>
  joi
    .object({
      accessRole: roleField(joi),
      withoutAccount: joi
        .boolean()
        .empty(null)
        .default(false)
        .description('Everybody who has the link may open it, without an account (storage.sharing.publicLinkEnabled)'),
      password: joi
        .string()
        .empty(joi.valid(null, ''))
        .description('At least 8 characters, none of the common ones; by default the link has none'),
      maxDownloads: joi
        .number()
        .integer()
        .min(1)
        .max(1_000_000)
        .allow(null)
        .default(null)
        .description('How often the content may be sent, shown or saved; null for no limit'),
      expiresInHours: joi
        .number()
        .integer()
        .min(1)
        .max(87_600)
        .allow(null)
        .default(null)
        .description('At most, and by default, storage.sharing.linkExpirationDays'),
    })
    .example({ accessRole: 'viewer' });

function createLink(deps: StorageEndpointDeps): Endpoint {
  return defineEndpoint({
    ...storageShared,
    access: linkAccess,
    id: 'createShareLink',
    method: 'POST',
    path: 'storage/files/{fileId}/shares/links',
    summary: 'Create a link to a stored file',
    notes:
      'Only for the owner. The address is `<system.frontendUrl>/share/<token>`; users of the link must log in, ' +
      'unless it works `withoutAccount`. A link with a password or a number of downloads is opened by POST only.',
    request: { params, payload: newLinkSchema },
    returns: {
      description: 'The link',
      json: linkSchema,
      links: [
        ...['getSharedFile', 'getSharedFileMetadata', 'openShareLink', 'downloadShareLink'].map((to) => ({
          to,
          parameters: { token: '$response.body#/token' },
        })),
        ...['listLinkAccesses', 'deleteShareLink'].map((to) => ({
          to,
          parameters: { fileId: '$request.path.fileId', token: '$response.body#/token' },
        })),
      ],
    },
    errors: [...storageCodes, ...bodyCodes, 'NOT_FOUND', 'PASSWORD_INVALID'],
    handle: async (call) => {
      const { shares } = storageOf(deps);
      return { json: linkWire(await shares.createLink(call.principal.id, fileIdOf(call), newLinkOf(call.payload))) };
    },
  });
}

function deleteLink(deps: StorageEndpointDeps): Endpoint {
  return defineEndpoint({
    ...storageShared,
    id: 'deleteShareLink',
    method: 'DELETE',
    path: 'storage/files/{fileId}/shares/links/{token}',
    summary: 'Delete a link to a stored file',
    notes: 'Only for the owner. Also deletes the list of its uses.',
    request: { params: linkParams },
    returns: nothing,
    errors: [...storageCodes, 'STORED_FILE_FORBIDDEN', 'NOT_FOUND'],
    handle: async (call) => {
      await storageOf(deps).shares.removeLink(call.principal.id, fileIdOf(call), call.params['token'] ?? '');
      return {};
    },
  });
}

function linkUses(deps: StorageEndpointDeps): Endpoint {
  return defineEndpoint({
    ...storageShared,
    id: 'listLinkAccesses',
    method: 'GET',
    path: 'storage/files/{fileId}/shares/links/{token}/accesses',
    summary: 'List the uses of a link to a stored file',
    notes: 'Only for the owner. Newest first, at most limits.usesPerLink (10000).',
    request: { params: linkParams },
    returns: {
      description: 'The uses',
      json: (joi) =>
        joi
          .array()
          .items(
            joi
              .object({
                username: joi.string().allow(null).required(),
                accessType: joi.string().valid('VIEW', 'DOWNLOAD').required(),
                accessedAt: joi.string().isoDate().required(),
                withoutAccount: joi.boolean().required().description('It was opened by somebody without an account'),
              })
              .label('LinkAccess'),
          )
          .label('LinkAccesses'),
    },
    errors: [...storageCodes, 'NOT_FOUND'],
    handle: async (call) => {
      const { shares, views } = storageOf(deps);
      const nameOf = views.names();
      const accesses = await shares.accesses(call.principal.id, fileIdOf(call), call.params['token'] ?? '');
      return {
        json: await Promise.all(
          accesses.map(async ({ userId, type, at }) => ({
            username: userId === '' ? null : await nameOf(userId),
            accessType: type,
            accessedAt: dateTime(at),
            withoutAccount: userId === '',
          })),
        ),
      };
    },
  });
}

function sharedFileEndpoints(deps: StorageEndpointDeps): Endpoint[] {
  const shared = { ...storageShared, access: linkAccess };
  return [
    defineEndpoint({
      ...shared,
      id: 'getSharedFile',
      method: 'GET',
      path: 'storage/share-links/{token}',
      summary: 'Download a shared file by its link',
      notes: 'Every use is recorded for the owner: as VIEW with `inline=true`, otherwise as DOWNLOAD.',
      request: { params: tokenParams, query: inlineQuery },
      returns: {
        description: 'The file',
        mediaType: 'application/octet-stream',
        also: { 206: { description: 'The requested range' }, 302: { description: 'The file is in an S3 bucket' } },
      },
      errors: [...storageCodes, 'NOT_FOUND', 'SHARE_LINK_GUARDED', 'RANGE_INVALID', ...contentCodes],
      handle: async (call) => {
        const storage = storageOf(deps);
        const { link, file } = await storage.shares.follow(call.params['token'] ?? '');
        const inline = call.query['inline'] === true;
        const answer = await answerContent(storage, file, inline, call);
        try {
          await storage.shares.note(link, call.principal.id, inline ? 'VIEW' : 'DOWNLOAD');
        } catch (error) {
          // Content is only sent if its use was recorded.
          answer.file?.stream?.destroy();
          throw error;
        }
        return answer;
      },
    }),
    defineEndpoint({
      ...shared,
      id: 'getSharedFileMetadata',
      method: 'GET',
      path: 'storage/share-links/{token}/metadata',
      summary: 'Get the details of a shared file by its link',
      request: { params: tokenParams },
      returns: { description: 'The file', json: linkFacts },
      errors: [...storageCodes, 'NOT_FOUND', 'SHARE_LINK_GUARDED'],
      handle: async ({ params: { token }, principal }) => {
        const { shares, views } = storageOf(deps);
        const { link, file } = await shares.follow(token ?? '');
        return { json: factsOf(principal.id, await views.names()(file.ownerId), file, link, null) };
      },
    }),
    defineEndpoint({
      ...shared,
      id: 'listOpenedLinks',
      method: 'GET',
      path: 'storage/share-links/accessed',
      summary: 'List the shared links that you have used',
      notes: 'Each link once, last used first, without expired ones.',
      returns: { description: 'The files', json: (joi) => joi.array().items(linkFacts(joi)).label('SharedFiles') },
      errors: [...storageCodes],
      handle: async ({ principal }) => {
        const { shares, views } = storageOf(deps);
        const nameOf = views.names();
        return {
          json: await Promise.all(
            (await shares.opened(principal.id)).map(async ({ link, file, opened }) =>
              factsOf(principal.id, await nameOf(file.ownerId), file, link, opened.at),
            ),
          ),
        };
      },
    }),
  ];
}

import {
  defineEndpoint,
  type Endpoint,
  type EndpointAnswer,
  type EndpointRequest,
  type JoiRoot,
} from '@quire/registry';
import { downloadsLeft, type FileRecord, type Storage, type Visit } from '../index.js';
import { contentDisposition } from '../../http/response/index.js';
import {
  contentCodes,
  inlineQuery,
  linkAccess,
  optionalTime,
  storageCodes,
  storageOf,
  storageShared,
  tokenParam,
  type StorageEndpointDeps,
} from './storage-wire.js';

const request = {
  params: (joi: JoiRoot) => joi.object({ token: tokenParam(joi) }),
  payload: (joi: JoiRoot) =>
    joi
      .object({
        password: joi.string().empty(joi.valid(null, '')).description('Password of the link, if it has one'),
      })
      .example({}),
} as const;

const codes = [
  ...storageCodes,
  'INPUT_MEDIA_TYPE',
  'INPUT_MALFORMED',
  'NOT_FOUND',
  'SHARE_LINK_EXPIRED',
  'SHARE_LINK_REVOKED',
  'SHARE_LINK_USED_UP',
  'SHARE_LINK_PASSWORD_REQUIRED',
  'SHARE_LINK_PASSWORD_WRONG',
  'TOO_MANY_ATTEMPTS',
] as const;

/** Whoever has such a link needs no account, so the route is public; the link decides (`LinkVisits`). */
const shared = { ...storageShared, access: { ...linkAccess, role: 'public' } } as const;

/** Of every answer to people without an account: neither search engines nor caches keep it. */
const privately = { 'cache-control': 'private, no-store', 'x-robots-tag': 'noindex, nofollow' } as const;

/**
 * Files of links, also for people without an account and with a password. POST, because passwords do not belong into
 * addresses, and because programs that look at links in advance must not use them up.
 */
export function storageLinkEndpoints(deps: StorageEndpointDeps): Endpoint[] {
  return [openLink(deps), downloadLink(deps)];
}

function openLink(deps: StorageEndpointDeps): Endpoint {
  return defineEndpoint({
    ...shared,
    id: 'openShareLink',
    method: 'POST',
    path: 'storage/share-links/{token}/metadata',
    summary: 'Get the details of a shared file, also without account',
    notes:
      'Without an account only for links that work `withoutAccount`. Counts as no download, and is not in the list ' +
      'of uses.',
    request,
    returns: {
      description: 'The file',
      json: (joi) =>
        joi
          .object({
            fileName: joi.string().required(),
            contentType: joi.string().required(),
            sizeBytes: joi.number().integer().required(),
            owner: joi.string().allow(null).required().description('Null without an account'),
            expiresAt: joi.string().isoDate().allow(null).required(),
            downloadsLeft: joi
              .number()
              .integer()
              .allow(null)
              .required()
              .description('How often the content may still be sent; null for no limit'),
          })
          .label('OpenedLink'),
    },
    errors: codes,
    handle: async (call) => {
      const { views } = storageOf(deps);
      const { link, file } = await visitOf(deps, call);
      return {
        json: {
          fileName: file.fileName,
          contentType: file.contentType,
          sizeBytes: file.sizeBytes,
          owner: call.principal.id === '' ? null : await views.names()(file.ownerId),
          expiresAt: optionalTime(link.expiresAt),
          downloadsLeft: downloadsLeft(link),
        },
        headers: privately,
      };
    },
  });
}

function downloadLink(deps: StorageEndpointDeps): Endpoint {
  return defineEndpoint({
    ...shared,
    id: 'downloadShareLink',
    method: 'POST',
    path: 'storage/share-links/{token}',
    summary: 'Download a shared file, also without an account',
    notes:
      'Without an account only for links that work `withoutAccount`. Every use is recorded for the owner, as VIEW ' +
      'with `inline=true`, otherwise as DOWNLOAD, and counts where the link has a number of downloads. ' +
      'The file is always ' +
      'sent whole and as an attachment.',
    request: { ...request, query: inlineQuery },
    returns: { description: 'The file', mediaType: 'application/octet-stream' },
    errors: [...codes, ...contentCodes],
    handle: async (call) => {
      const storage = storageOf(deps);
      const visit = await visitOf(deps, call);
      await storage.visits.take(visit.link);
      try {
        return await storage.files.current(visit.file, (file) => send(storage, { ...visit, file }, call));
      } catch (error) {
        await storage.visits.giveBack(visit.link);
        throw error;
      }
    },
  });
}

function visitOf(deps: StorageEndpointDeps, { params, payload, principal, address }: EndpointRequest): Promise<Visit> {
  return storageOf(deps).visits.open(params['token'] ?? '', {
    userId: principal.id,
    address,
    password: payload['password'] as string | undefined,
  });
}

/** Streams the content through this server, also from a bucket: an address of the bucket would work more than once. */
async function send(storage: Storage, { link, file }: Visit, call: EndpointRequest): Promise<EndpointAnswer> {
  const { stream } = await storage.files.open(file, undefined, call.signal);
  try {
    await storage.shares.note(link, call.principal.id, call.query['inline'] === true ? 'VIEW' : 'DOWNLOAD');
  } catch (error) {
    stream.destroy();
    throw error;
  }
  return { file: { ...bodyOf(file), stream }, headers: headersOf(file) };
}

function bodyOf({ fileName, contentType, sizeBytes }: FileRecord) {
  return { name: fileName, mediaType: contentType, size: sizeBytes };
}

/** A browser saves the file, and shows it, if at all, as a page without an origin and without scripts. */
function headersOf({ fileName }: FileRecord): Readonly<Record<string, string>> {
  return {
    ...privately,
    'content-disposition': contentDisposition(fileName),
    'content-security-policy': "sandbox; default-src 'none'",
  };
}

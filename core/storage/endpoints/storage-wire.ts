import {
  AccessError,
  type DocumentFile,
  type EndpointAnswer,
  type EndpointRequest,
  type JoiRoot,
} from '@quire/registry';
import { hasLicence } from '../../billing/index.js';
import { localDateTime } from '../../jobs/index.js';
import {
  downloadsLeft,
  shareRoles,
  type FileRecord,
  type FileView,
  type FolderRecord,
  type LinkRecord,
  type Storage,
  type UploadSet,
} from '../index.js';
import { byteRange } from '../../http/request/index.js';
import { contentDisposition } from '../../http/response/index.js';
import type { Settings } from '../../settings/index.js';

export interface StorageEndpointDeps {
  readonly settings: Settings;
  /** Undefined while login or storage is off. */
  readonly storage: Storage | undefined;
}

/** Access of all storage endpoints: 403 while login or storage is off (`docs/interface/storage.yml`, storage rules). */
export const storageAccess = {
  needsSettings: ['security.enableLogin', 'storage.enabled'],
  right: 'storage',
} as const;
/** Access of endpoints that create or use links. */
export const linkAccess = {
  right: 'storage',
  needsSettings: [...storageAccess.needsSettings, 'storage.sharing.enabled', 'storage.sharing.linkEnabled'],
} as const;
/** Shared by all storage endpoints. */
export const storageShared = { since: '1.0.0', tag: 'storage', access: storageAccess } as const;
/** Error codes of all storage endpoints. */
export const storageCodes = ['KEY_INVALID', 'FEATURE_OFF', 'INPUT_INVALID', 'STORE_DOWN'] as const;

/** Error codes of endpoints that read or write contents, which may be in a bucket. */
export const contentCodes = ['SERVICE_NOT_SET_UP', 'REMOTE_UNREACHABLE', 'REMOTE_ANSWER', 'REMOTE_TIMEOUT'] as const;

/** Returns the storage. Throws FEATURE_OFF; normally the route has refused the call before. */
export function storageOf({ storage }: StorageEndpointDeps): Storage {
  if (storage === undefined) throw new AccessError('FEATURE_OFF', { setting: 'storage.enabled is not true' });
  return storage;
}

/** Path parameter: the id of a file. */
export const fileIdParam = (joi: JoiRoot) =>
  joi
    .string()
    .pattern(/^\d{1,15}$/, 'number')
    .required()
    .description('Id of the file')
    .example('42');
/** Path parameter: the token of a link. An invalid token is treated as an unknown one. */
export const tokenParam = (joi: JoiRoot) => joi.string().max(200).required().description('Token of the link');
export const uuidField = (joi: JoiRoot) =>
  joi
    .string()
    .lowercase()
    .pattern(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, 'UUID')
    .example('0b0e7c2e-3f2a-4c7e-9d35-1f4b8f3f9a10');
/** Role of a user to whom a file is shared. */
export const roleField = (joi: JoiRoot) =>
  joi
    .string()
    .trim()
    .lowercase()
    .valid(...shareRoles)
    .empty(joi.valid(null, ''))
    .default('editor')
    .description('Role of the user, in upper or lower case');
/** Query: whether a browser displays the file instead of saving it. */
export const inlineQuery = (joi: JoiRoot) =>
  joi.object({
    inline: joi
      .boolean()
      .empty('')
      .default(false)
      .description('Display the file in the browser instead of downloading it'),
  });

/** Returns the id of the file in a path. */
export const fileIdOf = ({ params }: Pick<EndpointRequest, 'params'>): string => String(Number(params['fileId']));

const time = (joi: JoiRoot) => joi.string().isoDate();
/** Returns a time as clients see it. */
export const optionalTime = (at: number | null): string | null => (at === null ? null : localDateTime(new Date(at)));
const link = (joi: JoiRoot) => ({
  token: joi.string().required(),
  accessRole: joi
    .string()
    .valid(...shareRoles)
    .required(),
  createdAt: time(joi).required(),
  expiresAt: time(joi).allow(null).required(),
  withoutAccount: joi.boolean().required().description('It works without an account'),
  hasPassword: joi.boolean().required(),
  maxDownloads: joi
    .number()
    .integer()
    .allow(null)
    .required()
    .description('How often the content may be sent, shown or saved; null for no limit'),
  downloadsLeft: joi.number().integer().allow(null).required().description('Null for no limit'),
});

export const linkSchema = (joi: JoiRoot) => joi.object(link(joi)).label('ShareLink');

/** Schema of a file (`docs/interface/storage.yml`, StoredFile object). */
export const fileSchema = (joi: JoiRoot) =>
  joi
    .object({
      id: joi.number().integer().required(),
      fileName: joi.string().required(),
      contentType: joi.string().allow(null).required(),
      sizeBytes: joi.number().integer().required(),
      owner: joi.string().allow(null).required(),
      ownedByCurrentUser: joi.boolean().required(),
      accessRole: joi
        .string()
        .valid(...shareRoles)
        .required(),
      createdAt: time(joi).required(),
      updatedAt: time(joi).allow(null).required(),
      sharedWithUsers: joi.array().items(joi.string()).required(),
      sharedUsers: joi
        .array()
        .items(
          joi
            .object({
              username: joi.string().required(),
              displayName: joi.string().allow(null).required().description("The person's name"),
              accessRole: joi
                .string()
                .valid(...shareRoles)
                .required(),
            })
            .label('SharedUser'),
        )
        .required(),
      shareLinks: joi.array().items(linkSchema(joi)).required(),
      filePurpose: joi
        .string()
        .valid('generic', 'signing_original', 'signing_signed', 'signing_history')
        .allow(null)
        .required(),
      folderId: joi.string().allow(null).required(),
    })
    .label('StoredFile');

export const folderSchema = (joi: JoiRoot) =>
  joi
    .object({
      id: joi.string().required(),
      name: joi.string().required(),
      parentFolderId: joi.string().allow(null).required(),
      color: joi.string().allow(null).required(),
      icon: joi.string().allow(null).required(),
      version: joi.number().integer().required(),
      createdAt: time(joi).required(),
      updatedAt: time(joi).required(),
    })
    .label('Folder');

/** Returns a file as clients see it. */
export function fileWire({ file, owner, ownedByCurrentUser, accessRole, sharedUsers, shareLinks }: FileView): object {
  return {
    id: file.number,
    fileName: file.fileName,
    contentType: file.contentType,
    sizeBytes: file.sizeBytes,
    owner,
    ownedByCurrentUser,
    accessRole,
    createdAt: optionalTime(file.createdAt),
    updatedAt: optionalTime(file.updatedAt),
    sharedWithUsers: sharedUsers.map(({ username }) => username),
    sharedUsers,
    // Folders belong to the owner; other users do not see them.
    shareLinks: shareLinks.map(linkWire),
    filePurpose: file.purpose,
    folderId: ownedByCurrentUser ? file.folderId : null,
  };
}

/** Returns a link as clients see it. */
export function linkWire(record: LinkRecord): object {
  const { id, role, createdAt, expiresAt, withoutAccount = false, passwordHash = null, maxDownloads = null } = record;
  return {
    token: id,
    accessRole: role,
    createdAt: optionalTime(createdAt),
    expiresAt: optionalTime(expiresAt),
    withoutAccount,
    hasPassword: passwordHash !== null,
    maxDownloads,
    downloadsLeft: downloadsLeft(record),
  };
}

/** Returns a folder as clients see it. */
export function folderWire({
  id,
  name,
  parentFolderId,
  color,
  icon,
  version,
  createdAt,
  updatedAt,
}: FolderRecord): object {
  return {
    id,
    name,
    parentFolderId,
    color,
    icon,
    version,
    createdAt: optionalTime(createdAt),
    updatedAt: optionalTime(updatedAt),
  };
}

/** Returns the uploads of a form. */
export function uploadOf({ files }: EndpointRequest): UploadSet {
  const [main, history, audit] = ['file', 'historyBundle', 'auditLog'].map((field) => files[field]?.[0]);
  if (main === undefined) throw new Error('the form was validated but has no file');
  const part = (file: DocumentFile | undefined) =>
    file === undefined ? undefined : { path: file.path(), size: file.size };
  return {
    fileName: main.name,
    contentType: main.mediaType,
    main: { path: main.path(), size: main.size },
    history: part(history),
    audit: part(audit),
  };
}

/**
 * Throws LICENCE_TOO_LOW if the licence does not include the place of uploads (`docs/interface/storage.yml`, storage
 * rules).
 */
export function checkPlace({ settings }: StorageEndpointDeps): void {
  if (settings.get('storage.provider') !== 'local' && !hasLicence(settings.get('licence.tier'), 'team'))
    throw new AccessError('LICENCE_TOO_LOW', { licence: 'team' });
}

/** Images, sound and PDFs: browsers display them without executing anything on this server's origin. */
const harmless =
  /^(?:application\/pdf|image\/(?!svg)[a-z0-9.+-]+|audio\/[a-z0-9.+-]+|video\/[a-z0-9.+-]+|text\/plain)$/;

/**
 * Responds with a file, whole or the requested range (RFC 9110, 14), or redirects the client to the bucket. Files other
 * than images, sound and PDFs are displayed in a sandbox without an origin, so that a file of one user cannot act as
 * another user.
 */
export function answerContent(
  storage: Storage,
  file: FileRecord,
  inline: boolean,
  call: EndpointRequest,
): Promise<EndpointAnswer> {
  return storage.files.current(file, (at) => answerFile(storage, at, inline, call));
}

async function answerFile(
  storage: Storage,
  file: FileRecord,
  inline: boolean,
  { headers, signal }: EndpointRequest,
): Promise<EndpointAnswer> {
  const attachment = contentDisposition(file.fileName);
  const disposition = inline ? attachment.replace(/^attachment/, 'inline') : attachment;
  const place = storage.contents.at(file.place);
  const address = await place.address?.(file.blob, { contentType: file.contentType, disposition });
  if (address !== undefined)
    return { status: 302, headers: { location: address, 'cache-control': 'private, no-store' } };
  const etag = `"${file.blob}"`;
  const range = byteRange(headers, file.sizeBytes, etag);
  const { stream } = await storage.files.open(file, range, signal);
  const size = range === undefined ? file.sizeBytes : range.end - range.start + 1;
  return {
    ...(range === undefined ? {} : { status: 206 }),
    file: { name: file.fileName, mediaType: file.contentType, stream, size },
    headers: {
      'content-disposition': disposition,
      'accept-ranges': 'bytes',
      etag,
      ...(range === undefined ? {} : { 'content-range': `bytes ${range.start}-${range.end}/${file.sizeBytes}` }),
      ...(harmless.test(file.contentType)
        ? {}
        : { 'content-security-policy': "sandbox; default-src 'none'; style-src 'unsafe-inline'" }),
    },
  };
}

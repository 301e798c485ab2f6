import { defineEndpoint, type Endpoint, type JoiRoot } from '@quire/registry';
import { LONGEST_SESSION_ID, SESSION_MS, type ScanSession, type MobileScanner } from '../index.js';
import { mayBegin, refuseClosed, refuseStranger, type ScannerOpenTo } from '../scanner-access.js';
import { FORM_BYTES, leastFileBytes } from '../../http/request/index.js';

export interface MobileScannerEndpointDeps {
  readonly mobileScanner: MobileScanner;
  readonly openTo: ScannerOpenTo;
}

/**
 * Shared by all endpoints of the mobile scanner. They need no login, because users do not log in on their phones
 * (`docs/interface/misc.yml`, mobile-scanner); who may begin a session is a setting.
 */
const shared = {
  since: '1.0.0',
  tag: 'mobile-scanner',
  access: { role: 'public' },
} as const;
const codes = ['FEATURE_OFF', 'STORE_DOWN'] as const;
const fullCodes = ['SCAN_SESSIONS_FULL', 'INPUT_INVALID'] as const;

const idParam = (joi: JoiRoot) =>
  joi
    .string()
    .required()
    .description('Id of the session, chosen by the client')
    .example('3f2a4c7e-9d35-4b8f-8a10-0b0e7c2e1f4b');
/** Example of an id that a client chose. */
const chosen = { sessionId: '3f2a4c7e-9d35-4b8f-8a10-0b0e7c2e1f4b' } as const;
/** For endpoints that create a session. The others treat an invalid id as an unknown session. */
const newIdParam = (joi: JoiRoot) =>
  idParam(joi)
    .pattern(/^[A-Za-z0-9-]+$/, 'letters, digits and hyphens')
    .max(LONGEST_SESSION_ID);
const params = (joi: JoiRoot) => joi.object({ sessionId: idParam(joi) });
const newParams = (joi: JoiRoot) => joi.object({ sessionId: newIdParam(joi) });
const life = (joi: JoiRoot) => ({
  sessionId: joi.string().required(),
  createdAt: joi.number().integer().required().description('Milliseconds since 1970'),
  expiresAt: joi
    .number()
    .integer()
    .required()
    .description('Milliseconds since 1970; every use of the session extends it'),
  timeoutMs: joi
    .number()
    .integer()
    .required()
    .description('How long the session lives after its last use, in milliseconds')
    .example(SESSION_MS),
});
const lifeOf = (sessionId: string, { createdAt, expiresAt }: ScanSession): object => ({
  sessionId,
  createdAt,
  expiresAt,
  timeoutMs: SESSION_MS,
});
const done = (joi: JoiRoot) => ({ success: joi.boolean().required(), sessionId: joi.string().required() });

/**
 * Sessions in which a phone uploads files for a desktop (`docs/interface/misc.yml`, `docs/interface/platform.yml`:
 * mobile-scanner).
 */
export function mobileScannerEndpoints(deps: MobileScannerEndpointDeps): Endpoint[] {
  return [...sessionEndpoints(deps), ...uploadEndpoints(deps), ...downloadEndpoints(deps)];
}

function sessionEndpoints({ mobileScanner, openTo }: MobileScannerEndpointDeps): Endpoint[] {
  return [
    defineEndpoint({
      ...shared,
      id: 'createScanSession',
      method: 'POST',
      path: 'mobile-scanner/create-session/{sessionId}',
      summary: 'Create an upload session for a phone',
      notes:
        'The id is random, with at least 128 bits: a UUID, 32 hexadecimal digits, or 22 letters and digits, since ' +
        'everybody who knows it can use the session. If it is already in use, the session starts again and its ' +
        'files are deleted. While `system.enableMobileScanner` is not set, only signed-in users may begin a session.',
      request: { params: newParams },
      returns: {
        description: 'The session',
        json: (joi) => joi.object({ success: joi.boolean().required(), ...life(joi) }).label('ScanSessionCreated'),
        links: ['uploadScans', 'validateScanSession', 'deleteScanSession'].map((to) => ({
          to,
          parameters: { sessionId: '$response.body#/sessionId' },
        })),
      },
      errors: [...codes, ...fullCodes],
      examples: [{ title: 'a session id chosen by the client', parameters: chosen }],
      handle: async ({ params: { sessionId = '' }, address, principal }) => {
        refuseStranger(openTo, principal);
        return { json: { success: true, ...lifeOf(sessionId, await mobileScanner.begin(sessionId, address)) } };
      },
    }),
    defineEndpoint({
      ...shared,
      id: 'validateScanSession',
      method: 'GET',
      path: 'mobile-scanner/validate-session/{sessionId}',
      summary: 'Check an upload session and keep it alive',
      request: { params },
      returns: {
        description: 'The session',
        json: (joi) => joi.object({ valid: joi.boolean().required(), ...life(joi) }).label('ScanSession'),
      },
      errors: [...codes, 'SCAN_SESSION_UNKNOWN', 'SCAN_SESSIONS_FULL'],
      handle: async ({ params: { sessionId = '' }, address }) => {
        refuseClosed(openTo);
        return { json: { valid: true, ...lifeOf(sessionId, await mobileScanner.use(sessionId, address)) } };
      },
    }),
    defineEndpoint({
      ...shared,
      id: 'deleteScanSession',
      method: 'DELETE',
      path: 'mobile-scanner/session/{sessionId}',
      summary: 'Delete an upload session and its files',
      notes: 'Succeeds for an unknown session too.',
      request: { params },
      returns: {
        description: 'The session no longer exists',
        json: (joi) => joi.object({ ...done(joi), message: joi.string().required() }).label('ScanSessionDeleted'),
      },
      errors: codes,
      handle: async ({ params: { sessionId = '' } }) => {
        refuseClosed(openTo);
        await mobileScanner.end(sessionId);
        return { json: { success: true, sessionId, message: 'The session was deleted' } };
      },
    }),
  ];
}

function uploadEndpoints({ mobileScanner, openTo }: MobileScannerEndpointDeps): Endpoint[] {
  return [
    defineEndpoint({
      ...shared,
      id: 'uploadScans',
      method: 'POST',
      path: 'mobile-scanner/upload/{sessionId}',
      summary: 'Upload files to an upload session',
      notes:
        'Creates the session if it does not exist and you may begin one. Empty files are skipped. In file names, ' +
        'characters other than A-Z, a-z, 0-9, ".", "_" and "-" become underscores, and repeated names get -1, -2 ' +
        'and so on. ' +
        'Either all files are stored or none.',
      request: {
        params: newParams,
        payloadType: 'multipart',
        payload: (joi) => joi.object({}),
        files: [
          {
            field: 'files',
            description: 'The files to upload; repeat the field for several files',
            kinds: ['any'],
            many: true,
            requiredWhen: 'always',
            mayBeEmpty: true,
          },
        ],
      },
      examples: [{ title: 'one file', parameters: chosen, files: { files: ['two-pages.pdf'] } }],
      returns: {
        description: 'The files are stored',
        json: (joi) =>
          joi
            .object({
              ...done(joi),
              filesUploaded: joi
                .number()
                .integer()
                .required()
                .description('Number of uploaded files, including empty ones'),
              message: joi.string().required(),
            })
            .label('ScansUploaded'),
        links: [{ to: 'listScans', parameters: { sessionId: '$response.body#/sessionId' } }],
      },
      errors: [
        ...codes,
        ...fullCodes,
        'SCAN_SESSION_UNKNOWN',
        'INPUT_FILE_MISSING',
        'INPUT_TOO_LARGE',
        'STORAGE_QUOTA',
        'STORAGE_CONFLICT',
        'STORAGE_FULL',
      ],
      admit: async ({ params: { sessionId = '' }, declaredBytes, address, principal }) => {
        refuseClosed(openTo);
        const least = leastFileBytes(declaredBytes);
        return (await mobileScanner.admit(sessionId, address, least, mayBegin(openTo, principal))) + FORM_BYTES;
      },
      handle: async ({ params: { sessionId = '' }, files, address, principal }) => {
        const sent = files['files'] ?? [];
        await mobileScanner.add(
          sessionId,
          address,
          sent.map((file) => ({ name: file.name, mediaType: file.mediaType, size: file.size, path: file.path() })),
          mayBegin(openTo, principal),
        );
        return {
          json: {
            success: true,
            sessionId,
            filesUploaded: sent.length,
            message: sent.length === 1 ? 'One file was uploaded' : `${sent.length} files were uploaded`,
          },
        };
      },
    }),
  ];
}

function downloadEndpoints({ mobileScanner, openTo }: MobileScannerEndpointDeps): Endpoint[] {
  return [
    defineEndpoint({
      ...shared,
      id: 'listScans',
      method: 'GET',
      path: 'mobile-scanner/files/{sessionId}',
      summary: 'List the files of an upload session',
      notes: 'The list of an unknown session is empty. Downloaded files stay in the list.',
      request: { params },
      returns: {
        description: 'The files',
        json: (joi) =>
          joi
            .object({
              sessionId: joi.string().required(),
              files: joi
                .array()
                .items(
                  joi
                    .object({
                      filename: joi.string().required(),
                      size: joi.number().integer().required(),
                      contentType: joi.string().required(),
                    })
                    .label('Scan'),
                )
                .required(),
              count: joi.number().integer().required(),
            })
            .label('Scans'),
        links: [
          {
            to: 'downloadScan',
            parameters: { sessionId: '$response.body#/sessionId', filename: '$response.body#/files/0/filename' },
          },
        ],
      },
      errors: [...codes, 'SCAN_SESSIONS_FULL'],
      handle: async ({ params: { sessionId = '' }, address }) => {
        refuseClosed(openTo);
        const files = (await mobileScanner.list(sessionId, address)).map(({ name, size, contentType }) => ({
          filename: name,
          size,
          contentType,
        }));
        return { json: { sessionId, files, count: files.length } };
      },
    }),
    defineEndpoint({
      ...shared,
      id: 'downloadScan',
      method: 'GET',
      path: 'mobile-scanner/download/{sessionId}/{filename}',
      summary: 'Download a file from an upload session and delete it',
      notes:
        'The file is deleted after it has been sent completely; interrupted downloads, HEAD and range requests ' +
        'leave it. The session ends with its last file. Browsers save the file and never display it.',
      request: {
        params: (joi) =>
          joi.object({
            sessionId: idParam(joi),
            filename: joi.string().required().description('Name of the file in the list').example('scan.jpg'),
          }),
      },
      returns: { description: 'The file', mediaType: 'application/octet-stream' },
      errors: [...codes, 'NOT_FOUND', 'SCAN_SESSIONS_FULL'],
      handle: async ({ params: { sessionId = '', filename = '' }, address }) => {
        refuseClosed(openTo);
        return {
          file: await mobileScanner.fetch(sessionId, filename, address),
          headers: { 'content-security-policy': "sandbox; default-src 'none'" },
        };
      },
    }),
  ];
}

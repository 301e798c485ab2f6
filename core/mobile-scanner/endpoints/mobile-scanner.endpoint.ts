import { defineEndpoint, type Endpoint, type JoiRoot } from '@quire/registry';
import { LONGEST_SESSION_ID, SESSION_MS, type ScanSession, type MobileScanner } from '../index.js';
import { FORM_BYTES, leastFileBytes } from '../../http/request/index.js';

export interface MobileScannerEndpointDeps {
  readonly mobileScanner: MobileScanner;
}

/**
 * What every endpoint of the mobile scanner has: it is for phones, which nobody logs in on (`docs/interface/misc.yml`,
 * mobile-scanner).
 */
const shared = {
  since: '1.0.0',
  tag: 'mobile-scanner',
  access: { role: 'public', needsSettings: ['system.enableMobileScanner'] },
} as const;
const codes = ['FEATURE_OFF', 'STORE_DOWN'] as const;
const fullCodes = ['SCAN_SESSIONS_FULL', 'INPUT_INVALID'] as const;

const idParam = (joi: JoiRoot) =>
  joi
    .string()
    .required()
    .description('Id of the session, chosen by the client')
    .example('3f2a4c7e-9d35-4b8f-8a10-0b0e7c2e1f4b');
/** An id as a client would choose it, in the examples. */
const chosen = { sessionId: '3f2a4c7e-9d35-4b8f-8a10-0b0e7c2e1f4b' } as const;
/** Of a session that comes into being; what is no id elsewhere is that of an unknown session. */
const newIdParam = (joi: JoiRoot) =>
  idParam(joi)
    .pattern(/^[A-Za-z0-9-]+$/, 'letters, digits and hyphens')
    .max(LONGEST_SESSION_ID);
const params = (joi: JoiRoot) => joi.object({ sessionId: idParam(joi) });
const newParams = (joi: JoiRoot) => joi.object({ sessionId: newIdParam(joi) });
const life = (joi: JoiRoot) => ({
  sessionId: joi.string().required(),
  createdAt: joi.number().integer().required().description('Milliseconds since 1970'),
  expiresAt: joi.number().integer().required().description('Milliseconds since 1970; every use extends it'),
  timeoutMs: joi.number().integer().required().description('Life after the last use').example(SESSION_MS),
});
const done = (joi: JoiRoot) => ({ success: joi.boolean().required(), sessionId: joi.string().required() });

/**
 * Sessions in which a phone leaves files for a desktop (`docs/interface/misc.yml`, `docs/interface/platform.yml`:
 * mobile-scanner).
 */
export function mobileScannerEndpoints({ mobileScanner }: MobileScannerEndpointDeps): Endpoint[] {
  const lifeOf = (sessionId: string, { createdAt, expiresAt }: ScanSession): object => ({
    sessionId,
    createdAt,
    expiresAt,
    timeoutMs: SESSION_MS,
  });
  return [
    defineEndpoint({
      ...shared,
      id: 'createScanSession',
      method: 'POST',
      path: 'mobile-scanner/create-session/{sessionId}',
      summary: 'Open an upload session for a phone',
      notes:
        'Letters, digits and hyphens. An id that is in use starts afresh, without the files it had. Whoever ' +
        'knows the id has the session: take a UUID.',
      request: { params: newParams },
      returns: {
        description: 'The session',
        json: (joi) => joi.object({ success: joi.boolean().required(), ...life(joi) }).label('NewScanSession'),
        links: ['uploadScans', 'validateScanSession', 'deleteScanSession'].map((to) => ({
          to,
          parameters: { sessionId: '$response.body#/sessionId' },
        })),
      },
      errors: [...codes, ...fullCodes],
      examples: [{ title: "an id of one's own", parameters: chosen }],
      handle: async ({ params: { sessionId = '' }, address }) => ({
        json: { success: true, ...lifeOf(sessionId, await mobileScanner.begin(sessionId, address)) },
      }),
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
      handle: async ({ params: { sessionId = '' }, address }) => ({
        json: { valid: true, ...lifeOf(sessionId, await mobileScanner.use(sessionId, address)) },
      }),
    }),
    defineEndpoint({
      ...shared,
      id: 'uploadScans',
      method: 'POST',
      path: 'mobile-scanner/upload/{sessionId}',
      summary: 'Leave files in an upload session',
      notes:
        'The session is opened when there is none. Empty files are skipped. Characters of a name outside A-Z, ' +
        'a-z, 0-9, ".", "_" and "-" become underscores, and a repeated name gets -1, -2 and so on. Files are ' +
        'kept all or none.',
      request: {
        params: newParams,
        payloadType: 'multipart',
        payload: (joi) => joi.object({}),
        files: [
          {
            field: 'files',
            description: 'The files; repeat the field',
            kinds: ['any'],
            many: true,
            requiredWhen: 'always',
            mayBeEmpty: true,
          },
        ],
      },
      examples: [{ title: 'one file', parameters: chosen, files: { files: ['two-pages.pdf'] } }],
      returns: {
        description: 'They are kept',
        json: (joi) =>
          joi
            .object({
              ...done(joi),
              filesUploaded: joi.number().integer().required().description('Files of the form, empty ones included'),
              message: joi.string().required(),
            })
            .label('ScansUploaded'),
        links: [{ to: 'listScans', parameters: { sessionId: '$response.body#/sessionId' } }],
      },
      errors: [
        ...codes,
        ...fullCodes,
        'INPUT_FILE_MISSING',
        'INPUT_TOO_LARGE',
        'STORAGE_QUOTA',
        'STORAGE_CONFLICT',
        'STORAGE_FULL',
      ],
      admit: async ({ params: { sessionId = '' }, declaredBytes }) =>
        (await mobileScanner.admit(sessionId, leastFileBytes(declaredBytes))) + FORM_BYTES,
      handle: async ({ params: { sessionId = '' }, files, address }) => {
        const sent = files['files'] ?? [];
        await mobileScanner.add(
          sessionId,
          address,
          sent.map((file) => ({ name: file.name, mediaType: file.mediaType, size: file.size, path: file.path() })),
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
    defineEndpoint({
      ...shared,
      id: 'listScans',
      method: 'GET',
      path: 'mobile-scanner/files/{sessionId}',
      summary: 'List the files of an upload session',
      notes: 'An unknown session has none. Files that were downloaded stay in the list.',
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
      summary: 'Download a file and delete it',
      notes:
        'A file is deleted when it was sent whole: a download that breaks off, HEAD and ranges leave it. With ' +
        'the last file the session goes. Browsers save it and never show it.',
      request: {
        params: (joi) =>
          joi.object({
            sessionId: idParam(joi),
            filename: joi.string().required().description('Name of the file, as listed').example('scan.jpg'),
          }),
      },
      returns: { description: 'The file', mediaType: 'application/octet-stream' },
      errors: [...codes, 'NOT_FOUND', 'SCAN_SESSIONS_FULL'],
      handle: async ({ params: { sessionId = '', filename = '' }, address }) => ({
        file: await mobileScanner.fetch(sessionId, filename, address),
        headers: { 'content-security-policy': "sandbox; default-src 'none'" },
      }),
    }),
    defineEndpoint({
      ...shared,
      id: 'deleteScanSession',
      method: 'DELETE',
      path: 'mobile-scanner/session/{sessionId}',
      summary: 'Delete an upload session and its files',
      notes: 'An unknown session is deleted already.',
      request: { params },
      returns: {
        description: 'It is gone',
        json: (joi) => joi.object({ ...done(joi), message: joi.string().required() }).label('ScanSessionDeleted'),
      },
      errors: codes,
      handle: async ({ params: { sessionId = '' } }) => {
        await mobileScanner.end(sessionId);
        return { json: { success: true, sessionId, message: 'The session was deleted' } };
      },
    }),
  ];
}

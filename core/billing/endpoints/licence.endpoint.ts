import { randomBytes } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  defineEndpoint,
  InputError,
  OperationalError,
  type DocumentFile,
  type Endpoint,
  type JoiRoot,
} from '@quire/registry';
import { adminCodes, forAdmins } from '../../accounts/endpoints/index.js';
import type { LoginServices } from '../../accounts/index.js';
import type { Settings, SettingsFile } from '../../settings/index.js';
import { licenceNames } from '../licence.js';

export interface LicenceDeps {
  readonly settingsFile: SettingsFile;
  installationId(): Promise<string>;
  /** Undefined while login is off. */
  readonly login: LoginServices | undefined;
  readonly settings: Settings;
}

const KEY = 'premium.key';
const NO_KEY = '00000000-0000-0000-0000-000000000000';
const MASK = '********';
const LONGEST_KEY = 10_000;
const LARGEST_FILE = 1024 * 1024;
const FILE_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}\.(lic|cert)$/i;
/** First line of a licence file, as in PEM (RFC 7468, 2). */
const FILE_HEADER = /^\uFEFF?\s*-----BEGIN [A-Z0-9 ]{1,60}-----\r?\n/;

const stated = (joi: JoiRoot) => ({
  licenseType: joi
    .string()
    .valid(...Object.values(licenceNames))
    .required(),
  enabled: joi.boolean().required(),
  maxUsers: joi.number().integer().required().description('0 for unlimited'),
});
const done = (joi: JoiRoot) => ({
  success: joi.boolean().valid(true).required(),
  ...stated(joi),
  message: joi.string().required(),
});

/**
 * The licence for administrators (`docs/interface/platform.yml`, licence). Only the setting `licence.tier` decides what
 * is allowed; keys and files are stored for clients that set them, but not verified. The answers say so.
 */
export function licenceEndpoints(deps: LicenceDeps): Endpoint[] {
  const base = { since: '1.0.0', tag: 'admin', access: forAdmins } as const;
  const writing = [...adminCodes, 'SETTINGS_REJECTED', 'SETTINGS_FILE_BROKEN', 'SETTINGS_NOT_WRITABLE'] as const;
  const decides = () =>
    'Keys are not verified by this server: what the licence allows is the setting licence.tier, now ' +
    `${deps.settings.get('licence.tier')}.`;
  return [
    defineEndpoint({
      ...base,
      id: 'getInstallationId',
      method: 'GET',
      path: 'admin/installation-id',
      summary: 'Get the installation id',
      notes:
        'A random id, created at the first request and kept in the store. All servers on the store share it. ' +
        'It is not sent to anybody.',
      returns: {
        description: 'The id',
        json: (joi) => joi.object({ installationId: joi.string().required() }).label('InstallationId'),
      },
      errors: [...adminCodes],
      handle: async () => ({ json: { installationId: await deps.installationId() } }),
    }),
    defineEndpoint({
      ...base,
      id: 'getLicenceInfo',
      method: 'GET',
      path: 'admin/license-info',
      summary: 'Get the licence',
      notes: 'The key is a secret setting, shown as ********.',
      returns: {
        description: 'The licence',
        json: (joi) =>
          joi
            .object({
              ...stated(joi),
              hasKey: joi.boolean().required(),
              licenseKey: joi.string().description('Only when a key is set'),
            })
            .label('LicenceInfo'),
      },
      errors: [...adminCodes, 'SETTINGS_FILE_BROKEN'],
      handle: async () => {
        const hasKey = keyIsSet(deps);
        return { json: { ...(await licence(deps)), hasKey, ...(hasKey ? { licenseKey: MASK } : {}) } };
      },
    }),
    defineEndpoint({
      ...base,
      id: 'setLicenceKey',
      method: 'POST',
      path: 'admin/license-key',
      summary: 'Store or clear the licence key',
      notes: 'Written to `premium.key` of the settings file. Empty text clears it; ******** leaves it.',
      request: {
        payload: (joi) =>
          joi.object({
            licenseKey: joi.string().allow('').max(LONGEST_KEY).required().description('The key').example(''),
          }),
      },
      returns: {
        description: 'The licence after the change',
        json: (joi) =>
          joi
            .object({
              ...done(joi),
              requiresRestart: joi.boolean().required().description('Always false: no restart is needed'),
            })
            .label('LicenceKeySet'),
      },
      errors: writing,
      handle: async ({ payload }) => {
        const key = String(payload['licenseKey']).trim();
        if (/[^\P{Cc}\r\n]/u.test(key))
          throw new InputError('INPUT_INVALID', { detail: 'licenseKey contains control characters' }, [
            { pointer: '/licenseKey', detail: 'contains control characters' },
          ]);
        const changed = setKey(deps, key, '/licenseKey');
        const what = changed
          ? key === ''
            ? 'The licence key was cleared.'
            : 'The licence key was written to the settings file.'
          : 'The licence key was not changed.';
        return {
          json: { success: true, ...(await licence(deps)), requiresRestart: false, message: `${what} ${decides()}` },
        };
      },
    }),
    defineEndpoint({
      ...base,
      id: 'resyncLicence',
      method: 'POST',
      path: 'admin/license/resync',
      summary: 'Check the licence again',
      returns: { description: 'The licence', json: (joi) => joi.object(done(joi)).label('LicenceChecked') },
      errors: [...adminCodes],
      handle: async () => ({
        json: {
          success: true,
          ...(await licence(deps)),
          message: `The licence was not sent to any service. ${decides()}`,
        },
      }),
    }),
    defineEndpoint({
      ...base,
      id: 'uploadLicenceFile',
      method: 'POST',
      path: 'admin/license-file',
      summary: 'Store a licence file',
      notes:
        'A text of at most 1 MiB that begins with a `-----BEGIN …-----` line, named .lic or .cert. It is ' +
        'stored in `configs/` and named in `premium.key`.',
      request: {
        payloadType: 'multipart',
        files: [{ field: 'file', description: 'Licence file (.lic or .cert)', kinds: ['any'], requiredWhen: 'always' }],
      },
      examples: [{ title: 'Store a licence file', files: { file: ['example.lic'] } }],
      returns: {
        description: 'The stored licence',
        json: (joi) =>
          joi
            .object({ ...done(joi), filename: joi.string().required(), filePath: joi.string().required() })
            .label('LicenceFileStored'),
      },
      errors: [...writing, 'INPUT_FILE_MISSING', 'INPUT_TOO_LARGE', 'LICENCE_FILE_INVALID'],
      handle: async ({ files }) => {
        const [file] = files['file'] ?? [];
        if (file === undefined) throw new InputError('INPUT_FILE_MISSING', { field: 'file' });
        const filePath = await keepFile(file, deps.settings.paths.configs);
        setKey(deps, `file:${filePath}`, '/file');
        return {
          json: {
            success: true,
            ...(await licence(deps)),
            filename: file.name,
            filePath,
            message: `The licence file was stored. ${decides()}`,
          },
        };
      },
    }),
  ];
}

/** Returns the current licence, in the words of existing clients. */
async function licence({
  settings,
  login,
}: LicenceDeps): Promise<{ licenseType: string; enabled: boolean; maxUsers: number }> {
  const tier = settings.get('licence.tier');
  return {
    licenseType: licenceNames[tier],
    enabled: tier !== 'free',
    maxUsers: (await login?.accounts.users.limit()) ?? 0,
  };
}

/** Reads the settings file: a new key counts before the restart, because nothing waits for it. */
function keyIsSet({ settingsFile, settings }: LicenceDeps): boolean {
  const waiting = settingsFile.pending().find(({ path }) => path === KEY);
  const value = waiting === undefined ? settings.get(KEY) : waiting.value;
  return value !== '' && value !== NO_KEY && value !== null && value !== undefined;
}

function setKey({ settingsFile }: LicenceDeps, key: string, pointer: string): boolean {
  // Writing a key sets premium.enabled, so clearing the key resets it.
  const values =
    key === ''
      ? ([
          [KEY, null],
          ['premium.enabled', null],
        ] as const)
      : ([[KEY, key]] as const);
  return settingsFile.write(new Map<string, unknown>(values), () => pointer).includes(KEY);
}

/** Writes the file into the folder atomically and returns its path. */
async function keepFile(file: DocumentFile, folder: string): Promise<string> {
  const invalid = (detail: string): InputError =>
    new InputError('LICENCE_FILE_INVALID', { detail }, [{ pointer: '/file', detail }]);
  if (!FILE_NAME.test(file.name))
    throw invalid('The name of a licence file must consist of letters, digits and . _ - and end in .lic or .cert');
  if (file.size > LARGEST_FILE)
    throw new InputError('INPUT_TOO_LARGE', { limit: LARGEST_FILE }, [
      { pointer: '/file', detail: 'the file is larger than a licence file can be' },
    ]);
  const bytes = await file.bytes();
  if (!FILE_HEADER.test(Buffer.from(bytes).toString('utf8')))
    throw invalid('A licence file must be a text that begins with a -----BEGIN …----- line');
  const path = join(folder, file.name);
  const part = `${path}.${randomBytes(6).toString('hex')}.part`;
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(part, bytes, { mode: 0o600 });
    await rename(part, path);
    return path;
  } catch (error) {
    await rm(part, { force: true }).catch(() => undefined);
    throw new OperationalError(
      'SETTINGS_NOT_WRITABLE',
      { detail: (error as NodeJS.ErrnoException).code ?? 'unknown' },
      { cause: error },
    );
  }
}

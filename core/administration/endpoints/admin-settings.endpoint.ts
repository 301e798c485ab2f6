import {
  AccessError,
  defineEndpoint,
  InputError,
  OperationalError,
  type Endpoint,
  type JoiRoot,
  type Principal,
} from '@quire/registry';
import { escapePointer } from '../../operations/runner/index.js';
import { folderSettings } from '../../folders/index.js';
import { adminSections, knownKeys, nearestName, nested, type Settings } from '../../settings/index.js';
import type { AdministrationServices } from '../administration-services.js';

export interface AdminSettingsDeps {
  readonly admin: AdministrationServices;
  readonly settings: Settings;
}

const admin = { role: 'admin', area: 'settings', needsLogin: true } as const;
const waits = 'Written to the settings file; takes effect after a restart.';
const knownPaths: ReadonlySet<string> = new Set(knownKeys.map(({ path }) => path));
/**
 * Sections that administrators of the area `settings` may change: nothing in them gives rights, sends data elsewhere or
 * names addresses.
 */
const delegatedSections: readonly string[] = ['ui', 'limits', 'metrics'];
const anyObject = (joi: JoiRoot) => joi.object().pattern(joi.string(), joi.any());
const includePending = (byDefault: boolean) => (joi: JoiRoot) =>
  joi.object({
    includePending: joi.boolean().default(byDefault).description('Include values that wait for a restart'),
  });

/**
 * The settings file for administrators (`docs/interface/platform.yml`, admin settings). Values are validated like the
 * file itself; secrets are shown as ******** and stay unchanged when that is sent back; values set by an environment
 * variable are rejected with the name of the variable.
 */
export function adminSettingsEndpoints(deps: AdminSettingsDeps): Endpoint[] {
  const base = { since: '1.0.0', tag: 'admin', access: admin } as const;
  const reading = ['KEY_INVALID', 'ADMIN_ONLY', 'SETTINGS_FILE_BROKEN'] as const;
  const writing = [
    ...reading,
    'RIGHTS_EXCEEDED',
    'SETTINGS_REJECTED',
    'SETTINGS_NOT_WRITABLE',
    'INPUT_INVALID',
  ] as const;
  const file = () => deps.admin.settingsFile;
  const values = (pending: unknown) => file().values(pending === true);
  return [
    defineEndpoint({
      ...base,
      id: 'getSettings',
      method: 'GET',
      path: 'admin/settings',
      summary: 'Get all settings',
      request: { query: includePending(false) },
      returns: { description: 'Sections with their values', json: (joi) => anyObject(joi).label('Settings') },
      errors: reading,
      handle: async ({ query }) => ({ json: nested(values(query['includePending'])) }),
    }),
    defineEndpoint({
      ...base,
      id: 'updateSettings',
      method: 'PUT',
      path: 'admin/settings',
      summary: 'Change several settings',
      notes: `${waits} null removes a key from the file, so that its default applies.`,
      request: {
        payload: (joi) =>
          joi.object({
            settings: anyObject(joi)
              .min(1)
              .required()
              .description('Dotted keys with their values')
              .example({ 'system.maxDPI': 300, 'ui.appNameNavbar': 'Papers' }),
          }),
      },
      returns: {
        description: 'The written values',
        json: (joi) => joi.object({ message: joi.string().required() }).label('SettingsWritten'),
      },
      errors: writing,
      handle: async ({ payload, principal }) => ({
        json: { message: write(deps, principal, { sent: payload['settings'], section: '', pointer: '/settings' }) },
      }),
    }),
    defineEndpoint({
      ...base,
      id: 'getSettingsDelta',
      method: 'GET',
      path: 'admin/settings/delta',
      summary: 'Get settings that wait for a restart',
      returns: {
        description: 'Dotted keys with their values',
        json: (joi) =>
          joi
            .object({
              pendingChanges: anyObject(joi).required(),
              hasPendingChanges: joi.boolean().required(),
              count: joi.number().integer().required(),
            })
            .label('SettingsDelta'),
      },
      errors: reading,
      handle: async () => {
        const pending = file().pending();
        return {
          json: {
            pendingChanges: Object.fromEntries(pending.map(({ path, value }) => [path, value])),
            hasPendingChanges: pending.length > 0,
            count: pending.length,
          },
        };
      },
    }),
    defineEndpoint({
      ...base,
      id: 'getSettingsSection',
      method: 'GET',
      path: 'admin/settings/section/{sectionName}',
      summary: 'Get one section of the settings',
      request: {
        params: (joi) => joi.object({ sectionName: joi.string().max(100).required().example('system') }),
        query: includePending(true),
      },
      returns: {
        description: 'The section; `_pending` contains values that wait for a restart',
        json: (joi) => anyObject(joi).label('SettingsSection'),
      },
      errors: [...reading, 'SETTINGS_REJECTED'],
      handle: async ({ params, query }) => {
        const section = knownSection(params['sectionName']);
        const waiting =
          query['includePending'] === true
            ? nested(
                file()
                  .pending()
                  .map(({ path, value }) => [path, value] as const),
                section,
              )
            : {};
        return {
          json: {
            ...nested(values(false), section),
            ...(Object.keys(waiting).length > 0 ? { _pending: waiting } : {}),
          },
        };
      },
    }),
    defineEndpoint({
      ...base,
      id: 'updateSettingsSection',
      method: 'PUT',
      path: 'admin/settings/section/{sectionName}',
      summary: 'Change one section of the settings',
      notes: waits,
      request: {
        params: (joi) => joi.object({ sectionName: joi.string().max(100).required().example('ui') }),
        payload: (joi) => anyObject(joi).min(1).example({ appNameNavbar: 'Papers' }),
      },
      returns: { description: 'The written values', mediaType: 'text/plain' },
      errors: writing,
      handle: async ({ params, payload, principal }) => {
        const section = knownSection(params['sectionName']);
        const { _pending, ...own } = payload;
        return { text: write(deps, principal, { sent: own, section, pointer: '' }) };
      },
    }),
    defineEndpoint({
      ...base,
      id: 'getSetting',
      method: 'GET',
      path: 'admin/settings/key/{key}',
      summary: 'Get one setting',
      request: { params: (joi) => joi.object({ key: joi.string().max(400).required().example('system.maxDPI') }) },
      returns: {
        description: 'Key and value; an object if the key is a section',
        json: (joi) => joi.object({ key: joi.string().required(), value: joi.any() }).label('SettingsValue'),
      },
      errors: [...reading, 'SETTINGS_REJECTED'],
      handle: async ({ params }) => {
        const key = params['key'] ?? '';
        const found = values(false);
        const own = found.find(([path]) => path === key);
        if (own !== undefined) return { json: { key, value: own[1] } };
        if (found.some(([path]) => path.startsWith(`${key}.`))) return { json: { key, value: nested(found, key) } };
        throw refused(
          `/key`,
          `"${key.slice(0, 120)}" is not a known key`,
          key,
          found.map(([path]) => path),
        );
      },
    }),
    defineEndpoint({
      ...base,
      id: 'updateSetting',
      method: 'PUT',
      path: 'admin/settings/key/{key}',
      summary: 'Change one setting',
      notes: waits,
      request: {
        params: (joi) => joi.object({ key: joi.string().max(400).required().example('system.maxDPI') }),
        payload: (joi) =>
          joi.object({
            value: joi.any().required().description('The new value; null for the default').example(300),
          }),
      },
      returns: { description: 'The written values', mediaType: 'text/plain' },
      errors: writing,
      handle: async ({ params, payload, principal }) => {
        const sent = { [params['key'] ?? '']: payload['value'] };
        return { text: write(deps, principal, { sent, section: '', pointer: '/value', single: true }) };
      },
    }),
    defineEndpoint({
      ...base,
      id: 'listImpliedFolderRoots',
      method: 'GET',
      path: 'admin/settings/policies/implied-folder-roots',
      summary: 'List folders that need no permission',
      notes:
        'Folders that runs without a caller may use regardless of `policies.allowedFolderRoots`: watched ' +
        'folders and the folder of their results.',
      returns: {
        description: 'Absolute paths',
        json: (joi) => joi.object({ roots: joi.array().items(joi.string()).required() }).label('ImpliedFolderRoots'),
      },
      errors: ['KEY_INVALID', 'ADMIN_ONLY'],
      handle: async () => {
        const { roots, finished } = folderSettings(deps.settings);
        return { json: { roots: [...new Set([...roots, finished])] } };
      },
    }),
    defineEndpoint({
      ...base,
      id: 'restartServer',
      method: 'POST',
      path: 'admin/settings/restart',
      summary: 'Restart the server',
      notes:
        'Running work gets `server.shutdownSeconds` to finish; jobs continue after the restart. 503 if the ' +
        'server was not started by `npm start` or another supervisor (QUIRE_SUPERVISED=1); 409 if the settings ' +
        'file has faults, since the server would not start again.',
      returns: {
        description: 'The restart has begun',
        json: (joi) => joi.object({ message: joi.string().required() }).label('RestartBegun'),
      },
      errors: [...reading, 'RESTART_IMPOSSIBLE'],
      handle: async () => {
        const { restart } = deps.admin;
        if (restart === undefined) throw new OperationalError('RESTART_IMPOSSIBLE');
        file().pending();
        // Delayed, so that this answer is sent first.
        setTimeout(restart, 100);
        return { json: { message: 'The server is restarting.' } };
      },
    }),
  ];
}

interface SentSettings {
  readonly sent: unknown;
  readonly section: string;
  readonly pointer: string;
  /** One key only: every fault is at `pointer`. */
  readonly single?: boolean;
}

/** Writes the settings of a request; returns a sentence that reports the outcome. Throws RIGHTS_EXCEEDED. */
function write(
  deps: AdminSettingsDeps,
  caller: Principal,
  { sent, section, pointer, single = false }: SentSettings,
): string {
  const found = new Map<string, unknown>();
  const pointers = new Map<string, string>();
  const walk = (path: string, value: unknown, at: string): void => {
    const inner = typeof value === 'object' && value !== null && !Array.isArray(value) && !knownPaths.has(path);
    if (inner && path.split('.').length <= 10) {
      for (const [name, member] of Object.entries(value))
        walk(path === '' ? name : `${path}.${name}`, member, single ? at : `${at}/${escapePointer(name)}`);
    } else {
      found.set(path, value);
      pointers.set(path, at);
    }
  };
  walk(section, sent, pointer);
  refuseBeyondSections(caller, [...found.keys()]);
  const changed = deps.admin.settingsFile.write(found, (path) => pointers.get(path) ?? pointer);
  return changed.length === 0
    ? 'Nothing was changed: the settings already have these values.'
    : `Changed ${changed.join(', ')}. Takes effect after a restart.`;
}

/** Throws RIGHTS_EXCEEDED for administrators of some areas who change what only full administrators may. */
function refuseBeyondSections({ role }: Principal, paths: readonly string[]): void {
  const beyond = role === 'admin' ? [] : paths.filter((path) => !delegatedSections.includes(path.split('.')[0] ?? ''));
  if (beyond.length === 0) return;
  throw new AccessError('RIGHTS_EXCEEDED', {
    action: `Changing ${beyond.join(', ').slice(0, 200)}`,
    detail: `the area settings includes only ${delegatedSections.join(', ')}`,
  });
}

function knownSection(name: string | undefined): string {
  const section = name ?? '';
  if ((adminSections as readonly string[]).includes(section)) return section;
  throw refused(
    '/sectionName',
    `"${section.slice(0, 100)}" is not a section that can be read here`,
    section,
    adminSections,
  );
}

function refused(pointer: string, what: string, given: string, names: readonly string[]): InputError {
  const near = nearestName(given, names);
  const detail = `${what}${near === undefined ? '' : `; did you mean ${near}?`}`;
  return new InputError('SETTINGS_REJECTED', { detail }, [{ pointer, detail }]);
}

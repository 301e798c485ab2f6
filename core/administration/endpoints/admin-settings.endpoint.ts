import { defineEndpoint, InputError, OperationalError, type Endpoint, type JoiRoot } from '@quire/registry';
import { escapePointer } from '../../operations/runner/index.js';
import { scanSettings } from '../../watched-folders/index.js';
import { adminSections, knownKeys, nearestName, nested, type Settings } from '../../settings/index.js';
import type { AdministrationServices } from '../administration-services.js';

export interface AdminSettingsDeps {
  readonly admin: AdministrationServices;
  readonly settings: Settings;
}

const admin = { role: 'admin', needsLogin: true } as const;
const waits = 'Written to the settings file; in effect after a restart.';
const knownPaths: ReadonlySet<string> = new Set(knownKeys.map(({ path }) => path));
const anyObject = (joi: JoiRoot) => joi.object().pattern(joi.string(), joi.any());
const includePending = (byDefault: boolean) => (joi: JoiRoot) =>
  joi.object({ includePending: joi.boolean().default(byDefault).description('Show values that wait for a restart') });

/**
 * The settings file for administrators (`docs/interface/platform.yml`, admin settings). Values pass the checks of the
 * file itself; secrets are shown as ******** and stay when that comes back; what the environment sets is refused with
 * the variable's name.
 */
export function adminSettingsEndpoints(deps: AdminSettingsDeps): Endpoint[] {
  const base = { since: '1.0.0', tag: 'admin', access: admin } as const;
  const reading = ['KEY_INVALID', 'ADMIN_ONLY', 'SETTINGS_FILE_BROKEN'] as const;
  const writing = [...reading, 'SETTINGS_REJECTED', 'SETTINGS_NOT_WRITABLE', 'INPUT_INVALID'] as const;
  const file = () => deps.admin.settingsFile;
  const values = (pending: unknown) => file().values(pending === true);
  return [
    defineEndpoint({
      ...base,
      id: 'adminSettings',
      method: 'GET',
      path: 'admin/settings',
      summary: 'Show all settings',
      request: { query: includePending(false) },
      returns: { description: 'Sections with their values', json: (joi) => anyObject(joi).label('Settings') },
      errors: reading,
      handle: async ({ query }) => ({ json: nested(values(query['includePending'])) }),
    }),
    defineEndpoint({
      ...base,
      id: 'adminUpdateSettings',
      method: 'PUT',
      path: 'admin/settings',
      summary: 'Write several settings',
      notes: `${waits} null takes a key out of the file, so that it stands as shipped.`,
      request: {
        payload: (joi) =>
          joi.object({
            settings: anyObject(joi)
              .min(1)
              .required()
              .description('Dotted key to value')
              .example({ 'system.maxDPI': 300, 'ui.appNameNavbar': 'Papers' }),
          }),
      },
      returns: {
        description: 'What was written',
        json: (joi) => joi.object({ message: joi.string().required() }).label('SettingsWritten'),
      },
      errors: writing,
      handle: async ({ payload }) => ({ json: { message: write(deps, payload['settings'], '', '/settings') } }),
    }),
    defineEndpoint({
      ...base,
      id: 'adminSettingsDelta',
      method: 'GET',
      path: 'admin/settings/delta',
      summary: 'Show settings that wait for a restart',
      returns: {
        description: 'Dotted key to value',
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
      id: 'adminSettingsSection',
      method: 'GET',
      path: 'admin/settings/section/{sectionName}',
      summary: 'Show one section',
      request: {
        params: (joi) => joi.object({ sectionName: joi.string().max(100).required().example('system') }),
        query: includePending(true),
      },
      returns: {
        description: 'The section; `_pending` holds what waits for a restart',
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
      id: 'adminUpdateSettingsSection',
      method: 'PUT',
      path: 'admin/settings/section/{sectionName}',
      summary: 'Write one section',
      notes: waits,
      request: {
        params: (joi) => joi.object({ sectionName: joi.string().max(100).required().example('ui') }),
        payload: (joi) => anyObject(joi).min(1).example({ appNameNavbar: 'Papers' }),
      },
      returns: { description: 'What was written', mediaType: 'text/plain' },
      errors: writing,
      handle: async ({ params, payload }) => {
        const section = knownSection(params['sectionName']);
        const { _pending, ...own } = payload;
        return { text: write(deps, own, section, '') };
      },
    }),
    defineEndpoint({
      ...base,
      id: 'adminSettingsKey',
      method: 'GET',
      path: 'admin/settings/key/{key}',
      summary: 'Show one value',
      request: { params: (joi) => joi.object({ key: joi.string().max(400).required().example('system.maxDPI') }) },
      returns: {
        description: 'Key and value; below a section an object',
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
      id: 'adminUpdateSettingsKey',
      method: 'PUT',
      path: 'admin/settings/key/{key}',
      summary: 'Write one value',
      notes: waits,
      request: {
        params: (joi) => joi.object({ key: joi.string().max(400).required().example('system.maxDPI') }),
        payload: (joi) =>
          joi.object({
            value: joi.any().required().description('The new value; null for the shipped one').example(300),
          }),
      },
      returns: { description: 'What was written', mediaType: 'text/plain' },
      errors: writing,
      handle: async ({ params, payload }) => ({
        text: write(deps, { [params['key'] ?? '']: payload['value'] }, '', '/value', true),
      }),
    }),
    defineEndpoint({
      ...base,
      id: 'impliedFolderRoots',
      method: 'GET',
      path: 'admin/settings/policies/implied-folder-roots',
      summary: 'List folders that need no permission',
      notes:
        'Folders that runs without a caller use whatever `policies.allowedFolderRoots` says: those that are ' +
        'watched, and the one of their results.',
      returns: {
        description: 'Absolute paths',
        json: (joi) => joi.object({ roots: joi.array().items(joi.string()).required() }).label('ImpliedFolderRoots'),
      },
      errors: ['KEY_INVALID', 'ADMIN_ONLY'],
      handle: async () => {
        const { roots, finished } = scanSettings(deps.settings, 1);
        return { json: { roots: [...new Set([...roots, finished])] } };
      },
    }),
    defineEndpoint({
      ...base,
      id: 'adminRestart',
      method: 'POST',
      path: 'admin/settings/restart',
      summary: 'Restart the server',
      notes:
        'Running work gets `server.shutdownSeconds` to finish; jobs go on after the restart. 503 when the ' +
        'server was not started by `npm start` or under another supervisor (QUIRE_SUPERVISED=1); 409 when the ' +
        'settings file has faults, since the server would not come back.',
      returns: {
        description: 'The restart has begun',
        json: (joi) => joi.object({ message: joi.string().required() }).label('RestartBegun'),
      },
      errors: [...reading, 'RESTART_IMPOSSIBLE'],
      handle: async () => {
        const { restart } = deps.admin;
        if (restart === undefined) throw new OperationalError('RESTART_IMPOSSIBLE');
        file().pending();
        // After this answer has left.
        setTimeout(restart, 100);
        return { json: { message: 'The server restarts now.' } };
      },
    }),
  ];
}

/** Writes what a request holds; gives the sentence that says what became of it. */
function write(deps: AdminSettingsDeps, sent: unknown, section: string, pointer: string, single = false): string {
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
  const changed = deps.admin.settingsFile.write(found, (path) => pointers.get(path) ?? pointer);
  return changed.length === 0
    ? 'Nothing was changed: the settings stand so already.'
    : `Changed ${changed.join(', ')}. In effect after a restart.`;
}

function knownSection(name: string | undefined): string {
  const section = name ?? '';
  if ((adminSections as readonly string[]).includes(section)) return section;
  throw refused(
    '/sectionName',
    `"${section.slice(0, 100)}" is no section that can be read here`,
    section,
    adminSections,
  );
}

function refused(pointer: string, what: string, given: string, names: readonly string[]): InputError {
  const near = nearestName(given, names);
  const detail = `${what}${near === undefined ? '' : `; did you mean ${near}?`}`;
  return new InputError('SETTINGS_REJECTED', { detail }, [{ pointer, detail }]);
}

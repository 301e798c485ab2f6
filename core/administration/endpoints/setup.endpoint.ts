import {
  AccessError,
  defineEndpoint,
  type Endpoint,
  type EndpointRequest,
  type JoiRoot,
  type Principal,
} from '@quire/registry';
import type { LoginServices } from '../../accounts/index.js';
import type { Settings } from '../../settings/index.js';
import type { AdministrationServices } from '../administration-services.js';
import { folderFacts, folderPurposes } from '../folder-facts.js';
import { maySetUp } from './may-set-up.js';

export interface SetupDeps {
  readonly admin: AdministrationServices;
  /** Undefined while login is off. */
  readonly login: LoginServices | undefined;
  readonly settings: Settings;
}

const LOGIN = 'security.enableLogin';
const codes = ['KEY_INVALID', 'ADMIN_ONLY', 'STORE_DOWN'] as const;
const folder = (joi: JoiRoot) =>
  joi
    .object({
      purpose: joi
        .string()
        .valid(...folderPurposes)
        .required(),
      path: joi.string().required().description('Absolute'),
      setting: joi.string().description('The setting or variable that moves it'),
      exists: joi.boolean().required().description('False: created when it is first needed'),
      writable: joi.boolean().required(),
      freeBytes: joi.number().allow(null).required(),
    })
    .label('ServerFolder');
const setup = (joi: JoiRoot) =>
  joi
    .object({
      open: joi.boolean().required().description('Nobody has gone through the first steps yet, or skipped them'),
      login: joi
        .object({
          enabled: joi.boolean().required(),
          afterRestart: joi.boolean().required(),
          environment: joi.string().description('The variable that sets it; it cannot be changed by a call then'),
        })
        .required()
        .label('SetupLogin'),
      password: joi
        .object({
          username: joi.string().required(),
          fromSettings: joi.boolean().required().description('It is still the one of security.initialLogin.password'),
        })
        .label('SetupPassword')
        .description('The password of the caller; only with login and a session'),
      settingsFile: joi.string().required().description('Path of the settings file'),
      canRestart: joi.boolean().required().description('admin/settings/restart works'),
      folders: joi.array().items(folder(joi)).required(),
    })
    .label('Setup');

/** The first steps on a new server: what an administrator should look at, and the mark that they are done. */
export function setupEndpoints(deps: SetupDeps): Endpoint[] {
  const base = { since: '1.4.0', tag: 'admin', access: { role: 'admin' } } as const;
  return [
    defineEndpoint({
      ...base,
      id: 'getSetup',
      method: 'GET',
      path: 'admin/setup',
      summary: 'Get the state of the first steps',
      notes:
        'What an administrator should look at on a new server: password, login, folders. Programs are in ' +
        '`capabilities`. While login is off, only callers on the same machine get an answer.',
      returns: { description: 'The state', json: setup },
      errors: [...codes, 'SETTINGS_FILE_BROKEN'],
      handle: async (request) => {
        admit(deps, request);
        return { json: await setupState(deps, request.principal) };
      },
    }),
    defineEndpoint({
      ...base,
      id: 'finishAdminSetup',
      method: 'POST',
      path: 'admin/setup/finish',
      summary: 'Mark the first steps as done',
      notes:
        'The mark is in the store, so it counts for all administrators and servers; a second call changes nothing.',
      returns: {
        description: 'Done',
        json: (joi) => joi.object({ open: joi.boolean().valid(false).required() }).label('SetupFinished'),
      },
      errors: [...codes],
      handle: async (request) => {
        admit(deps, request);
        await deps.admin.firstRun.finishSetup();
        return { json: { open: false } };
      },
    }),
  ];
}

/** While login is off the guard lets everybody pass: paths of this machine are not for callers from others. */
function admit({ settings }: SetupDeps, { principal, address }: EndpointRequest): void {
  if (!maySetUp(settings, principal, address)) throw new AccessError('ADMIN_ONLY');
}

async function setupState({ admin, login, settings }: SetupDeps, { id, via }: Principal): Promise<object> {
  const enabled = settings.get(LOGIN);
  const waiting = admin.settingsFile.pending().find(({ path }) => path === LOGIN);
  const environment = /^environment (\S+)$/.exec(settings.origin(LOGIN))?.[1];
  const user = via === 'session' ? await login?.accounts.byId(id) : undefined;
  const first = settings.get('security.initialLogin.password');
  return {
    open: await admin.firstRun.needsSetup(),
    login: {
      enabled,
      afterRestart: waiting === undefined ? enabled : waiting.value === true,
      ...(environment === undefined ? {} : { environment }),
    },
    ...(login === undefined || user === undefined
      ? {}
      : {
          password: {
            username: user.username,
            fromSettings: first !== '' && (await login.accounts.own.hasPassword(id, first)),
          },
        }),
    settingsFile: settings.operatorFile,
    canRestart: admin.restart !== undefined,
    folders: await folderFacts(settings),
  };
}

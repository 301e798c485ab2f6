import { defineEndpoint, InputError, type Endpoint, type JoiRoot, type Mailer } from '@quire/registry';
import type { User } from '../../accounts/index.js';
import { endpointStatistics, MOST_DAYS, type EndpointDays } from '../../metrics/index.js';
import { accountsOf, adminCodes, forAdmins, forUsers, idField } from '../../accounts/endpoints/index.js';
import { licenceNames } from '../../billing/index.js';
import { backupShape, backupWire } from './database.endpoint.js';

import type { AdministrationServices } from '../administration-services.js';
import type { LoginServices } from '../../accounts/index.js';
import type { Settings } from '../../settings/index.js';
import type { Storage } from '../../storage/index.js';

export interface PageDataDeps {
  readonly admin: AdministrationServices;
  readonly days: EndpointDays;
  /** Undefined while login is off. */
  readonly login: LoginServices | undefined;
  readonly mailer: Mailer;
  readonly settings: Settings;
  /** Undefined while login or storage is off. */
  readonly storage: Storage | undefined;
}

const base = { since: '1.0.0', tag: 'ui-data', method: 'GET' } as const;
const text = (joi: JoiRoot) => joi.string().required();
const flag = (joi: JoiRoot) => joi.boolean().required();
const count = (joi: JoiRoot) => joi.number().integer().required();
const teamShape = (joi: JoiRoot) => joi.object({ id: count(joi), name: text(joi) }).label('TeamName');
const personShape = (joi: JoiRoot) =>
  joi
    .object({
      id: count(joi),
      username: text(joi),
      email: text(joi),
      role: text(joi),
      enabled: flag(joi),
      authenticationType: joi.string().valid('web', 'oauth2', 'saml2').required(),
      team: teamShape(joi).allow(null).required(),
      teamLead: flag(joi),
      mustChangePassword: flag(joi),
      mfaEnabled: flag(joi),
      mfaRequired: flag(joi),
      createdAt: joi.string().isoDate().required(),
      lastLogin: joi.string().isoDate().allow(null).required(),
    })
    .label('Person');

/**
 * What single pages of existing clients ask (`docs/interface/platform.yml`, proprietary UI data). Where the contract
 * gives no members, ours are told in the schema.
 */
export function pageDataEndpoints(deps: PageDataDeps): Endpoint[] {
  return [
    loginData(deps),
    accountData(deps),
    ...peopleData(deps),
    databaseData(deps),
    documentsData(deps),
    statisticsData(deps),
  ];
}

function loginData({ settings, login }: PageDataDeps): Endpoint {
  return defineEndpoint({
    ...base,
    id: 'loginData',
    path: 'proprietary/ui-data/login',
    summary: 'Give what the login page shows',
    access: { role: 'public' },
    notes:
      '`providerList` is empty and `altLogin` false: people log in with a password; other providers are not ' +
      'offered by this server. `firstTimeSetup` until somebody has logged in. There are no default credentials.',
    returns: {
      description: 'Data of the page',
      json: (joi) =>
        joi
          .object({
            enableLogin: flag(joi),
            ssoAutoLogin: flag(joi),
            providerList: joi
              .object()
              .pattern(joi.string(), joi.string())
              .required()
              .description('Login path to provider name'),
            loginMethod: joi.string().valid('all', 'normal', 'oauth2', 'saml2').required(),
            altLogin: flag(joi),
            firstTimeSetup: flag(joi),
            showDefaultCredentials: flag(joi),
            languages: joi.array().items(joi.string()).required(),
            defaultLocale: text(joi).allow(''),
          })
          .label('LoginData'),
    },
    errors: ['STORE_DOWN'],
    handle: async () => ({
      json: {
        enableLogin: settings.get('security.enableLogin'),
        ssoAutoLogin: false,
        providerList: {},
        loginMethod: settings.get('security.loginMethod'),
        altLogin: false,
        firstTimeSetup: (await login?.accounts.users.nobodyCame()) ?? false,
        showDefaultCredentials: false,
        languages: settings.get('ui.languages'),
        defaultLocale: settings.get('system.defaultLocale'),
      },
    }),
  });
}

function accountData(deps: PageDataDeps): Endpoint {
  return defineEndpoint({
    ...base,
    id: 'accountData',
    path: 'proprietary/ui-data/account',
    summary: "Give the caller's account page",
    access: forUsers,
    returns: {
      description: 'The account',
      json: (joi) =>
        joi
          .object({
            username: text(joi),
            role: text(joi),
            settings: text(joi).description('JSON in a text'),
            changeCredsFlag: flag(joi),
            oAuth2Login: flag(joi),
            saml2Login: flag(joi),
            mfaEnabled: flag(joi),
            mfaRequired: flag(joi),
          })
          .label('AccountData'),
    },
    errors: ['KEY_INVALID', 'LOGIN_REQUIRED', 'USER_UNKNOWN', 'STORE_DOWN'],
    handle: async ({ principal }) => {
      const { users } = accountsOf(deps);
      const user = await users.byId(principal.id);
      if (user === undefined) throw new InputError('USER_UNKNOWN');
      const { username, role, mustChangePassword, authenticationType, mfaEnabled, mfaRequired } = user;
      return {
        json: {
          username,
          role,
          settings: await users.settingsOf(user.id),
          changeCredsFlag: mustChangePassword,
          oAuth2Login: authenticationType === 'oauth2',
          saml2Login: authenticationType === 'saml2',
          mfaEnabled,
          mfaRequired,
        },
      };
    },
  });
}

function peopleData(deps: PageDataDeps): Endpoint[] {
  const { settings, mailer } = deps;
  /** Everybody, and the teams that people belong to. */
  const everybody = async (): Promise<{ people: User[]; names: ReadonlyMap<string, string> }> => {
    const { users, teams } = accountsOf(deps);
    const [people, names] = await Promise.all([users.everybody(), teams.names()]);
    return { people, names: new Map([...names].filter(([id]) => id !== teams.internalId)) };
  };
  const teamList = (names: ReadonlyMap<string, string>) =>
    [...names].map(([id, name]) => ({ id: Number(id), name })).sort((a, b) => a.id - b.id);
  return [
    defineEndpoint({
      ...base,
      id: 'adminSettingsData',
      path: 'proprietary/ui-data/admin-settings',
      summary: 'Give the page of all users',
      access: forAdmins,
      returns: {
        description: 'Users, disabled ones too, with what bounds them',
        json: (joi) =>
          joi
            .object({
              users: joi.array().items(personShape(joi)).required(),
              currentUsername: text(joi),
              totalUsers: count(joi),
              activeUsers: count(joi).description('Those who may log in'),
              disabledUsers: count(joi),
              teams: joi.array().items(teamShape(joi)).required(),
              maxAllowedUsers: count(joi).allow(null).description('Null for any number'),
              availableSlots: count(joi).allow(null),
              premiumEnabled: flag(joi),
              license: joi
                .string()
                .valid(...Object.values(licenceNames))
                .required(),
              mailEnabled: flag(joi),
            })
            .label('AdminSettingsData'),
      },
      errors: adminCodes,
      handle: async ({ principal }) => {
        const { people, names } = await everybody();
        const [limit, tier, active] = [
          (await accountsOf(deps).users.limit()) ?? null,
          settings.get('licence.tier'),
          people.filter(({ enabled }) => enabled).length,
        ];
        return {
          json: {
            users: people.map((user) => personOf(user, names)),
            currentUsername: principal.name,
            totalUsers: people.length,
            activeUsers: active,
            disabledUsers: people.length - active,
            teams: teamList(names),
            maxAllowedUsers: limit,
            availableSlots: limit === null ? null : Math.max(0, limit - people.length),
            premiumEnabled: tier !== 'free',
            license: licenceNames[tier],
            mailEnabled: mailer.usable,
          },
        };
      },
    }),
    defineEndpoint({
      ...base,
      id: 'teamsData',
      path: 'proprietary/ui-data/teams',
      summary: 'List teams with their sizes',
      access: forAdmins,
      returns: {
        description: "Teams; the server's internal one is left out",
        json: (joi) =>
          joi
            .object({
              teamsWithCounts: joi
                .array()
                .items(joi.object({ id: count(joi), name: text(joi), userCount: count(joi) }).label('TeamCount'))
                .required(),
            })
            .label('TeamsData'),
        links: [{ to: 'teamData', parameters: { id: '$response.body#/teamsWithCounts/0/id' } }],
      },
      errors: adminCodes,
      handle: async () => {
        const { people, names } = await everybody();
        return {
          json: {
            teamsWithCounts: teamList(names).map((team) => ({
              ...team,
              userCount: people.filter(({ teamId }) => teamId === String(team.id)).length,
            })),
          },
        };
      },
    }),
    defineEndpoint({
      ...base,
      id: 'teamData',
      path: 'proprietary/ui-data/teams/{id}',
      summary: 'Give the page of one team',
      access: forAdmins,
      request: { params: (joi) => joi.object({ id: idField(joi).required() }) },
      returns: {
        description: 'The team, its people and all others',
        json: (joi) =>
          joi
            .object({
              team: teamShape(joi).required(),
              teamUsers: joi.array().items(personShape(joi)).required(),
              availableUsers: joi.array().items(personShape(joi)).required(),
            })
            .label('TeamData'),
      },
      errors: [...adminCodes, 'TEAM_UNKNOWN'],
      handle: async ({ params }) => {
        const id = String(params['id']);
        const { people, names } = await everybody();
        const name = names.get(id);
        if (name === undefined) throw new InputError('TEAM_UNKNOWN');
        const shown = people.map((user) => personOf(user, names));
        return {
          json: {
            team: { id: Number(id), name },
            teamUsers: shown.filter(({ team }) => String(team?.id) === id),
            availableUsers: shown.filter(({ team }) => String(team?.id) !== id),
          },
        };
      },
    }),
  ];
}

function databaseData({ admin: { database } }: PageDataDeps): Endpoint {
  return defineEndpoint({
    ...base,
    id: 'databaseData',
    path: 'proprietary/ui-data/database',
    summary: 'Give the page of the database',
    access: forAdmins,
    returns: {
      description: 'The database and its backups, newest first',
      json: (joi) =>
        joi
          .object({
            databaseType: joi.string().valid('embedded', 'mongodb').required(),
            databaseVersion: text(joi),
            versionUnknown: flag(joi),
            backupsPossible: flag(joi).description('False with MongoDB, which has tools of its own'),
            restoreWaiting: flag(joi).description('A restored backup takes effect with the next start'),
            backupFiles: joi.array().items(backupShape(joi)).required(),
          })
          .label('DatabaseData'),
    },
    errors: adminCodes,
    handle: async () => {
      const { kind, backups } = database;
      return {
        json: {
          databaseType: kind,
          databaseVersion: await database.version(),
          versionUnknown: false,
          backupsPossible: backups !== undefined,
          restoreWaiting: (await backups?.waiting()) ?? false,
          backupFiles: ((await backups?.list()) ?? []).map(backupWire),
        },
      };
    },
  });
}

function documentsData(deps: PageDataDeps): Endpoint {
  return defineEndpoint({
    ...base,
    id: 'documentsData',
    path: 'proprietary/ui-data/documents',
    summary: 'Give the page of stored documents',
    access: forAdmins,
    notes: 'Numbers and sizes by owner; administrators see no names or contents of files here.',
    returns: {
      description: 'What is stored by whom, most bytes first',
      json: (joi) =>
        joi
          .object({
            storageEnabled: flag(joi),
            totalDocuments: count(joi),
            totalBytes: count(joi),
            owners: joi
              .array()
              .items(
                joi
                  .object({
                    userId: count(joi),
                    username: text(joi).allow(null).description('Null when the account is gone'),
                    documents: count(joi),
                    bytes: count(joi),
                  })
                  .label('DocumentOwner'),
              )
              .required(),
          })
          .label('DocumentsData'),
    },
    errors: adminCodes,
    handle: async () => {
      const overview = (await deps.storage?.overview()) ?? new Map<string, never>();
      const names = new Map((await accountsOf(deps).users.everybody()).map(({ id, username }) => [id, username]));
      const owners = [...overview]
        .map(([id, { files, bytes }]) => ({
          userId: Number(id),
          username: names.get(id) ?? null,
          documents: files,
          bytes,
        }))
        .sort((a, b) => b.bytes - a.bytes || a.userId - b.userId);
      return {
        json: {
          storageEnabled: deps.storage !== undefined,
          totalDocuments: owners.reduce((sum, { documents }) => sum + documents, 0),
          totalBytes: owners.reduce((sum, { bytes }) => sum + bytes, 0),
          owners,
        },
      };
    },
  });
}

function statisticsData(deps: PageDataDeps): Endpoint {
  return defineEndpoint({
    ...base,
    id: 'endpointStatistics',
    path: 'proprietary/ui-data/usage-endpoint-statistics',
    summary: 'Tell how often addresses were called',
    access: { ...forAdmins, licence: 'enterprise', licenceRefusal: 403 },
    notes:
      'Calls of all servers on the store, counted by route and day (UTC) while `metrics.enabled` is on. `api`: ' +
      'below /api/v1; `ui`: pages and what they ask for themselves. Percentages are of all calls that the ' +
      'choice leaves, also of those beyond `limit`.',
    request: {
      query: (joi) =>
        joi.object({
          limit: joi.number().integer().min(1).max(10_000).description('Most called ones; all when absent'),
          dataType: joi.string().valid('all', 'api', 'ui').default('all').description('Which addresses'),
          days: joi.number().integer().min(1).max(MOST_DAYS).default(30).description('Days, today among them'),
        }),
    },
    returns: {
      description: 'Addresses, most called first',
      json: (joi) =>
        joi
          .object({
            endpoints: joi
              .array()
              .items(
                joi
                  .object({ endpoint: text(joi), visits: joi.number().required(), percentage: joi.number().required() })
                  .label('EndpointUsage'),
              )
              .required(),
            totalEndpoints: count(joi),
            totalVisits: joi.number().required(),
          })
          .label('EndpointStatistics'),
    },
    errors: [...adminCodes, 'INPUT_INVALID', 'LICENCE_TOO_LOW'],
    handle: async ({ query }) => {
      const { limit, dataType, days } = query as { limit?: number; dataType: 'all' | 'api' | 'ui'; days: number };
      return {
        json: endpointStatistics(await deps.days.since(days), {
          dataType,
          limit,
          prefix: deps.settings.get('system.rootUriPath'),
        }),
      };
    },
  });
}

function personOf(
  {
    id,
    username,
    role,
    enabled,
    authenticationType,
    teamId,
    teamLead,
    mustChangePassword,
    mfaEnabled,
    mfaRequired,
    createdAt,
    lastLogin,
  }: User,
  names: ReadonlyMap<string, string>,
) {
  const name = teamId === null ? undefined : names.get(teamId);
  return {
    id: Number(id),
    username,
    email: username,
    role,
    enabled,
    authenticationType,
    team: name === undefined ? null : { id: Number(teamId), name },
    teamLead,
    mustChangePassword,
    mfaEnabled,
    mfaRequired,
    createdAt,
    lastLogin,
  };
}

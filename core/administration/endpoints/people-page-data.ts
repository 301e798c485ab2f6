import { defineEndpoint, InputError, type Endpoint, type JoiRoot, type Mailer } from '@quire/registry';
import {
  accountsOf,
  adminCodes,
  forUserAdmins,
  forUsers,
  idField,
  profileFields,
} from '../../accounts/endpoints/index.js';
import type { LoginServices, User } from '../../accounts/index.js';
import { licenceNames } from '../../billing/index.js';
import type { Settings } from '../../settings/index.js';
import { base, count, flag, text } from './page-data-shapes.js';

export interface PeoplePageDataDeps {
  /** Undefined while login is off. */
  readonly login: LoginServices | undefined;
  readonly mailer: Mailer;
  readonly settings: Settings;
  /** Names of the login providers of each account that has some. */
  providersOfUsers(): Promise<ReadonlyMap<string, readonly string[]>>;
}

const teamShape = (joi: JoiRoot) => joi.object({ id: count(joi), name: text(joi) }).label('TeamName');
const personShape = (joi: JoiRoot) =>
  joi
    .object({
      id: count(joi),
      username: text(joi),
      ...profileFields(joi),
      email: text(joi),
      role: text(joi),
      enabled: flag(joi),
      authenticationType: joi.string().valid('web', 'oauth2', 'saml2').required(),
      team: teamShape(joi).allow(null).required(),
      teamLead: flag(joi),
      mustChangePassword: flag(joi),
      mfaEnabled: flag(joi),
      mfaRequired: flag(joi),
      passkeys: count(joi).description('Registered passkeys'),
      providers: joi.array().items(joi.string()).required().description('Names of the linked login providers'),
      createdAt: joi.string().isoDate().required(),
      lastLogin: joi.string().isoDate().allow(null).required(),
    })
    .label('Person');

export function accountData(deps: PeoplePageDataDeps): Endpoint {
  return defineEndpoint({
    ...base,
    id: 'getAccountData',
    path: 'proprietary/ui-data/account',
    summary: 'Get data of the account page',
    access: { ...forUsers, openBefore: ['password', 'secondFactor'] },
    returns: {
      description: 'The account',
      json: (joi) =>
        joi
          .object({
            username: text(joi),
            ...profileFields(joi),
            pictureWanted: flag(joi).description('The picture of a login provider is shown, where there is one'),
            role: text(joi),
            settings: text(joi).description('JSON as a string'),
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
      const { users, profiles } = accountsOf(deps);
      const user = await users.byId(principal.id);
      if (user === undefined) throw new InputError('USER_UNKNOWN');
      const { username, displayName, pictureVersion, role, mustChangePassword, authenticationType } = user;
      const { mfaEnabled, mfaRequired } = user;
      return {
        json: {
          username,
          displayName,
          pictureVersion,
          pictureWanted: await profiles.pictures.isWanted(user.id),
          role,
          settings: await users.settingsOf(user.id),
          changeCredsFlag: mustChangePassword,
          oAuth2Login: authenticationType === 'oauth2',
          saml2Login: authenticationType === 'saml2',
          mfaEnabled,
          mfaRequired: mfaRequired && !mfaEnabled,
        },
      };
    },
  });
}

export function peopleData(deps: PeoplePageDataDeps): Endpoint[] {
  const { settings, mailer } = deps;
  /** All users, and the names of the teams. */
  const everybody = async (): Promise<People> => {
    const { users, teams, passkeys } = accountsOf(deps);
    const [people, names, passkeyCounts, providers] = await Promise.all([
      users.everybody(),
      teams.names(),
      passkeys.counts(),
      deps.providersOfUsers(),
    ]);
    return {
      people,
      names: new Map([...names].filter(([id]) => id !== teams.internalId)),
      passkeys: passkeyCounts,
      providers,
    };
  };
  const teamList = (names: ReadonlyMap<string, string>) =>
    [...names].map(([id, name]) => ({ id: Number(id), name })).sort((a, b) => a.id - b.id);
  return [
    defineEndpoint({
      ...base,
      id: 'getAdminSettingsData',
      path: 'proprietary/ui-data/admin-settings',
      summary: 'Get data of the users page',
      access: forUserAdmins,
      returns: {
        description: 'Users, including disabled ones, and their limits',
        json: (joi) =>
          joi
            .object({
              users: joi.array().items(personShape(joi)).required(),
              currentUsername: text(joi),
              totalUsers: count(joi),
              activeUsers: count(joi).description('Users who may log in'),
              disabledUsers: count(joi),
              teams: joi.array().items(teamShape(joi)).required(),
              maxAllowedUsers: count(joi).allow(null).description('Null if there is no limit'),
              availableSlots: count(joi).allow(null).description('For users who log in with a password'),
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
        const all = await everybody();
        const { people, names } = all;
        const { users } = accountsOf(deps);
        const [limit, free, tier, active] = [
          (await users.limit()) ?? null,
          (await users.freeSeats()) ?? null,
          settings.get('licence.tier'),
          people.filter(({ enabled }) => enabled).length,
        ];
        return {
          json: {
            users: people.map((user) => personOf(user, all)),
            currentUsername: principal.name,
            totalUsers: people.length,
            activeUsers: active,
            disabledUsers: people.length - active,
            teams: teamList(names),
            maxAllowedUsers: limit,
            availableSlots: free,
            premiumEnabled: tier !== 'free',
            license: licenceNames[tier],
            mailEnabled: mailer.usable,
          },
        };
      },
    }),
    defineEndpoint({
      ...base,
      id: 'getTeamsData',
      path: 'proprietary/ui-data/teams',
      summary: 'List teams with their sizes',
      access: forUserAdmins,
      returns: {
        description: "Teams; the server's internal team is left out",
        json: (joi) =>
          joi
            .object({
              teamsWithCounts: joi
                .array()
                .items(joi.object({ id: count(joi), name: text(joi), userCount: count(joi) }).label('TeamCount'))
                .required(),
            })
            .label('TeamsData'),
        links: [{ to: 'getTeamData', parameters: { id: '$response.body#/teamsWithCounts/0/id' } }],
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
      id: 'getTeamData',
      path: 'proprietary/ui-data/teams/{id}',
      summary: 'Get data of a team page',
      access: forUserAdmins,
      request: { params: (joi) => joi.object({ id: idField(joi).required() }) },
      returns: {
        description: 'The team, its members and all other users',
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
        const all = await everybody();
        const { people, names } = all;
        const name = names.get(id);
        if (name === undefined) throw new InputError('TEAM_UNKNOWN');
        const shown = people.map((user) => personOf(user, all));
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

interface People {
  readonly people: readonly User[];
  /** Of the teams, by id. */
  readonly names: ReadonlyMap<string, string>;
  /** By user. */
  readonly passkeys: ReadonlyMap<string, number>;
  readonly providers: ReadonlyMap<string, readonly string[]>;
}

function personOf(
  {
    id,
    username,
    displayName,
    pictureVersion,
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
  { names, passkeys, providers }: People,
) {
  const name = teamId === null ? undefined : names.get(teamId);
  return {
    id: Number(id),
    username,
    displayName,
    pictureVersion,
    email: username,
    role,
    enabled,
    authenticationType,
    team: name === undefined ? null : { id: Number(teamId), name },
    teamLead,
    mustChangePassword,
    mfaEnabled,
    // Clients take it as a request to set up the factor.
    mfaRequired: mfaRequired && !mfaEnabled,
    passkeys: passkeys.get(id) ?? 0,
    providers: providers.get(id) ?? [],
    createdAt,
    lastLogin,
  };
}

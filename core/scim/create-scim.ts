import { StartupError, type Clock, type Endpoint } from '@quire/registry';
import type { LoginServices } from '../accounts/index.js';
import type { AuditLog } from '../audit/index.js';
import type { ErrorForm } from '../http/response/index.js';
import { groupRulesOf, IdentityRecords, type LoginProviders, type SubjectIssuer } from '../identity/index.js';
import { shortOrigin, type Settings } from '../settings/index.js';
import type { Store } from '../store/index.js';
import { discoveryEndpoints } from './endpoints/discovery.endpoint.js';
import { groupEndpoints } from './endpoints/groups.endpoint.js';
import type { ScimEndpointDeps } from './endpoints/scim-endpoint.js';
import { searchEndpoints } from './endpoints/search.endpoint.js';
import { userEndpoints } from './endpoints/users.endpoint.js';
import { scimErrorForm } from './error-body.js';
import { GroupList } from './groups/group-list.js';
import { GroupRights } from './groups/group-rights.js';
import { ScimGroups } from './groups/scim-groups.js';
import { ScimRecords } from './scim-records.js';
import { ScimUsers } from './users/scim-users.js';
import { SubjectLinks } from './users/subject-links.js';
import { UserList } from './users/user-list.js';

export interface CreateScimDeps {
  readonly settings: Settings;
  readonly store: Store;
  readonly clock: Clock;
  readonly login: LoginServices | undefined;
  readonly providers: Pick<LoginProviders, 'list' | 'subjectIssuer'>;
  readonly audit: AuditLog | undefined;
}

export interface ScimFeature {
  readonly endpoints: readonly Endpoint[];
  readonly errorForms: readonly ErrorForm[];
}

/** Creates provisioning by SCIM; while it is off, its addresses answer 404. Throws SETTINGS_INVALID. */
export function createScim(deps: CreateScimDeps): ScimFeature {
  if (!deps.settings.get('scim.enabled')) return { endpoints: [], errorForms: [] };
  const endpointDeps = deps.login === undefined ? undefined : openScim(deps, deps.login);
  return { endpoints: endpointDeps === undefined ? [] : endpointsOf(endpointDeps), errorForms: [scimErrorForm] };
}

function openScim({ settings, store, clock, audit, ...deps }: CreateScimDeps, login: LoginServices): ScimEndpointDeps {
  const { accounts } = login;
  const records = new ScimRecords(store, clock);
  accounts.onUserChange((userId, what) => (what === 'gone' ? records.forgetUser(userId) : undefined));
  const rules = groupRulesOf(settings, 'scim');
  const rolesFollowGroups = rules.roles.length > 0;
  const users = new ScimUsers({
    accounts,
    records,
    links: new SubjectLinks(new IdentityRecords(store, clock), subjectIssuer(settings, deps.providers)),
    authenticationType: settings.get('scim.authenticationType'),
    rolesFollowGroups,
  });
  const groups = new ScimGroups({ records, users, rights: new GroupRights(accounts, records, rules) });
  return {
    users,
    userList: new UserList({ accounts, records }),
    groups,
    groupList: new GroupList(records, groups),
    audit,
    rolesFollowGroups,
  };
}

function endpointsOf(deps: ScimEndpointDeps): Endpoint[] {
  return [...userEndpoints(deps), ...groupEndpoints(deps), ...searchEndpoints(deps), ...discoveryEndpoints(deps)];
}

function subjectIssuer(settings: Settings, providers: CreateScimDeps['providers']): SubjectIssuer | undefined {
  const id = settings.get('scim.externalIdIsSubjectOf').trim();
  if (id === '') return undefined;
  const found = providers.subjectIssuer(id);
  if (found !== undefined) return found;
  const known = providers.list.map((one) => one.id).join(', ');
  throw new StartupError('SETTINGS_INVALID', {
    where: shortOrigin(settings.origin('scim.externalIdIsSubjectOf')),
    detail:
      `scim.externalIdIsSubjectOf: "${id}" is not a provider of security.oauth2 or security.saml2 ` +
      `that is set up; known are ${known || 'none'}`,
  });
}

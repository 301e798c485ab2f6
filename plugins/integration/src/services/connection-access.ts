import { AccessError, InputError, type FieldFault, type Principal } from '@quire/registry';
import type { DefaultAccess, IntegrationType, Scope } from '../functions/connection-types.js';

/** Facts that decide who may see, use and change a connection. */
export interface Owned {
  readonly integrationType: IntegrationType;
  readonly scope: Scope;
  readonly ownerUserId: number | null;
  readonly ownerTeamId: number | null;
  readonly locked: boolean;
  readonly defaultAccess: DefaultAccess;
}

/** Settings about API connections. */
export interface AuthorPolicy {
  /** `policies.allowCustomApiIntegrations`, on a server that its operator hosts. */
  readonly customApi: boolean;
}

/** What an administrator has granted beside ownership. */
export type Granted = 'USE' | 'MANAGE' | undefined;

/** True for administrators, and for everybody while login is off: then the one who calls runs the server. */
export function isAdmin(caller: Principal): boolean {
  return caller.role !== 'user';
}

/** The number of the caller's account; null without one. */
function userIdOf(caller: Principal): number | null {
  return caller.role === 'anonymous' || !/^\d{1,15}$/.test(caller.id) ? null : Number(caller.id);
}

/** The number of the caller's team; null without one. */
function teamIdOf({ teamId }: Principal): number | null {
  return teamId === undefined || !/^\d{1,15}$/.test(teamId) ? null : Number(teamId);
}

/**
 * Whether the caller sees and may use it: whose it is (a user, the members of a team; of the server's: administrators),
 * administrators, whom `defaultAccess` lets in beside them, and who was granted access.
 */
export function maySee(
  caller: Principal,
  { scope, ownerUserId, ownerTeamId, defaultAccess }: Owned,
  granted: Granted,
): boolean {
  if (isAdmin(caller) || defaultAccess === 'ORG_ALL' || granted !== undefined) return true;
  if (scope === 'USER' && ownerUserId !== null && ownerUserId === userIdOf(caller)) return true;
  if (scope === 'TEAM' && ownerTeamId !== null && ownerTeamId === teamIdOf(caller)) return true;
  return defaultAccess === 'ADMINS_AND_TEAM_LEADS' && caller.teamLead === true;
}

/**
 * Whether the caller may change and delete it: administrators; else the owner, and who leads the owning team, of what
 * may be made by others than administrators and is not locked; and who was granted to manage it, unless it is locked.
 */
export function mayManage(caller: Principal, connection: Owned, granted: Granted): boolean {
  if (isAdmin(caller)) return true;
  return !connection.locked && (granted === 'MANAGE' || mayOwn(caller, connection));
}

function mayOwn(caller: Principal, { integrationType, scope, ownerUserId, ownerTeamId }: Owned): boolean {
  if (integrationType === 'API' || scope === 'SERVER') return false;
  if (scope === 'TEAM') return caller.teamLead === true && ownerTeamId !== null && ownerTeamId === teamIdOf(caller);
  return integrationType !== 'S3' && ownerUserId !== null && ownerUserId === userIdOf(caller);
}

/**
 * Refuses what the caller may not author: see `docs/interface/integration.yml`, connection object. `config`: the
 * settings of the connection are written, not only its name and such. Throws CONNECTION_REFUSED.
 */
export function checkAuthor(caller: Principal, connection: Owned, { customApi }: AuthorPolicy, config: boolean): void {
  const refuse = (detail: string): never => {
    throw new AccessError('CONNECTION_REFUSED', { detail });
  };
  if (connection.integrationType === 'API' && config && !customApi)
    return refuse('API connections cannot be made on this server (policies.allowCustomApiIntegrations)');
  if (isAdmin(caller)) return;
  if (connection.integrationType === 'API') return refuse('API connections are made by administrators');
  if (connection.integrationType === 'S3' && connection.scope === 'USER')
    return refuse('Personal S3 connections are made by administrators');
  if (connection.scope === 'SERVER') return refuse('Connections of the server are made by administrators');
  if (connection.locked) return refuse('Connections are locked by administrators');
  if (!mayOwn(caller, connection))
    return refuse(
      connection.scope === 'TEAM'
        ? 'Connections of a team are made by who leads it'
        : 'Connections of others are made by them',
    );
}

/** What a request changes of them; `config` is looked at only for whether it is there. */
interface OwnedChange extends Partial<Pick<Owned, 'scope' | 'ownerTeamId' | 'locked' | 'defaultAccess'>> {
  readonly config?: object;
}

/**
 * Who manages a connection by a grant changes its name, its settings and whether it is enabled, but not whose it is nor
 * who may use it, and no settings of API connections, which only administrators write. Throws CONNECTION_REFUSED.
 */
export function checkBorrower({ integrationType }: Owned, given: OwnedChange): void {
  const { scope, ownerTeamId, locked, defaultAccess, config } = given;
  const kept = [scope, ownerTeamId, locked, defaultAccess].some((member) => member !== undefined);
  if (!kept && (integrationType !== 'API' || config === undefined)) return;
  const detail = kept
    ? 'You manage this connection by a grant, which does not include owner, lock and default access'
    : 'API connections are made by administrators';
  throw new AccessError('CONNECTION_REFUSED', { detail });
}

/**
 * Returns whose the connection is after a change. Throws INPUT_INVALID for a connection of a team without one.
 */
export function ownedOf(caller: Principal, given: OwnedChange, before: Owned): Owned {
  const scope = given.scope ?? before.scope;
  const team = given.ownerTeamId === undefined ? (before.ownerTeamId ?? teamIdOf(caller)) : given.ownerTeamId;
  if (scope === 'TEAM' && team === null)
    throw invalid([
      { pointer: '/ownerTeamId', detail: 'ownerTeamId is missing: a connection of scope TEAM belongs to a team' },
    ]);
  return {
    integrationType: before.integrationType,
    scope,
    locked: given.locked ?? before.locked,
    defaultAccess: given.defaultAccess ?? before.defaultAccess,
    ownerUserId:
      scope === 'USER'
        ? before.scope === 'USER' && before.ownerUserId !== null
          ? before.ownerUserId
          : userIdOf(caller)
        : null,
    ownerTeamId: scope === 'TEAM' ? team : null,
  };
}

/** Returns INPUT_INVALID with these faults. */
export function invalid(faults: readonly FieldFault[]): InputError {
  return new InputError('INPUT_INVALID', { detail: faults.map(({ detail }) => detail).join('; ') }, faults);
}

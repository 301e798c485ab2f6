import {
  InputError,
  AccessError,
  type AccessGrants,
  isDuplicateRecord,
  token,
  type Clock,
  type ConnectionTrials,
  type ConnectionUses,
  type Outbound,
  type PluginRecords,
  type PluginStore,
  type Principal,
  type SavedPipelines,
  type Teams,
  type Vault,
} from '@quire/registry';
import { namesConnection, usedBy } from '../functions/connection-uses.js';
import { checkConfig } from '../functions/connection-config.js';
import { keepSecrets, maskSecrets } from '../functions/connection-secrets.js';
import type { Config, IntegrationType } from '../functions/connection-types.js';
import { isDeeper, MOST_LEVELS } from '../functions/json-depth.js';
import {
  checkAuthor,
  checkBorrower,
  invalid,
  isAdmin,
  mayManage,
  maySee,
  ownedOf,
  type AuthorPolicy,
  type Granted,
  type Owned,
} from './connection-access.js';

/** A stored connection. */
interface ConnectionRecord extends Owned {
  /** A decimal number from 1 up, never given twice. */
  readonly id: string;
  readonly name: string;
  readonly enabled: boolean;
  /** The settings, sealed. */
  readonly config: string;
  /** Grows with each change. */
  readonly revision: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** A connection as clients see it (`docs/interface/integration.yml`, connection object). */
export interface ConnectionWire extends Owned {
  readonly id: number;
  readonly name: string;
  readonly enabled: boolean;
  /** Secrets are masked. */
  readonly config: Config;
  readonly canManage: boolean;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** Request to create a connection; all but the first two members have defaults. */
export interface NewConnection {
  readonly integrationType: IntegrationType;
  readonly name: string;
  readonly scope?: Owned['scope'];
  readonly ownerTeamId?: number | null;
  readonly enabled?: boolean;
  readonly locked?: boolean;
  readonly defaultAccess?: Owned['defaultAccess'];
  readonly config?: Config;
}

/** Request to change a connection; missing members stay unchanged. */
export type ConnectionChange = Partial<NewConnection>;

/** A connection whose settings are to be used. */
export interface UsableConnection<C> {
  readonly name: string;
  /** Names this state of it, for what is remembered of it. */
  readonly version: string;
  readonly config: C;
}

/** The plugin's connections, for its own endpoints and operations. */
export const connections = token<Connections>('integration.connections');

/** What access grants call a connection. */
const RESOURCE = 'INTEGRATION_CONFIG';
const TRIES = 5;
const INSERT_TRIES = 100;

/** Keeps connections to other services; settings are sealed, and leave it masked but for `use`. */
export class Connections {
  readonly #records: PluginRecords<ConnectionRecord>;
  readonly #counters: PluginRecords<{ readonly id: string; readonly value: number }>;

  constructor(
    private readonly parts: {
      readonly store: PluginStore;
      readonly vault: Vault;
      readonly clock: Clock;
      readonly outbound: Pick<Outbound, 'check'>;
      readonly policy: AuthorPolicy;
      readonly reach: 'public' | 'private';
      readonly teams: Teams;
      readonly grants: AccessGrants;
      readonly savedPipelines: SavedPipelines;
      readonly uses: ConnectionUses;
      readonly trials: ConnectionTrials;
    },
  ) {
    this.#records = parts.store.records('connections');
    this.#counters = parts.store.records('counters');
  }

  /** Those that the caller sees, in order of making. */
  async list(caller: Principal): Promise<ConnectionWire[]> {
    const found = (await this.#records.find()).filter((record) => this.#sees(caller, record));
    return found.sort((a, b) => Number(a.id) - Number(b.id)).map((record) => this.#wire(caller, record));
  }

  /** Throws CONNECTION_UNKNOWN or CONNECTION_REFUSED. */
  async read(caller: Principal, id: number): Promise<ConnectionWire> {
    return this.#wire(caller, await this.#visible(caller, id));
  }

  /** One that is enabled is tried first. Throws INPUT_INVALID, ADDRESS_REFUSED or CONNECTION_REFUSED. */
  async create(caller: Principal, given: NewConnection, signal: AbortSignal): Promise<ConnectionWire> {
    const owned = ownedOf(caller, given, {
      integrationType: given.integrationType,
      scope: 'USER',
      ownerUserId: null,
      ownerTeamId: null,
      locked: false,
      defaultAccess: 'EXPLICIT_ONLY',
    });
    checkAuthor(caller, owned, this.parts.policy, true);
    await this.#checkTeam(owned, null);
    const config = this.#checked(given.integrationType, given.config ?? {}, undefined);
    const enabled = given.enabled ?? true;
    if (enabled) await this.#try(given.integrationType, config, signal);
    const now = this.parts.clock.now().toISOString();
    for (let tries = 1; ; tries++) {
      const id = await this.#nextId();
      const record: ConnectionRecord = {
        ...owned,
        id,
        name: given.name,
        enabled,
        config: this.#seal(id, config),
        revision: 1,
        createdAt: now,
        updatedAt: now,
      };
      try {
        return this.#wire(caller, await this.#records.insert(record));
      } catch (error) {
        // Some servers that speak MongoDB's protocol return the same count to two callers.
        if (!isDuplicateRecord(error) || tries === INSERT_TRIES) throw error;
      }
    }
  }

  /**
   * One with other settings, or that is switched on, is tried first. Throws INPUT_INVALID, ADDRESS_REFUSED,
   * CONNECTION_UNKNOWN or CONNECTION_REFUSED.
   */
  async change(caller: Principal, id: number, given: ConnectionChange, signal: AbortSignal): Promise<ConnectionWire> {
    for (let attempt = 1; ; attempt++) {
      const before = await this.#visible(caller, id);
      if (!this.#manages(caller, before))
        throw new AccessError('CONNECTION_REFUSED', {
          detail: before.locked ? 'This connection is locked' : 'This connection is not yours to change',
        });
      const { integrationType } = before;
      if (given.integrationType !== undefined && given.integrationType !== integrationType)
        throw invalid([
          { pointer: '/integrationType', detail: `integrationType is ${integrationType} and cannot be changed` },
        ]);
      const owned = ownedOf(caller, given, before);
      if (this.#isBorrowed(caller, before)) checkBorrower(before, given);
      else checkAuthor(caller, owned, this.parts.policy, given.config !== undefined);
      await this.#checkTeam(owned, before.ownerTeamId);
      const stored = this.#open(before);
      const whole = given.config === undefined ? stored : this.#checked(integrationType, given.config, stored);
      const enabled = given.enabled ?? before.enabled;
      if (enabled && (given.config !== undefined || !before.enabled)) await this.#try(integrationType, whole, signal);
      const { scope, ownerUserId, ownerTeamId, locked, defaultAccess } = owned;
      const set = {
        scope,
        ownerUserId,
        ownerTeamId,
        locked,
        defaultAccess,
        name: given.name ?? before.name,
        enabled,
        ...(given.config === undefined ? {} : { config: this.#seal(before.id, whole) }),
        revision: before.revision + 1,
        updatedAt: this.parts.clock.now().toISOString(),
      };
      const changed = await this.#records.update(before.id, { set }, { revision: before.revision });
      if (changed !== undefined) return this.#wire(caller, changed);
      // Somebody else was faster; what they wrote is the one to change.
      if (attempt === TRIES)
        throw new InputError('IDEMPOTENCY_CONFLICT', {
          detail: 'The connection is being changed by others; try again.',
        });
    }
  }

  /**
   * Throws CONNECTION_UNKNOWN, CONNECTION_REFUSED, or CONNECTION_IN_USE where a pipeline, a source or an automation
   * that is kept on this server names it.
   */
  async remove(caller: Principal, id: number): Promise<void> {
    const record = await this.#visible(caller, id);
    if (!this.#manages(caller, record))
      throw new AccessError('CONNECTION_REFUSED', {
        detail: record.locked ? 'This connection is locked' : 'This connection is not yours to delete',
      });
    const users = (await this.parts.savedPipelines.list()).filter(({ steps }) =>
      steps.some((step) => namesConnection(step, id)),
    );
    const uses = await this.parts.uses.of(id, caller);
    if (users.length + uses.named.length + uses.others > 0)
      throw new InputError('CONNECTION_IN_USE', { detail: usedBy(users, isAdmin(caller), uses) });
    if (!(await this.#records.delete(record.id))) throw new InputError('CONNECTION_UNKNOWN');
    await this.parts.grants.forget(RESOURCE, record.id);
  }

  /**
   * Returns the settings of a connection that the caller may use. Throws CONNECTION_UNUSABLE, with the same text for a
   * missing connection and for another user's.
   */
  async use<C>(caller: Principal, id: number, type: string): Promise<UsableConnection<C>> {
    const record = await this.#records.get(String(id));
    const refuse = (detail: string): never => {
      throw new InputError('CONNECTION_UNUSABLE', { detail }, [{ pointer: '/connectionId', detail }]);
    };
    if (record === undefined || !this.#sees(caller, record))
      return refuse(`there is no connection ${id} that you may use`);
    if (record.integrationType !== type)
      return refuse(`the connection ${id} is of type ${record.integrationType}; this operation takes ${type}`);
    if (!record.enabled) return refuse(`the connection ${id} is disabled`);
    return { name: record.name, version: `${record.id} ${record.revision}`, config: this.#open(record) as C };
  }

  async exists(id: number): Promise<boolean> {
    return (await this.#records.get(String(id))) !== undefined;
  }

  #granted(caller: Principal, { id }: ConnectionRecord): Granted {
    return this.parts.grants.permissionOf(RESOURCE, id, caller);
  }

  #sees(caller: Principal, record: ConnectionRecord): boolean {
    return maySee(caller, record, this.#granted(caller, record));
  }

  #manages(caller: Principal, record: ConnectionRecord): boolean {
    return mayManage(caller, record, this.#granted(caller, record));
  }

  /** Whether the caller manages it by a grant alone. */
  #isBorrowed(caller: Principal, record: ConnectionRecord): boolean {
    return !mayManage(caller, record, undefined) && this.#manages(caller, record);
  }

  async #visible(caller: Principal, id: number): Promise<ConnectionRecord> {
    const record = await this.#records.get(String(id));
    if (record === undefined) throw new InputError('CONNECTION_UNKNOWN');
    if (!this.#sees(caller, record))
      throw new AccessError('CONNECTION_REFUSED', { detail: 'This connection is not for you' });
    return record;
  }

  /** A team that a connection is given to must be there. */
  async #checkTeam({ ownerTeamId }: Owned, before: number | null): Promise<void> {
    if (ownerTeamId === null || ownerTeamId === before || (await this.parts.teams.exists(String(ownerTeamId)))) return;
    throw invalid([{ pointer: '/ownerTeamId', detail: `ownerTeamId is ${ownerTeamId}, but there is no such team` }]);
  }

  #checked(type: IntegrationType, given: Config, stored: Config | undefined): Config {
    if (isDeeper(given)) throw invalid([{ pointer: '/config', detail: `config has more than ${MOST_LEVELS} levels` }]);
    const { config: whole, lost, moved } = keepSecrets(type, given, stored);
    const { config, faults } = checkConfig(type, whole);
    const all = [
      ...lost.map((member) => ({
        member,
        detail:
          moved === undefined
            ? 'is masked, and nothing is stored that it could stand for'
            : `is kept for the present address only, and config.${moved} changes it: send the secret again, or leave ` +
              'it out to remove it',
      })),
      // A secret that is not kept would be reported as missing too.
      ...faults.filter(({ member }) => !lost.includes(member)),
    ];
    if (all.length > 0)
      throw invalid(
        all.map(({ member, detail }) => ({
          pointer: `/config${member === '' ? '' : `/${member.replaceAll('.', '/')}`}`,
          detail: `config${member === '' ? '' : `.${member}`} ${detail}`,
        })),
      );
    if (type === 'API' && typeof config['baseUrl'] === 'string')
      this.parts.outbound.check(config['baseUrl'], 'config.baseUrl', this.parts.reach);
    return config;
  }

  /** Throws INPUT_INVALID when these settings do not work now. */
  async #try(type: IntegrationType, config: Config, signal: AbortSignal): Promise<void> {
    const faults = await this.parts.trials.faultsOf(type, config, signal);
    if (faults.length === 0) return;
    const named = faults.map(({ pointer, detail }) => ({
      pointer: `/config${pointer}`,
      detail: `config${pointer.replaceAll('/', '.')} ${detail}`,
    }));
    const detail = `${named.map((fault) => fault.detail).join('; ')}. Without working settings, save it disabled`;
    throw new InputError('INPUT_INVALID', { detail }, named);
  }

  #wire(caller: Principal, record: ConnectionRecord): ConnectionWire {
    const {
      id,
      integrationType,
      name,
      scope,
      ownerUserId,
      ownerTeamId,
      enabled,
      locked,
      defaultAccess,
      createdAt,
      updatedAt,
    } = record;
    return {
      id: Number(id),
      integrationType,
      name,
      scope,
      ownerUserId,
      ownerTeamId,
      enabled,
      locked,
      defaultAccess,
      config: maskSecrets(integrationType, this.#open(record)),
      canManage: this.#manages(caller, record),
      createdAt,
      updatedAt,
    };
  }

  #seal(id: string, config: Config): string {
    return this.parts.vault.seal(JSON.stringify(config), `connection ${id}`);
  }

  #open({ id, config }: ConnectionRecord): Config {
    return JSON.parse(this.parts.vault.open(config, `connection ${id}`)) as Config;
  }

  async #nextId(): Promise<string> {
    for (;;) {
      const counted = await this.#counters.update('connections', { inc: { value: 1 } });
      if (counted !== undefined) return String(counted.value);
      // Two servers may begin at once; then one of them finds it there.
      await this.#counters.insert({ id: 'connections', value: 0 }).catch(async (error: unknown) => {
        if ((await this.#counters.get('connections')) === undefined) throw error;
      });
    }
  }
}

import { randomUUID } from 'node:crypto';
import { InputError, type Clock, type FieldFault, type Principal } from '@quire/registry';
import type { AutomationRecords } from '../automations/automation-records.js';
import { hideOptions, restoreOptions } from '../automations/hidden-values.js';
import { proveOptions, sentence, type Kinds } from '../connector-options.js';
import type { ConnectorOptions } from '../connectors/model.js';
import type { TeamRecords } from '../team-records.js';
import { HOUR_MS, type Source, type SourceRecords } from './source-records.js';

/** The virtual source of other servers with this interface. */
const EDITOR = 'editor';
const DAYS = 30;
const DAY_MS = 24 * HOUR_MS;

export interface SourcesDeps {
  readonly records: SourceRecords;
  readonly automations: Pick<AutomationRecords, 'all'>;
  readonly teams: TeamRecords;
  readonly kinds: Kinds;
  readonly clock: Clock;
  /** Most sources of one owner. */
  mostPerOwner(): number;
  /** Called after a source was saved or deleted. */
  changed(): Promise<void>;
}

export interface SentSource {
  readonly id?: string;
  readonly name: string;
  readonly type: string;
  readonly enabled: boolean;
  readonly options: ConnectorOptions;
}

/** A source with what uses it, secrets hidden. */
export interface SourceRow {
  readonly source: Source;
  readonly usedBy: readonly { readonly id: string; readonly name: string }[];
  readonly docs24h: number;
  readonly docs30d: number;
}

/** A source that is described, or why it cannot be one. */
export interface TriedSource {
  readonly source?: Source;
  /** Whether it has to be saved. */
  readonly isNew?: boolean;
  readonly faults: readonly FieldFault[];
}

/** Sources: who may see and change them. */
export class Sources {
  constructor(private readonly deps: SourcesDeps) {}

  /** Those of the caller's team, the most used first; without those of processing folders. */
  async list(principal: Principal): Promise<readonly SourceRow[]> {
    const { automations, clock, records } = this.deps;
    const own = [...(await this.usableBy(principal)).values()].filter(
      ({ storageFolder }) => storageFolder === undefined,
    );
    const all = own.length === 0 ? [] : await automations.all();
    const now = clock.now().getTime();
    const rows = await Promise.all(
      own.map(async (source) => {
        const hours = await records.hours(source.id);
        const since = (ms: number): number =>
          [...hours].reduce((sum, [hour, count]) => (hour * HOUR_MS > now - ms ? sum + count : sum), 0);
        const usedBy = all
          .filter(({ content }) => content.inputs.some((input) => input.source === source.id))
          .map(({ id, name }) => ({ id, name }));
        return { source: this.#hidden(source), usedBy, docs24h: since(DAY_MS), docs30d: since(DAYS * DAY_MS) };
      }),
    );
    return rows.sort(
      (a, b) =>
        b.usedBy.length - a.usedBy.length || (a.source.name.toLowerCase() < b.source.name.toLowerCase() ? -1 : 1),
    );
  }

  /** Those that the caller may use, by id, with their secrets. */
  async usableBy(principal: Principal): Promise<ReadonlyMap<string, Source>> {
    const { records, teams } = this.deps;
    const own = (await records.all()).filter((source) => teams.sees(principal, source));
    return new Map(own.map((source) => [source.id, source]));
  }

  /** Throws NOT_FOUND. */
  async get(principal: Principal, id: string): Promise<Source> {
    return this.#hidden(this.deps.teams.mustSee(principal, await this.deps.records.get(id)));
  }

  /**
   * Creates or changes a source and proves that it can be read. Throws INPUT_INVALID with every fault, NOT_FOUND for
   * one of another team, AUTOMATION_READ_ONLY. What the server makes itself, such as the secret of a webhook, is shown
   * by the answer that creates it and never again.
   */
  async save(principal: Principal, sent: SentSource, signal: AbortSignal): Promise<Source> {
    const { records, teams, kinds, clock } = this.deps;
    const id = sent.id === undefined || sent.id.trim() === '' ? randomUUID() : sent.id.trim();
    const before = await records.get(id);
    if (before !== undefined) teams.mustSee(principal, before);
    teams.mustEdit(principal);
    if (before?.storageFolder !== undefined)
      throw new InputError('AUTOMATION_CONFLICT', {
        detail: `The source "${before.name}" belongs to a folder of the file storage that processes its files`,
      });
    const kind = kinds.sources.get(sent.type);
    if (kind === undefined || id === EDITOR) {
      const fault =
        kind === undefined
          ? { pointer: '/type', detail: kinds.unknown('sources', sent.type) }
          : { pointer: '/id', detail: `"${EDITOR}" is reserved; choose another id` };
      throw new InputError('INPUT_INVALID', { detail: sentence([fault]) }, [fault]);
    }
    if (before === undefined) await this.#mustHaveRoom(principal);
    const same = before?.type === sent.type ? before.options : undefined;
    const made = same === undefined ? kind.make?.() : kept(same, Object.keys(kind.make?.() ?? {}));
    const own = Object.fromEntries(Object.entries(sent.options).filter(([name]) => !(name in (made ?? {}))));
    const { options, faults } = await proveOptions(kind, restoreOptions(own, same), '/options', { principal, signal });
    if (faults.length > 0) throw new InputError('INPUT_INVALID', { detail: sentence(faults) }, faults);
    const source: Source = {
      id,
      name: sent.name,
      type: sent.type,
      enabled: sent.enabled,
      ...teams.ownerOf(principal, before),
      savedAt: clock.now().getTime(),
      docsTotal: before?.docsTotal ?? 0,
      options: { ...options, ...made },
    };
    await records.put(source);
    await this.deps.changed();
    const hidden = this.#hidden(source);
    return same === undefined ? { ...hidden, options: { ...hidden.options, ...made } } : hidden;
  }

  /**
   * The source that a file describes, as it would be here, with what keeps it from being read; nothing is saved. One
   * with the same options, secrets aside, is taken as it is. Throws AUTOMATION_READ_ONLY.
   */
  async tried(principal: Principal, sent: Omit<SentSource, 'id'>, signal: AbortSignal): Promise<TriedSource> {
    const { teams, kinds, clock } = this.deps;
    teams.mustEdit(principal);
    const kind = kinds.sources.get(sent.type);
    if (kind === undefined) return { faults: [{ pointer: '/type', detail: kinds.unknown('sources', sent.type) }] };
    const { options, faults } = await proveOptions(kind, sent.options, '', { principal, signal });
    const open = (all: ConnectorOptions): string =>
      JSON.stringify(
        Object.entries(all)
          .filter(([name]) => !kind.secrets.includes(name))
          .sort(),
      );
    const wanted = open(options);
    const same = [...(await this.usableBy(principal)).values()].find(
      (one) => one.type === sent.type && one.storageFolder === undefined && open(one.options) === wanted,
    );
    if (same !== undefined) return { source: same, isNew: false, faults: [] };
    // What the server makes itself is new here, whatever is sent.
    const made = Object.keys(kind.make?.() ?? {});
    const left = faults.filter(({ pointer }) => !made.includes(pointer.slice(1)));
    if (left.length > 0) return { faults: left };
    const source: Source = {
      id: randomUUID(),
      name: sent.name,
      type: sent.type,
      enabled: sent.enabled,
      ...teams.ownerOf(principal),
      savedAt: clock.now().getTime(),
      docsTotal: 0,
      options,
    };
    return { source, isNew: true, faults: [] };
  }

  /** Throws NOT_FOUND, AUTOMATION_READ_ONLY, and AUTOMATION_CONFLICT while automations use it. */
  async remove(principal: Principal, id: string): Promise<void> {
    const { records, teams, automations } = this.deps;
    teams.mustSee(principal, await records.get(id));
    teams.mustEdit(principal);
    const users = (await automations.all()).filter(({ content }) => content.inputs.some((one) => one.source === id));
    if (users.length > 0)
      throw new InputError('AUTOMATION_CONFLICT', {
        detail: `The source is used by ${users.map(({ name }) => `"${name}"`).join(', ')}; change or delete that first`,
      });
    await records.remove(id);
    await this.deps.changed();
  }

  /** Files of each of the last 30 days (UTC), the oldest first. Throws NOT_FOUND. */
  async daily(principal: Principal, id: string): Promise<readonly number[]> {
    const { records, teams, clock } = this.deps;
    teams.mustSee(principal, await records.get(id));
    const today = Math.floor(clock.now().getTime() / DAY_MS);
    const days = Array.from({ length: DAYS }, () => 0);
    for (const [hour, count] of await records.hours(id)) {
      const at = DAYS - 1 - (today - Math.floor((hour * HOUR_MS) / DAY_MS));
      const day = days[at];
      if (day !== undefined) days[at] = day + count;
    }
    return days;
  }

  async #mustHaveRoom(principal: Principal): Promise<void> {
    const { ownerId } = this.deps.teams.ownerOf(principal);
    const most = this.deps.mostPerOwner();
    const own = (await this.deps.records.all()).filter((one) => one.ownerId === ownerId).length;
    if (own < most) return;
    throw new InputError('AUTOMATION_CONFLICT', {
      detail:
        `You have ${own} sources, and at most ${most} are allowed (policies.sourcesPerOwner): delete one, or have ` +
        'the setting raised',
    });
  }

  #hidden(source: Source): Source {
    const secrets = this.deps.kinds.sources.get(source.type)?.secrets ?? [];
    return { ...source, options: hideOptions(source.options, secrets) };
  }
}

function kept(options: ConnectorOptions, names: readonly string[]): ConnectorOptions {
  return Object.fromEntries(names.map((name) => [name, options[name]]));
}

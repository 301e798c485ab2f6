import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { InputError, type Clock, type Principal } from '@quire/registry';
import { inWork } from '../assets/asset-uses.js';
import type { Source, SourceRecords } from '../sources/source-records.js';
import type { Owned, TeamRecords } from '../team-records.js';
import type { AutomationRecords } from './automation-records.js';
import { checkAutomation, type CheckDeps, type CheckedAutomation } from './check-automation.js';
import { restoreContent, sameDestination, type Hiding } from './hidden-values.js';
import type { Automation, AutomationContent } from './model.js';
import type { placed, Placed } from './places.js';

/** Most automations of one server. */
const MOST_AUTOMATIONS = 5000;
const LONGEST_NAME = 80;

export interface AutomationsDeps {
  readonly records: AutomationRecords;
  readonly sources: SourceRecords;
  readonly teams: TeamRecords;
  readonly check: CheckDeps;
  readonly hiding: Hiding;
  readonly clock: Clock;
  /** Whether the account of an automation still exists and is enabled. */
  ownerIsThere(automation: Pick<Automation, 'ownerId' | 'ownerName'>): Promise<boolean>;
  /** The places of an automation, with what its owner's saved connections stand for. */
  placed(automation: Automation, optionsOf: Parameters<typeof placed>[1]): Promise<Placed>;
  /** Most automations of one owner. */
  mostPerOwner(): number;
  /** Called after an automation was saved or deleted. */
  changed(id: string): void;
  /** Removes the history of an automation that was deleted. */
  forget(automation: Automation): Promise<void>;
  /** Called before destinations are replaced or deleted. */
  left(destinations: AutomationContent['destinations']): Promise<void>;
  /** Called with the stored files that an automation named and no longer does. */
  released(assetIds: Iterable<string>): Promise<void>;
}

/** An automation as it is sent; destinations without an id are new. */
export interface SentAutomation {
  readonly name: string;
  readonly enabled: boolean;
  readonly content: AutomationContent;
}

/** How an automation is saved that belongs to a folder of the file storage. */
export interface ForFolder {
  readonly storageFolder: string;
  /** The source that reads the folder, as it will be. */
  readonly source: Source;
  /** Called when everything is checked, before the automation is saved. */
  saving(): Promise<void>;
}

/** Automations: who may see and change them. */
export class Automations {
  constructor(private readonly deps: AutomationsDeps) {}

  /** Those of the caller's team, in their order. */
  async list(principal: Principal): Promise<readonly Automation[]> {
    return (await this.deps.records.all()).filter((one) => this.deps.teams.sees(principal, one));
  }

  /** Throws NOT_FOUND. */
  async get(principal: Principal, id: string): Promise<Automation> {
    return this.deps.teams.mustSee(principal, await this.deps.records.get(id));
  }

  /** As `get`; undefined when no automation has this id. */
  async find(principal: Principal, id: string): Promise<Automation | undefined> {
    const found = await this.deps.records.get(id);
    return found === undefined ? undefined : this.deps.teams.mustSee(principal, found);
  }

  /** As `get`, for callers who want to change something. Throws AUTOMATION_READ_ONLY too. */
  async editable(principal: Principal, id: string): Promise<Automation> {
    const found = await this.get(principal, id);
    this.deps.teams.mustEdit(principal, found);
    return found;
  }

  /** Throws AUTOMATION_INVALID with every fault, AUTOMATION_CONFLICT when the name is taken, AUTOMATION_READ_ONLY. */
  async create(
    principal: Principal,
    sent: SentAutomation,
    signal: AbortSignal,
    id: string = randomUUID(),
  ): Promise<Automation> {
    this.deps.teams.mustEdit(principal);
    await this.#admitOneMore(principal);
    const content = await this.#checked(principal, id, sent, undefined, signal);
    return this.#add(principal, id, { ...sent, content });
  }

  /** As `create` and `change`, for the owner of a folder of the file storage, who need not be an administrator. */
  async saveForFolder(
    principal: Principal,
    sent: SentAutomation,
    folder: ForFolder,
    signal: AbortSignal,
    before?: Automation,
  ): Promise<Automation> {
    const { storageFolder, source } = folder;
    if (before === undefined) await this.#admitOneMore(principal);
    const content = await this.#checked(principal, source.id, sent, before, signal, [source]);
    await folder.saving();
    if (before === undefined) return this.#add(principal, source.id, { ...sent, content }, storageFolder);
    return this.#replace(before, { ...sent, content }, before, storageFolder);
  }

  /** The automations that belong to folders of the file storage. */
  async ofFolders(): Promise<readonly Automation[]> {
    return (await this.deps.records.current()).filter(({ storageFolder }) => storageFolder !== undefined);
  }

  /** Gives an automation of a folder the name that the folder has now. */
  async rename(automation: Automation, name: string): Promise<void> {
    await this.deps.records.change(automation, { name });
    this.deps.changed(automation.id);
  }

  /**
   * Checks an automation as `create` does and saves nothing. `sources`: sources that it names beside those that are
   * there. Throws AUTOMATION_READ_ONLY.
   */
  async tried(
    principal: Principal,
    sent: SentAutomation,
    sources: readonly Source[],
    signal: AbortSignal,
  ): Promise<CheckedAutomation> {
    this.deps.teams.mustEdit(principal);
    return this.#check(principal, randomUUID(), sent, undefined, signal, sources);
  }

  /**
   * Saves an automation switched off, whatever its faults: it can be completed and switched on, and until then its runs
   * are refused with the fault. Throws AUTOMATION_CONFLICT, AUTOMATION_READ_ONLY.
   */
  async createOff(principal: Principal, sent: Omit<SentAutomation, 'enabled'>): Promise<Automation> {
    this.deps.teams.mustEdit(principal);
    await this.#admitOneMore(principal);
    const destinations = withIds(sent.content.destinations, []);
    return this.#add(principal, randomUUID(), {
      ...sent,
      enabled: false,
      content: { ...sent.content, destinations },
    });
  }

  /** The name, or `name (2)` and so on where the team has an automation of that name. `taken`: others that are. */
  async freeName(principal: Principal, name: string, taken: ReadonlySet<string> = new Set()): Promise<string> {
    const { teamId } = this.deps.teams.ownerOf(principal);
    const used = new Set([
      ...(await this.deps.records.all()).map(({ nameKey }) => nameKey),
      ...[...taken].map((one) => nameKeyOf(teamId, one)),
    ]);
    for (let number = 1; ; number += 1) {
      const end = number === 1 ? '' : ` (${number})`;
      const free = `${name.slice(0, LONGEST_NAME - end.length).trimEnd()}${end}`;
      if (!used.has(nameKeyOf(teamId, free))) return free;
    }
  }

  /**
   * Replaces everything but owner and place; whoever saves it takes the place of an owner who is gone. Throws as
   * `create`, and NOT_FOUND.
   */
  async change(
    principal: Principal,
    id: string,
    sent: SentAutomation,
    signal: AbortSignal,
    basedOn?: number,
  ): Promise<Automation> {
    const before = await this.editable(principal, id);
    if (basedOn !== undefined && basedOn !== before.revision)
      throw new InputError('AUTOMATION_CONFLICT', {
        detail:
          `The automation "${before.name}" has changed: its revision is ${before.revision}, ` +
          `yours is based on ${basedOn}`,
      });
    if (before.storageFolder !== undefined) return this.#switch(before, sent);
    const content = await this.#checked(principal, id, sent, before, signal);
    const stays = await this.deps.ownerIsThere(before);
    return this.#replace(before, { ...sent, content }, this.deps.teams.ownerOf(principal, stays ? before : undefined));
  }

  /** What a folder's processing does is changed with the folder; here it is only switched on and off. */
  #switch(before: Automation, sent: SentAutomation): Promise<Automation> {
    const content = restoreContent(sent.content, before.content, this.deps.hiding);
    if (sent.name !== before.name || !isDeepStrictEqual(asStored(content), asStored(before.content)))
      throw new InputError('AUTOMATION_CONFLICT', {
        detail:
          `The automation "${before.name}" processes a folder of the file storage: change what it does with ` +
          'POST /api/v1/processing-folders; here it can be switched on and off, and deleted',
      });
    return this.#replace(before, { ...sent, content: before.content }, before, before.storageFolder);
  }

  async #replace(
    before: Automation,
    { name, enabled, content }: SentAutomation,
    { ownerId, ownerName, teamId }: Owned,
    storageFolder?: string,
  ): Promise<Automation> {
    await this.deps.left(withoutSame(before.content.destinations, content.destinations));
    const owner = { ownerId, ownerName, teamId };
    const changed = await this.deps.records.change(before, {
      name,
      ...identified(name, owner, storageFolder),
      enabled,
      ...owner,
      savedAt: this.deps.clock.now().getTime(),
      content,
    });
    this.deps.changed(before.id);
    const named = inWork(content.work);
    await this.deps.released([...inWork(before.content.work)].filter((asset) => !named.has(asset)));
    return changed;
  }

  /** Notes the listing of a store that belongs to an automation. Throws NOT_FOUND, AUTOMATION_READ_ONLY. */
  async link(principal: Principal, id: string, storeId: string): Promise<Automation> {
    const before = await this.editable(principal, id);
    const { policy = { outputOptions: {} }, ...content } = before.content;
    return this.deps.records.change(before, { content: { ...content, policy: { ...policy, storeId } } });
  }

  /** Runs that have begun go on to their end, files that wait are forgotten. Throws NOT_FOUND, AUTOMATION_READ_ONLY. */
  async remove(principal: Principal, id: string): Promise<void> {
    await this.discard(await this.editable(principal, id));
  }

  /** As `remove`, if the caller may. */
  async discard(automation: Automation): Promise<void> {
    const { id, storageFolder } = automation;
    await this.deps.left(automation.content.destinations);
    await this.deps.records.remove(id);
    this.deps.changed(id);
    if (storageFolder !== undefined) await this.deps.sources.remove(id);
    await this.deps.forget(automation);
    await this.deps.released(inWork(automation.content.work));
  }

  /** Puts those with these ids first, in this order; the others follow as they were. Throws AUTOMATION_READ_ONLY. */
  async order(principal: Principal, ids: readonly string[]): Promise<void> {
    this.deps.teams.mustEdit(principal);
    const own = await this.list(principal);
    const first = [...new Set(ids)].flatMap((id) => own.filter((one) => one.id === id));
    const all = [...first, ...own.filter((one) => !first.includes(one))];
    for (const [place, one] of all.entries()) if (one.place !== place) await this.deps.records.change(one, { place });
  }

  async #admitOneMore(principal: Principal): Promise<void> {
    const { records, teams, mostPerOwner } = this.deps;
    const all = await records.current();
    if (all.length >= MOST_AUTOMATIONS)
      throw new InputError('AUTOMATION_CONFLICT', {
        detail: `The server has ${MOST_AUTOMATIONS} automations, the most that it may have; delete one first`,
      });
    const { ownerId } = teams.ownerOf(principal);
    const most = mostPerOwner();
    const own = all.filter((one) => one.ownerId === ownerId).length;
    if (own < most) return;
    throw new InputError('AUTOMATION_CONFLICT', {
      detail:
        `You have ${own} automations, and at most ${most} are allowed (policies.automationsPerOwner): delete one, ` +
        'or have the setting raised',
    });
  }

  async #add(
    principal: Principal,
    id: string,
    { name, enabled, content }: SentAutomation,
    storageFolder?: string,
  ): Promise<Automation> {
    const { records, teams, clock } = this.deps;
    const now = clock.now().getTime();
    const owner = teams.ownerOf(principal);
    const added = await records.add({
      id,
      name,
      ...identified(name, owner, storageFolder),
      enabled,
      ...owner,
      place: now,
      createdAt: now,
      savedAt: now,
      revision: 1,
      content,
    });
    this.deps.changed(id);
    return added;
  }

  /** Throws AUTOMATION_INVALID with every fault. */
  async #checked(
    principal: Principal,
    id: string,
    sent: SentAutomation,
    before: Automation | undefined,
    signal: AbortSignal,
    more: readonly Source[] = [],
  ): Promise<AutomationContent> {
    const checked = await this.#check(principal, id, sent, before, signal, more);
    const [first] = checked.faults;
    if (first === undefined) return checked.content;
    const count = checked.faults.length > 1 && checked.faults.length;
    throw new InputError('AUTOMATION_INVALID', { first: `${first.pointer} ${first.detail}`, count }, checked.faults);
  }

  async #check(
    principal: Principal,
    id: string,
    sent: SentAutomation,
    before: Automation | undefined,
    signal: AbortSignal,
    more: readonly Source[] = [],
  ): Promise<CheckedAutomation> {
    const restored = restoreContent(sent.content, before?.content, this.deps.hiding);
    const content = { ...restored, destinations: withIds(restored.destinations, before?.content.destinations ?? []) };
    const sources = new Map(
      [...(await this.deps.sources.all()), ...more]
        .filter((source) => more.includes(source) || isShared(principal, source, this.deps.teams))
        .map((source) => [source.id, source]),
    );
    const others = await this.#others(id);
    return checkAutomation(this.deps.check, {
      id,
      name: sent.name,
      content,
      principal,
      sources,
      others,
      signal,
    });
  }

  /** The other automations that start by themselves, of all teams. */
  async #others(id: string): Promise<readonly Placed[]> {
    const sources = new Map((await this.deps.sources.all()).map((source) => [source.id, source.options]));
    const others = (await this.deps.records.all()).filter(
      (one) => one.id !== id && one.enabled && one.content.inputs.some(({ trigger }) => trigger.type !== 'manual'),
    );
    return Promise.all(others.map((one) => this.deps.placed(one, (source) => sources.get(source))));
  }
}

/** Whether several automations may read a source: that of a folder's processing is its own. */
function isShared(principal: Principal, source: Source, teams: TeamRecords): boolean {
  return source.storageFolder === undefined && teams.sees(principal, source);
}

/** What no two automations share: their name in the team, or their folder. */
function identified(name: string, { teamId }: Owned, storageFolder: string | undefined) {
  if (storageFolder === undefined) return { nameKey: nameKeyOf(teamId, name) };
  return { nameKey: `folder ${storageFolder}`, storageFolder };
}

/** As it is read back from the store: members without a value are missing. */
function asStored(content: AutomationContent): unknown {
  return JSON.parse(JSON.stringify(content));
}

function nameKeyOf(teamId: string | null, name: string): string {
  return `${teamId ?? ''} ${name.toLowerCase()}`;
}

/** Destinations that are not among the others with the same options. */
function withoutSame(
  destinations: AutomationContent['destinations'],
  others: AutomationContent['destinations'],
): AutomationContent['destinations'] {
  return destinations.filter(
    ({ type, options }) => !others.some((one) => one.type === type && isDeepStrictEqual(one.options, options)),
  );
}

/** Destinations with ids: their own, else that of the stored one at the same place and of the same type. */
function withIds(
  sent: AutomationContent['destinations'],
  stored: AutomationContent['destinations'],
): AutomationContent['destinations'] {
  const used = new Set<string>();
  return sent.map((destination, at) => {
    const same =
      sameDestination(destination, stored) ?? (stored[at]?.type === destination.type ? stored[at] : undefined);
    const id = same === undefined || used.has(same.id) ? randomUUID() : same.id;
    used.add(id);
    return { ...destination, id };
  });
}

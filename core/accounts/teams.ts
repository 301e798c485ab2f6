import { InputError } from '@quire/registry';
import { isDuplicateRecord } from '../store/index.js';
import type { AccountRecords, TeamRecord } from './account-records.js';

/** The team of users without another one. */
const DEFAULT_TEAM = 'Default';
/** The team of built-in users. */
const INTERNAL_TEAM = 'Internal';

const nameOf = (given: string): string => {
  const name = given.trim();
  // Letters, digits, marks and punctuation of any script, but no characters that hide or reverse text.
  if (name.length < 1 || name.length > 100 || /[\p{C}\p{Zl}\p{Zp}]/u.test(name))
    throw new InputError('TEAM_INVALID', {
      detail: 'A team name must have 1 to 100 characters, without control characters',
    });
  return name.normalize('NFC');
};
const keyOf = (name: string): string => name.normalize('NFKC').toLowerCase();

/** Teams and their members. Two teams are the server's own. */
export class Teams {
  #defaultId = '';
  #internalId = '';
  readonly #deletedListeners: ((id: string) => Promise<void> | undefined)[] = [];

  constructor(private readonly records: AccountRecords) {}

  /** Awaited before the call that deleted the team returns. */
  onDeleted(listener: (id: string) => Promise<void> | undefined): void {
    this.#deletedListeners.push(listener);
  }

  /** Creates the server's own teams at the first start. */
  async prepare(): Promise<void> {
    this.#defaultId = (await this.#own(DEFAULT_TEAM)).id;
    this.#internalId = (await this.#own(INTERNAL_TEAM)).id;
  }

  get defaultId(): string {
    return this.#defaultId;
  }

  get internalId(): string {
    return this.#internalId;
  }

  async byId(id: string): Promise<TeamRecord | undefined> {
    return this.records.teams.get(id);
  }

  /** Returns the names of all teams by id. */
  async names(): Promise<ReadonlyMap<string, string>> {
    return new Map((await this.records.teams.find()).map(({ id, name }) => [id, name]));
  }

  /** Returns true for a team that the server created: its members are not colleagues. */
  isSystem(id: string | null): boolean {
    return id === null || id === this.#defaultId || id === this.#internalId;
  }

  /**
   * Returns the id of a team that users may join. Throws TEAM_INVALID for the internal team and for one that does not
   * exist.
   */
  async forPeople(id: string): Promise<string> {
    if (id === this.#internalId)
      throw new InputError('TEAM_INVALID', { detail: 'The internal team is reserved for the server' });
    if ((await this.byId(id)) === undefined) throw new InputError('TEAM_INVALID', { detail: 'There is no such team' });
    return id;
  }

  /** Throws TEAM_UNKNOWN. */
  async mustExist(id: string): Promise<void> {
    if ((await this.byId(id)) === undefined) throw new InputError('TEAM_UNKNOWN');
  }

  /** Throws TEAM_INVALID or TEAM_TAKEN. */
  async create(given: string): Promise<TeamRecord> {
    const name = nameOf(given);
    return this.#insert({ id: await this.records.nextId('team'), name, nameKey: keyOf(name), system: false });
  }

  /** Throws TEAM_UNKNOWN, TEAM_INVALID or TEAM_TAKEN. */
  async rename(id: string, given: string): Promise<void> {
    await this.#changeable(id);
    const name = nameOf(given);
    await this.records.teams.update(id, { set: { name, nameKey: keyOf(name) } }).catch((error: unknown) => {
      throw isDuplicateRecord(error) ? new InputError('TEAM_TAKEN') : error;
    });
  }

  /** Deletes a team without members. Throws TEAM_UNKNOWN or TEAM_INVALID. */
  async delete(id: string): Promise<void> {
    await this.#changeable(id);
    if ((await this.records.users.count({ teamId: id })) > 0)
      throw new InputError('TEAM_INVALID', { detail: 'The team still has members' });
    await this.records.teams.delete(id);
    for (const listener of this.#deletedListeners) await listener(id);
  }

  async #changeable(id: string): Promise<void> {
    const team = await this.byId(id);
    if (team === undefined) throw new InputError('TEAM_UNKNOWN');
    if (team.system) throw new InputError('TEAM_INVALID', { detail: "The server's own teams cannot be changed" });
  }

  async #own(name: string): Promise<TeamRecord> {
    const find = () => this.records.teams.findOne({ nameKey: keyOf(name) });
    const present = await find();
    if (present !== undefined) return present;
    try {
      return await this.#insert({ id: await this.records.nextId('team'), name, nameKey: keyOf(name), system: true });
    } catch (error) {
      // Another server on this store was quicker.
      const other = await find();
      if (other !== undefined) return other;
      throw error;
    }
  }

  async #insert(team: TeamRecord): Promise<TeamRecord> {
    try {
      return await this.records.teams.insert(team);
    } catch (error) {
      throw isDuplicateRecord(error) ? new InputError('TEAM_TAKEN') : error;
    }
  }
}

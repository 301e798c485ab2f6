import { InputError } from '@quire/registry';
import { openJson, sealJson } from '../../secrets/index.js';
import { isDuplicateRecord, type Records, type Store } from '../../store/index.js';
import type { Automation, AutomationContent, AutomationRecord } from './model.js';

/** A number that grows with every change, so that other nodes notice it with one small read. */
interface RevisionRecord {
  readonly id: string;
  readonly value: number;
}

const REVISION = 'automations';

/** The stored automations. */
export class AutomationRecords {
  readonly #records: Records<AutomationRecord>;
  readonly #revisions: Records<RevisionRecord>;
  /** What was opened of the last records: every change reads all of them. */
  #opened = new Map<string, { readonly sealed: string; readonly content: AutomationContent }>();
  #read: { readonly revision: number; readonly all: readonly Automation[] } | undefined;

  constructor(
    store: Pick<Store, 'records'>,
    private readonly secretKey: Buffer,
  ) {
    this.#records = store.records<AutomationRecord>('automations', { keys: ['teamId'], unique: ['nameKey'] });
    this.#revisions = store.records<RevisionRecord>('automation_revisions');
  }

  /** All of them, without those whose content cannot be read with this server's key. */
  async all(): Promise<readonly Automation[]> {
    const found = await this.#records.find({}, { sort: [{ field: 'place', order: 'ascending' }] });
    const before = this.#opened;
    this.#opened = new Map();
    return found.flatMap((record) => {
      const known = before.get(record.id);
      if (known?.sealed === record.content) this.#opened.set(record.id, known);
      try {
        return [this.#open(record)];
      } catch {
        return [];
      }
    });
  }

  /** As `all`, without reading them again while nothing has changed. */
  async current(): Promise<readonly Automation[]> {
    const revision = await this.revision();
    if (this.#read?.revision !== revision) this.#read = { revision, all: await this.all() };
    return this.#read.all;
  }

  async get(id: string): Promise<Automation | undefined> {
    const record = await this.#records.get(id);
    return record === undefined ? undefined : this.#open(record);
  }

  /** Throws AUTOMATION_CONFLICT when the name or the id is taken. */
  async add({ content, ...record }: Automation): Promise<Automation> {
    const sealed = sealJson(this.secretKey, record.id, content);
    await this.#records
      .insert({ ...record, content: sealed })
      .catch((error: unknown) => Promise.reject(isDuplicateRecord(error) ? nameTaken(record.name) : error));
    await this.touch();
    return { ...record, content };
  }

  /** Throws AUTOMATION_CONFLICT when the name is taken or another change came first. */
  async change(
    before: Automation,
    { content, ...set }: Partial<Omit<Automation, 'id' | 'revision'>>,
  ): Promise<Automation> {
    const change = {
      ...set,
      revision: before.revision + 1,
      ...(content === undefined ? {} : { content: sealJson(this.secretKey, before.id, content) }),
    };
    const changed = await this.#records
      .update(before.id, { set: change }, { revision: before.revision })
      .catch((error: unknown) => Promise.reject(isDuplicateRecord(error) ? nameTaken(set.name ?? before.name) : error));
    if (changed === undefined)
      throw new InputError('AUTOMATION_CONFLICT', {
        detail: `Somebody else has changed the automation "${before.name}" since; read it again`,
      });
    await this.touch();
    return this.#open(changed);
  }

  async remove(id: string): Promise<void> {
    await this.#records.delete(id);
    await this.touch();
  }

  /** Grows with every change. */
  async revision(): Promise<number> {
    return (await this.#revisions.get(REVISION))?.value ?? 0;
  }

  /** Tells other nodes that something has changed; also a source, which may change what automations do. */
  async touch(): Promise<void> {
    if ((await this.#revisions.update(REVISION, { inc: { value: 1 } })) !== undefined) return;
    await this.#revisions.insert({ id: REVISION, value: 1 }).catch(async (error: unknown) => {
      if (!isDuplicateRecord(error)) throw error;
      await this.#revisions.update(REVISION, { inc: { value: 1 } });
    });
  }

  #open({ content: sealed, ...record }: AutomationRecord): Automation {
    const known = this.#opened.get(record.id);
    if (known?.sealed === sealed) return { ...record, content: known.content };
    const content = openJson(this.secretKey, record.id, sealed) as AutomationContent;
    this.#opened.set(record.id, { sealed, content });
    return { ...record, content };
  }
}

function nameTaken(name: string): InputError {
  return new InputError('AUTOMATION_CONFLICT', {
    detail: `There is an automation named "${name}" in the team already; choose another name`,
  });
}

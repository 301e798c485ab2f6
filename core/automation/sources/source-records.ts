import { openJson, sealJson } from '../../secrets/index.js';
import { isDuplicateRecord, type Records, type Store } from '../../store/index.js';
import type { ConnectorOptions } from '../connectors/model.js';

/** A source as stored. Times are milliseconds since 1970. */
interface SourceRecord {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly enabled: boolean;
  /** Empty when it was made while login was off. */
  readonly ownerId: string;
  readonly ownerName: string | null;
  readonly teamId: string | null;
  /** The folder of the file storage whose processing reads it; its id is that of the automation then. */
  readonly storageFolder?: string;
  readonly savedAt: number;
  /** Files handed to automations so far. */
  readonly docsTotal: number;
  /** Encrypted ConnectorOptions. */
  readonly options: string;
}

export interface Source extends Omit<SourceRecord, 'options'> {
  readonly options: ConnectorOptions;
}

/** Files of a source in one hour. */
interface SourceHourRecord {
  readonly id: string;
  readonly sourceId: string;
  /** Hours since 1970. */
  readonly hour: number;
  readonly count: number;
}

export const HOUR_MS = 3_600_000;
/** How long counts are kept. */
const KEPT_HOURS = 30 * 24;

/** The stored sources, and how many files they gave. */
export class SourceRecords {
  readonly #records: Records<SourceRecord>;
  readonly #hours: Records<SourceHourRecord>;

  constructor(
    store: Pick<Store, 'records'>,
    private readonly secretKey: Buffer,
  ) {
    this.#records = store.records<SourceRecord>('sources', { keys: ['type', 'teamId'] });
    this.#hours = store.records<SourceHourRecord>('source_hours', { keys: ['sourceId', 'hour'] });
  }

  /** All, or those of one kind; without those whose options cannot be read with this server's key. */
  async all(type?: string): Promise<readonly Source[]> {
    return (await this.#records.find(type === undefined ? {} : { type })).flatMap((record) => {
      try {
        return [this.#opened(record)];
      } catch {
        return [];
      }
    });
  }

  async get(id: string): Promise<Source | undefined> {
    const record = await this.#records.get(id);
    return record === undefined ? undefined : this.#opened(record);
  }

  /** The source that takes deliveries to a webhook. */
  async ofWebhook(webhookId: string): Promise<Source | undefined> {
    return (await this.all('webhook')).find(({ options }) => options['webhookId'] === webhookId);
  }

  async put({ options, ...record }: Source): Promise<void> {
    await this.#records.put({ ...record, options: sealJson(this.secretKey, record.id, options) });
  }

  async remove(id: string): Promise<void> {
    await this.#records.delete(id);
    await this.#hours.deleteMany({ sourceId: id });
  }

  /** Adds files that were handed to an automation. */
  async count(id: string, files: number, atMs: number): Promise<void> {
    if (files === 0) return;
    await this.#records.update(id, { inc: { docsTotal: files } });
    const hour = Math.floor(atMs / HOUR_MS);
    const record = { id: `${id}:${hour}`, sourceId: id, hour, count: files };
    const add = () => this.#hours.update(record.id, { inc: { count: files } });
    if ((await add()) !== undefined) return;
    await this.#hours.insert(record).catch(async (error: unknown) => {
      if (!isDuplicateRecord(error)) throw error;
      await add();
    });
  }

  /** Files by hour since 1970, of the last 30 days. */
  async hours(id: string): Promise<ReadonlyMap<number, number>> {
    return new Map((await this.#hours.find({ sourceId: id })).map(({ hour, count }) => [hour, count]));
  }

  async sweep(nowMs: number): Promise<void> {
    await this.#hours.deleteMany({}, { atMost: { hour: Math.floor(nowMs / HOUR_MS) - KEPT_HOURS } });
  }

  #opened({ options, ...record }: SourceRecord): Source {
    return { ...record, options: openJson(this.secretKey, record.id, options) as ConnectorOptions };
  }
}

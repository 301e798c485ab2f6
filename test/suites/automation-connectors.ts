import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import Joi from 'joi';
import { InputError, OperationalError } from '@quire/registry';
import type { Abandoned, DestinationKind, FoundFile, SourceKind } from '../../core/automation/connectors/model.js';

interface BoxFile {
  readonly bytes: string;
  readonly changedAt: number;
  readonly version: string;
}

/** A source in memory that can fail, and reports what is put into it. */
export class Box {
  readonly files = new Map<string, BoxFile>();
  readonly finished: string[] = [];
  /** Whether files come by calls of a server, as those of webhooks do. */
  byCalls = false;
  fetched = 0;
  /** Kept sources do nothing when a file is finished. */
  keeps = false;
  down = false;
  /** How often it was listed, and how long a listing takes, ms. */
  listings = 0;
  listingMs = 0;
  /** Called before a file is removed and after it; may throw or wait. */
  beforeFinish: (name: string) => Promise<void> | void = () => undefined;
  afterFinish: (name: string) => Promise<void> | void = () => undefined;
  #listeners = new Set<() => void>();

  put(name: string, bytes: string, changedAt = Date.now() - 60_000): void {
    const version = `${changedAt}-${bytes.length}-${createHash('sha1').update(bytes).digest('hex').slice(0, 6)}`;
    this.files.set(name, { bytes, changedAt, version });
    this.report();
  }

  get watched(): number {
    return this.#listeners.size;
  }

  kind(type = 'box'): SourceKind {
    const reach = (): void => {
      if (this.down) throw new OperationalError('REMOTE_UNREACHABLE', { host: 'box', detail: 'down' });
    };
    return {
      type,
      options: Joi.object({ directory: Joi.string(), secret: Joi.string() }),
      secrets: ['secret'],
      announces: true,
      check: async ({ directory }) => {
        if (directory === '/wrong')
          throw new InputError('INPUT_INVALID', { detail: 'wrong' }, [{ pointer: '/directory', detail: 'is wrong' }]);
      },
      onArrival: (arrived) => {
        if (!this.byCalls) return () => undefined;
        const listener = (): void => arrived(() => true);
        this.#listeners.add(listener);
        return () => void this.#listeners.delete(listener);
      },
      open: async () => ({
        list: () => this.#list(reach),
        fetch: async (file, path) => this.#fetch(file, path, reach),
        finish: async (file) => {
          reach();
          await this.beforeFinish(file.name);
          if (this.files.get(file.key)?.version !== file.version || this.keeps) return;
          this.files.delete(file.key);
          this.finished.push(file.key);
          await this.afterFinish(file.name);
        },
        watch: async (arrived) => {
          this.#listeners.add(arrived);
          return { stop: async () => void this.#listeners.delete(arrived) };
        },
        close: async () => undefined,
      }),
    };
  }

  /** Reports an arrival, whether there is one or not. */
  report(): void {
    for (const listener of this.#listeners) listener();
  }

  async *#list(reach: () => void): AsyncGenerator<FoundFile> {
    reach();
    this.listings += 1;
    if (this.listingMs > 0) await delay(this.listingMs);
    for (const [name, { bytes, changedAt, version }] of this.files)
      yield { key: name, name, size: bytes.length, version, changedAt };
  }

  async #fetch(file: FoundFile, path: string, reach: () => void) {
    reach();
    this.fetched += 1;
    const found = this.files.get(file.key);
    if (found?.version !== file.version) return undefined;
    const bytes = Buffer.from(found.bytes, 'latin1');
    await writeFile(path, bytes);
    return { size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
  }
}

/** A destination in memory that keeps each delivery once, as real ones do. */
export class Shelf {
  readonly delivered = new Map<string, { readonly name: string; readonly bytes: string }>();
  /** Names of files that a destination might have linked. */
  readonly linkable = new Set<string>();
  /** What the last sweep would remove. */
  abandoned: Abandoned | undefined;
  /** Options of each sweep. */
  readonly swept: unknown[] = [];
  /** Sweeps fail. */
  unreachable = false;
  /** Called before a delivery is kept and after it; may throw or wait. */
  before: (name: string) => Promise<void> | void = () => undefined;
  after: (name: string) => Promise<void> | void = () => undefined;

  get names(): string[] {
    return [...this.delivered.values()].map(({ name }) => name).sort();
  }

  kind(type = 'shelf'): DestinationKind {
    return {
      type,
      options: Joi.object({ directory: Joi.string(), secret: Joi.string() }),
      secrets: ['secret'],
      check: async () => undefined,
      sweep: async (options, abandoned) => {
        if (this.unreachable) throw new OperationalError('DESTINATION_UNREACHABLE', { detail: 'away' });
        this.swept.push(options);
        this.abandoned = abandoned;
      },
      open: async () => ({
        deliver: async ({ name, path, linkable }, { id, note, remember }) => {
          if (linkable === true) this.linkable.add(name);
          await this.before(name);
          if (note === null) await remember(`kept as ${name}`);
          if (!this.delivered.has(id)) this.delivered.set(id, { name, bytes: await readFile(path, 'latin1') });
          await this.after(name);
          return { place: `shelf ${name}` };
        },
        close: async () => undefined,
      }),
    };
  }
}

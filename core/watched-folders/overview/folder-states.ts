import type { Clock, Logger } from '@quire/registry';
import { folderIdOf, type FolderPlace } from './folder-id.js';
import type { FolderStateRecord, FolderRecords } from './folder-records.js';
import type { FolderObserver } from '../folder-run-deps.js';
import type { FolderStatus } from './folder-status.js';

export interface FolderStatesDeps {
  readonly records: { readonly states: Pick<FolderRecords['states'], 'put' | 'delete' | 'deleteMany' | 'find'> };
  readonly clock: Clock;
  readonly log: Logger;
  /** Id of this node; it may change while the server starts. */
  node(): string;
  /** Ids of the nodes that are running. */
  living(): Promise<ReadonlySet<string>>;
  /** False when no other node shares the store. */
  readonly shared: boolean;
}

/** Runs may start and end many times a second, so changes are gathered. */
const GATHER_MS = 300;
const RETRY_MS = 5000;
/** States of nodes that are gone are removed after this: a node that starts has no heartbeat yet. */
const GONE_MS = 10 * 60_000;

/** Publishes what the folders of this node do in the store, for all nodes. */
export class FolderStates implements FolderObserver {
  /** By the id of the folder; undefined when the folder is gone. */
  readonly #changed = new Map<string, { readonly place: FolderPlace; readonly status: FolderStatus | undefined }>();
  readonly #published = new Map<string, string>();
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  #version = 0;
  #closed = false;

  constructor(private readonly deps: FolderStatesDeps) {}

  /** Grows with every change that was written. */
  get version(): number {
    return this.#version;
  }

  changed(place: FolderPlace, status: FolderStatus): void {
    this.#note(place, status);
  }

  gone(place: FolderPlace): void {
    this.#note(place, undefined);
  }

  /** Reports that something else about the folders has changed, such as their history. */
  touch(): void {
    this.#version += 1;
  }

  /** Removes what earlier processes left. Rejects with STORE_DOWN. */
  async start(): Promise<void> {
    const { records, node, shared, clock } = this.deps;
    if (!shared) return void (await records.states.deleteMany({}));
    await records.states.deleteMany({ node: node() });
    const living = await this.deps.living();
    const before = clock.now().getTime() - GONE_MS;
    for (const { id, node: of, changedAtMs } of await records.states.find())
      if (!living.has(of) && changedAtMs < before) await records.states.delete(id);
  }

  /** Removes the states of this node: it watches nothing any more. Never rejects. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#writing;
    await this.deps.records.states.deleteMany({ node: this.deps.node() }).catch(() => undefined);
  }

  #note(place: FolderPlace, status: FolderStatus | undefined): void {
    if (this.#closed) return;
    const folder = folderIdOf(place);
    if (this.#published.get(folder) === JSON.stringify(status)) return void this.#changed.delete(folder);
    this.#changed.set(folder, { place, status });
    this.#schedule(GATHER_MS);
  }

  #schedule(ms: number): void {
    if (this.#closed) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      // One after the other, so that an older state never replaces a newer one.
      this.#writing = this.#writing
        .then(() => this.#write())
        .catch((error: unknown) => {
          this.deps.log.warn(
            { err: error },
            'the state of watched folders could not be written; the server tries again',
          );
          this.#schedule(RETRY_MS);
        });
    }, ms);
  }

  async #write(): Promise<void> {
    for (const [folder, entry] of this.#changed) {
      // Changes that come meanwhile are compared with this one.
      this.#published.set(folder, JSON.stringify(entry.status));
      try {
        await this.#put(folder, entry.place, entry.status);
      } catch (error) {
        this.#published.delete(folder);
        throw error;
      }
      if (entry.status === undefined) this.#published.delete(folder);
      if (this.#changed.get(folder) === entry) this.#changed.delete(folder);
      this.#version += 1;
    }
  }

  async #put(folder: string, place: FolderPlace, status: FolderStatus | undefined): Promise<void> {
    const { records, clock } = this.deps;
    const node = this.deps.node();
    const id = `${folder} ${node}`;
    if (status === undefined) await records.states.delete(id);
    else await records.states.put({ id, folder, node, ...place, ...status, changedAtMs: clock.now().getTime() });
  }
}

/** The order in which states of several nodes count; a node that works knows more than one that is kept away. */
const order = ['running', 'problem', 'waiting', 'settling', 'watching', 'elsewhere'];

/** Returns one state for each folder: that of the node that does most there. */
export function mergedStates(records: readonly FolderStateRecord[]): FolderStateRecord[] {
  const byFolder = new Map<string, FolderStateRecord>();
  for (const record of records) {
    const other = byFolder.get(record.folder);
    if (other === undefined || order.indexOf(record.state) < order.indexOf(other.state))
      byFolder.set(record.folder, record);
  }
  return [...byFolder.values()].sort((a, b) => a.root - b.root || (a.path < b.path ? -1 : 1));
}

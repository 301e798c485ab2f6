import type { Logger } from '@quire/registry';

/** How long rows are collected before they are deleted together, ms. */
const COLLECT_MS = 200;
const MOST_ROWS = 100;

/**
 * Deletes the rows of ended jobs, several with one command. Nobody waits for it: the lock keeps a row from being taken
 * meanwhile, and a row that stays, because the server dies or the store is away, does nothing and is deleted then.
 */
export class RowRemovals {
  #ids: string[] = [];
  #timer: NodeJS.Timeout | undefined;
  #removing: Promise<void> = Promise.resolve();

  constructor(
    private readonly remove: (ids: string[]) => Promise<unknown>,
    private readonly log: Logger,
  ) {}

  add(id: string): void {
    this.#ids.push(id);
    if (this.#ids.length >= MOST_ROWS) void this.flush();
    else this.#timer ??= setTimeout(() => void this.flush(), COLLECT_MS).unref();
  }

  /** Deletes what was collected; never rejects. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const ids = this.#ids;
    this.#ids = [];
    if (ids.length > 0) this.#removing = Promise.all([this.#removing, this.#removed(ids)]).then(() => undefined);
    return this.#removing;
  }

  async #removed(ids: string[]): Promise<void> {
    try {
      await this.remove(ids);
    } catch (error) {
      this.log.warn(
        { error: String(error), rows: ids.length },
        'rows of ended jobs stay in the queue until they are found',
      );
    }
  }
}

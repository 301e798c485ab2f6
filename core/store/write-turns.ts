type Turn = PromiseWithResolvers<void>;

/** The part of a database that transactions need. */
interface Transactions {
  exec(sql: string): void;
  readonly inTransaction: boolean;
}

/**
 * Commits the writes of one turn of the event loop together: a page that several of them change is written once, and
 * the busier the server, the more they are. A write resolves when it is committed, and so does a read that may have
 * seen one that was not. If the commit fails, all of them reject.
 */
export class WriteTurns {
  #open: Turn | undefined;

  constructor(private readonly database: Transactions) {}

  /** Does a synchronous write; what it throws undoes its own statement alone. */
  async write<R>(work: () => R): Promise<R> {
    const turn = this.#open ?? this.#begin();
    try {
      return work();
    } catch (error) {
      // A full disk undoes what came before, too.
      if (!this.database.inTransaction) this.#end(turn, error);
      throw error;
    } finally {
      await turn.promise;
    }
  }

  /** Does a synchronous read. */
  async read<R>(work: () => R): Promise<R> {
    const result = work();
    await this.#open?.promise;
    return result;
  }

  /** Commits at once what waits for the end of this turn. */
  commit(): void {
    const turn = this.#open;
    if (turn === undefined) return;
    try {
      this.database.exec('COMMIT');
    } catch (error) {
      if (this.database.inTransaction) this.database.exec('ROLLBACK');
      this.#end(turn, error);
      return;
    }
    this.#end(turn);
  }

  #begin(): Turn {
    this.database.exec('BEGIN');
    const turn: Turn = Promise.withResolvers();
    turn.promise.catch(() => undefined);
    this.#open = turn;
    setImmediate(() => (this.#open === turn ? this.commit() : undefined));
    return turn;
  }

  #end(turn: Turn, error?: unknown): void {
    if (this.#open === turn) this.#open = undefined;
    if (error === undefined) turn.resolve();
    else turn.reject(error);
  }
}

import type { Request } from '@hapi/hapi';
import { OperationalError } from '@quire/registry';
import { Scratch } from '../../operations/runner/index.js';

/**
 * Life cycle of one request's work: a private folder that is removed when the answer was sent, the client disconnected
 * or the work failed, and a signal that is aborted when the client has disconnected.
 */
export class RequestLife {
  readonly #abort = new AbortController();
  #scratch: Promise<Scratch> | undefined;
  #work: Promise<unknown> = Promise.resolve();
  readonly #releases: ((sent: boolean) => Promise<void>)[] = [];
  #flushed = false;

  constructor(
    private readonly request: Request,
    private readonly scratchRoot: string,
  ) {
    const { res } = request.raw;
    const over = (): void => {
      if (!res.writableFinished) this.#abort.abort(new OperationalError('CANCELLED'));
      // The folder is removed only after the work has stopped using it.
      void this.#work.catch(() => undefined).then(() => this.#dispose());
    };
    // Node also emits `finish` for an answer that was cut by the end of its connection; only the socket distinguishes
    // the two.
    res.once('finish', () => (this.#flushed = !request.raw.req.socket?.destroyed));
    if (res.destroyed || res.closed) over();
    else res.once('close', over);
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  scratch(): Promise<Scratch> {
    this.#scratch ??= Scratch.create(this.scratchRoot);
    return this.#scratch;
  }

  /** Registers work, so that clean-up waits for it. */
  hold<T>(work: Promise<T>): Promise<T> {
    this.#work = work;
    return work;
  }

  /** Runs `release` after the request; `sent` is true if the whole body was sent. */
  afterwards(release: (sent: boolean) => Promise<void>): void {
    this.#releases.push(release);
  }

  async #dispose(): Promise<void> {
    const scratch = await this.#scratch?.catch(() => undefined);
    const {
      method,
      info,
      raw: { res },
    } = this.request;
    // Hapi also finishes an answer whose source failed; `responded` is 0 then.
    const sent = this.#flushed && info.responded > 0 && res.statusCode === 200 && method !== 'head';
    for (const release of this.#releases)
      await release(sent).catch((error: unknown) => this.request.log(['error'], error as Error));
    await scratch?.dispose().catch((error: unknown) => this.request.log(['error'], error as Error));
  }
}

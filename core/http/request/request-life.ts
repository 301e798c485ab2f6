import type { Request } from '@hapi/hapi';
import { OperationalError } from '@quire/registry';
import { Scratch } from '../../operations/runner/index.js';

/**
 * The life of one request's work: a private folder, removed when the answer is sent, the client has gone, or the work
 * failed, and a signal that is aborted when nobody waits for the answer any more.
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
      // The folder goes only when the work has let go of it.
      void this.#work.catch(() => undefined).then(() => this.#dispose());
    };
    // Node says the same of an answer that the end of its connection cut short: the socket tells them apart.
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

  /** Ties work to the request, so that clean-up waits for it. */
  hold<T>(work: Promise<T>): Promise<T> {
    this.#work = work;
    return work;
  }

  /** Does something more when the request is over; `sent`: the whole body went out. */
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
    // Hapi also ends an answer whose source broke off, and then has not responded.
    const sent = this.#flushed && info.responded > 0 && res.statusCode === 200 && method !== 'head';
    for (const release of this.#releases)
      await release(sent).catch((error: unknown) => this.request.log(['error'], error as Error));
    await scratch?.dispose().catch((error: unknown) => this.request.log(['error'], error as Error));
  }
}

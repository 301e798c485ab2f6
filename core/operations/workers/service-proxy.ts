import {
  DefectError,
  OperationalError,
  reviveError,
  type SerialisedError,
  type SettingsReader,
  type Token,
} from '@quire/registry';
import type { FromWorker, ServiceCall } from './protocol.js';

interface Waiting {
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/**
 * The worker's end of the services that live in the server: calls go out as messages and come back as answers. One for
 * each task.
 */
export class ServiceProxies {
  readonly #waiting = new Map<number, Waiting>();
  #count = 0;

  constructor(
    private readonly task: number,
    private readonly send: (message: FromWorker) => void,
  ) {}

  /**
   * An object with the methods that this service lets workers call, and what it has for them without a call; nothing
   * else exists on it. Undefined for a service that does not cross.
   */
  of<T>(token: Token<T>, settings: SettingsReader): T | undefined {
    const { crossing, inWorkers, name } = token;
    if (crossing === undefined) return undefined;
    const methods = Object.keys(crossing).map(
      (method) => [method, (...args: unknown[]) => this.#call({ service: name, method, args })] as const,
    );
    return Object.freeze({ ...inWorkers?.(settings), ...Object.fromEntries(methods) }) as T;
  }

  /** Settles the call that an answer belongs to; late answers are for nobody. */
  answer(call: number, value: unknown, error: SerialisedError | undefined): void {
    const waiting = this.#waiting.get(call);
    this.#waiting.delete(call);
    if (error === undefined) waiting?.resolve(value);
    else waiting?.reject(reviveError(error));
  }

  /**
   * Rejects with what the service rejects with. An aborted signal ends the call in the server; the promise settles when
   * that has happened.
   */
  #call({ service, method, args }: ServiceCall): Promise<unknown> {
    const signals = args.filter((argument) => argument instanceof AbortSignal);
    if (signals.length > 1)
      return Promise.reject(
        new DefectError('CONTRACT_BROKEN', { detail: `${service}.${method} was given more than one signal` }),
      );
    const [signal] = signals;
    if (signal?.aborted === true) return Promise.reject(new OperationalError('CANCELLED'));
    const call = ++this.#count;
    return new Promise((resolve, reject) => {
      const onAbort = (): void => this.send({ kind: 'callEnd', id: this.task, call });
      signal?.addEventListener('abort', onAbort, { once: true });
      const settled =
        (act: (outcome: unknown) => void) =>
        (outcome: unknown): void => {
          signal?.removeEventListener('abort', onAbort);
          act(outcome);
        };
      this.#waiting.set(call, { resolve: settled(resolve), reject: settled(reject) });
      this.send({
        kind: 'call',
        id: this.task,
        call,
        what: { service, method, args: args.map((argument) => (argument instanceof AbortSignal ? null : argument)) },
      });
    });
  }
}

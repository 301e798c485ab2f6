import {
  DefectError,
  OperationalError,
  reviveError,
  tokens,
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
 * The worker side of services in the server: sends calls and receives answers as messages. One object for each task.
 */
export class ServiceProxies {
  readonly #waiting = new Map<number, Waiting>();
  #count = 0;

  constructor(
    private readonly task: number,
    private readonly send: (message: FromWorker) => void,
  ) {}

  /**
   * Returns an object with the methods that workers may call and the values that need no call; undefined for a service
   * that is not available in workers.
   */
  of<T>(token: Token<T>, settings: SettingsReader): T | undefined {
    const { crossing, inWorkers, name } = token;
    if (crossing === undefined) return undefined;
    const methods = Object.keys(crossing).map(
      (method) => [method, (...args: unknown[]) => this.#call({ service: name, method, args })] as const,
    );
    return Object.freeze({ ...inWorkers?.(settings), ...Object.fromEntries(methods) }) as T;
  }

  /** Settles the call that an answer belongs to; late answers are ignored. */
  answer(call: number, value: unknown, error: SerialisedError | undefined): void {
    const waiting = this.#waiting.get(call);
    this.#waiting.delete(call);
    if (error === undefined) waiting?.resolve(value);
    else waiting?.reject(reviveError(error));
  }

  /**
   * Rejects with the service's errors. An aborted signal ends the call in the server; the promise settles after that.
   */
  #call({ service, method, args }: ServiceCall): Promise<unknown> {
    const signals = args.filter((argument) => argument instanceof AbortSignal);
    if (signals.length > 1)
      return Promise.reject(
        new DefectError('CONTRACT_BROKEN', { detail: `${service}.${method} was called with more than one signal` }),
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

/** The token of this name: of the server, or else of the plugin. */
export function knownToken(name: string, own: readonly Token<unknown>[]): Token<unknown> | undefined {
  return [...(Object.values(tokens) as Token<unknown>[]), ...own].find((token) => token.name === name);
}

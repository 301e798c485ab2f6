import { lstat, realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, sep } from 'node:path';
import {
  DefectError,
  isQuireError,
  serialiseError,
  type AnyOperation,
  type Logger,
  type Principal,
  type SerialisedError,
  type Token,
} from '@quire/registry';
import type { RunTask, ServiceCall } from './protocol.js';
import { knownToken } from './service-proxy.js';

/** Performs a worker's call; the signal ends it. */
export type ServiceEndpoint = (call: ServiceCall, signal: AbortSignal) => Promise<unknown>;

/** Facts about a run whose worker calls services. */
export interface ServiceEndpointDeps {
  readonly operation: AnyOperation;
  readonly task: Pick<RunTask, 'folder' | 'files' | 'parts'>;
  /** Services of the operation's plugin; of two with one name, the server's counts. */
  readonly own?: readonly Token<unknown>[];
  serviceOf<T>(token: Token<T>): T;
  /** The caller who requested the run. */
  readonly caller: Pick<Principal, 'id' | 'name'>;
}

/**
 * Returns the server side of service calls from workers. A malicious document may have taken over a worker, so nothing
 * it sends is trusted: only declared services, methods available to workers, and files of its own run are allowed.
 * Rejects with CONTRACT_BROKEN for anything else, and with the errors of the service.
 */
export function openServiceEndpoint({
  operation,
  task,
  serviceOf,
  caller,
  own = [],
}: ServiceEndpointDeps): ServiceEndpoint {
  const refuse = (detail: string): never => {
    throw new DefectError('CONTRACT_BROKEN', { operation: operation.path, detail });
  };
  const calls = new Map<string, number>();
  return async ({ service, method, args }, signal) => {
    const token = knownToken(service, own);
    const kinds =
      token?.crossing !== undefined && Object.hasOwn(token.crossing, method) ? token.crossing[method] : undefined;
    if (token === undefined || kinds === undefined) return refuse(`${service}.${method} is not available in workers`);
    if (operation.needs?.services?.some(({ name }) => name === service) !== true)
      return refuse(`used the undeclared service ${service}`);
    const name = `${service}.${method}`;
    const count = (calls.get(name) ?? 0) + 1;
    const most =
      token.callsPerRun !== undefined && Object.hasOwn(token.callsPerRun, method)
        ? token.callsPerRun[method]
        : undefined;
    if (most !== undefined && count > most) return refuse(`called ${name} more than ${most} times`);
    calls.set(name, count);
    if (!Array.isArray(args) || args.length > kinds.length)
      return refuse(`${service}.${method} needs ${kinds.length} arguments`);
    const checked: unknown[] = [];
    for (const [i, kind] of kinds.entries()) {
      if (kind === 'signal') checked.push(signal);
      else if (kind === 'caller') checked.push({ id: caller.id, name: caller.name });
      else if (kind === 'value') checked.push(args[i]);
      else if (await isOwnFile(args[i], kind, task)) checked.push(args[i]);
      else refuse(`passed ${service}.${method} a file from outside its run`);
    }
    signal.throwIfAborted();
    const target = serviceOf(token) as Record<string, (...args: unknown[]) => unknown>;
    return target[method]?.(...checked);
  };
}

/**
 * Resolves links before the path is checked. A file to be written must be in the run's folder and must not exist yet.
 */
async function isOwnFile(
  path: unknown,
  kind: 'input' | 'output',
  { folder, files, parts }: ServiceEndpointDeps['task'],
): Promise<boolean> {
  if (typeof path !== 'string' || !isAbsolute(path)) return false;
  if (kind === 'input' && [...files, ...Object.values(parts).flat()].some((own) => own.path === path)) return true;
  const root = await realpath(folder);
  if (kind === 'input')
    return realpath(path).then(
      (real) => real.startsWith(root + sep),
      () => false,
    );
  const parent = await realpath(dirname(path)).catch(() => undefined);
  if (parent === undefined || !join(parent, basename(path)).startsWith(root + sep)) return false;
  return lstat(path).then(
    () => false,
    (error: NodeJS.ErrnoException) => error.code === 'ENOENT',
  );
}

/** The running calls of one task: all are aborted when it ends, and the task waits for them. */
export class RunningCalls {
  readonly #running = new Map<number, { readonly abort: AbortController; readonly ended: Promise<void> }>();
  #over = false;

  constructor(
    private readonly door: ServiceEndpoint | undefined,
    private readonly log: Logger,
  ) {}

  /** Performs a call and passes its outcome to `answer`, also if it was aborted. */
  begin(
    call: number,
    what: ServiceCall,
    answer: (outcome: { readonly value?: unknown; readonly error?: SerialisedError }) => void,
  ): void {
    if (this.#over || this.#running.has(call)) return;
    const abort = new AbortController();
    const ended = this.#perform(what, abort.signal)
      .then(
        (value) => answer(value === undefined ? {} : { value }),
        (error: unknown) => {
          if (!isQuireError(error) && !abort.signal.aborted)
            this.log.error(
              { err: error, service: what.service, method: what.method },
              'a service called by a worker failed',
            );
          answer({
            error:
              abort.signal.aborted && !isQuireError(error) ? { code: 'CANCELLED', data: {} } : serialiseError(error),
          });
        },
      )
      .finally(() => this.#running.delete(call));
    this.#running.set(call, { abort, ended });
  }

  /** Ends one call. */
  end(call: number): void {
    this.#running.get(call)?.abort.abort();
  }

  /** Ends all calls and accepts no more; settles when all of them have ended. */
  async endAll(): Promise<void> {
    this.#over = true;
    for (const { abort } of this.#running.values()) abort.abort();
    await Promise.all([...this.#running.values()].map(({ ended }) => ended));
  }

  async #perform(what: ServiceCall, signal: AbortSignal): Promise<unknown> {
    if (this.door === undefined) throw new DefectError('CONTRACT_BROKEN', { detail: 'this task may call no services' });
    return this.door(what, signal);
  }
}

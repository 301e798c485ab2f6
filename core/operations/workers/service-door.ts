import { lstat, realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, sep } from 'node:path';
import {
  DefectError,
  isQuireError,
  serialiseError,
  tokens,
  type AnyOperation,
  type Logger,
  type Principal,
  type SerialisedError,
  type Token,
} from '@quire/registry';
import type { RunTask, ServiceCall } from './protocol.js';

/** Performs a worker's call; the signal ends it. */
export type ServiceDoor = (call: ServiceCall, signal: AbortSignal) => Promise<unknown>;

/** What the server knows of a run whose worker calls. */
export interface DoorDeps {
  readonly operation: AnyOperation;
  readonly task: Pick<RunTask, 'folder' | 'files' | 'parts'>;
  serviceOf<T>(token: Token<T>): T;
  /** Who asked for the run. */
  readonly caller: Pick<Principal, 'id' | 'name'>;
}

/**
 * The server's end of the services that reach workers. A worker may have been taken over by the document it reads, so
 * it is believed in nothing: only services that its operation declares and methods that may cross are called, and only
 * with files of its own run. Rejects with CONTRACT_BROKEN for anything else, and with what the service rejects with.
 */
export function openServiceDoor({ operation, task, serviceOf, caller }: DoorDeps): ServiceDoor {
  const refuse = (detail: string): never => {
    throw new DefectError('CONTRACT_BROKEN', { operation: operation.path, detail });
  };
  const calls = new Map<string, number>();
  return async ({ service, method, args }, signal) => {
    const token: Token<unknown> | undefined = Object.values(tokens).find(({ name }) => name === service);
    const kinds =
      token?.crossing !== undefined && Object.hasOwn(token.crossing, method) ? token.crossing[method] : undefined;
    if (token === undefined || kinds === undefined) return refuse(`${service}.${method} does not reach workers`);
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
      return refuse(`${service}.${method} takes ${kinds.length} arguments`);
    const checked: unknown[] = [];
    for (const [i, kind] of kinds.entries()) {
      if (kind === 'signal') checked.push(signal);
      else if (kind === 'caller') checked.push({ id: caller.id, name: caller.name });
      else if (kind === 'value') checked.push(args[i]);
      else if (await isOwnFile(args[i], kind, task)) checked.push(args[i]);
      else refuse(`gave ${service}.${method} a file from outside its run`);
    }
    signal.throwIfAborted();
    const target = serviceOf(token) as Record<string, (...args: unknown[]) => unknown>;
    return target[method]?.(...checked);
  };
}

/**
 * Links are followed before a path is judged. What is to be written must lie in the run's folder and must not be there
 * yet.
 */
async function isOwnFile(
  path: unknown,
  kind: 'input' | 'output',
  { folder, files, parts }: DoorDeps['task'],
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

/** The calls of one task that are running: all end when it does, and it is over only when they are. */
export class RunningCalls {
  readonly #running = new Map<number, { readonly abort: AbortController; readonly ended: Promise<void> }>();
  #over = false;

  constructor(
    private readonly door: ServiceDoor | undefined,
    private readonly log: Logger,
  ) {}

  /** Performs a call and hands its outcome to `answer`, also when it was ended. */
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
              'a service failed that a worker had called',
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

  /** Ends all of them and takes no more; settles when nothing of them is left. */
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

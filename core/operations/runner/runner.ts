import type { CatalogOperation } from '@quire/catalog';
import {
  DefectError,
  InputError,
  OperationalError,
  isQuireError,
  writingWith,
  type AnyOperation,
  type Effect,
  type FieldFault,
  type Logger,
  type Principal,
  type ReportFact,
  type Token,
} from '@quire/registry';
import { operationDisabled, type AvailabilityTable } from '../../access/index.js';
import { Gate, waitForTurn, WorkClock } from '../../semaphore/index.js';
import { noCharge, type Allowance, type Charge, type ChargeItem } from '../../billing/index.js';
import { blamePassword } from './blame-input.js';
import { checkFiles, missingParts } from './check-files.js';
import { runChecked, type CheckedRun } from './checked-run.js';
import type { RunOutcome, RunTask, WorkerTask, WritePolicy } from '../workers/protocol.js';
import type { WireFile } from '../workers/wire-file.js';
import { openServiceEndpoint, type ServiceEndpoint } from '../workers/service-endpoint.js';
import { hostDocuments } from './host-documents.js';
import { breaksSignature, changesSigned } from './signed-input.js';
import { pageWarnings } from './page-fields.js';
import type { ResultStamps } from './stamp-results.js';
import { validateParams } from './validate-params.js';
import type { WorkerPool } from '../workers/worker-pool.js';

/** One call of one operation, from a route, a pipeline step or a job. */
export interface RunRequest extends Partial<Pick<RunTask, 'spendsInputs'>> {
  readonly entry: CatalogOperation;
  readonly params: Readonly<Record<string, unknown>>;
  readonly files: readonly WireFile[];
  readonly parts: Readonly<Record<string, readonly WireFile[]>>;
  readonly principal: Principal;
  readonly origin: 'route' | 'pipeline' | 'job';
  /** Private folder for everything that this run writes; the caller removes it. */
  readonly folder: string;
  readonly signal: AbortSignal;
  /** Reject unknown fields and damaged files (`Prefer: handling=strict`). */
  readonly strict?: boolean;
  /** Pack several outputs into a zip. */
  readonly zip: boolean;
  readonly onProgress?: (done: number, total: number) => void;
}

export interface RunResult {
  readonly outputs: readonly WireFile[];
  readonly isJson: boolean;
  readonly json?: unknown;
  readonly archive?: WireFile;
  readonly effects: readonly Effect[];
  readonly warnings: readonly string[];
  readonly report: Readonly<Record<string, ReportFact>>;
  readonly ignored: readonly string[];
  /** Values that another one replaced: `field=used`. */
  readonly replaced: readonly string[];
  /**
   * The charge of the run; the caller settles it after delivering the result. Steps of a pipeline have none, because a
   * pipeline is charged as a whole.
   */
  readonly charge: Charge;
}

/** A call that may run: its parameters, and what of them the answer must mention. */
export interface VerifiedRun extends Pick<RunResult, 'ignored' | 'replaced'> {
  readonly params: Readonly<Record<string, unknown>>;
}

/** Limits of one operation after applying the settings. */
export interface EffectiveLimits {
  readonly timeoutMs: number;
  readonly maxPages: number;
  readonly maxBytes: number;
  readonly concurrency: number;
}

export interface RunnerDeps {
  readonly pool: WorkerPool;
  readonly availability: AvailabilityTable;
  readonly allowance: Allowance;
  readonly log: Logger;
  readonly policy: WritePolicy;
  /** What is written into the metadata of a caller's results. */
  readonly stamps: Pick<ResultStamps, 'forRun'>;
  /** Settings that workers may read. */
  readonly workerSettings: Readonly<Record<string, unknown>>;
  limitsOf(entry: CatalogOperation, origin: RunRequest['origin']): EffectiveLimits;
  /** What the role of a caller says about pages. */
  pageLimitOf(caller: Principal): CheckedRun['pageLimit'];
  /**
   * Services for operations in the server process and for service calls of workers, from the plugin's own container.
   */
  serviceOf<T>(entry: CatalogOperation, token: Token<T>): T;
  /** Waits for one of the places that an operation has in the whole cluster; undefined without other servers. */
  clusterPlace?(operation: string, places: number, signal: AbortSignal): Promise<() => Promise<void>>;
  /** Called after every run. */
  record(path: string, seconds: number, outcome: string): void;
}

/** The only way to run an operation: validate, admit, charge, run, check the output, record. */
export class Runner {
  readonly #gates = new Map<string, Gate>();

  constructor(private readonly deps: RunnerDeps) {}

  /** Returns the limits of an operation after applying the settings. */
  limitsOf(entry: CatalogOperation, origin: RunRequest['origin']): EffectiveLimits {
    return this.deps.limitsOf(entry, origin);
  }

  /**
   * Checks everything that can be rejected before the work begins: availability, parameters, files. A job is checked
   * like this before it is accepted; `elsewhere`: it will run on a node that has the programs.
   */
  verify(request: RunRequest, elsewhere = false): VerifiedRun {
    this.#checkAvailable(request.entry, elsewhere);
    const verified = this.#validate(request);
    checkFiles(request, verified.params, this.deps.limitsOf(request.entry, request.origin));
    return verified;
  }

  /** Calls `verify` and checks that the allowance suffices now; for work that is queued. */
  async admit(request: RunRequest, elsewhere = false): Promise<VerifiedRun> {
    const verified = this.verify(request, elsewhere);
    await this.deps.allowance.check(request.principal, [chargeItem(request.entry)], request.origin);
    return verified;
  }

  async run(request: RunRequest): Promise<RunResult> {
    const { entry } = request;
    const started = performance.now();
    let outcome = 'failed';
    try {
      const { params, ...noticed } = this.verify(request);
      const leave = await this.#admit(entry, request);
      try {
        const charge =
          request.origin === 'pipeline'
            ? noCharge
            : await this.deps.allowance.charge(request.principal, [chargeItem(entry)], request.origin);
        const result = await this.#execute(request, params).catch(async (error: unknown) => {
          await endCharge(charge, error);
          throw error;
        });
        outcome = 'succeeded';
        const described = this.#describe(writingWith(entry.operation, params), result);
        const warnings = [...described.warnings, ...pageWarnings(entry, params, result.inputPages)];
        return { ...described, ...noticed, warnings, charge };
      } finally {
        await leave();
      }
    } catch (error) {
      if (isQuireError(error)) outcome = error.code;
      throw error;
    } finally {
      this.deps.record(entry.operation.path, (performance.now() - started) / 1000, outcome);
    }
  }

  #checkAvailable(entry: CatalogOperation, elsewhere: boolean): void {
    const found = this.deps.availability.of(entry);
    const { reason, missing } = found;
    if (reason === 'CONFIG') throw operationDisabled(entry.operation.path, found);
    if (reason === 'DEPENDENCY' && !elsewhere)
      throw new OperationalError('PROGRAM_MISSING', { program: missing.join(', ') });
  }

  #validate(request: RunRequest): VerifiedRun {
    const { params, ignored, replaced, faults } = validateParams(request.entry, request.params);
    const unknown: readonly FieldFault[] =
      request.strict === true
        ? [
            ...ignored.map((name) => ({ pointer: `/${name}`, detail: `${name} is not a field of this operation` })),
            ...replaced.map(({ pointer, detail }) => ({ pointer, detail })),
          ]
        : [];
    const missing = missingParts(request.entry, params, request.parts);
    const all = [...faults, ...unknown, ...missing];
    if (all.length > 0)
      throw new InputError('INPUT_INVALID', { detail: all.map(({ detail }) => detail).join('; ') }, all);
    return { params, ignored, replaced: replaced.map(({ pointer, used }) => `${pointer.slice(1)}=${used}`) };
  }

  async #admit(entry: CatalogOperation, request: RunRequest): Promise<() => Promise<void>> {
    const { path } = entry.operation;
    const { concurrency } = this.deps.limitsOf(entry, request.origin);
    let gate = this.#gates.get(path);
    if (gate === undefined) {
      // Runs that wait for their operation's own gate are not in a worker's queue, so the gate has a bounded queue too.
      gate = new Gate(concurrency, this.deps.pool.queueLength);
      this.#gates.set(path, gate);
    }
    const leave = await gate.enter(request.signal);
    if (concurrency === Number.MAX_SAFE_INTEGER || this.deps.clusterPlace === undefined) return async () => leave();
    try {
      const leaveCluster = await this.deps.clusterPlace(path, concurrency, request.signal).finally(waitForTurn());
      return async () => {
        leave();
        await leaveCluster();
      };
    } catch (error) {
      leave();
      throw error;
    }
  }

  async #execute(request: RunRequest, params: Readonly<Record<string, unknown>>): Promise<RunOutcome> {
    const { entry, files, parts, folder, signal } = request;
    const limits = this.deps.limitsOf(entry, request.origin);
    if (entry.operation.runsIn === 'host') return this.#executeInHost(request, params, limits);
    const task: RunTask = {
      type: 'run',
      entryUrl: entry.plugin.entryUrl,
      operation: entry.operation.path,
      params,
      files,
      parts,
      folder,
      maxPages: limits.maxPages,
      pageLimit: this.deps.pageLimitOf(request.principal),
      policy: this.deps.policy,
      inPipeline: request.origin === 'pipeline',
      settings: this.deps.workerSettings,
      strict: request.strict === true,
      zip: request.zip,
      spendsInputs: request.spendsInputs === true,
      ...this.deps.stamps.forRun(request, params),
    };
    const door = (placed: WorkerTask): ServiceEndpoint =>
      openServiceEndpoint({
        operation: entry.operation,
        task: placed as RunTask,
        caller: request.principal,
        own: (entry.plugin.plugin.services ?? []).map(({ token }) => token),
        serviceOf: (token) => this.deps.serviceOf(entry, token),
      });
    return this.deps.pool.run(task, {
      timeoutMs: limits.timeoutMs,
      signal,
      door,
      ...(request.onProgress === undefined ? {} : { onProgress: request.onProgress }),
    });
  }

  /**
   * Operations that wait for programs or the network run in the server process; documents are opened in a worker only.
   */
  async #executeInHost(
    { entry, files, parts, folder, principal, origin, zip, ...request }: RunRequest,
    params: Readonly<Record<string, unknown>>,
    { timeoutMs, maxPages }: EffectiveLimits,
  ): Promise<RunOutcome> {
    const operation = writingWith(entry.operation, params);
    const { policy, pool } = this.deps;
    const clock = new WorkClock({ limitMs: timeoutMs, totalTimes: pool.limits.totalTimes });
    const signal = AbortSignal.any([request.signal, clock.signal]);
    const run = {
      operation,
      entryUrl: entry.plugin.entryUrl,
      params,
      files,
      parts,
      folder,
      maxPages,
      pageLimit: this.deps.pageLimitOf(principal),
      policy,
      inPipeline: origin === 'pipeline',
      strict: request.strict === true,
      zip,
      ...this.deps.stamps.forRun({ entry, origin, principal }, params),
    };
    const environment = {
      documents: hostDocuments(pool, { timeoutMs, signal }),
      signal,
      caller: principal,
      use: <T>(token: Token<T>): T => this.deps.serviceOf(entry, token),
      progress: (done: number, total: number) => request.onProgress?.(done, total),
    };
    try {
      return await clock.run(() => runChecked(run, environment));
    } catch (error) {
      if (clock.signal.aborted && !request.signal.aborted) throw clock.signal.reason;
      throw blamePassword(error, operation, params);
    } finally {
      clock.stop();
    }
  }

  /** Packs files into `output.zip`. */
  async zip(files: readonly WireFile[], target: string, signal: AbortSignal): Promise<WireFile> {
    const { archive } = await this.deps.pool.run({ type: 'zip', files, target }, { timeoutMs: 600_000, signal });
    if (archive === undefined) throw new DefectError('INTERNAL', { detail: 'no archive' });
    return archive;
  }

  /** Unpacks a zip that a pipeline step returned. */
  async unzip(file: WireFile, folder: string, field: string, signal: AbortSignal): Promise<readonly WireFile[]> {
    return (await this.deps.pool.run({ type: 'unzip', file, folder, field }, { timeoutMs: 600_000, signal })).outputs;
  }

  #describe(operation: AnyOperation, outcome: RunOutcome): Omit<RunResult, 'ignored' | 'replaced' | 'charge'> {
    const breaks = breaksSignature(operation, this.deps.policy, outcome.signatures);
    const effects: readonly Effect[] = [...(operation.effects ?? []), ...(breaks ? ['breaksSignature' as const] : [])];
    const warnings =
      this.deps.policy.signedInput === 'allow'
        ? outcome.warnings
        : [
            ...outcome.warnings,
            ...(breaks ? ['The document was signed; the signatures of the result are no longer valid.'] : []),
            ...(changesSigned(operation, this.deps.policy, outcome.signatures)
              ? ['The document is signed; validators report that it was changed after signing.']
              : []),
          ];
    return {
      outputs: outcome.outputs,
      isJson: outcome.isJson,
      ...(outcome.isJson ? { json: outcome.json } : {}),
      ...(outcome.archive === undefined ? {} : { archive: outcome.archive }),
      effects,
      warnings,
      report: outcome.report,
    };
  }
}

/** Returns the item to charge for one run of an operation. */
export function chargeItem({ operation }: CatalogOperation): ChargeItem {
  return { operation: operation.path, cost: operation.access?.cost ?? 1 };
}

/**
 * Settles the charge of failed work: refunded unless the caller left or cancelled it. `done`: indexes of begun items.
 */
export async function endCharge(charge: Charge, error: unknown, done?: ReadonlySet<number>): Promise<void> {
  await (isQuireError(error) && error.code === 'CANCELLED' ? charge.settle(done) : charge.refund());
}

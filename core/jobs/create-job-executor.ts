import type { Catalog, CatalogOperation } from '@quire/catalog';
import { operationDisabled, type AvailabilityTable } from '../access/index.js';
import {
  DefectError,
  declaredMediaType,
  kindInfo,
  type AnyOperation,
  type ConcreteKind,
  type Logger,
  type Principal,
} from '@quire/registry';
import { serialiseError } from '@quire/registry/errors';
import { Scratch, archiveName, type Runner } from '../operations/runner/index.js';
import { accountOwner, onBehalfOf } from '../semaphore/index.js';
import { inBackground, type WireFile } from '../operations/workers/index.js';
import type { InputFacts } from './job-facts.js';
import type { JobExecutor, JobInput, JobOutcome, JobOutput, JobRunContext, JobWork } from './job-executor.js';
import type { Charge } from '../billing/index.js';
import {
  pipelineFacts,
  refuseWrongTypes,
  RunLanes,
  runEach,
  runUnattended,
  sentFiles,
  type ChargedResult,
  type EachResult,
  type PipelineReport,
  type PipelineService,
  type ReadNotes,
  type SentFiles,
  type UnattendedResult,
} from '../operations/pipelines/index.js';
import { statSync } from 'node:fs';

export interface JobExecutorDeps {
  catalog(): Catalog;
  runner(): Runner;
  pipelines(): PipelineService;
  readonly log: Logger;
  readonly scratchRoot: string;
  /** Rejects with STORAGE_FULL when the disk is too full for work to begin. */
  readonly disk: { admit(): Promise<void> };
  availability(): AvailabilityTable;
  /** Returns the caller with the permissions that the account has now; rejects if it is disabled or deleted. */
  resume(caller: Principal | undefined): Promise<Principal>;
  /** Throws what the caller would be refused with now: rights may have changed since the job was accepted. */
  recheck(entry: CatalogOperation, caller: Principal): void;
}

interface Deps extends JobExecutorDeps {
  readonly lanes: RunLanes;
}

/** Wraps an outcome: its charge is settled once the result is saved, and refunded if it is lost. */
function charged(outcome: JobOutcome, charge: Charge): JobOutcome {
  return { ...outcome, kept: () => charge.settle(), release: () => charge.refund() };
}

/** Creates the executor, which runs jobs with the same runner as direct calls. */
export function createJobExecutor(given: JobExecutorDeps): JobExecutor {
  const deps = { ...given, lanes: new RunLanes() };
  return (job, context) =>
    onBehalfOf(accountOwner(job.caller?.id ?? ''), () => inBackground(() => runJob(deps, job, context)));
}

async function runJob(deps: Deps, job: JobWork, context: JobRunContext): Promise<JobOutcome> {
  await deps.disk.admit();
  const scratch = await Scratch.create(deps.scratchRoot);
  try {
    const outcome =
      job.kind === 'pipeline'
        ? await runPipelineJob(deps, job, context, scratch)
        : await runOperationJob(deps, job, context, scratch);
    return { ...outcome, release: async () => void (await Promise.all([outcome.release?.(), scratch.dispose()])) };
  } catch (error) {
    await scratch.dispose();
    throw error;
  }
}

function wireFiles(inputs: readonly JobInput[], field: (name: string) => boolean): WireFile[] {
  return inputs
    .filter((input) => field(input.field))
    .map(({ name, kind, path, mediaType }) => ({
      name,
      kind: kind as ConcreteKind,
      path,
      size: statSync(path).size,
      ...(mediaType === undefined ? {} : { mediaType }),
    }));
}

function outputs(files: readonly WireFile[], operation?: AnyOperation): JobOutput[] {
  return files.map(({ path, name, kind, modified }) => ({
    path,
    name,
    kind,
    mediaType: (operation === undefined ? undefined : declaredMediaType(operation, kind)) ?? kindInfo(kind).mediaType,
    ...(modified === undefined ? {} : { modified }),
  }));
}

async function runOperationJob(
  deps: Deps,
  job: JobWork,
  context: JobRunContext,
  scratch: Scratch,
): Promise<JobOutcome> {
  const entry = deps.catalog().operations.get(job.path);
  if (entry === undefined) throw new DefectError('INTERNAL', { detail: `no operation ${job.path}` });
  const principal = await deps.resume(job.caller);
  deps.recheck(entry, principal);
  const files = wireFiles(job.inputs, (field) => field === 'fileInput');
  const second: Record<string, WireFile[]> = {};
  for (const { field } of entry.operation.parts ?? []) second[field] = wireFiles(job.inputs, (name) => name === field);
  const result = await deps.runner().run({
    entry,
    params: job.params,
    files,
    parts: second,
    principal,
    origin: 'job',
    folder: await scratch.folder(),
    signal: context.signal,
    strict: job.strict,
    zip: false,
    onProgress: (done, total) => context.progress(done, total),
  });
  const { effects, warnings, ignored, replaced, report } = result;
  const archive = result.isJson
    ? undefined
    : archiveName(
        entry.operation,
        entry.schema.validate(job.params).value as Record<string, unknown>,
        files,
        result.outputs.length,
      );
  return charged(
    {
      files: outputs(result.outputs, entry.operation),
      facts: { effects, warnings, ignored, replaced, report },
      ...(result.isJson ? { json: result.json } : {}),
      ...(archive === undefined ? {} : { archiveName: archive }),
      metadata: Object.fromEntries(
        Object.entries(report).map(([name, value]) => [
          name,
          typeof value === 'object' ? JSON.stringify(value) : String(value),
        ]),
      ),
    },
    result.charge,
  );
}

async function runPipelineJob(deps: Deps, job: JobWork, context: JobRunContext, scratch: Scratch): Promise<JobOutcome> {
  // Operations of a pipeline may have been switched off since the job was accepted.
  const availability = deps.availability().ofPath(job.path);
  if (!availability.enabled) throw operationDisabled(job.path, availability);
  const principal = await deps.resume(job.caller);
  const sent = sentWith(job.inputs);
  const report = await deps.pipelines().verify(job.pipeline, principal, false, false, sent);
  const folder = (): Promise<string> => scratch.folder();
  if (job.each)
    return eachOutcome(
      report,
      await runEach({ pipelines: deps.pipelines(), log: deps.log, lanes: deps.lanes }, report, {
        name: job.path,
        files: wireFiles(job.inputs, (field) => field === 'fileInput'),
        principal,
        signal: context.signal,
        strict: job.strict,
        limit: context.limit,
        folder,
        onProgress: (done, total) => context.progress(done, total),
      }),
    );
  const run = {
    files: wireFiles(job.inputs, (field) => field === 'fileInput'),
    principal,
    signal: context.signal,
    strict: job.strict,
    onStep: (index: number, path: string) => context.step(index, path),
    onProgress: (done: number, total: number) => context.progress(done, total),
    onBegin: (read: ReadNotes) => context.facts((failure) => pipelineFacts(report, read(failure))),
  };
  const ended = job.unattended
    ? await runUnattended({ pipelines: deps.pipelines(), log: deps.log }, report, { ...run, folder })
    : { result: await runAttended(deps, report, { ...run, folder: await folder() }), faults: new Map() };
  return pipelineOutcome(report, ended);
}

async function runAttended(
  deps: Deps,
  report: PipelineReport,
  run: Parameters<PipelineService['run']>[1],
): Promise<ChargedResult> {
  const result = await deps.pipelines().run(report, run);
  try {
    refuseWrongTypes(report, result, run.files);
    return result;
  } catch (error) {
    await result.charge.refund();
    throw error;
  }
}

function eachOutcome(report: PipelineReport, results: readonly EachResult[]): JobOutcome {
  const each = results.map((one): InputFacts => {
    if ('result' in one) return { files: one.result.files.length, facts: pipelineFacts(report, one.result) };
    return { files: 0, facts: pipelineFacts(report, one.notes), error: serialiseError(one.error) };
  });
  const good = results.flatMap((one) => ('result' in one ? [one.result] : []));
  const ofAll = async (end: (charge: Charge) => Promise<void>): Promise<void> => {
    for (const { charge } of good) await end(charge);
  };
  return {
    files: outputs(good.flatMap(({ files }) => files)),
    facts: { effects: [], warnings: [], ignored: [], report: {}, each },
    kept: () => ofAll((charge) => charge.settle()),
    release: () => ofAll((charge) => charge.refund()),
  };
}

/** The files for steps that were sent with the call. */
function sentWith(inputs: readonly JobInput[]): SentFiles {
  return sentFiles(
    inputs
      .filter(({ field }) => field !== 'fileInput')
      .flatMap((input) => wireFiles([input], () => true).map((file) => ({ ...file, field: input.field }))),
  );
}

function pipelineOutcome(report: PipelineReport, { result, faults }: UnattendedResult): JobOutcome {
  const left = [...faults].map(([file, error]) => ({ file, error: serialiseError(error) }));
  const more = left.length === 0 ? {} : { faults: left };
  if (result === undefined)
    return {
      files: [],
      facts: {
        ...pipelineFacts(report, { effects: [], warnings: [], dropped: [], decisions: [], steps: [] }),
        ...more,
      },
    };
  return charged(
    {
      files: outputs(result.files),
      facts: { ...pipelineFacts(report, result), ...more },
      ...(result.files.length > 1 ? { archiveName: 'output.zip' } : {}),
    },
    result.charge,
  );
}

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  QuireError,
  baseName,
  fileReturns,
  fillText,
  holds,
  isQuireError,
  type Effect,
  type Logger,
  type Principal,
} from '@quire/registry';
import { accepts, cleanFileName, fillName, type Runner } from '../runner/index.js';
import { type WireFile } from '../workers/index.js';
import type { VerifiedStep } from './verify-pipeline.js';

/** A file that a step filtered out. */
export interface DroppedFile {
  readonly file: string;
  readonly step: number;
  readonly operation: string;
  readonly reason: 'filter' | 'kind';
}

export interface PipelineResult {
  readonly files: readonly WireFile[];
  readonly dropped: readonly DroppedFile[];
  readonly effects: readonly Effect[];
  readonly warnings: readonly string[];
}

/** One run of a verified pipeline. */
export interface PipelineRun {
  readonly steps: readonly VerifiedStep[];
  readonly files: readonly WireFile[];
  readonly principal: Principal;
  /** Private folder of the whole run. */
  readonly folder: string;
  readonly signal: AbortSignal;
  /** Refuse damaged files (`Prefer: handling=strict`). */
  readonly strict?: boolean;
  /** Number of files processed at the same time. */
  readonly parallel: number;
  readonly onStep?: (index: number, path: string) => void;
  readonly onProgress?: (done: number, total: number) => void;
}

/**
 * A file between two steps. A bundle is a zip that is passed on whole, unless the next step accepts only its members.
 */
interface Flowing extends WireFile {
  readonly members?: readonly WireFile[];
}

/**
 * Runs the steps in order; files are passed by path. A failing step ends the run with its own error, its index and the
 * file's name.
 */
export async function runPipeline(runner: Runner, log: Logger, run: PipelineRun): Promise<PipelineResult> {
  let files: readonly Flowing[] = run.files;
  const dropped: DroppedFile[] = [];
  const effects = new Set<Effect>();
  const warnings = new Set<string>();
  for (const [index, step] of run.steps.entries()) {
    run.onStep?.(index, step.path);
    const taken = takenBy(step, files);
    const left = files.filter(
      (file) =>
        !taken.some(
          (candidate) =>
            candidate.path === file.path || (file.members ?? []).some(({ path }) => path === candidate.path),
        ),
    );
    for (const file of left) dropped.push({ file: file.name, step: index, operation: step.path, reason: 'kind' });
    const batches =
      step.entry.operation.files === 'all' ? (taken.length > 0 ? [taken] : []) : taken.map((file) => [file]);
    const given = await eachOf(batches, run.parallel, async (batch, number) => {
      const result = await runStep(runner, run, step, index, number, batch);
      run.onProgress?.(index * batches.length + number + 1, run.steps.length * batches.length);
      result.effects.forEach((effect) => effects.add(effect));
      result.warnings.forEach((warning) => warnings.add(warning));
      return result.files;
    });
    // Collected after all batches: files are processed in parallel, and the report keeps their order.
    for (const [number, batch] of batches.entries()) {
      if (given[number]?.length === 0)
        for (const file of batch)
          dropped.push({ file: file.name, step: index, operation: step.path, reason: 'filter' });
    }
    files = given.flat();
    if (files.length === 0) break;
  }
  if (dropped.length > 0) log.info({ dropped: dropped.length, steps: run.steps.length }, 'the pipeline dropped files');
  for (const { step, operation, reason } of dropped)
    log.debug({ step, operation, reason }, 'the pipeline dropped a file');
  return { files, dropped, effects: [...effects], warnings: [...warnings] };
}

function takenBy({ entry }: VerifiedStep, files: readonly Flowing[]): WireFile[] {
  const kinds = entry.operation.accepts;
  return files.flatMap((file) => {
    if (accepts(kinds, file.kind)) return [file];
    return (file.members ?? []).filter((member) => accepts(kinds, member.kind));
  });
}

async function runStep(
  runner: Runner,
  run: PipelineRun,
  step: VerifiedStep,
  index: number,
  number: number,
  batch: readonly WireFile[],
): Promise<{ files: readonly Flowing[]; effects: readonly Effect[]; warnings: readonly string[] }> {
  const folder = join(run.folder, `s${index}-${number}`);
  await mkdir(folder, { mode: 0o700 });
  const { operation } = step.entry;
  try {
    const params = step.paramsFor?.(batch[0]?.name ?? 'default') ?? step.params;
    const result = await runner.run({
      entry: step.entry,
      params,
      files: batch,
      parts: {},
      principal: run.principal,
      origin: 'pipeline',
      folder,
      signal: run.signal,
      strict: run.strict === true,
      zip: false,
    });
    const passOn = (
      files: readonly Flowing[],
    ): { files: readonly Flowing[]; effects: readonly Effect[]; warnings: readonly string[] } => ({
      files,
      effects: result.effects,
      warnings: result.warnings,
    });
    const base = baseName(batch[0]?.name ?? 'default');
    if (result.isJson) return passOn([await jsonFile(result.json, base, folder)]);
    const many = fileReturns(operation)?.many;
    if (
      many?.unpack === 'onDemand' &&
      (many.when === undefined || holds(many.when, params)) &&
      result.outputs.length > 0
    ) {
      const archive = await runner.zip(result.outputs, join(folder, 'bundle'), run.signal);
      return passOn([
        { ...archive, name: `${fillName(many.archive, { ...params, base })}.zip`, members: result.outputs },
      ]);
    }
    const unpacked = await Promise.all(
      result.outputs.map(async (file, i) => {
        if (file.kind !== 'zip') return [file];
        const target = join(folder, `unpacked${i}`);
        await mkdir(target, { mode: 0o700 });
        return runner.unzip(file, target, 'fileInput', run.signal);
      }),
    );
    return passOn(unpacked.flat());
  } catch (error) {
    throw inStep(error, index, step.path, batch.map(({ name }) => name).join(', '));
  }
}

async function jsonFile(value: unknown, base: string, folder: string): Promise<WireFile> {
  const text = JSON.stringify(value);
  const path = join(folder, 'answer.json');
  await writeFile(path, text, { mode: 0o600 });
  return { name: cleanFileName(`${base}.json`), kind: 'json', path, size: Buffer.byteLength(text) };
}

/** Adds the step to its error: same code and status, pointers prefixed with the step. */
function inStep(error: unknown, index: number, operation: string, file: string): unknown {
  if (!isQuireError(error)) return error;
  // A fault of the file that a step received does not point at a parameter of the step.
  const errors = error.errors.map(({ pointer, detail }) => ({
    pointer: pointer === '/fileInput' ? `/pipeline/${index}` : `/pipeline/${index}/parameters${pointer}`,
    detail,
  }));
  const placed = new QuireError(
    error.code,
    { ...error.data, stepIndex: index, stepOperation: operation, stepFile: file },
    errors,
    { cause: error },
  );
  placed.message = fillText('Step {index} ({operation}) failed on {file}: {detail}', {
    index,
    operation,
    file,
    detail: error.message,
  });
  return placed;
}

/** Maps in order with at most `limit` tasks at a time; after the first failure no further task starts. */
async function eachOf<T, R>(
  items: readonly T[],
  limit: number,
  work: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  let failed = false;
  const lane = async (): Promise<void> => {
    while (next < items.length && !failed) {
      const index = next++;
      const item = items[index] as T;
      try {
        results[index] = await work(item, index);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  const lanes = await Promise.allSettled(Array.from({ length: Math.max(1, Math.min(limit, items.length)) }, lane));
  const fault = lanes.find((outcome) => outcome.status === 'rejected');
  if (fault !== undefined) throw fault.reason;
  return results;
}

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  QuireError,
  baseName,
  fileReturns,
  fillText,
  holds,
  isQuireError,
  setsMetadata,
  type Effect,
} from '@quire/registry';
import { makeFolder } from '../../../isolation/index.js';
import type { Gate } from '../../../semaphore/index.js';
import { accepts, cleanFileName, fillName, type Runner, type RunResult } from '../../runner/index.js';
import type { WireFile } from '../../workers/index.js';
import type { NamedFile } from '../templates.js';
import type { NameFile } from './name-file.js';
import type { StepOptions, VerifiedStep } from './model.js';
import type { BegunCall, StepTimes } from './step-times.js';

/**
 * A file between two steps. A bundle is a zip that is passed on whole, unless the next step accepts only its members.
 */
export interface Flowing extends WireFile {
  readonly members?: readonly Flowing[];
  /** Its place among the files that reached a branch, which come together again in this order. */
  readonly place?: number;
  /** Its metadata was set or removed by a step, and stays so. */
  readonly ownMetadata?: true;
}

export interface StepResult {
  readonly files: readonly Flowing[];
  readonly effects: readonly Effect[];
  readonly warnings: readonly string[];
  /** What the step received, for the name of its results. */
  readonly received: NamedFile;
}

/** What the calls of all steps of a run share. */
export interface StepCalls {
  readonly runner: Runner;
  readonly request: Pick<Parameters<Runner['run']>[0], 'principal' | 'strict'>;
  /** Lets through as many calls as there may be at once, from all branches together. */
  readonly gate: Gate;
  readonly nameFile: NameFile;
  /** Returns the path of a folder that does not exist yet. */
  newFolder(index: number): string;
  /** Returns the files of a step's file fields, as files of this run. */
  partsOf(step: VerifiedStep): Promise<Readonly<Record<string, readonly WireFile[]>>>;
  /** What each call did; one that is stopped because another one has failed never ends. */
  readonly times?: Pick<StepTimes, 'begin' | 'done' | 'failed' | 'unread'>;
}

/** The files that a step takes, and those that leave the pipeline because of their type. */
export function sortFiles(
  { entry }: VerifiedStep,
  files: readonly Flowing[],
): { readonly taken: readonly Flowing[]; readonly left: readonly Flowing[] } {
  const kinds = entry.operation.accepts;
  const sorted = files.map((file) => ({
    file,
    taken: accepts(kinds, file.kind)
      ? [file]
      : (file.members ?? [])
          .filter((member) => accepts(kinds, member.kind))
          .map((member) => (file.place === undefined ? member : { ...member, place: file.place })),
  }));
  return {
    taken: sorted.flatMap(({ taken }) => taken),
    left: sorted.filter(({ taken }) => taken.length === 0).map(({ file }) => file),
  };
}

/** A step with its place among all operations of the pipeline, and the name of its results. */
export type StepCall = Pick<StepOptions, 'nameFor'> & { readonly step: VerifiedStep; readonly index: number };

/**
 * Runs one call of a step. Its own error is thrown with the step and the files. `spendsInputs`: nobody reads the files
 * after it, whether it succeeds or not.
 */
export async function runStep(
  calls: StepCalls,
  { step, index, nameFor }: StepCall,
  batch: readonly Flowing[],
  signal: AbortSignal,
  spendsInputs = false,
): Promise<StepResult> {
  const { runner, request, gate } = calls;
  const leave = await gate.enter(signal);
  const call: BegunCall = { step, index, beganAt: Date.now(), received: batch };
  calls.times?.begin(call);
  try {
    const folder = calls.newFolder(index);
    makeFolder(folder);
    const received = await calls.nameFile(batch[0], [step.paramsFor, nameFor], signal);
    const params = step.paramsFor?.of(received) ?? step.params;
    const result = await runner.run({
      ...request,
      entry: step.entry,
      params,
      files: batch,
      parts: await calls.partsOf(step),
      origin: 'pipeline',
      folder,
      signal,
      zip: false,
      spendsInputs,
    });
    const passed = await passedOn(runner, result, { step, params, base: baseName(received.name), folder, signal });
    const own =
      setsMetadata(step.entry.operation, params) || (batch.length > 0 && batch.every((file) => file.ownMetadata));
    const { effects, warnings } = result;
    const files = own ? passed.map(withOwnMetadata) : passed;
    calls.times?.done({ ...call, endedAt: Date.now(), returned: files, warnings });
    return { files, effects, warnings, received };
  } catch (error) {
    const placed = inStep(error, index, step, batch.map(({ name }) => name).join(', '));
    if (!signal.aborted) calls.times?.failed({ ...call, endedAt: Date.now(), error, placed });
    throw placed;
  } finally {
    leave();
  }
}

async function passedOn(
  runner: Runner,
  { isJson, json, outputs }: RunResult,
  {
    step,
    params,
    base,
    folder,
    signal,
  }: {
    readonly step: VerifiedStep;
    readonly params: VerifiedStep['params'];
    readonly base: string;
    readonly folder: string;
    readonly signal: AbortSignal;
  },
): Promise<readonly Flowing[]> {
  if (isJson) return [await jsonFile(json, base, folder)];
  const many = fileReturns(step.entry.operation)?.many;
  if (many?.unpack === 'onDemand' && (many.when === undefined || holds(many.when, params)) && outputs.length > 0) {
    const archive = await runner.zip(outputs, join(folder, 'bundle'), signal);
    return [{ ...archive, name: `${fillName(many.archive, { ...params, base })}.zip`, members: outputs }];
  }
  const unpacked = await Promise.all(
    outputs.map(async (file, i) => {
      if (file.kind !== 'zip') return [file];
      const target = join(folder, `unpacked${i}`);
      await mkdir(target, { mode: 0o700 });
      return runner.unzip(file, target, 'fileInput', signal);
    }),
  );
  return unpacked.flat();
}

function withOwnMetadata(file: Flowing): Flowing {
  const { members } = file;
  return { ...file, ownMetadata: true, ...(members === undefined ? {} : { members: members.map(withOwnMetadata) }) };
}

async function jsonFile(value: unknown, base: string, folder: string): Promise<WireFile> {
  const text = JSON.stringify(value);
  const path = join(folder, 'answer.json');
  await writeFile(path, text, { mode: 0o600 });
  return { name: cleanFileName(`${base}.json`), kind: 'json', path, size: Buffer.byteLength(text) };
}

/** Adds the step to its error: same code and status, pointers prefixed with the step. */
function inStep(error: unknown, index: number, { at, path, within }: VerifiedStep, file: string): unknown {
  if (!isQuireError(error)) return error;
  // A fault of the file that a step received does not point at a parameter of the step, and callers do not see the
  // steps of a saved pipeline.
  const errors = error.errors.map(({ pointer, detail }) => ({
    pointer: pointer === '/fileInput' || within.length > 0 ? at : `${at}/parameters${pointer}`,
    detail,
  }));
  return placedAt(error, { index, path, file }, errors);
}

/** Adds a step and the file that it received to an error. */
export function placedAt(
  error: QuireError,
  { index, path, file }: { readonly index: number; readonly path: string; readonly file: string },
  errors: QuireError['errors'],
): QuireError {
  const placed = new QuireError(
    error.code,
    { ...error.data, stepIndex: index, stepOperation: path, stepFile: file },
    errors,
    { cause: error },
  );
  placed.message = fillText('Step {index} ({operation}) failed on {file}: {detail}', {
    index,
    operation: path,
    file,
    detail: error.message,
  });
  return placed;
}

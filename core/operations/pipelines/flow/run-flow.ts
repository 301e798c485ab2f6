import { constants, copyFile, link } from 'node:fs/promises';
import { join } from 'node:path';
import { QuireError, isQuireError } from '@quire/registry';
import type { WireFile } from '../../workers/index.js';
import { isWaiting } from '../waiting-errors.js';
import { mapAtOnce } from '../../../semaphore/index.js';
import { allOf } from './all-of.js';
import { factNamed, type FactReader } from './facts.js';
import type { Condition, VerifiedNode } from './model.js';
import { newNotes, type DroppedFile, type FoundFact, type Notes } from './notes.js';
import { inOrder, inPlaceOf } from './order.js';
import { renamed } from './step-options.js';
import { runStep, sortFiles, type Flowing, type StepCall, type StepCalls } from './run-step.js';

export interface FlowDeps {
  readonly calls: StepCalls;
  readonly factOf: FactReader;
  /** Number of files processed at the same time. */
  readonly parallel: number;
  /** True when the run began with several files: warnings say then which one they are about. */
  readonly several: boolean;
  /** Private folder of the whole run. */
  readonly folder: string;
  /** Paths of files that are read again after a step: no result may continue one of them in place of a copy. */
  readonly kept: Set<string>;
  onStep(index: number, path: string): void;
  /** How much of the work is done: that of the steps before `index`, and a share of the `count` steps from it. */
  onProgress(index: number, count: number, done: number, total: number): void;
  onFailure(error: unknown, node: VerifiedNode): void;
}

/** Where a list of steps runs. */
interface Branch {
  readonly notes: Notes;
  readonly signal: AbortSignal;
  /** Its files go to other branches too, or go on unchanged when it fails. */
  readonly shares?: boolean;
  /** Its progress is reported by the step around it. */
  readonly quiet?: boolean;
  /** Inside of a saved pipeline, whose conditions are not reported. */
  readonly saved?: boolean;
}

/** Where a condition is asked. */
interface Asked extends Branch {
  readonly found: FoundFact[];
}

/** Runs steps one after the other, with those inside of them. */
export class FlowRun {
  #copies = 0;

  constructor(private readonly deps: FlowDeps) {}

  async run(nodes: readonly VerifiedNode[], files: readonly Flowing[], branch: Branch): Promise<readonly Flowing[]> {
    let passed = files;
    for (const [i, node] of nodes.entries()) {
      if (i > 0) branch.signal.throwIfAborted();
      passed = await this.#node(node, passed, branch);
      if (passed.length === 0) break;
    }
    return passed;
  }

  #node(node: VerifiedNode, files: readonly Flowing[], branch: Branch): Promise<readonly Flowing[]> {
    switch (node.type) {
      case 'step':
        return this.#step(node, files, branch);
      case 'if':
        return this.#branches(node, files, branch);
      case 'parallel':
        return this.#parallel(node, files, branch);
      case 'each':
        return this.#each(node, files, branch);
      case 'saved':
        return this.#attempt(node, files, branch, (inner) =>
          this.#named(node, files[0], inner, () => this.run(node.steps, files, { ...inner, saved: true })),
        );
    }
  }

  async #step(
    node: Extract<VerifiedNode, { type: 'step' }>,
    files: readonly Flowing[],
    branch: Branch,
  ): Promise<readonly Flowing[]> {
    const { step, index } = node;
    this.deps.onStep(index, step.path);
    const { taken, left } = sortFiles(step, files);
    for (const file of left) branch.notes.dropped.push(droppedAt(node, file, 'kind'));
    const batches =
      step.entry.operation.files === 'all' ? (taken.length > 0 ? [taken] : []) : taken.map((file) => [file]);
    const filtered = new Set<number>();
    const given = await mapAtOnce(batches, this.deps.parallel, (batch, number) =>
      this.#attempt(node, batch, branch, async ({ notes, signal, quiet, shares }) => {
        const spendsInputs = shares !== true && batch.every(({ path }) => !this.deps.kept.has(path));
        const result = await runStep(this.deps.calls, node, batch, signal, spendsInputs);
        if (quiet !== true) this.deps.onProgress(index, 1, number + 1, batches.length);
        result.effects.forEach((effect) => notes.effects.add(effect));
        const about = batch.length === 1 && (this.deps.several || batches.length > 1) ? batch[0]?.name : undefined;
        result.warnings.forEach((warning) => notes.warnings.add(warning, about));
        if (result.files.length === 0) filtered.add(number);
        return renamed(result.files, node, result.received).map((file) => inPlaceOf(batch[0], file));
      }),
    );
    // Collected after all batches: files are processed in parallel, and the report keeps their order.
    for (const [number, batch] of batches.entries())
      if (filtered.has(number)) for (const file of batch) branch.notes.dropped.push(droppedAt(node, file, 'filter'));
    return given.flat();
  }

  async #branches(
    node: Extract<VerifiedNode, { type: 'if' }>,
    files: readonly Flowing[],
    branch: Branch,
  ): Promise<readonly Flowing[]> {
    const [yes, no, past]: [Flowing[], Flowing[], Flowing[]] = [[], [], []];
    const answers = await allOf(files, { limit: this.deps.parallel, signal: branch.signal }, async (file, signal) => {
      let answer: boolean | undefined;
      const found: FoundFact[] = [];
      const kept = await this.#attempt(node, [file], { ...branch, signal }, async (inner) => {
        answer = await this.#holds(node.condition, file, { ...inner, found }).catch((error: unknown) => {
          const placed = inCondition(error, node.at, file);
          if (placed !== error && !signal.aborted)
            this.deps.calls.times?.unread({ at: node.at, index: firstIndex(node) ?? 0, file, error, placed });
          throw placed;
        });
        return [file];
      });
      return { answer, found, kept };
    });
    if (branch.saved !== true)
      for (const [i, { answer, found }] of answers.entries())
        if (answer !== undefined)
          branch.notes.decisions.push({
            pointer: node.at,
            file: files[i]?.name ?? '',
            taken: answer ? 'then' : 'else',
            found,
          });
    for (const [place, { answer, kept }] of answers.entries())
      for (const file of kept) (answer === undefined ? past : answer ? yes : no).push({ ...file, place });
    const ways: readonly (readonly [readonly VerifiedNode[], readonly Flowing[]])[] = [
      [node.then, yes],
      [node.else, no],
    ];
    const came = await allOf(ways, { limit: ways.length, signal: branch.signal }, ([nodes, taken], signal) =>
      this.#way(node, nodes, taken, { ...branch, signal }),
    );
    return inOrder([...came, past]).map(({ place, ...file }) => inPlaceOf(files[place ?? 0], file));
  }

  async #parallel(
    node: Extract<VerifiedNode, { type: 'parallel' }>,
    files: readonly Flowing[],
    branch: Branch,
  ): Promise<readonly Flowing[]> {
    const { branches } = node;
    const came = await allOf(branches, { limit: branches.length, signal: branch.signal }, (nodes, signal) =>
      this.#way(node, nodes, files, { ...branch, signal, shares: true }),
    );
    return this.#apart(came.flat());
  }

  async #each(
    node: Extract<VerifiedNode, { type: 'each' }>,
    files: readonly Flowing[],
    branch: Branch,
  ): Promise<readonly Flowing[]> {
    const first = firstIndex(node) ?? 0;
    const count = countOperations(node.steps);
    let done = 0;
    const given = await allOf(files, { limit: this.deps.parallel, signal: branch.signal }, async (file, signal) => {
      const results = await this.#attempt(node, [file], { ...branch, signal, quiet: true }, async (inner) =>
        (await this.#named(node, file, inner, () => this.run(node.steps, [file], inner))).map((result) =>
          inPlaceOf(file, result),
        ),
      );
      done++;
      if (branch.quiet !== true) this.deps.onProgress(first, count, done, files.length);
      return results;
    });
    return given.flat();
  }

  /** Names the results of steps after the file that came in, whose invoice is read before the work. */
  async #named(
    node: VerifiedNode,
    file: Flowing | undefined,
    { signal }: Branch,
    work: () => Promise<readonly Flowing[]>,
  ): Promise<readonly Flowing[]> {
    const received = await this.deps.calls.nameFile(file, [node.nameFor], signal);
    return renamed(await work(), node, received);
  }

  /** One way through a branch, which fails as a whole. */
  #way(
    node: VerifiedNode,
    nodes: readonly VerifiedNode[],
    files: readonly Flowing[],
    branch: Branch,
  ): Promise<readonly Flowing[]> {
    // Its steps are not charged if no file takes it.
    if (files.length === 0) return Promise.resolve(files);
    return this.#attempt(node, files, branch, (inner) => this.run(nodes, files, inner));
  }

  /** Does the work of a step on files; if it fails, the step's `onError` decides. */
  async #attempt(
    node: VerifiedNode,
    files: readonly Flowing[],
    branch: Branch,
    work: (inner: Branch) => Promise<readonly Flowing[]>,
  ): Promise<readonly Flowing[]> {
    if (node.onError === 'stop') return work(branch);
    const { notes, signal } = branch;
    const own = newNotes();
    try {
      const result = await work({ ...branch, notes: own, shares: true });
      notes.dropped.push(...own.dropped);
      notes.decisions.push(...own.decisions);
      own.effects.forEach((effect) => notes.effects.add(effect));
      notes.warnings.addAll(own.warnings);
      return result;
    } catch (error) {
      // What is no fault of the files ends the run: the call answers with it, and a watched folder tries again.
      if (signal.aborted || isWaiting(error) || !isQuireError(error)) throw error;
      this.deps.onFailure(error, node);
      const goesOn = node.onError === 'continue';
      notes.warnings.add(`${error.message} ${goesOn ? 'Its input goes on unchanged.' : 'Its input was left out.'}`);
      if (goesOn) return files;
      for (const file of files) notes.dropped.push(failedAt(node, file, error));
      return [];
    }
  }

  async #holds(condition: Condition, file: Flowing, branch: Asked): Promise<boolean> {
    switch (condition.type) {
      case 'not':
        return !(await this.#holds(condition.of, file, branch));
      case 'all':
      case 'any': {
        // One after the other: `encrypted` may keep a fact from being read that only an open document has.
        for (const of of condition.of)
          if ((await this.#holds(of, file, branch)) === (condition.type === 'any')) return condition.type === 'any';
        return condition.type === 'all';
      }
      case 'filter': {
        const value = await this.#passes(condition, file, branch.signal);
        branch.found.push({ filter: condition.step.path, value });
        return value;
      }
      case 'fact': {
        const fact = factNamed(condition.fact);
        if (fact === undefined || fact.kinds?.includes(file.kind) === false) {
          branch.found.push({ fact: condition.fact, value: null });
          return false;
        }
        const { comparisonFor } = condition;
        const comparison = comparisonFor.of(await this.deps.calls.nameFile(file, [comparisonFor], branch.signal));
        const value = await fact.of(file, (name) => this.deps.factOf(file, name, branch.signal));
        branch.found.push({ fact: condition.fact, value });
        return comparison.fits(value);
      }
    }
  }

  async #passes(call: StepCall, file: Flowing, signal: AbortSignal): Promise<boolean> {
    if (sortFiles(call.step, [file]).left.length > 0) return false;
    this.deps.onStep(call.index, call.step.path);
    const { files } = await runStep(this.deps.calls, call, [file], signal);
    return files.length > 0;
  }

  /** Files that came through several branches unchanged, with a path of their own for all but the first. */
  async #apart(files: readonly Flowing[]): Promise<readonly Flowing[]> {
    const paths = new Set<string>();
    const apart = async <T extends WireFile>(file: T): Promise<T> => {
      if (!paths.has(file.path)) {
        paths.add(file.path);
        return file;
      }
      const path = join(this.deps.folder, `copy${this.#copies++}`);
      // Two names of one file: what is written under one would be seen under the other.
      this.deps.kept.add(file.path).add(path);
      // Files of watched folders may be on another file system.
      await link(file.path, path).catch(() =>
        copyFile(file.path, path, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE),
      );
      return { ...file, path };
    };
    const result: Flowing[] = [];
    for (const file of files) {
      const members: Flowing[] = [];
      for (const member of file.members ?? []) members.push(await apart(member));
      result.push({ ...(await apart(file)), ...(file.members === undefined ? {} : { members }) });
    }
    return result;
  }
}

function droppedAt(
  { step, index, at }: Extract<VerifiedNode, { type: 'step' }>,
  { name }: WireFile,
  reason: 'filter' | 'kind',
): DroppedFile {
  const nested = step.depth > 0 && step.within.length === 0;
  return { file: name, step: index, operation: step.path, reason, ...(nested ? { pointer: at } : {}) };
}

function failedAt(node: VerifiedNode, { name }: WireFile, { code, data }: QuireError): DroppedFile {
  const { stepIndex, stepOperation } = data;
  return {
    file: name,
    // A condition about a fact fails without an operation.
    step: typeof stepIndex === 'number' ? stepIndex : (firstIndex(node) ?? 0),
    operation: typeof stepOperation === 'string' ? stepOperation : node.type,
    reason: 'error',
    pointer: node.at,
    code,
  };
}

/** The number of operations in steps, without those in conditions. */
function countOperations(nodes: readonly VerifiedNode[]): number {
  let count = 0;
  for (const node of nodes) {
    if (node.type === 'step') count++;
    else if (node.type === 'if') count += countOperations(node.then) + countOperations(node.else);
    else if (node.type === 'parallel') count += countOperations(node.branches.flat());
    else count += countOperations(node.steps);
  }
  return count;
}

/** The index of the first operation in a step. */
function firstIndex(node: VerifiedNode | undefined): number | undefined {
  if (node === undefined) return undefined;
  switch (node.type) {
    case 'step':
      return node.index;
    case 'if':
      return firstIndex(node.then[0]) ?? firstIndex(node.else[0]);
    case 'parallel':
      return node.branches.map(([first]) => firstIndex(first)).find((index) => index !== undefined);
    default:
      return firstIndex(node.steps[0]);
  }
}

/** Names the branch and the file in an error of a fact; that of a filter names its step already. */
function inCondition(error: unknown, at: string, { name }: WireFile): unknown {
  if (!isQuireError(error) || error.data['stepIndex'] !== undefined) return error;
  const placed = new QuireError(
    error.code,
    error.data,
    [{ pointer: `${at}/if`, detail: `${name}: ${error.message}` }],
    { cause: error },
  );
  placed.message = `The condition ${at}/if failed on ${name}: ${error.message}`;
  return placed;
}

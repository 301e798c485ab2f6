import { closeSync, mkdirSync, openSync, readSync, statSync } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import {
  DefectError,
  fileReturns,
  beginsLike,
  kindInfo,
  sniffKind,
  type AnyOperation,
  type ConcreteKind,
  type DocumentFile,
  type FileReturns,
  type JsonResult,
  type OutputFile,
  type OutputPart,
  type Principal,
  type ReportFact,
  type RunContext,
  type Token,
} from '@quire/registry';
import { cleanFileName, outputKind, outputName } from './file-names.js';
import type { WireFile } from '../workers/wire-file.js';

/** The process that executes a run: a worker or the server itself. */
export interface RunHost {
  readonly folder: string;
  readonly writing: RunContext['writing'];
  readonly signal: AbortSignal;
  readonly inPipeline: boolean;
  /** Becomes `ctx.caller`; undefined in workers. */
  readonly caller?: Principal;
  use<T>(token: Token<T>): T;
  progress(done: number, total: number): void;
}

/** Unchecked results of the operation; outputs are not reopened yet. */
export interface RawOutcome {
  readonly outputs: WireFile[];
  /** For each output, the number of the input that it was made from; undefined if it was made from all of them. */
  readonly sources: readonly (number | undefined)[];
  readonly json?: unknown;
  readonly isJson: boolean;
  readonly report: Record<string, ReportFact>;
  /** Sentences of the operation, each once. */
  readonly warnings: readonly string[];
}

/** What the operation reports while it runs. */
interface Notes {
  readonly report: Record<string, ReportFact>;
  readonly warnings: Set<string>;
}

/**
 * Runs an operation over its files and names the results. Throws the operation's errors, and CONTRACT_BROKEN for
 * results that it does not declare.
 */
export async function runOperation(
  operation: AnyOperation,
  params: Readonly<Record<string, unknown>>,
  files: readonly WireFile[],
  parts: Readonly<Record<string, readonly WireFile[]>>,
  host: RunHost,
): Promise<RawOutcome> {
  const notes: Notes = { report: {}, warnings: new Set() };
  const frozen = Object.freeze({ ...params });
  const context = makeContext(operation, frozen, parts, host, notes);
  const inputs = files.map(documentFile);
  const results: (readonly OutputFile[] | JsonResult)[] = [];
  if (operation.files === 'all') results.push(await operation.run(inputs, frozen, context));
  else for (const input of inputs) results.push(await operation.run(input, frozen, context));
  return collect(operation, frozen, files, results, notes);
}

function collect(
  operation: AnyOperation,
  params: Readonly<Record<string, unknown>>,
  inputs: readonly WireFile[],
  results: (readonly OutputFile[] | JsonResult)[],
  { report, warnings: found }: Notes,
): RawOutcome {
  const warnings = [...found];
  const returns = fileReturns(operation);
  if (returns === undefined) {
    const values = results.map((result) => {
      if (!isJson(result)) throw broken(operation, 'declares JSON and returned files');
      return result.json;
    });
    return { outputs: [], sources: [], json: values.length === 1 ? values[0] : values, isJson: true, report, warnings };
  }
  const outputs = results.flatMap((result) => {
    if (isJson(result)) throw broken(operation, 'declares files and returned JSON');
    if (result.length === 0 && returns.mayDrop !== true && returns.many?.none === undefined)
      throw broken(operation, 'returned no file and does not declare mayDrop');
    if (result.length > 1 && returns.many === undefined)
      throw broken(operation, 'returned several files and does not declare many');
    return result;
  });
  const sources = results.flatMap((result, i) =>
    isJson(result) ? [] : result.map(() => (operation.files === 'each' ? i : undefined)),
  );
  for (const output of outputs) {
    if (returns.unchanged === true && !inputs.some(({ path }) => path === output.path))
      throw broken(operation, 'returned another file than its input');
    if (
      returns.kind !== 'same' &&
      returns.kind !== 'any' &&
      output.kind !== outputKind(returns, params, output.kind) &&
      returns.also?.includes(output.kind) !== true
    )
      throw broken(operation, `returned ${output.kind}`);
  }
  return {
    outputs: outputs.map(({ name, kind, path, size, modified }) => ({
      name,
      kind,
      path,
      size,
      ...(modified === undefined ? {} : { modified }),
    })),
    sources,
    isJson: false,
    report,
    warnings,
  };
}

const isJson = (result: readonly OutputFile[] | JsonResult): result is JsonResult => !Array.isArray(result);

function broken(operation: AnyOperation, detail: string): DefectError {
  return new DefectError('CONTRACT_BROKEN', { operation: operation.path, detail });
}

/** Returns a file in the form that operations and endpoints receive. */
export function documentFile(file: WireFile): DocumentFile {
  return Object.freeze({
    name: file.name,
    kind: file.kind,
    mediaType: file.mediaType ?? kindInfo(file.kind).mediaType,
    size: file.size,
    path: () => file.path,
    bytes: async () => new Uint8Array(await readFile(file.path)),
  });
}

function makeContext(
  operation: AnyOperation,
  params: Readonly<Record<string, unknown>>,
  parts: Readonly<Record<string, readonly WireFile[]>>,
  host: RunHost,
  notes: Notes,
): RunContext {
  let count = 0;
  let folders = 0;
  const declared = new Set((operation.needs?.services ?? []).map(({ name }) => name));
  const partFiles = (field: string): DocumentFile[] => {
    if (!(operation.parts ?? []).some((part) => part.field === field))
      throw broken(operation, `asked for the undeclared part ${field}`);
    return (parts[field] ?? []).map(documentFile);
  };
  const newPath = (): string => join(host.folder, `out${count++}`);
  const describe = async (
    source: DocumentFile | undefined,
    path: string,
    part: OutputPart | undefined,
  ): Promise<OutputFile> => {
    const from = source ?? { name: 'document', kind: 'bin' };
    const returns = fileReturns(operation);
    if (returns === undefined) throw broken(operation, 'declares JSON and created a file');
    const file = returns.kind === 'any' && part?.file !== undefined ? cleanFileName(part.file) : undefined;
    const kind =
      file === undefined
        ? (part?.kind ?? outputKind(returns, params, from.kind))
        : (sniffKind(await readHead(path), file) ?? 'bin');
    // Synchronous, because a thread's round trip would cost more, hundreds of times for a split into hundreds of files.
    const { size } = statSync(path);
    const modified = part?.modified?.getTime();
    return {
      name: file ?? outputName(operation, params, from, kind, part, host.inPipeline),
      kind,
      path,
      size,
      ...(modified === undefined || !Number.isFinite(modified) ? {} : { modified }),
    };
  };
  return Object.freeze({
    signal: host.signal,
    writing: host.writing,
    ...(host.caller === undefined ? {} : { caller: host.caller }),
    use: <T>(token: Token<T>): T => {
      if (!declared.has(token.name)) throw broken(operation, `used the undeclared service ${token.name}`);
      return host.use(token);
    },
    part: (field: string) => partFiles(field)[0],
    parts: partFiles,
    folder: async () => {
      const path = join(host.folder, `folder${folders++}`);
      // A worker has the first one from its last run, empty. Synchronous for the same reason as the size of a result.
      mkdirSync(path, { recursive: true, mode: 0o700 });
      return path;
    },
    output: async (from: DocumentFile | undefined, bytes: Uint8Array, part?: OutputPart) => {
      const path = newPath();
      const handle = await open(path, 'wx', 0o600);
      try {
        await handle.writeFile(bytes);
      } finally {
        await handle.close();
      }
      return describe(from, path, part);
    },
    adopt: async (from: DocumentFile | undefined, path: string, part?: OutputPart) => {
      // Only the input and files that the run itself wrote may become results, never a path from a parameter.
      if (path !== from?.path() && !resolve(path).startsWith(resolve(host.folder) + sep))
        throw broken(operation, 'adopted a file from outside its folder');
      return describe(from, path, part);
    },
    keep: (file: DocumentFile, part?: Pick<OutputPart, 'name'>): OutputFile => ({
      name: part?.name === undefined ? file.name : outputName(operation, params, file, file.kind, part, false),
      kind: file.kind,
      path: file.path(),
      size: file.size,
    }),
    json: (value: unknown): JsonResult => ({ json: value }),
    report: (facts: Readonly<Record<string, ReportFact>>) => void Object.assign(notes.report, facts),
    warn: (sentence: string) => void notes.warnings.add(sentence),
    progress: (done: number, total: number) => host.progress(done, total),
  });
}

const HEAD_BYTES = 1029;

/** Reads the first bytes of a file of this server: enough to recognise its type. In one synchronous step (ADR 0118). */
export async function readHead(path: string): Promise<Uint8Array> {
  const file = openSync(path, 'r');
  try {
    const buffer = Buffer.alloc(HEAD_BYTES);
    return buffer.subarray(0, readSync(file, buffer, 0, HEAD_BYTES, 0));
  } finally {
    closeSync(file);
  }
}

/** Checks by the first bytes that an output has its declared file type. */
export async function checkOutputKind(operation: AnyOperation, file: WireFile): Promise<void> {
  const { kind } = fileReturns(operation) ?? {};
  if (!beginsLike(await readHead(file.path), file.kind) && kind !== 'same' && kind !== 'any')
    throw broken(operation, `returned a ${file.kind} that does not begin like one`);
}

/**
 * Evaluates the declared page rule on the counts of the reopened files. Returns the expected total, or undefined if any
 * number is valid.
 */
export function expectedPages(
  returns: FileReturns<never>,
  inputPages: readonly number[],
  params: Readonly<Record<string, unknown>>,
): number | undefined {
  const { pages } = returns;
  if (pages === undefined || pages === 'any') return undefined;
  const total = inputPages.reduce((sum, count) => sum + count, 0);
  return pages === 'same' ? total : pages(inputPages, params as never);
}

/** True for files that are reopened by a PDF reader. */
export const isPdf = (file: { kind: ConcreteKind }): boolean => file.kind === 'pdf';

import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import {
  type ConcreteKind,
  type ConvertColours,
  type DocumentFile,
  type JsonResult,
  type LanguageModel,
  OperationalError,
  type OutputFile,
  type OutputPart,
  type RebuildPdf,
  type ReportFact,
  type RunContext,
  type StandardsValidator,
  type Token,
  sniffKind,
  tokens,
} from '@quire/registry';
import { fakeRecogniser } from './fake-recogniser.js';
import { scratchFolder } from './scratch-folder.js';

export interface FakeContextOptions {
  readonly signal?: AbortSignal;
  /** How the operation may write; default `rewrite`. */
  readonly writing?: RunContext['writing'];
  /** Additional files by field. */
  readonly parts?: Readonly<Record<string, DocumentFile | readonly DocumentFile[]>>;
  /** Settings by dotted path. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Folder for files; when absent, a new temporary folder that is removed when the process ends. */
  readonly folder?: string;
  /** Additional services, by token. */
  readonly services?: readonly (readonly [Token<unknown>, unknown])[];
  /** Current time of the clock; default 2026-01-01T00:00:00Z. */
  readonly now?: Date;
}

/** A run context that records what the operation did with it. */
export interface FakeContext extends RunContext {
  /** Every output, in order of creation. */
  readonly outputs: readonly OutputFile[];
  readonly reports: Readonly<Record<string, ReportFact>>;
  readonly warnings: readonly string[];
  readonly progressed: readonly (readonly [done: number, total: number])[];
  /** Bytes of an output. */
  read(output: OutputFile): Promise<Uint8Array>;
  /** Removes the files. */
  cleanup(): Promise<void>;
}

/**
 * Creates a run context on a temporary folder, to test an operation without a server. Names of outputs are the input's,
 * numbered.
 */
export async function fakeContext(options: FakeContextOptions = {}): Promise<FakeContext> {
  const folder = options.folder ?? (await mkdtemp(join(scratchFolder(), 'context-')));
  const outputs: OutputFile[] = [];
  const reports: Record<string, ReportFact> = {};
  const warnings: string[] = [];
  const progressed: [number, number][] = [];
  const services = new Map<symbol, unknown>([
    [tokens.logger.symbol, { debug() {}, info() {}, warn() {}, error() {} }],
    [tokens.clock.symbol, { now: () => options.now ?? new Date('2026-01-01T00:00:00Z') }],
    [tokens.settings.symbol, { get: (path: string) => options.settings?.[path] }],
    // As on a machine without any of the programs.
    [tokens.rebuildPdf.symbol, { available: async () => [] } satisfies Partial<RebuildPdf>],
    [tokens.recognizeText.symbol, fakeRecogniser],
    [
      tokens.convertColours.symbol,
      {
        toCmyk: () => Promise.reject(new OperationalError('PROGRAM_MISSING', { program: 'ghostscript' })),
      } satisfies ConvertColours,
    ],
    [
      tokens.standardsValidator.symbol,
      {
        validate: () => Promise.reject(new OperationalError('PROGRAM_MISSING', { program: 'verapdf' })),
      } satisfies StandardsValidator,
    ],
    [
      tokens.languageModel.symbol,
      {
        usable: () => false,
        limits: { pages: 0, characters: 0 },
        ask: () =>
          Promise.reject(
            new OperationalError('SERVICE_NOT_SET_UP', { service: 'The language model', detail: 'this is a test' }),
          ),
      } satisfies LanguageModel,
    ],
    ...(options.services ?? []).map(([token, service]) => [token.symbol, service] as const),
  ]);
  const parts = (field: string): readonly DocumentFile[] => {
    const sent = options.parts?.[field];
    return sent === undefined ? [] : Array.isArray(sent) ? (sent as readonly DocumentFile[]) : [sent as DocumentFile];
  };
  let made = 0;

  const add = async (source: DocumentFile | undefined, path: string, part: OutputPart): Promise<OutputFile> => {
    const from = source ?? { name: 'document' };
    const head = (await readFile(path)).subarray(0, 1024);
    const kind: ConcreteKind = sniffKind(head, part.file ?? from.name) ?? 'bin';
    const base = part.name ?? `${basename(from.name, extname(from.name))}${part.n === undefined ? '' : `_${part.n}`}`;
    const modified = part.modified?.getTime();
    const output: OutputFile = {
      name: part.file ?? `${base}.${kind === 'jpeg' ? 'jpg' : kind}`,
      kind,
      path,
      size: (await stat(path)).size,
      ...(modified === undefined ? {} : { modified }),
    };
    outputs.push(output);
    return output;
  };

  return {
    signal: options.signal ?? new AbortController().signal,
    writing: options.writing ?? 'rewrite',
    outputs,
    reports,
    warnings,
    progressed,
    use<T>(token: Token<T>): T {
      if (!services.has(token.symbol))
        throw new Error(
          `The operation uses the service ${token.name}, which this context does not have: pass it as ` +
            'fakeContext({ services: [[token, service]] })',
        );
      return services.get(token.symbol) as T;
    },
    part: (field) => parts(field)[0],
    parts,
    folder: () => mkdtemp(join(folder, 'run-')),
    async output(from, bytes, part = {}) {
      const path = join(folder, `output-${++made}`);
      await writeFile(path, bytes);
      return add(from, path, part);
    },
    adopt: (from, path, part = {}) => add(from, path, part),
    keep(file, part = {}) {
      const output: OutputFile = {
        name: part.name === undefined ? file.name : `${part.name}${extname(file.name)}`,
        kind: file.kind,
        path: file.path(),
        size: file.size,
      };
      outputs.push(output);
      return output;
    },
    json: (value): JsonResult => ({ json: value }),
    warn(sentence) {
      warnings.push(sentence);
    },
    report(facts) {
      Object.assign(reports, facts);
    },
    progress(done, total) {
      progressed.push([done, total]);
    },
    read: async (output) => new Uint8Array(await readFile(output.path)),
    cleanup: () => rm(folder, { recursive: true, force: true }),
  };
}

import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import net from 'node:net';
import Joi from 'joi';
import {
  type AnyOperation,
  type ConcreteKind,
  DefectError,
  type DocumentFile,
  type Example,
  type JsonResult,
  type OutputFile,
  type RunContext,
  type Token,
  kindInfo,
  sniffKind,
} from '@quire/registry';
import { type FakeContext, fakeContext } from '../fake-context.js';
import { fakeFile } from '../fake-file.js';
import type { Subject } from './subject.js';

/** The result of one run of an example in this process. */
export interface DirectRun {
  readonly params: Readonly<Record<string, unknown>>;
  readonly inputs: readonly DocumentFile[];
  readonly result?: readonly OutputFile[] | JsonResult;
  readonly error?: unknown;
  /** Inputs whose bytes changed, in memory or on disk. */
  readonly changed: readonly string[];
  /** True when the run opened a connection. */
  readonly network: boolean;
  read(output: OutputFile): Promise<Uint8Array>;
}

/** Changes of a run to its example. */
export interface DirectRunOptions {
  /** Replacements for the bytes of fixtures, by name. */
  readonly files?: ReadonlyMap<string, Uint8Array>;
  readonly writing?: RunContext['writing'];
}

/**
 * Runs an example in this process with frozen parameters, watched inputs, no network and only the declared services.
 */
export async function runDirectly(
  subject: Subject,
  operation: AnyOperation,
  example: Example<unknown>,
  { files, writing }: DirectRunOptions = {},
): Promise<DirectRun> {
  const params = validParams(operation, example);
  const watched = example.files.map((name) => watch(name, files?.get(name) ?? subject.fixture(name)));
  const partFiles = Object.entries(example.parts ?? {}).map(
    ([field, name]) => [field, watch(name, subject.fixture(name))] as const,
  );
  const context = await fakeContext({
    parts: Object.fromEntries(partFiles.map(([field, { file }]) => [field, file])),
    ...(writing === undefined ? {} : { writing }),
  });
  const limited: FakeContext = { ...context, use: declaredOnly(operation, context) };
  const inputs = watched.map(({ file }) => file);
  const outcome: { result?: readonly OutputFile[] | JsonResult; error?: unknown } = {};
  const guard = blockNetwork();
  try {
    outcome.result = await call(operation, inputs, params, limited);
  } catch (error) {
    outcome.error = error;
  } finally {
    guard.release();
  }
  const changed: string[] = [];
  for (const { file, isUnchanged } of [...watched, ...partFiles.map(([, part]) => part)])
    if (!(await isUnchanged())) changed.push(file.name);
  return { params, inputs, ...outcome, changed, network: guard.used(), read: context.read };
}

async function call(
  operation: AnyOperation,
  inputs: readonly DocumentFile[],
  params: Readonly<Record<string, unknown>>,
  context: FakeContext,
): Promise<readonly OutputFile[] | JsonResult> {
  if (operation.files === 'all') return operation.run(inputs, params, context);
  const results: OutputFile[] = [];
  for (const input of inputs) {
    const result = await operation.run(input, params, context);
    if ('json' in result) return result;
    results.push(...result);
  }
  return results;
}

/** The example's parameters as the operation receives them: validated, with defaults, deeply frozen. */
export function validParams(operation: AnyOperation, example: Example<unknown>): Readonly<Record<string, unknown>> {
  const { error, value } = operation
    .params(Joi)
    .validate(example.params ?? {}, { stripUnknown: true, abortEarly: false }) as {
    error?: Error;
    value: Record<string, unknown>;
  };
  if (error !== undefined) throw new Error(`The parameters of the example are invalid: ${error.message}`);
  return deepFreeze(value);
}

function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const member of Object.values(value)) deepFreeze(member);
  return Object.freeze(value);
}

/** A file that detects changes; every reader gets the same array, so that a write to it is noticed. */
function watch(name: string, bytes: Uint8Array): { file: DocumentFile; isUnchanged: () => Promise<boolean> } {
  const file = fakeFile(name, bytes);
  const before = hash(bytes);
  return {
    file: Object.freeze({ ...file, bytes: async () => bytes }),
    isUnchanged: async () => hash(bytes) === before && hash(await readFile(file.path())) === before,
  };
}

function hash(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function declaredOnly(operation: AnyOperation, context: FakeContext): FakeContext['use'] {
  const declared = new Set((operation.needs?.services ?? []).map(({ name }) => name));
  return <T>(token: Token<T>): T => {
    if (!declared.has(token.name))
      throw new DefectError('CONTRACT_BROKEN', {
        detail: `${operation.path} used the undeclared service ${token.name}`,
      });
    return context.use(token);
  };
}

/** Refuses connections of this process until released; for one run at a time. */
function blockNetwork(): { release: () => void; used: () => boolean } {
  let attempts = 0;
  const connect = net.Socket.prototype.connect;
  net.Socket.prototype.connect = function refuse(this: net.Socket): net.Socket {
    attempts++;
    throw new Error('Network access is blocked during conformance tests');
  };
  return {
    release: () => {
      net.Socket.prototype.connect = connect;
    },
    used: () => attempts > 0,
  };
}

/**
 * The required file type of an operation's answer for these inputs and parameters, or undefined where any is allowed.
 */
export function expectedKind(
  operation: AnyOperation,
  inputKind: ConcreteKind | undefined,
  params: Readonly<Record<string, unknown>>,
): ConcreteKind | undefined {
  if ('json' in operation.returns) return 'json';
  const { kind, extension } = operation.returns;
  if (kind === 'same') return inputKind;
  if (kind === 'any') return undefined;
  const declared = typeof kind === 'string' ? kind : kind.map[String(params[kind.by])];
  // A file type without a signature is recognised only by its name, and here the name has a declared extension.
  return declared !== undefined && extension !== undefined && kindInfo(declared).magic === undefined
    ? undefined
    : declared;
}

/**
 * The file type by the first bytes of an output; the name decides only among types that share a signature or have none.
 */
export function shownKind(bytes: Uint8Array, name: string): ConcreteKind | undefined {
  const kind = sniffKind(bytes.subarray(0, 1029), name);
  if (kind === undefined) return undefined;
  const { magic } = kindInfo(kind);
  if (magic === undefined) return kind;
  const begins = magic.some(
    ({ at, hex }) => Buffer.from(bytes.subarray(at, at + hex.length / 2)).toString('hex') === hex,
  );
  return begins ? kind : undefined;
}

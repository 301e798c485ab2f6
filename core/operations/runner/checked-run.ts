import { join } from 'node:path';
import {
  DefectError,
  InputError,
  fileReturns,
  passwordsOf,
  type AnyOperation,
  type FileReturns,
  type Principal,
  type Token,
} from '@quire/registry';
import type { Damage } from '@quire/document/file/inspection';
import type { ResultStamp } from '@quire/document/structure/metadata';
import type { RunOutcome, WritePolicy } from '../workers/protocol.js';
import type { WireFile } from '../workers/wire-file.js';
import { blameInput } from './blame-input.js';
import { faultOfPlugin } from './fault-of-plugin.js';
import { archiveName } from './file-names.js';
import { checkOutputKind, expectedPages, isPdf, runOperation } from './operation-run.js';
import { checkPageLimit, type PageLimit } from './page-limit.js';
import type { Inspection, RunDocuments } from './run-documents.js';
import { checkSignedBytes, refuseSigned, writingOf } from './signed-input.js';
import { stampOutputs } from './stamp-results.js';

/** One run of an operation, with everything that was sent for it. */
export interface CheckedRun {
  /** As `writingWith` returns it for these parameters. */
  readonly operation: AnyOperation;
  /** The module of its plugin. */
  readonly entryUrl: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly files: readonly WireFile[];
  readonly parts: Readonly<Record<string, readonly WireFile[]>>;
  /** Private folder of this run. */
  readonly folder: string;
  readonly maxPages: number;
  /** Of the caller's role. */
  readonly pageLimit?: PageLimit | undefined;
  readonly policy: WritePolicy;
  readonly inPipeline: boolean;
  /** Refuse damaged files. */
  readonly strict: boolean;
  /** Pack several outputs into a zip. */
  readonly zip: boolean;
  /** Written into the metadata of the results. */
  readonly stamp?: ResultStamp;
}

/** The process that executes a run: a worker or the server. */
export interface RunEnvironment {
  readonly documents: RunDocuments;
  readonly signal: AbortSignal;
  /** Becomes `ctx.caller`; undefined in workers. */
  readonly caller?: Principal;
  use<T>(token: Token<T>): T;
  progress(done: number, total: number): void;
}

/**
 * Opens the inputs, runs the operation, reopens its outputs and compares them with its declaration. Workers and the
 * server share this implementation. Throws the errors of inputs and operation, PDF_SIGNED if signatures would break,
 * CONTRACT_BROKEN if outputs do not match the declaration.
 */
export async function runChecked(run: CheckedRun, environment: RunEnvironment): Promise<RunOutcome> {
  const { operation, params, files, folder, policy } = run;
  const { documents, signal } = environment;
  const before = await inspectInputs(run, documents);
  if (run.pageLimit !== undefined) await checkPageLimit(run.pageLimit, { ...run, pages: before.pages }, documents);
  if (run.strict) refuseDamage(before.damage);
  refuseSigned(operation, policy, before.signatures);
  const ran = await runOperation(operation, params, files, run.parts, {
    ...environment,
    folder,
    writing: writingOf(operation, policy),
    inPipeline: run.inPipeline,
  }).catch(async (error: unknown) => {
    throw blameInput(await faultOrRefusal(error, run, before, documents), 'fileInput');
  });
  const damage = await damageOf(run, before, documents);
  const signatures = await checkSignedBytes(
    {
      operation,
      policy,
      files,
      signatures: before.signatures,
      needsRepair: (file) => documents.needsRepair(file),
    },
    ran,
  );
  const raw = { ...ran, outputs: await stampOutputs(run, ran.outputs, documents) };
  const outputPages = await checkOutputs(run, before.pages, raw.outputs, documents, signal);
  await checkPageRule(run, before.pages, raw.outputs, outputPages, documents);
  // Nothing but an appended update can be returned for a signed file; its other bytes are the caller's own.
  if (!isSound(damage) && !before.signatures.some(({ signed }) => signed))
    await checkSyntax(run, raw.outputs, damage, documents);
  const archive = run.zip && !raw.isJson ? await packOutputs(run, raw.outputs, documents) : undefined;
  const report = isSound(damage) ? raw.report : { damage: { ...damage }, ...raw.report };
  const warnings = [...damage.lost, ...damage.repaired, ...raw.warnings];
  const outputs = run.inPipeline && isSound(damage) ? await markSound(run, raw.outputs, documents) : raw.outputs;
  return {
    ...raw,
    outputs,
    report,
    warnings,
    ...(archive === undefined ? {} : { archive }),
    inputPages: before.pages,
    outputPages,
    signatures,
  };
}

const isSound = ({ repaired, lost }: Damage): boolean => repaired.length + lost.length === 0;

/** Throws PDF_DAMAGED with the sentences about the damage. */
function refuseDamage(damage: Damage, result?: string): void {
  if (isSound(damage) && result === undefined) return;
  const sentences = [...damage.lost, ...damage.repaired, ...(result === undefined ? [] : [result])];
  throw new InputError('PDF_DAMAGED', { field: 'fileInput', detail: sentences.join(' ').replace(/\.$/, '') });
}

/**
 * Opens the inputs. An operation with raw input opens its files itself; they are only searched for damage and for
 * signatures that it could break, and damage is not looked for if it is the operation's purpose.
 */
async function inspectInputs(
  { operation, params, files, maxPages, policy }: CheckedRun,
  documents: RunDocuments,
): Promise<Inspection> {
  const { input: password } = passwordsOf(operation, params);
  const options = {
    ...(password === undefined ? {} : { password }),
    readsOn: writingOf(operation, policy) === 'rewrite',
    // What puts pages together and what changes passwords copy contents as they are.
    keepsContents: operation.writes !== 'assemble' && operation.passwords === undefined,
  };
  if (operation.input !== 'raw') return documents.inspect(files, maxPages, options);
  const none: Inspection = { pages: [], signatures: [], damage: { repaired: [], lost: [] }, damaged: [] };
  const found =
    operation.damagedInput === 'allowed' || !files.some(isPdf)
      ? none
      : await documents.inspect(files, maxPages, { ...options, raw: true });
  return { ...found, signatures: operation.writes === undefined ? [] : await documents.findSignatures(files) };
}

/**
 * An error in the code of the plugin is not damage of the document, unless damage was found in it: then it is the
 * likelier cause.
 */
async function faultOrRefusal(
  error: unknown,
  { entryUrl, files, parts }: CheckedRun,
  before: Inspection,
  documents: RunDocuments,
): Promise<unknown> {
  const fault = faultOfPlugin(error, entryUrl);
  if (fault === undefined || !isSound(before.damage)) return error;
  return isSound(await documents.damageMet(pdfsOf({ files, parts }), before.damaged)) ? fault : error;
}

const pdfsOf = ({ files, parts }: Pick<CheckedRun, 'files' | 'parts'>): readonly WireFile[] =>
  [...files, ...Object.values(parts).flat()].filter(isPdf);

/**
 * The damage that was found before the run, and what the operation met while it read its files, those of other fields
 * too. Refuses it if the caller wants that.
 */
async function damageOf(run: CheckedRun, before: Inspection, documents: RunDocuments): Promise<Damage> {
  if (run.operation.damagedInput === 'allowed') return before.damage;
  const all = pdfsOf(run);
  const met = all.length === 0 ? { repaired: [], lost: [] } : await documents.damageMet(all, before.damaged);
  if (run.strict) refuseDamage(met);
  return { repaired: [...before.damage.repaired, ...met.repaired], lost: [...before.damage.lost, ...met.lost] };
}

/**
 * Refuses a result of a damaged input in which a strict reader finds errors: what is missing cannot be announced as a
 * warning then. Files that are returned as they came are the caller's own.
 */
async function checkSyntax(
  { operation, params, files }: CheckedRun,
  outputs: readonly WireFile[],
  damage: Damage,
  documents: RunDocuments,
): Promise<void> {
  const returns = fileReturns(operation);
  if (returns?.kind === 'any' || returns?.unchanged === true) return;
  const { result: password } = passwordsOf(operation, params);
  const sent = new Set(files.map(({ path }) => path));
  const made = outputs.filter((output) => isPdf(output) && !sent.has(output.path));
  if (made.length === 0) return;
  const error = await documents.checkSyntax(made, password === undefined ? {} : { password });
  if (error !== undefined) refuseDamage(damage, `A strict reader refuses the result: ${error}.`);
}

/**
 * Reopens every PDF among the outputs with an engine that did not write it, so that no unreadable file is returned. A
 * result with a password must open with it and not without. Returns the pages of the PDFs.
 */
async function checkOutputs(
  { operation, params, files }: CheckedRun,
  inputPages: readonly number[],
  outputs: readonly WireFile[],
  documents: RunDocuments,
  signal: AbortSignal,
): Promise<number[]> {
  const returns = fileReturns(operation);
  const { result: password } = passwordsOf(operation, params);
  const inputs = new Map(files.map(({ path }, i) => [path, inputPages[i]]));
  const expected = returns === undefined ? undefined : expectedPages(returns, inputPages, params);
  // A PDF is checked by opening it, because one with an appended part may lack a header.
  for (const output of outputs) if (!isPdf(output)) await checkOutputKind(operation, output);
  // Files that an operation found in a document and returns as they are may be locked or damaged.
  const pdfs = returns?.kind === 'any' ? [] : outputs.filter(isPdf);
  const pages: number[] = [];
  for (const output of pdfs) {
    const known = inputs.get(output.path);
    if (known !== undefined) {
      pages.push(known);
      continue;
    }
    // An input that was returned unchanged is the caller's own and may be locked or damaged.
    if (returns?.unchanged === true) continue;
    try {
      pages.push(
        await documents.reopen(output, {
          ...(pdfs.length === 1 && expected !== undefined ? { expected } : {}),
          ...(password === undefined ? {} : { password }),
        }),
      );
    } catch (error) {
      if (signal.aborted) throw error;
      if (operation.input === 'raw' && returns?.kind === 'same') continue;
      throw broken(operation, 'the result cannot be opened again', error);
    }
  }
  return pages;
}

/**
 * Compares the number of pages with the declaration. PDF readers disagree about the pages of some damaged documents, so
 * the counts of our own reader and of the document model are accepted too. Throws CONTRACT_BROKEN, or PDF_DAMAGED if
 * readers disagree about the input.
 */
async function checkPageRule(
  { operation, params, files }: CheckedRun,
  inputPages: readonly number[],
  outputs: readonly WireFile[],
  outputPages: readonly number[],
  documents: RunDocuments,
): Promise<void> {
  const returns: FileReturns<never> | undefined = fileReturns(operation);
  if (returns === undefined || operation.input === 'raw') return;
  const expected = expectedPages(returns, inputPages, params);
  const found = sum(outputPages);
  if (expected === undefined || expected === found) return;
  if (expected === sum(await documents.countPages(outputs.filter(isPdf)))) return;
  const recounted = await documents.countModelPages(files.filter(isPdf));
  if (expectedPages(returns, recounted, params) === found) return;
  if (recounted.some((count, i) => count !== inputPages[i]))
    throw new InputError('PDF_DAMAGED', { field: 'fileInput', detail: 'readers disagree about its number of pages' });
  throw broken(operation, `promised ${expected} pages and returned ${found}`);
}

/** Marks the results that the next step need not search for damage: those that were written here and reopened. */
async function markSound(
  { operation }: CheckedRun,
  outputs: readonly WireFile[],
  documents: RunDocuments,
): Promise<readonly WireFile[]> {
  if (operation.damagedInput === 'allowed' || fileReturns(operation)?.kind === 'any') return outputs;
  const pdfs = outputs.filter(isPdf);
  const found = new Map((await documents.soundIdentities(pdfs)).map((identity, i) => [pdfs[i], identity]));
  return outputs.map((output) => {
    const sound = found.get(output);
    return sound === undefined ? output : { ...output, sound };
  });
}

/** Returns the zip of a direct call; undefined if it returns the file itself, or nothing. */
async function packOutputs(
  { operation, params, files, folder }: CheckedRun,
  outputs: readonly WireFile[],
  documents: RunDocuments,
): Promise<WireFile | undefined> {
  const name = archiveName(operation, params, files, outputs.length);
  if (name === undefined) return undefined;
  const path = join(folder, 'archive');
  return { name, kind: 'zip', path, size: await documents.zip(outputs, path) };
}

function broken({ path }: AnyOperation, detail: string, cause?: unknown): DefectError {
  return new DefectError('CONTRACT_BROKEN', { operation: path, detail }, cause === undefined ? {} : { cause });
}

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);

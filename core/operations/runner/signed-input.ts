import { open, type FileHandle } from 'node:fs/promises';
import { DefectError, InputError, fileReturns, type AnyOperation, type RunContext } from '@quire/registry';
import type { RawOutcome } from './operation-run.js';
import type { WritePolicy } from '../workers/protocol.js';
import type { SignatureFacts, WireFile } from '../workers/wire-file.js';

/** How a run may write (`RunContext.writing`). */
export type Writing = RunContext['writing'];

/** Returns how this operation writes: it appends if its declaration and the settings allow it. */
export function writingOf({ writes }: AnyOperation, { rewriteAlways }: WritePolicy): Writing {
  return writes === 'append' && !rewriteAlways ? 'append' : 'rewrite';
}

/**
 * Returns why a signature of this input would not survive the operation, undefined if it survives. Appending keeps the
 * signed bytes, but a certified document allows at most changes to form fields and annotations (ISO 32000-2, table
 * 257), and most operations change more.
 */
function breakReason(
  operation: AnyOperation,
  policy: WritePolicy,
  { signed, certified, repaired }: SignatureFacts,
): string | undefined {
  const { writes } = operation;
  if (!signed) return undefined;
  if (repaired === true) return 'the file is damaged and can only be rewritten';
  if (writes === undefined) return undefined;
  if (writes === 'rewrite') return 'it writes every byte again';
  if (writes === 'assemble') return 'it creates a new document from the pages';
  if (writingOf(operation, policy) === 'rewrite')
    return 'the setting document.write requires that every document is rewritten';
  if (certified !== undefined && (operation.certified === undefined || operation.certified > certified))
    return `the signature does not allow this change (DocMDP, level ${certified})`;
  return undefined;
}

/**
 * True if a signed input was only appended to, with a change that signatures do not allow: its signed bytes are there,
 * and validators that compare the revisions report what was changed after signing (ETSI TS 119 102-1, ISO 32000-2,
 * 12.8.2.2).
 */
export function changesSigned(
  operation: AnyOperation,
  policy: WritePolicy,
  signatures: readonly SignatureFacts[],
): boolean {
  return (
    writingOf(operation, policy) === 'append' &&
    operation.certified === undefined &&
    signatures.some((facts) => facts.signed && breakReason(operation, policy, facts) === undefined)
  );
}

/** True if a signature of one of the inputs does not survive. */
export function breaksSignature(
  operation: AnyOperation,
  policy: WritePolicy,
  signatures: readonly SignatureFacts[],
): boolean {
  return signatures.some((facts) => breakReason(operation, policy, facts) !== undefined);
}

/**
 * Rejects inputs whose signatures would not survive, unless the policy or the operation's purpose allows it. Error:
 * PDF_SIGNED.
 */
export function refuseSigned(
  operation: AnyOperation,
  policy: WritePolicy,
  signatures: readonly SignatureFacts[],
): void {
  if (policy.signedInput !== 'refuse' || operation.signedInput === 'allowed') return;
  for (const facts of signatures) {
    const reason = breakReason(operation, policy, facts);
    if (reason !== undefined)
      throw new InputError('PDF_SIGNED', { field: 'fileInput', operation: `/api/v1/${operation.path}`, reason });
  }
}

/** A run and its files; `signatures` are in the order of the files. */
export interface SignedRun {
  readonly operation: AnyOperation;
  readonly policy: WritePolicy;
  readonly files: readonly WireFile[];
  readonly signatures: readonly SignatureFacts[];
  /** True for a file to which nothing can be appended. */
  needsRepair(file: WireFile): Promise<boolean>;
}

/**
 * Checks that the PDFs made from signed inputs whose signatures survive begin with every byte of the input, and returns
 * the updated facts about the signatures. Errors: PDF_SIGNED if a damaged input was rewritten; CONTRACT_BROKEN
 * otherwise.
 */
export async function checkSignedBytes(
  { operation, policy, files, signatures, needsRepair }: SignedRun,
  { outputs, sources }: Pick<RawOutcome, 'outputs' | 'sources'>,
): Promise<readonly SignatureFacts[]> {
  const known = [...signatures];
  // Files found inside a document are not versions of it.
  if (fileReturns(operation)?.kind === 'any') return known;
  for (const [i, output] of outputs.entries()) {
    const source = sources[i];
    const facts = source === undefined ? undefined : known[source];
    const input = source === undefined ? undefined : files[source];
    if (
      source === undefined ||
      facts?.signed !== true ||
      input === undefined ||
      output.kind !== 'pdf' ||
      breakReason(operation, policy, facts) !== undefined
    )
      continue;
    if (await beginsWith(output.path, input.path)) continue;
    if (!(await needsRepair(input)))
      throw new DefectError('CONTRACT_BROKEN', {
        operation: operation.path,
        detail: 'changed bytes of a signed document to which it should append',
      });
    known[source] = { ...facts, repaired: true };
  }
  refuseSigned(operation, policy, known);
  return known;
}

const PIECE = 1024 * 1024;

/** True if a file begins with all bytes of another; both are read in chunks. */
async function beginsWith(path: string, start: string): Promise<boolean> {
  if (path === start) return true;
  const handles: FileHandle[] = [];
  try {
    for (const name of [path, start]) handles.push(await open(name, 'r'));
    const [whole, front] = handles as [FileHandle, FileHandle];
    const size = (await front.stat()).size;
    if ((await whole.stat()).size < size) return false;
    const pieces = [Buffer.allocUnsafe(PIECE), Buffer.allocUnsafe(PIECE)] as const;
    for (let at = 0; at < size; at += PIECE) {
      const length = Math.min(PIECE, size - at);
      const read = await Promise.all([readAll(whole, pieces[0], length, at), readAll(front, pieces[1], length, at)]);
      if (read.includes(false) || pieces[0].compare(pieces[1], 0, length, 0, length) !== 0) return false;
    }
    return true;
  } finally {
    for (const handle of handles) await handle.close();
  }
}

/** Fills the start of a buffer; returns false if the file ends earlier. */
async function readAll(file: FileHandle, target: Buffer, length: number, position: number): Promise<boolean> {
  for (let done = 0; done < length;) {
    const { bytesRead } = await file.read(target, done, length - done, position + done);
    if (bytesRead === 0) return false;
    done += bytesRead;
  }
  return true;
}

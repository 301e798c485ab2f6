import { open, type FileHandle } from 'node:fs/promises';
import { DefectError, InputError, fileReturns, type AnyOperation, type RunContext } from '@quire/registry';
import type { RawOutcome } from './operation-run.js';
import type { WritePolicy } from '../workers/protocol.js';
import type { SignatureFacts, WireFile } from '../workers/wire-file.js';

/** How a run may write (`RunContext.writing`). */
export type Writing = RunContext['writing'];

/** How this operation writes here: it appends where its declaration and the settings allow. */
export function writingOf({ writes }: AnyOperation, { rewriteAlways }: WritePolicy): Writing {
  return writes === 'append' && !rewriteAlways ? 'append' : 'rewrite';
}

/**
 * Says why a signature of this input would not survive the operation, or undefined when it does. Appending leaves the
 * signed bytes as they are; but a certified document allows at most form fields and annotations to change (ISO 32000-2,
 * table 257), and most operations change more.
 */
export function breakReason(
  operation: AnyOperation,
  policy: WritePolicy,
  { signed, certified, repaired }: SignatureFacts,
): string | undefined {
  const { writes } = operation;
  if (!signed) return undefined;
  if (repaired === true) return 'the file is damaged and can only be rewritten';
  if (writes === undefined) return undefined;
  if (writes === 'rewrite') return 'it writes every byte again';
  if (writes === 'assemble') return 'it makes a new document of the pages';
  if (writingOf(operation, policy) === 'rewrite')
    return 'the setting document.write demands that every document is rewritten';
  if (certified !== undefined && (operation.certified === undefined || operation.certified > certified))
    return `the signature allows no such change (DocMDP, level ${certified})`;
  return undefined;
}

/** True when a signature of one of the inputs does not survive. */
export function breaksSignature(
  operation: AnyOperation,
  policy: WritePolicy,
  signatures: readonly SignatureFacts[],
): boolean {
  return signatures.some((facts) => breakReason(operation, policy, facts) !== undefined);
}

/**
 * Refuses inputs whose signatures would not survive, unless the policy or the operation's purpose allows it. Error:
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

/** What was run, over which files. `signatures` are those of the files, in their order. */
export interface SignedRun {
  readonly operation: AnyOperation;
  readonly policy: WritePolicy;
  readonly files: readonly WireFile[];
  readonly signatures: readonly SignatureFacts[];
  /** True for a file that nothing can be appended to. */
  needsRepair(file: WireFile): Promise<boolean>;
}

/**
 * Proves that the PDFs made of signed inputs whose signatures survive begin with every byte of the input, and gives
 * what is known of the signatures now. Errors: PDF_SIGNED for a damaged input that was rewritten; CONTRACT_BROKEN
 * for another.
 */
export async function checkSignedBytes(
  { operation, policy, files, signatures, needsRepair }: SignedRun,
  { outputs, sources }: Pick<RawOutcome, 'outputs' | 'sources'>,
): Promise<readonly SignatureFacts[]> {
  const known = [...signatures];
  // What was found within a document is none of its versions.
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
        detail: 'changed bytes of a signed document that it was to append to',
      });
    known[source] = { ...facts, repaired: true };
  }
  refuseSigned(operation, policy, known);
  return known;
}

const PIECE = 1024 * 1024;

/** True when a file begins with all bytes of another; both are read piece by piece. */
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

/** Fills the front of a buffer; false when the file ends before. */
async function readAll(file: FileHandle, target: Buffer, length: number, position: number): Promise<boolean> {
  for (let done = 0; done < length;) {
    const { bytesRead } = await file.read(target, done, length - done, position + done);
    if (bytesRead === 0) return false;
    done += bytesRead;
  }
  return true;
}

import type { CorpusCall } from './calls.js';
import { type InputFacts, type OutputCheck, TIME_MS } from './check-output.js';
import type { CorpusFile } from './corpus-files.js';

/** A row of the full table. */
export interface CorpusRow {
  readonly file: string;
  readonly fileClass: string;
  readonly operation: string;
  /** HTTP status; 0 when there was no answer. */
  readonly status: number;
  readonly code: string;
  readonly ms: number;
  readonly pagesIn: number | undefined;
  readonly pagesOut: number | undefined;
  readonly qpdf: string;
  /** Reason, or empty when the rules are met. */
  readonly fault: string;
  readonly note: string;
}

/** An answer of the server. */
export interface Answer {
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly ms: number;
  readonly sent: number;
  readonly received: number;
  readonly check?: OutputCheck;
}

/** A call that takes longer counts as a hang. */
export const HANG_MS = 30_000;

/** The message without its position and severity. */
const complaint = (message: string): string =>
  message.replace(/^.*?(?=\b(?:item|stream|error|object of|ignoring)\b)/, '').replace(/\d+/g, '#');

const isUnreadable = (verdict: string): boolean => verdict === 'broken' || verdict === 'time limit';

/** Compares an answer with the rules for the file's class; returns the reason of a fault, or the empty string. */
export function judge(file: CorpusFile, call: CorpusCall, answer: Answer, input?: InputFacts): string {
  const { status, code, check, ms } = answer;
  if (status === 0) return 'no answer';
  if (ms > HANG_MS) return 'hang';
  if (status >= 500) return `${status} ${code}`;
  if (status === 429) return '429: the server was too busy';
  if (status >= 400) return refusalFault(file, call, code, input);
  if (status === 204)
    return call.mayDrop === true || (input !== undefined && input.pages !== file.pages) ? '' : '204 without a reason';
  if (check === undefined) return call.other === true && answer.received === 0 ? 'an empty answer' : '';
  if (call.operation === 'compress' && answer.received > answer.sent) return 'larger than the input';
  if (call.path.startsWith('filter/')) return check.verdict === 'same bytes' ? '' : 'not the bytes that were sent';
  return outputFault(file, call, check, input);
}

function outputFault(
  file: CorpusFile,
  call: CorpusCall,
  check: NonNullable<Answer['check']>,
  input: InputFacts | undefined,
): string {
  // The input needs seconds too (a picture of thousands of channels), and the output may contain it several times.
  if (check.verdict === 'time limit' && input !== undefined && input.ms > TIME_MS / 6) return '';
  if (isUnreadable(check.verdict)) {
    // A stream that cannot be decoded in the input (its key is lost) cannot be decoded in the output either.
    return file.fileClass !== 'good' &&
      input !== undefined &&
      (isUnreadable(input.verdict) || complaint(input.message) === complaint(check.message))
      ? ''
      : `output ${check.verdict}`;
  }
  if (check.verdict === 'same bytes') return '';
  // Pages that only other readers find stay unreachable, unless the operation repairs.
  if (file.fileClass !== 'good')
    return check.pages > 0 || (call.repairs !== true && (input?.pages === 0 || input?.listed === 0))
      ? ''
      : 'output without pages';
  if (file.needsPassword && call.opens !== true) return 'opened without its password';
  if (call.expectedRefusal !== undefined) return `not rejected with ${call.expectedRefusal}`;
  if (call.pages === undefined || file.pages === undefined) return '';
  const expected = call.pages(file.pages);
  if (check.pages === expected) return '';
  // The manifest has the number from /Count where the two programs agreed on it; the reachable pages count.
  if (input !== undefined && check.pages === call.pages(input.pages)) return '';
  return `${check.pages} pages instead of ${expected}`;
}

function refusalFault(file: CorpusFile, call: CorpusCall, code: string, input: InputFacts | undefined): string {
  if (code === '') return 'a 4xx without a code';
  if (file.fileClass !== 'good') return '';
  if (file.needsPassword && call.raw !== true && call.opens !== true)
    return code === 'PDF_ENCRYPTED' ? '' : `${code} instead of PDF_ENCRYPTED`;
  if (code === 'PDF_SIGNED' && file.signed) return '';
  if (code === 'PAGES_NONE_LEFT' && call.operation === 'remove page 1' && input?.pages === 1) return '';
  return code === call.expectedRefusal || call.mayRefuse?.includes(code) === true ? '' : `good file rejected: ${code}`;
}

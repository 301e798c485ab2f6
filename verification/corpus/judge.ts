import type { CorpusCall } from './calls.js';
import type { InputFacts, OutputCheck } from './check-output.js';
import type { CorpusFile } from './corpus-files.js';

/** One line of the full table. */
export interface CorpusRow {
  readonly file: string;
  readonly fileClass: string;
  readonly operation: string;
  /** HTTP status; 0 when no answer came. */
  readonly status: number;
  readonly code: string;
  readonly ms: number;
  readonly pagesIn: number | undefined;
  readonly pagesOut: number | undefined;
  readonly qpdf: string;
  /** Empty when the rules are kept, else the reason. */
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

/** A call that takes longer has hung. */
export const HANG_MS = 30_000;

/** What is complained of, without the place and the gravity. */
const complaint = (message: string): string =>
  message.replace(/^.*?(?=\b(?:item|stream|error|object of|ignoring)\b)/, '').replace(/\d+/g, '#');

const isUnreadable = (verdict: string): boolean => verdict === 'broken' || verdict === 'time limit';

/** Holds an answer against the rules for the file's class; gives the reason of a fault, or nothing. */
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
  if (check.verdict === 'broken' || check.verdict === 'time limit') {
    // What cannot be decoded in the input (a stream under a lost key) cannot be decoded in the output.
    return file.fileClass !== 'good' &&
      input !== undefined &&
      (isUnreadable(input.verdict) || complaint(input.message) === complaint(check.message))
      ? ''
      : `output ${check.verdict}`;
  }
  if (check.verdict === 'same bytes') return '';
  // What only other readers find pages in stays so, unless repairing was asked for.
  if (file.fileClass !== 'good')
    return check.pages > 0 || (call.repairs !== true && (input?.pages === 0 || input?.listed === 0))
      ? ''
      : 'output without pages';
  if (file.needsPassword && call.opens !== true) return 'opened without its password';
  if (call.expectedRefusal !== undefined) return `not refused with ${call.expectedRefusal}`;
  if (call.pages === undefined || file.pages === undefined) return '';
  const expected = call.pages(file.pages);
  if (check.pages === expected) return '';
  // The manifest took the number from /Count where the two programs did; what counts is what can be reached.
  if (input !== undefined && check.pages === call.pages(input.pages)) return '';
  return `${check.pages} pages instead of ${expected}`;
}

function refusalFault(file: CorpusFile, call: CorpusCall, code: string, input: InputFacts | undefined): string {
  if (code === '') return 'a refusal without a code';
  if (file.fileClass !== 'good') return '';
  if (file.needsPassword && call.raw !== true && call.opens !== true)
    return code === 'PDF_ENCRYPTED' ? '' : `${code} instead of PDF_ENCRYPTED`;
  if (code === 'PDF_SIGNED' && file.signed) return '';
  if (code === 'PAGES_NONE_LEFT' && call.operation === 'remove page 1' && input?.pages === 1) return '';
  return code === call.expectedRefusal || call.mayRefuse?.includes(code) === true ? '' : `good file refused: ${code}`;
}

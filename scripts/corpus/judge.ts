import type { CorpusCall } from './calls.js';
import type { OutputCheck } from './check-output.js';
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

/** Holds an answer against the rules for the file's class; gives the reason of a fault, or nothing. */
export function judge(file: CorpusFile, call: CorpusCall, answer: Answer): string {
  const { status, code, check, ms } = answer;
  if (status === 0) return 'no answer';
  if (ms > HANG_MS) return 'hang';
  if (status >= 500) return `${status} ${code}`;
  if (status === 429) return '429: the server was too busy';
  if (status >= 400) return refusalFault(file, call, code);
  if (status === 204) return call.mayDrop === true ? '' : '204 without a reason';
  if (check === undefined) return '';
  if (call.operation === 'compress' && answer.received > answer.sent) return 'larger than the input';
  if (call.path.startsWith('filter/')) return check.verdict === 'same bytes' ? '' : 'not the bytes that were sent';
  if (check.verdict === 'broken' || check.verdict === 'time limit') return `output ${check.verdict}`;
  if (file.fileClass !== 'good') return check.pages > 0 ? '' : 'output without pages';
  if (file.needsPassword) return 'opened without its password';
  if (call.expectedRefusal !== undefined) return `not refused with ${call.expectedRefusal}`;
  return call.expectedPages === undefined || check.pages === call.expectedPages ? '' : `${check.pages} pages instead of ${call.expectedPages}`;
}

function refusalFault(file: CorpusFile, call: CorpusCall, code: string): string {
  if (code === '') return 'a refusal without a code';
  if (file.fileClass !== 'good') return '';
  if (file.needsPassword && call.raw !== true) return code === 'PDF_ENCRYPTED' ? '' : `${code} instead of PDF_ENCRYPTED`;
  return code === call.expectedRefusal ? '' : `good file refused: ${code}`;
}

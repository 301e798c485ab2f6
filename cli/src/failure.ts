/** Exit codes by kind of failure (docs/guides/command-line.md). */
export const EXIT = {
  failed: 1,
  usage: 2,
  refused: 3,
  file: 4,
  away: 5,
  forbidden: 6,
  unknown: 7,
  busy: 8,
  dropped: 9,
  interrupted: 130,
  closedPipe: 141,
} as const;

/** A failure that is reported as a text, without a stack. */
export class Failure extends Error {
  constructor(
    readonly exitCode: number,
    message: string,
    /** What to do next. */
    readonly hint?: string,
  ) {
    super(message);
  }
}

/** How the process ends for an error: the exit code, the lines that explain it, and the same as JSON. */
export interface Ending {
  readonly exitCode: number;
  readonly lines: readonly string[];
  readonly json: Readonly<Record<string, unknown>>;
}

/** The members of the client's errors that are read here; the client itself is loaded only when it is needed. */
interface ServerFault {
  readonly name: string;
  readonly message: string;
  readonly code?: string;
  readonly status?: number;
  readonly errors?: readonly { readonly pointer: string; readonly detail: string }[];
  readonly hint?: string;
  readonly requestId?: string;
  readonly path?: string;
  readonly dest?: string;
}

/** Explains any error. */
export function endingOf(error: unknown): Ending {
  const fault = (error ?? {}) as ServerFault;
  if (error instanceof Failure)
    return ending(error.exitCode, [error.message, ...hintOf(error.hint)], { hint: error.hint });
  // As a program ends that SIGPIPE kills: `quire … | head` is not a failure to talk about.
  if (fault.code === 'EPIPE') return ending(EXIT.closedPipe, [], {});
  if (fault.name === 'AbortError') return ending(EXIT.interrupted, ['Interrupted; nothing half-written was left.'], {});
  if (typeof fault.status === 'number') return refusal(fault, fault.status);
  if (fault.name === 'ConnectionError')
    return ending(
      EXIT.away,
      [fault.message, 'Is it running? `quire doctor` shows what is set; --local needs no server.'],
      {
        code: fault.code,
      },
    );
  if (typeof fault.code === 'string' && fault.code in FILE_FAULTS) {
    const path = fault.dest ?? fault.path;
    const text = `${path === undefined ? '' : `${path}: `}${FILE_FAULTS[fault.code]}`;
    return ending(EXIT.file, [text], { code: fault.code, path });
  }
  return ending(EXIT.failed, [fault.message ?? String(error)], { code: fault.code });
}

const FILE_FAULTS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or folder.',
  EACCES: 'you may not read or write this.',
  EPERM: 'you may not read or write this.',
  EISDIR: 'is a folder; name a file.',
  ENOTDIR: 'a part of this path is not a folder.',
  ENOSPC: 'the disk is full.',
  EDQUOT: 'your quota of the disk is used up.',
  EROFS: 'the disk is read-only.',
  EMFILE: 'too many open files.',
  ENAMETOOLONG: 'the name is too long.',
};

function refusal(fault: ServerFault, status: number): Ending {
  const { message, errors = [], hint, code, requestId } = fault;
  const details = errors
    .filter(({ detail }) => !message.includes(detail))
    .map(({ pointer, detail }) => `  ${pointer.slice(1)}: ${detail}`);
  const key = status === 401 ? ['Set QUIRE_API_KEY, or run: quire login'] : [];
  const lines = [message, ...details, ...hintOf(hint), ...key, `(${code ?? status}, call ${requestId ?? 'unknown'})`];
  return ending(exitCodeOf(status), lines, { code, status, errors, hint, requestId });
}

function exitCodeOf(status: number): number {
  if (status === 401 || status === 402 || status === 403) return EXIT.forbidden;
  if (status === 404 || status === 410) return EXIT.unknown;
  if (status === 409 || status === 429 || status === 503) return EXIT.busy;
  return status < 500 ? EXIT.refused : EXIT.failed;
}

function hintOf(hint: string | undefined): string[] {
  return hint === undefined ? [] : [hint];
}

function ending(exitCode: number, lines: readonly string[], members: Readonly<Record<string, unknown>>): Ending {
  return { exitCode, lines, json: { error: { message: lines[0], exitCode, ...members } } };
}

import { pino, type DestinationStream } from 'pino';

/** Lines may wait this long for others: a write costs more than all that makes a line. */
const GATHER_MS = 20;
/** More characters than these do not wait. */
const MOST_WAITING = 16 * 1024;
const WARN = pino.levels.values['warn'] ?? 0;

/** Where gathered lines are written to, as `pino.destination` makes it. */
export interface LineOutput {
  write(text: string): unknown;
  /** Writes what was passed to `write` before it returns. */
  flushSync(): void;
}

/** What still waits, for the end of the process. */
const waiting = new Set<() => void>();
process.prependListener('exit', () => waiting.forEach((write) => write()));

/**
 * Writes the lines of pino several at once. Warnings and errors do not wait, nor does anything when the process exits;
 * if it is killed, lines of the last moments are lost.
 */
export function gatherLines(output: LineOutput): DestinationStream & Pick<LineOutput, 'flushSync'> {
  let lines = '';
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    waiting.delete(flushAtExit);
    const text = lines;
    lines = '';
    if (text !== '') output.write(text);
  };
  const flushSync = (): void => {
    flush();
    output.flushSync();
  };
  const flushAtExit = (): void => {
    try {
      flushSync();
    } catch {
      // The reader of the log has ended.
    }
  };
  const stream = {
    // pino sets the level of each line.
    [pino.symbols.needsMetadataGsym]: true,
    lastLevel: 0,
    write: (line: string): void => {
      lines += line;
      if (stream.lastLevel >= WARN || lines.length > MOST_WAITING) return flush();
      if (timer !== undefined) return;
      timer = setTimeout(flush, GATHER_MS);
      waiting.add(flushAtExit);
    },
    flushSync,
  };
  return stream;
}

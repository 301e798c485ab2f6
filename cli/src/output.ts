import { createInterface } from 'node:readline/promises';

let quiet = false;

/** Turns notes and progress off. */
export function beQuiet(): void {
  quiet = true;
}

/** Prints a line for people; results go to standard output. */
export function note(line: string): void {
  if (!quiet) process.stderr.write(`${line}\n`);
}

export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

export function printJson(value: unknown): void {
  print(JSON.stringify(value, null, 2));
}

/** Whether progress can be drawn: never into a file, a pipe, or a terminal without control sequences. */
export function showsProgress(): boolean {
  return process.stderr.isTTY && !quiet && process.env['TERM'] !== 'dumb';
}

const USUAL_COLUMNS = 80;
const LONGEST_BAR = 24;
/** Deletes the line (ECMA-48 EL). */
const CLEAR = '\r\u001b[2K';
/** Around a line, so that wide characters in file names never wrap it (DECAWM). */
const [NO_WRAP, WRAP] = ['\u001b[?7l', '\u001b[?7h'];

/** Draws the progress of one call on one line; `text` undefined removes it. */
export function drawProgress(text: string | undefined, percent = 0): void {
  if (!showsProgress()) return;
  if (text === undefined) return void process.stderr.write(CLEAR);
  // A terminal that does not know its width says 0.
  const columns = process.stderr.columns || USUAL_COLUMNS;
  const bar = Math.min(LONGEST_BAR, Math.floor(columns / 4));
  const filled = Math.round((percent / 100) * bar);
  const line = `${'█'.repeat(filled)}${'░'.repeat(bar - filled)} ${String(percent).padStart(3)} % ${text}`;
  const shown = line.replaceAll(/\p{Cc}/gu, '?').slice(0, columns - 1);
  process.stderr.write(`${CLEAR}${NO_WRAP}${shown}${WRAP}`);
}

/** Whether somebody can answer a question. */
export function canAsk(): boolean {
  return process.stdin.isTTY && process.stderr.isTTY;
}

/** Asks a yes-or-no question; no where nobody can answer. */
export async function confirm(question: string): Promise<boolean> {
  if (!canAsk()) return false;
  return /^y(es)?$/i.test((await ask(`${question} [y/N] `)).trim());
}

/** Asks for a line; `hidden` does not show what is typed. */
export async function ask(question: string, { hidden = false } = {}): Promise<string> {
  const terminal = createInterface({
    input: process.stdin,
    output: hidden ? undefined : process.stderr,
    terminal: process.stdin.isTTY,
  });
  try {
    if (hidden) process.stderr.write(question);
    const line = await terminal.question(hidden ? '' : question);
    if (hidden) process.stderr.write('\n');
    return line;
  } finally {
    terminal.close();
  }
}

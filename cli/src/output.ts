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

/** Whether progress can be drawn: never into a file or a pipe. */
export function showsProgress(): boolean {
  return process.stderr.isTTY && !quiet;
}

const BAR = 24;

/** Draws the progress of one call on one line; `text` undefined removes it. */
export function drawProgress(text: string | undefined, percent = 0): void {
  if (!showsProgress()) return;
  const filled = Math.round((percent / 100) * BAR);
  const line =
    text === undefined
      ? ''
      : `${'█'.repeat(filled)}${'░'.repeat(BAR - filled)} ${String(percent).padStart(3)} % ${text}`;
  process.stderr.write(`\r\u001b[2K${line.slice(0, Math.max(20, process.stderr.columns - 1))}`);
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

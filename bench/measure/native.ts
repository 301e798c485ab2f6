import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { benchFolder } from './inputs.js';

/** Runs a program and waits for it. Throws when it is missing or fails. */
export function runProgram(program: string, args: readonly string[], cwd?: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: 'ignore', ...(cwd === undefined ? {} : { cwd }) });
    child.on('error', reject);
    child.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`${program} ended with ${code}`))));
  });
}

/** Arguments for Chromium to print a file, with an existing profile, as for somebody who uses it daily. */
export function printArguments(page: string, output: string, ...more: readonly string[]): string[] {
  return [
    '--headless',
    '--no-sandbox',
    '--disable-gpu',
    `--user-data-dir=${join(benchFolder, 'chromium-profile')}`,
    '--no-pdf-header-footer',
    ...more,
    `--print-to-pdf=${output}`,
    pathToFileURL(page).href,
  ];
}

import { spawn } from 'node:child_process';

/** Runs a program and waits for it. Throws when it is missing or fails. */
export function runProgram(program: string, args: readonly string[], cwd?: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: 'ignore', ...(cwd === undefined ? {} : { cwd }) });
    child.on('error', reject);
    child.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`${program} ended with ${code}`))));
  });
}

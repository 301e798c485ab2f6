import { expect } from 'chai';
import { execFile } from 'node:child_process';
import { DocumentError } from '../../../errors.js';

/** Runs a program in a folder and gives what it prints; rejects with what it complains of. */
export function run(program: string, folder: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = execFile(program, [...args], { cwd: folder }, (error, stdout, stderr) =>
      error === null
        ? resolve(stdout)
        : reject(new Error(`${program} ${args.join(' ')}: ${stderr || stdout || error.message}`)),
    );
    // A question that it asks has no answer.
    child.stdin?.end();
  });
}

/** True where a program is on PATH. */
export function isThere(program: string, ...args: readonly string[]): Promise<boolean> {
  return run(program, '/', args).then(
    () => true,
    (error: Error) => !error.message.includes('ENOENT'),
  );
}

/** Expects a coded refusal whose detail fits and which does not tell the password. */
export async function expectRefused(
  outcome: Promise<unknown> | (() => unknown),
  code: string,
  detail: RegExp = /./,
  secret?: string,
): Promise<DocumentError> {
  const error: unknown = await (typeof outcome === 'function' ? Promise.resolve().then(outcome) : outcome).then(
    () => undefined,
    (found: unknown) => found,
  );
  if (!(error instanceof DocumentError)) throw new Error(`expected ${code}, got ${String(error)}`, { cause: error });
  expect(error.code).to.equal(code);
  expect(String(error.data['detail'] ?? error.errors[0]?.detail)).to.match(detail);
  if (secret !== undefined) expect(JSON.stringify([error.message, error.data, error.errors])).not.to.include(secret);
  return error;
}

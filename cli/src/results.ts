import { existsSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as NodeStream } from 'node:stream/web';
import type { FileResult } from '@quire/client';
import { EXIT, Failure } from './failure.js';
import { canAsk, confirm, note } from './output.js';

/** Where results go. */
export interface Target {
  /** `-o`: a file, a folder, or `-` for standard output. Undefined: the working folder. */
  readonly output: string | undefined;
  readonly force: boolean;
}

/** A written result; without a path it went to standard output. */
export interface Written {
  readonly path: string | undefined;
  readonly name: string;
  readonly warnings: readonly string[];
  readonly report: Readonly<Record<string, unknown>>;
  readonly ignored: readonly string[];
  readonly replaced: readonly string[];
}

/** Checks a target before anything is sent. Several results need a folder. */
export function checkTarget({ output, force }: Target, several: boolean): void {
  if (output === undefined || output === '-') {
    if (output === '-' && several)
      throw new Failure(EXIT.usage, 'Several results cannot go to standard output.', 'Name a folder: -o results/');
    return;
  }
  if (isFolder(output)) {
    if (!existsSync(output)) throw new Failure(EXIT.file, `${output}: no such folder.`);
    return;
  }
  if (several)
    throw new Failure(
      EXIT.usage,
      `Several results need a folder, but "${output}" is not one.`,
      'Name a folder: -o results/',
    );
  if (!force && !canAsk() && existsSync(output)) throw exists(output);
  if (!existsSync(dirname(output))) throw new Failure(EXIT.file, `${dirname(output)}: no such folder.`);
}

function isFolder(path: string): boolean {
  return /[/\\]$/.test(path) || statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Writes a result; asks before it overwrites a file. */
export async function writeResult(result: FileResult, target: Target): Promise<Written> {
  const { name, warnings, report, ignored, replaced } = result;
  for (const warning of warnings) note(`Warning: ${warning}`);
  if (ignored.length > 0) note(`Not used: ${ignored.join(', ')}`);
  if (replaced.length > 0) note(`Replaced: ${replaced.join(', ')}`);
  const facts = { name, warnings, report, ignored, replaced };
  if (target.output === '-') {
    await pipeline(Readable.fromWeb(result.stream() as NodeStream<Uint8Array>), process.stdout, { end: false });
    return { path: undefined, ...facts };
  }
  const path = pathFor(name, target.output);
  if (existsSync(path) && !target.force && !(await confirm(`${path} exists. Overwrite it?`))) throw exists(path);
  return { path: await result.save(path), ...facts };
}

function exists(path: string): Failure {
  return new Failure(
    EXIT.file,
    `${path} exists and was not overwritten.`,
    'Use --force to overwrite, or -o for another name.',
  );
}

/** The name comes from the server: it must not lead out of the folder. */
function pathFor(name: string, output: string | undefined): string {
  const safe = basename(name.replaceAll('\\', '/')).replace(/^\.+$/, '') || 'result';
  if (output === undefined) return safe;
  return isFolder(output) ? join(output, safe) : output;
}

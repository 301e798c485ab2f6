import { globSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { EXIT, Failure } from './failure.js';

/** A document of a call: a path, or standard input. */
export type CommandInput = { readonly path: string } | { readonly data: Buffer; readonly name: string };

/**
 * Returns the documents that arguments name: files, folders (their files of these types), patterns (`*.pdf`, for shells
 * that do not expand them), and `-` for standard input. Throws a Failure for what does not exist.
 */
export async function openInputs(args: readonly string[], extensions: readonly string[]): Promise<CommandInput[]> {
  const inputs: CommandInput[] = [];
  for (const arg of args) {
    if (arg === '-') inputs.push(await standardInput(extensions));
    else inputs.push(...pathsOf(arg, extensions).map((path) => ({ path })));
  }
  return inputs;
}

function pathsOf(arg: string, extensions: readonly string[]): string[] {
  const found = statSync(arg, { throwIfNoEntry: false });
  if (found?.isDirectory() === true) return inFolder(arg, extensions);
  if (found !== undefined) return [arg];
  const matches = /[*?[{]/.test(arg) ? globSync(arg).sort() : [];
  if (matches.length === 0)
    throw new Failure(
      EXIT.file,
      `${arg}: ${/[*?[{]/.test(arg) ? 'no file has a name like this.' : 'no such file or folder.'}`,
    );
  return matches.filter((path) => statSync(path).isFile());
}

function inFolder(folder: string, extensions: readonly string[]): string[] {
  const files = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map(({ name }) => name)
    .filter((name) => extensions.length === 0 || extensions.some((extension) => name.toLowerCase().endsWith(extension)))
    .sort();
  if (files.length === 0)
    throw new Failure(
      EXIT.file,
      `${folder}: the folder has no file of a type that is accepted (${extensions.join(' ')}).`,
    );
  return files.map((name) => join(folder, name));
}

async function standardInput(extensions: readonly string[]): Promise<CommandInput> {
  if (process.stdin.isTTY)
    throw new Failure(
      EXIT.usage,
      '"-" reads standard input, but that is the terminal.',
      'Pipe a file: cat in.pdf | quire …',
    );
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  const data = Buffer.concat(chunks);
  const isPdf = data.subarray(0, 1024).includes('%PDF-');
  return { data, name: `document${isPdf ? '.pdf' : (extensions[0] ?? '')}` };
}

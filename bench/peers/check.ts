import { execFile } from 'node:child_process';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const MB = 1024 * 1024;

/** Programs that print something of a file. Only mutool joins the letters of turned words. */
const READERS = {
  pdftotext: (file: string) => [file, '-'],
  pdfinfo: (file: string) => [file],
  mutool: (file: string) => ['draw', '-F', 'txt', file],
} as const;

/** What the result of a job must be, whoever made it. */
export type ResultCheck =
  | {
      readonly kind: 'pdf';
      readonly files: number;
      /** Pages of all files together, or at least one page where layout decides. */
      readonly pages: number | 'some';
      readonly password?: string;
      /** A word that a reader must find. */
      readonly contains?: { readonly by: keyof typeof READERS; readonly text: string };
      readonly mostBytes?: number;
    }
  | { readonly kind: 'png'; readonly files: number }
  | { readonly kind: 'text'; readonly contains: string };

/** Writes an answer into a folder; a ZIP archive is unpacked. */
export async function placeAnswer(folder: string, answer: Buffer, kind: ResultCheck['kind']): Promise<void> {
  const isZip = answer.subarray(0, 4).toString('latin1') === 'PK\u0003\u0004';
  const path = join(folder, isZip ? 'answer.zip' : `answer.${kind === 'text' ? 'txt' : kind}`);
  await writeFile(path, answer);
  if (isZip) await run('unzip', ['-q', path, '-d', folder]);
}

/** Checks the results in a folder with programs that have no part in our code. Throws when they are not as wanted. */
export async function checkResults(folder: string, check: ResultCheck): Promise<void> {
  const ending = check.kind === 'text' ? '.txt' : `.${check.kind}`;
  const found = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith(ending));
  const paths = found.map((name) => join(folder, name));
  const wanted = check.kind === 'text' ? 1 : check.files;
  if (paths.length !== wanted) throw new Error(`${paths.length} files ${ending} instead of ${wanted}`);
  for (const path of paths) if ((await stat(path)).size === 0) throw new Error(`${path} is empty`);
  if (check.kind === 'pdf') await checkPdfs(paths, check);
  if (check.kind === 'text') {
    const text = await readFile(paths[0] ?? '', 'utf8');
    if (!text.includes(check.contains)) throw new Error(`the text has no "${check.contains}"`);
  }
  if (check.kind === 'png') for (const path of paths) await checkPng(path);
}

async function checkPdfs(
  paths: readonly string[],
  { pages, password, contains, mostBytes }: Extract<ResultCheck, { kind: 'pdf' }>,
): Promise<void> {
  let total = 0;
  for (const path of paths) {
    if ((await isEncrypted(path)) !== (password !== undefined))
      throw new Error(`${path} is ${password === undefined ? '' : 'not '}encrypted`);
    const { stdout } = await run('qpdf', [
      ...(password === undefined ? [] : [`--password=${password}`]),
      '--show-npages',
      path,
    ]);
    total += Number(stdout);
  }
  if (pages === 'some' ? total < 1 : total !== pages) throw new Error(`${total} pages instead of ${pages}`);
  const [first = ''] = paths;
  const { size } = await stat(first);
  if (mostBytes !== undefined && size > mostBytes)
    throw new Error(`${(size / MB).toFixed(1)} MB instead of at most ${(mostBytes / MB).toFixed(1)} MB`);
  if (contains === undefined) return;
  const { stdout } = await run(contains.by, READERS[contains.by](first), { maxBuffer: 64 * MB });
  if (!stdout.includes(contains.text)) throw new Error(`${contains.by} does not find "${contains.text}" in ${first}`);
}

/** Exit code 0 of `qpdf --is-encrypted` means encrypted, 2 not. */
function isEncrypted(path: string): Promise<boolean> {
  return run('qpdf', ['--is-encrypted', path]).then(
    () => true,
    (error: unknown) => {
      if ((error as { code?: unknown }).code === 2) return false;
      throw error;
    },
  );
}

async function checkPng(path: string): Promise<void> {
  const head = (await readFile(path)).subarray(0, 8).toString('latin1');
  if (head !== '\u0089PNG\r\n\u001a\n') throw new Error(`${path} is not a PNG image`);
}

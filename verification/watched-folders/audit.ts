import { execFile } from 'node:child_process';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { FolderName, TestFile } from './file-mix.js';

/** Outcome of all files. */
export interface Audit {
  readonly done: number;
  readonly failed: number;
  readonly outputs: number;
  readonly outputPages: number;
  /** Runs that were started more than once, according to their reports. */
  readonly againByKill: number;
  /** Seconds from the end of writing to the report, sorted. */
  readonly waits: readonly number[];
  readonly problems: readonly string[];
}

interface Report {
  readonly status: string;
  readonly input: string;
  readonly outputs: readonly string[];
  readonly attempts: number;
  readonly run: string;
  readonly endedAt: string;
}

const run = promisify(execFile);
const SUFFIX = '.report.json';

/**
 * Checks every file in the folders: each input exists once, with its bytes and a report; each page of a processed input
 * is in the outputs once, and no other page is.
 */
export async function audit(
  files: readonly TestFile[],
  watched: string,
  finished: string,
  writtenAt: ReadonlyMap<number, number>,
): Promise<Audit> {
  const problems: string[] = [];
  const ends = new Map<number, Report>();
  const named = new Set<string>();
  for (const folder of new Set(files.map((file) => file.folder)))
    await auditFolder(
      join(watched, folder),
      files.filter((file) => file.folder === folder),
      ends,
      named,
      problems,
    );
  const reports = [...ends.values()];
  const lying = (await readdir(finished, { recursive: true, withFileTypes: true }).catch(() => []))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  for (const path of lying) if (!named.has(path)) problems.push(`an output that no report names: ${path}`);
  for (const path of named)
    if (!lying.includes(path)) problems.push(`a report names an output that does not exist: ${path}`);
  // A file whose writer paused may be processed half-written and repaired; the pages of its outputs are then not
  // checked, but the file must still exist once.
  const open = new Set(
    files.filter(({ nature }) => nature === 'paused').flatMap(({ number }) => ends.get(number)?.outputs ?? []),
  );
  const outputPages = await auditPages(
    files.filter(({ number }) => ends.get(number)?.status === 'done'),
    lying,
    open,
    problems,
  );
  const waits = files.flatMap(({ number, nature }) => {
    const end = ends.get(number);
    const written = writtenAt.get(number);
    return end === undefined || written === undefined || nature === 'paused'
      ? []
      : [(Date.parse(end.endedAt) - written) / 1000];
  });
  return {
    done: reports.filter(({ status }) => status === 'done').length,
    failed: reports.filter(({ status }) => status === 'failed').length,
    outputs: lying.length,
    outputPages,
    againByKill: new Set(reports.filter(({ attempts }) => attempts > 1).map(({ run: id }) => id)).size,
    waits: waits.sort((a, b) => a - b),
    problems,
  };
}

async function auditFolder(
  folder: string,
  files: readonly TestFile[],
  ends: Map<number, Report>,
  named: Set<string>,
  problems: string[],
): Promise<void> {
  const stray = (await readdir(folder, { withFileTypes: true }))
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.json'))
    .map(({ name }) => name);
  for (const name of stray) problems.push(`still in the watched folder: ${JSON.stringify(name)}`);
  for (const name of await readdir(join(folder, 'processing')).catch(() => []))
    if (!name.startsWith('.')) problems.push(`still in processing: ${name}`);
  const seen = new Map<string, string[]>();
  for (const end of ['done', 'failed'] as const) {
    const names = await readdir(join(folder, end)).catch(() => []);
    for (const name of names) {
      if (name.startsWith('.')) problems.push(`left over: ${end}/${name}`);
      if (!name.endsWith(SUFFIX)) {
        seen.set(name, [...(seen.get(name) ?? []), end]);
        continue;
      }
      const report = JSON.parse(await readFile(join(folder, end, name), 'utf8')) as Report;
      const file = files.find(({ name: input }) => input === report.input);
      if (file === undefined || ends.has(file.number)) problems.push(`an unexpected report: ${end}/${name}`);
      else ends.set(file.number, report);
      if (report.status !== end) problems.push(`${end}/${name} says ${report.status}`);
      for (const path of report.outputs) named.add(path);
    }
  }
  for (const file of files) {
    const where = seen.get(file.name) ?? [];
    seen.delete(file.name);
    if (where.length !== 1)
      problems.push(
        `${JSON.stringify(file.name.slice(0, 40))} (${file.nature}) is in ${where.length} of the folders done ` +
          'and failed',
      );
    const [end] = where;
    if (end === undefined) continue;
    if (file.expected !== 'either' && end !== file.expected)
      problems.push(`${JSON.stringify(file.name.slice(0, 40))} (${file.nature}) is in ${end}`);
    if (!ends.has(file.number)) problems.push(`${JSON.stringify(file.name.slice(0, 40))} has no report`);
    if (!(await readFile(join(folder, end, file.name))).equals(file.bytes))
      problems.push(`${JSON.stringify(file.name.slice(0, 40))} does not have the bytes of the input`);
  }
  for (const name of seen.keys()) problems.push(`not an input of the test: ${JSON.stringify(name)}`);
}

/** Checks that each page of each processed file is in the outputs once. Returns the number of pages. */
async function auditPages(
  done: readonly TestFile[],
  outputs: readonly string[],
  open: ReadonlySet<string>,
  problems: string[],
): Promise<number> {
  const missing = new Set(
    done.flatMap(({ number, pages }) => Array.from({ length: pages }, (_, page) => `file ${number} page ${page + 1}`)),
  );
  let pages = 0;
  for (const path of outputs) {
    const { stdout } = await run('pdftotext', [path, '-']).catch((error: unknown) => ({
      stdout: `unreadable ${String(error)}`,
    }));
    const texts = stdout
      .split('\f')
      .map((text) => text.trim())
      .filter((text) => text !== '');
    if (texts.length === 0 && !open.has(path)) problems.push(`an output without pages: ${path}`);
    for (const text of texts)
      if (!missing.delete(text)) problems.push(`an unexpected page, "${text.slice(0, 60)}", in ${path}`);
    pages += texts.length;
  }
  const paused = new Set(done.filter(({ nature }) => nature === 'paused').map(({ number }) => `file ${number}`));
  for (const text of missing)
    if (!paused.has(text.replace(/ page \d+$/, '')))
      problems.push(`a page of a processed file is in no output: ${text}`);
  return pages;
}

/** Returns the watched folder of a pipeline. */
export function folderOf(watched: string, name: FolderName): string {
  return join(watched, name);
}

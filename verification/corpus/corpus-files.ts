import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';

/** Condition of a file, according to two third-party programs. */
export type FileClass = 'good' | 'warn' | 'bad' | 'unknown';

/** A PDF of a folder with the facts of its manifest. */
export interface CorpusFile {
  /** Path relative to the folder. */
  readonly name: string;
  readonly path: string;
  readonly fileClass: FileClass;
  /** Undefined when no program could count them. */
  readonly pages: number | undefined;
  readonly encrypted: boolean;
  readonly needsPassword: boolean;
  /** A password that opens the file, if known; undefined when it has none or the empty one. */
  readonly password?: string;
  /** The file has signatures, which most operations would break. */
  readonly signed: boolean;
  /** In bytes; this and the next members come from the manifest. */
  readonly size?: number;
  readonly features?: readonly string[];
}

/** Finds the PDFs in a folder; its `manifest.csv` (file, class, pages, encrypted, needs_password) describes them. */
export async function corpusFiles(folder: string): Promise<CorpusFile[]> {
  const manifest = await readFile(join(folder, 'manifest.csv'), 'utf8').catch(() => undefined);
  if (manifest !== undefined) {
    const files = parseCsv(manifest)
      .map((row) => fileOf(folder, row))
      .filter((file) => file.name !== '');
    const there = await Promise.all(
      files.map(({ path }) =>
        stat(path).then(
          (found) => found.isFile(),
          () => false,
        ),
      ),
    );
    return files.filter((_, i) => there[i]);
  }
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  return found
    .filter((entry) => entry.isFile() && /\.pdf$/i.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((path) => ({
      name: relative(folder, path),
      path,
      fileClass: 'unknown',
      pages: undefined,
      encrypted: false,
      needsPassword: false,
      signed: false,
    }));
}

function fileOf(folder: string, row: Readonly<Record<string, string>>): CorpusFile {
  const name = row['file'] ?? '';
  const fileClass = row['class'];
  const pages = row['pages'] ?? '';
  return {
    name,
    path: join(folder, name),
    fileClass: fileClass === 'good' || fileClass === 'warn' || fileClass === 'bad' ? fileClass : 'unknown',
    pages: pages === '' ? undefined : Number(pages),
    encrypted: row['encrypted'] === 'yes',
    needsPassword: row['needs_password'] === 'yes',
    ...(row['password'] === undefined || row['password'] === '' ? {} : { password: row['password'] }),
    // The program that created the manifest missed the signatures of two files.
    signed: Number(row['signed'] ?? 0) > 0 || (row['features'] ?? '').split(' ').includes('field-sig'),
    ...(row['size'] === undefined || row['size'] === '' ? {} : { size: Number(row['size']) }),
    features: (row['features'] ?? '').split(' '),
  };
}

/** Parses comma-separated values with a header line (RFC 4180). */
export function parseCsv(text: string): Record<string, string>[] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^,\r\n]*))(,|\r?\n|$)/g)) {
    row.push(quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'));
    if (end === ',') continue;
    if (row.length > 1 || row[0] !== '') rows.push(row);
    row = [];
  }
  const head = rows.shift() ?? [];
  return rows.map((cells) => Object.fromEntries(head.map((name, i) => [name, cells[i] ?? ''])));
}

/** Quotes a value as a CSV cell. */
export function csvCell(value: string | number): string {
  const text = String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

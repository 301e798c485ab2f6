import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';

/** How good a file is, by two programs that are not ours. */
export type FileClass = 'good' | 'warn' | 'bad' | 'unknown';

/** A PDF of a folder, with what its manifest says. */
export interface CorpusFile {
  /** Path below the folder. */
  readonly name: string;
  readonly path: string;
  readonly fileClass: FileClass;
  /** Undefined where nobody could count. */
  readonly pages: number | undefined;
  readonly encrypted: boolean;
  readonly needsPassword: boolean;
  /** One that opens it, where one is known; undefined for none or the empty one. */
  readonly password?: string;
  /** Carries signatures, which most operations would break. */
  readonly signed: boolean;
  /** In bytes, and what the manifest knows that the file has, where there is one. */
  readonly size?: number;
  readonly features?: readonly string[];
}

/**
 * Finds the PDFs below a folder; `manifest.csv` there (file, class, pages, encrypted, needs_password) tells about them.
 */
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
    // Two files hold signatures that the manifest's reader did not count.
    signed: Number(row['signed'] ?? 0) > 0 || (row['features'] ?? '').split(' ').includes('field-sig'),
    ...(row['size'] === undefined || row['size'] === '' ? {} : { size: Number(row['size']) }),
    features: (row['features'] ?? '').split(' '),
  };
}

/** Reads comma-separated values with a head line (RFC 4180). */
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

/** Writes a value as one cell. */
export function csvCell(value: string | number): string {
  const text = String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A row of the corpus's manifest. */
export interface CorpusFile {
  readonly file: string;
  readonly path: string;
  readonly class: 'good' | 'warn' | 'bad';
  readonly pages: number;
  readonly encrypted: boolean;
  readonly needsPassword: boolean;
  /** Empty where no password is needed or known. */
  readonly password: string;
  /** Number of signatures that another reader counts. */
  readonly signatures: number;
}

const folder = process.env['QUIRE_CORPUS'] ?? new URL('../../../../../shared/corpus', import.meta.url).pathname;

/** True when the corpus of real PDFs is installed. */
export const hasCorpus = existsSync(join(folder, 'manifest.csv'));

/** Rows of the manifest whose files exist. */
export function corpusFiles(): CorpusFile[] {
  const [head, ...lines] = readFileSync(join(folder, 'manifest.csv'), 'utf8').trim().split('\n').map(cells);
  const at = (row: readonly string[], name: string): string => row[head?.indexOf(name) ?? -1] ?? '';
  return lines.map((row) => ({
    file: at(row, 'file'),
    path: join(folder, at(row, 'file')),
    class: at(row, 'class') as CorpusFile['class'],
    pages: Number(at(row, 'pages')),
    encrypted: at(row, 'encrypted') === 'yes',
    needsPassword: at(row, 'needs_password') === 'yes',
    password: at(row, 'password').replace('(unknown)', ''),
    signatures: Number(at(row, 'signed')),
  }));
}

function cells(line: string): string[] {
  return [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)].map(([, cell = '']) =>
    cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell,
  );
}

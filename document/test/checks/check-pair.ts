import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mergePdfs } from '../../structure/merge/index.js';
import { openPdf } from '../../file/open/index.js';
import { walkPages } from '../../structure/pages/index.js';
import { lostInMerge } from './compare.js';
import { graphOf } from './graph.js';
import { pictureHashes } from './pictures.js';
import { type Portrait, portraitOf } from './portrait.js';

/** A source of pairs with the expected content of its merges. */
export interface PairSource {
  readonly file: string;
  readonly bytes: Uint8Array;
  readonly portrait: Portrait;
  readonly pictures: readonly string[];
}

/** Reads a file once for all of its pairs. */
export async function pairSource(file: string, path: string): Promise<PairSource> {
  const bytes = readFileSync(path);
  const { document, pages } = await openPdf(bytes);
  const portrait = portraitOf(document.context, pages);
  return { file, bytes, portrait, pictures: await pictureHashes(bytes, pages.length) };
}

/** Merges two files and returns the faults of the result, one line each: features, references, orphans, images. */
export async function checkPair(
  first: PairSource,
  second: PairSource,
): Promise<{ readonly bytes: Uint8Array; readonly faults: string[] }> {
  const { bytes } = await mergePdfs([
    { name: 'a.pdf', bytes: first.bytes },
    { name: 'b.pdf', bytes: second.bytes },
  ]);
  const { context } = (await openPdf(bytes, { repair: false })).document;
  const merged = portraitOf(context, walkPages(context));
  const faults = lostInMerge(first.portrait, second.portrait, merged);
  const { dangling, orphans } = graphOf(context);
  if (dangling.length > 0) faults.push(`dangling references: ${dangling.slice(0, 5).join(', ')}`);
  if (orphans.length > 0) faults.push(`orphans: ${orphans.slice(0, 5).join(', ')}`);
  const pictures = [...first.pictures, ...second.pictures];
  const found = await pictureHashes(bytes, merged.pages);
  // When one form asks viewers to redraw its fields, the merged one does, and the other's fields are redrawn too.
  const redrawn =
    first.portrait.needsAppearances === second.portrait.needsAppearances
      ? new Set<number>()
      : new Set(merged.annotations.flatMap(([page, what]) => (what.startsWith('Widget') ? [page] : [])));
  const changed = pictures.flatMap((picture, i) => (picture === found[i] || redrawn.has(i) ? [] : [i + 1]));
  if (changed.length > 0) faults.push(`pictures of pages ${changed.join(', ')}`);
  return { bytes, faults };
}

/** Returns qpdf's complaint about a file, or undefined. */
export function qpdfComplaint(bytes: Uint8Array): string | undefined {
  return inFolder(bytes, (path) => {
    const { status, stdout, stderr } = spawnSync('nice', ['qpdf', '--check', path], { encoding: 'utf8' });
    return status === 0
      ? undefined
      : (stderr + stdout).replaceAll(path, 'it').trim().split('\n', 3).join('; ').slice(0, 300);
  });
}

/** Returns a hash of each page as MuPDF renders it. */
export function mutoolHashes(bytes: Uint8Array): string[] {
  return inFolder(bytes, (path, folder) => {
    spawnSync('nice', ['mutool', 'draw', '-q', '-r', '18', '-o', join(folder, 'p%05d.ppm'), path], { timeout: 60_000 });
    const pictures = readdirSync(folder)
      .filter((name) => name.endsWith('.ppm'))
      .sort();
    return pictures.map((name) =>
      createHash('sha256')
        .update(readFileSync(join(folder, name)))
        .digest('hex')
        .slice(0, 16),
    );
  });
}

function inFolder<T>(bytes: Uint8Array, use: (path: string, folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'quire-pair-'));
  try {
    const path = join(folder, 'in.pdf');
    writeFileSync(path, bytes);
    return use(path, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

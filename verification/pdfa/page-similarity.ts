import { spawn } from 'node:child_process';

/** Number of pages that are compared, and their resolution. */
const MOST_PAGES = 4;
const DPI = 36;

/**
 * Returns the similarity of two documents as poppler draws them: 1 for equal, 0 for black against white, the worst of
 * the first pages. Returns 0 for other page sizes; undefined when one of them cannot be drawn or has another number of
 * pages.
 */
export async function pageSimilarity(before: string, after: string): Promise<number | undefined> {
  const [a, b] = await Promise.all([before, after].map(renderedPages));
  if (a === undefined || b === undefined || a.length === 0 || a.length !== b.length) return undefined;
  let worst = 1;
  for (const [i, page] of a.entries()) {
    const other = b[i]!;
    if (page.width !== other.width || page.height !== other.height) return 0;
    let difference = 0;
    for (let at = 0; at < page.samples.length; at++) difference += Math.abs(page.samples[at]! - other.samples[at]!);
    worst = Math.min(worst, 1 - difference / page.samples.length / 255);
  }
  return worst;
}

interface GreyPage {
  readonly width: number;
  readonly height: number;
  readonly samples: Uint8Array;
}

async function renderedPages(path: string): Promise<GreyPage[] | undefined> {
  const bytes = await output('pdftoppm', ['-r', String(DPI), '-gray', '-cropbox', '-l', String(MOST_PAGES), path]);
  const pages: GreyPage[] = [];
  for (let at = 0; at < bytes.length;) {
    // Portable graymaps, one after another.
    const [whole = '', width, height] = /^P5\s+(\d+)\s+(\d+)\s+255\s/.exec(bytes.toString('latin1', at, at + 40)) ?? [];
    if (whole === '') return undefined;
    const [from, size] = [at + whole.length, Number(width) * Number(height)];
    pages.push({ width: Number(width), height: Number(height), samples: bytes.subarray(from, from + size) });
    at = from + size;
  }
  return pages;
}

function output(command: string, args: readonly string[]): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'ignore'], timeout: 60_000 });
    const parts: Buffer[] = [];
    child.stdout.on('data', (part: Buffer) => void parts.push(part));
    child.once('error', reject);
    child.once('close', () => resolve(Buffer.concat(parts)));
  });
}

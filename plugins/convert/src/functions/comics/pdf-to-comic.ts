import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pdfToImages } from '../pdf-to-images.js';
import { writeZip } from '@quire/document/file/zip';
import { writeRar } from './write-rar.js';

/** How pages become a comic. */
export interface PdfToComicOptions {
  readonly format: 'cbz' | 'cbr';
  readonly dpi: number;
  readonly signal: AbortSignal;
  readonly progress: (done: number, total: number) => void;
}

/**
 * Draws every page, annotations included, as `page_001.png` and so on, and packs the pictures into a comic archive at
 * `target`, stored as they are. `folder` is a private folder. Errors: those of drawing.
 */
export async function pdfToComic(
  path: string,
  folder: string,
  target: string,
  { format, dpi, signal, progress }: PdfToComicOptions,
): Promise<number> {
  const pictures = join(folder, 'pages');
  await mkdir(pictures, { mode: 0o700 });
  const members: { name: string; path: string }[] = [];
  await pdfToImages(
    await readFile(path),
    {
      format: 'png',
      colour: 'color',
      dpi,
      annotations: true,
      select: (count) => Array.from({ length: count }, (_, i) => i),
      signal,
      progress,
    },
    async (n, image) => {
      const name = `page_${String(n).padStart(3, '0')}.png`;
      await writeFile(join(pictures, name), image, { mode: 0o600 });
      members.push({ name, path: join(pictures, name) });
    },
  );
  if (format === 'cbr') await writeRar(members, target, signal);
  else
    await writeZip(
      members.map((member) => ({ ...member, stored: true })),
      target,
      signal,
    );
  return members.length;
}

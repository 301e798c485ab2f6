import { readFile, rename } from 'node:fs/promises';
import { DocumentError } from '@quire/document';
import { imagesToPdf } from '../images-to-pdf.js';
import { comicPictures } from './comic-pictures.js';

/** How a comic becomes a PDF. */
export interface ComicToPdfOptions {
  /** Scales pictures down for reading on a screen. */
  readonly optimize: boolean;
  readonly signal: AbortSignal;
  readonly progress: (done: number, total: number) => void;
}

export interface ComicPdf {
  readonly pages: number;
  /** Pictures that could not be read and have no page. */
  readonly skipped: number;
}

/**
 * Strength of the compression for screens (`document/file/compression`): large pictures come down to about 150 dpi of a
 * printed page.
 */
const EBOOK_LEVEL = 5;

/**
 * Writes the pictures of a comic archive to `target`, a page each, as many points as they have pixels. `folder` is an
 * empty private folder. Unreadable pictures are left out. Errors: ARCHIVE_UNSAFE; ARCHIVE_NO_PICTURES where none is
 * left; IMAGE_TOO_LARGE, INPUT_TOO_MANY_PAGES.
 */
export async function comicToPdf(
  path: string,
  folder: string,
  target: string,
  { optimize, signal, progress }: ComicToPdfOptions,
): Promise<ComicPdf> {
  const pictures = await comicPictures(path, folder, signal);
  if (pictures.length === 0)
    throw new DocumentError('ARCHIVE_NO_PICTURES', {
      field: 'fileInput',
      detail: 'it holds no picture (jpg, jpeg, png, gif, bmp or webp)',
    });
  let skipped = 0;
  const files = pictures.map((picture) => ({ kind: picture.kind, bytes: () => readFile(picture.path) }));
  const pages = await imagesToPdf(files, target, {
    fitOption: 'fitDocumentToImage',
    colorType: 'color',
    autoRotate: false,
    skip: () => skipped++,
    signal,
    progress,
  });
  if (pages === 0)
    throw new DocumentError('ARCHIVE_NO_PICTURES', {
      field: 'fileInput',
      detail: `none of its ${skipped} pictures can be read`,
    });
  if (optimize) {
    const { compressFile } = await import('@quire/document/file/compression');
    await compressFile(target, `${target}.small`, { level: EBOOK_LEVEL });
    await rename(`${target}.small`, target);
  }
  return { pages, skipped };
}

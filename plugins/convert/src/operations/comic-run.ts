import {
  baseName,
  booleanField,
  type DocumentFile,
  type JoiRoot,
  type OutputFile,
  type RunContext,
  shown,
} from '@quire/registry';

export interface ComicParams {
  optimizeForEbook: boolean;
}

/** The fields of both operations that convert comics to PDF. */
export const comicParams = (joi: JoiRoot) =>
  joi.object<ComicParams, true>({
    optimizeForEbook: shown(booleanField(joi, 'Scales large images down for reading on a screen'), {
      label: 'Make images smaller',
      help: 'Scales large images down for reading on a screen.',
    }),
  });

/** What both of them do. */
export const comicNotes =
  'One page for each image (jpg, jpeg, png, gif, bmp, webp, also in folders) with as many points as the ' +
  'image has pixels, in natural order of the full names. JPEGs are not recompressed. Unreadable images are ' +
  'left out and counted as `skipped` in X-Tool-Report. Many comics are a zip named .cbr or a RAR named .cbz: ' +
  'the first bytes decide. RAR 2.9 to 5 is supported; encrypted, split and (before version 5) solid RAR ' +
  'archives are refused.';

/** Runs both operations that convert comics to PDF. The first bytes decide which archive format it is. */
export async function runComicToPdf(
  file: DocumentFile,
  { optimizeForEbook }: ComicParams,
  ctx: RunContext,
): Promise<readonly OutputFile[]> {
  const { comicToPdf } = await import('../functions/comics/comic-to-pdf.js');
  const target = `${await ctx.folder()}/comic.pdf`;
  const { skipped } = await comicToPdf(file.path(), await ctx.folder(), target, {
    optimize: optimizeForEbook,
    signal: ctx.signal,
    progress: (done, total) => ctx.progress(done, total),
  });
  if (skipped > 0) ctx.report({ skipped });
  const name = comicName(file.name);
  return [await ctx.adopt(file, target, name === baseName(file.name) ? undefined : { name: `${name}_converted` })];
}

/** Runs both operations that convert PDF pages to comics. */
export async function runPdfToComic(
  file: DocumentFile,
  format: 'cbz' | 'cbr',
  dpi: number,
  ctx: RunContext,
): Promise<readonly OutputFile[]> {
  const { pdfToComic } = await import('../functions/comics/pdf-to-comic.js');
  const folder = await ctx.folder();
  const target = `${folder}/comic.${format}`;
  await pdfToComic(file.path(), folder, target, {
    format,
    dpi,
    signal: ctx.signal,
    progress: (done, total) => ctx.progress(done, total),
  });
  return [await ctx.adopt(file, target)];
}

/**
 * Everything after the first dot of the name is dropped (docs/interface/convert.yml, cbz/pdf); an empty name becomes
 * `comic`.
 */
function comicName(name: string): string {
  const base = baseName(baseName(name)).trim();
  return base === '' || base.startsWith('.') ? 'comic' : base;
}

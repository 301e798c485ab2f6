import { DocumentError } from '@quire/document';
import { type FillReport, fillForm, flattenForm } from '@quire/document/forms';
import { catalogOf, setEntry } from '@quire/document/file/objects';
import { editFile, type OpenedPdf } from '@quire/document/file/open';
import { fittingDpi, guardPixels, picturePages, PictureStore, pixelSize } from '@quire/document/engines/rendering';
import { readFillData } from './read-fill-data.js';
import { named } from './report-names.js';

/** How a file is filled in. */
export interface FillFileOptions {
  /** JSON of the values (`readFillData`). */
  readonly data: string | undefined;
  readonly flatten: boolean;
  readonly mode: 'append' | 'rewrite';
  readonly modified: Date;
  /** Server limit. */
  readonly maxDpi: number;
  readonly signal: AbortSignal;
  readonly progress: (done: number, total: number) => void;
  /** Flattens fields; `flattenForm` except in tests. */
  readonly flattenWith?: (opened: OpenedPdf) => Promise<unknown>;
}

/** A file that was filled in. */
export interface FilledFile {
  readonly path: string;
  readonly facts: Readonly<Record<string, number | string | boolean | string[]>>;
  /** Names of the data that the form does not have. */
  readonly unknown: readonly string[];
}

/**
 * Resolution of pages that become pictures because their fields could not be flattened (docs/interface/form.yml,
 * form/fill).
 */
const PICTURE_DPI = 200;

/**
 * Fills in the form of a file into a new file within `folder`; with `flatten`, what the fields show becomes page
 * content, or, where that cannot be done, each page a picture. Errors: those of `readFillData`, `fillForm` and
 * `editFile`; IMAGE_TOO_LARGE for pages that would be too large as pictures.
 */
export async function fillFile(source: string, folder: string, options: FillFileOptions): Promise<FilledFile> {
  const values = readFillData(options.data);
  const { mode, modified, signal, progress } = options;
  const filled = `${folder}/filled.pdf`;
  const report = await editFile(
    source,
    filled,
    { mode, modified, usageRights: 'fillIn', spendsInput: true },
    (opened) => fillForm(opened, values, { signal, progress, appends: mode === 'append', flattens: options.flatten }),
  );
  const { unknown } = report;
  if (!options.flatten) return { path: filled, facts: factsOf(report), unknown };
  const flat = `${folder}/flat.pdf`;
  const flattenWith = options.flattenWith ?? ((opened: OpenedPdf) => flattenForm(opened, { signal, progress }));
  try {
    await editFile(filled, flat, { mode: 'rewrite', modified }, flattenWith);
    return { path: flat, facts: factsOf(report), unknown };
  } catch (error) {
    signal.throwIfAborted();
    // Too large a document is that for every way of drawing it.
    if (error instanceof DocumentError && error.code !== 'PDF_DAMAGED') throw error;
  }
  const pictures = `${folder}/pictures.pdf`;
  await editFile(filled, pictures, { mode: 'rewrite', modified }, (opened) =>
    drawPages(opened, `${folder}/pictures`, options),
  );
  return { path: pictures, facts: { ...factsOf(report), rasterised: true }, unknown };
}

/** Replaces each page by an image of it, fields included, without using the form. */
async function drawPages(
  opened: OpenedPdf,
  folder: string,
  { maxDpi, signal, progress }: FillFileOptions,
): Promise<void> {
  const catalog = catalogOf(opened.document.context);
  if (catalog !== undefined) setEntry(catalog, 'AcroForm', undefined);
  await picturePages(opened, {
    store: new PictureStore(folder),
    signal,
    progress,
    sizes: (pages) => {
      const sizes = pages.map((page) => pixelSize(page, fittingDpi(pages, Math.min(maxDpi, PICTURE_DPI))));
      for (const size of sizes) guardPixels([size]);
      return sizes;
    },
  });
}

function factsOf({
  filled,
  unknown,
  ignored,
  dropped,
  notCalculated,
  notFormatted,
  xfaRemoved,
}: FillReport): FilledFile['facts'] {
  return {
    filled,
    ...named('unknown', unknown),
    ...named('ignored', ignored),
    ...named(
      'dropped',
      dropped.map(({ field, values }) => `${field}: ${values.join(', ')}`),
    ),
    ...named('notCalculated', notCalculated),
    ...named('notFormatted', notFormatted),
    ...(xfaRemoved ? { xfa: 'removed' } : {}),
  };
}

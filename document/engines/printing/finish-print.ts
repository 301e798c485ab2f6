import { PDFDict, PDFHexString, PDFName } from 'pdf-lib';
import { asDict, catalogOf, entry } from '../../file/objects/index.js';
import { writePacked, type PackOptions } from '../../file/compression/pack-file.js';
import { guardDocument, type OpenedPdf, withPdf } from '../../file/open/index.js';

/** Larger streams are pictures, which the programs have compressed well and which would take seconds. */
const MAX_STREAM_BYTES = 128 * 1024;

export interface PrintFinish {
  /** Undefined removes the title. */
  readonly title: string | undefined;
  readonly modified: Date;
  /** Further changes, in place. */
  readonly also?: (opened: OpenedPdf) => void;
}

/**
 * Finishes a document that a browser printed: sets producer and time, removes the browser's name and a title that
 * nobody set, and compresses what the browser leaves uncompressed, which is most of a tagged document. Text and fonts
 * that it has compressed stay as they are: they would become only two percent smaller, and take half of the time.
 */
export function finishPrint(printed: string, target: string, finish: PrintFinish): Promise<void> {
  const { modified } = finish;
  return packed(printed, target, { modified, leaveDeflated: true }, (opened) => applyFinish(opened, finish));
}

/**
 * Finishes a document that another program made: changes it with `change`, sets producer and time, and packs its tags
 * and streams.
 */
export function finishExport(
  exported: string,
  target: string,
  modified: Date,
  change: (opened: OpenedPdf) => void = () => undefined,
): Promise<void> {
  return packed(exported, target, { modified }, change);
}

async function packed(
  source: string,
  target: string,
  options: PackOptions,
  change: (opened: OpenedPdf) => void,
): Promise<void> {
  await withPdf({ path: source }, {}, (opened) =>
    guardDocument('fileInput', async () => {
      change(opened);
      await writePacked(opened, target, { ...options, maxStreamBytes: MAX_STREAM_BYTES, slimFonts: true });
    }),
  );
}

function applyFinish(opened: OpenedPdf, { title, also }: PrintFinish): void {
  const { context } = opened.document;
  const info = asDict(context, context.trailerInfo.Info) ?? PDFDict.withContext(context);
  context.trailerInfo.Info ??= context.register(info);
  info.delete(PDFName.of('Creator'));
  if (title === undefined) info.delete(PDFName.of('Title'));
  else info.set(PDFName.of('Title'), PDFHexString.fromText(title));
  also?.(opened);
  const catalog = catalogOf(context);
  if (title === undefined || catalog === undefined) return;
  // A tagged document is displayed with its title, not its file name (ISO 14289-1, 7.1).
  const preferences = asDict(context, entry(catalog, 'ViewerPreferences')) ?? context.obj({});
  preferences.set(PDFName.of('DisplayDocTitle'), context.obj(true));
  catalog.set(PDFName.of('ViewerPreferences'), preferences);
}

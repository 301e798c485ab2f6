import { PDFDict, PDFHexString, PDFName } from 'pdf-lib';
import { asDict, catalogOf, entry } from '../../file/objects/index.js';
import { editFile, type OpenedPdf } from '../../file/open/index.js';

/** What a printed page is made. */
export interface PrintFinish {
  /** Undefined leaves the document without one. */
  readonly title: string | undefined;
  readonly modified: Date;
  /** Changed beside that, in place. */
  readonly also?: (opened: OpenedPdf) => void;
}

/**
 * Makes a page that a browser printed a document of ours: producer and time are said, the browser's own name and a
 * title that nobody gave go.
 */
export async function finishPrint(
  printed: string,
  target: string,
  { title, modified, also }: PrintFinish,
): Promise<void> {
  await editFile(printed, target, { mode: 'rewrite', modified }, (opened) => {
    const { context } = opened.document;
    const info = asDict(context, context.trailerInfo.Info) ?? PDFDict.withContext(context);
    context.trailerInfo.Info ??= context.register(info);
    info.delete(PDFName.of('Creator'));
    if (title === undefined) info.delete(PDFName.of('Title'));
    else info.set(PDFName.of('Title'), PDFHexString.fromText(title));
    also?.(opened);
    const catalog = catalogOf(context);
    if (title === undefined || catalog === undefined) return;
    // A tagged document is shown under its title, not its file's name (ISO 14289-1, 7.1).
    const preferences = asDict(context, entry(catalog, 'ViewerPreferences')) ?? context.obj({});
    preferences.set(PDFName.of('DisplayDocTitle'), context.obj(true));
    catalog.set(PDFName.of('ViewerPreferences'), preferences);
  });
}

import { asDict, catalogOf } from '@quire/document/objects';
import { editFile } from '@quire/document/open';
import { PDFHexString, PDFName } from 'pdf-lib';

/** Makes a printed page a document of ours: producer and time are said, the browser's own name and a title that nobody gave go. */
export async function finishPrint(printed: string, target: string, { title, modified }: { readonly title: string | undefined; readonly modified: Date }): Promise<void> {
  await editFile(printed, target, { mode: 'rewrite', modified }, ({ document: { context } }) => {
    const info = asDict(context, context.trailerInfo.Info);
    info?.delete(PDFName.of('Creator'));
    if (title === undefined) info?.delete(PDFName.of('Title'));
    else info?.set(PDFName.of('Title'), PDFHexString.fromText(title));
    // A tagged document is shown under its title, not its file's name (ISO 14289-1, 7.1).
    if (title !== undefined) catalogOf(context)?.set(PDFName.of('ViewerPreferences'), context.obj({ DisplayDocTitle: true }));
  });
}

import { writeFile } from 'node:fs/promises';
import { finishPrint, paintPages } from '@quire/document/engines/printing';
import { withPdf } from '@quire/document/file/open';
import type { DocumentModel } from './document-model.js';
import { documentPage } from './document-page.js';
import { paperColour } from './document-style.js';

export interface DocumentPrinter {
  /** An empty private folder. */
  readonly folder: string;
  readonly now: Date;
  readonly signal: AbortSignal;
  /** Prints the HTML file at `page` to `output`, with page numbers at its foot or without. */
  print(page: string, output: string, pageNumbers: boolean): Promise<void>;
}

/** Prints a document of the model and gives its path. More than one page are numbered. Errors: those of `print`. */
export async function printDocument(
  model: DocumentModel,
  { folder, now, signal, print }: DocumentPrinter,
): Promise<string> {
  const [page, target] = [`${folder}/page.html`, `${folder}/document.pdf`];
  await writeFile(page, documentPage(model), { flag: 'wx', mode: 0o600 });
  let printed = `${folder}/printed.pdf`;
  await print(page, printed, false);
  signal.throwIfAborted();
  if ((await withPdf({ path: printed }, {}, ({ pages }) => pages.length)) > 1) {
    printed = `${folder}/numbered.pdf`;
    await print(page, printed, true);
  }
  const paper = paperColour(model.style);
  const title = model.title?.replace(/\s+/g, ' ').trim();
  await finishPrint(printed, target, {
    title: title === '' ? undefined : title,
    modified: now,
    ...(paper === undefined ? {} : { also: (opened) => paintPages(opened, paper) }),
  });
  return target;
}

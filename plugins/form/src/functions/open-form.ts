import { guardDocument, withPdf } from '@quire/document/open';
import { type FormModel, readForm } from '@quire/document/forms';

/** Reads the form of a file; undefined for a document without one. Errors: those of `openPdf`. */
export function formOf(path: string): Promise<FormModel | undefined> {
  return withPdf({ path }, { mend: false }, (opened) => guardDocument('fileInput', () => readForm(opened)));
}

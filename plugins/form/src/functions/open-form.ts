import { guardDocument, type OpenedPdf, withPdf } from '@quire/document/file/open';
import { type FormModel, readForm } from '@quire/document/forms';

/**
 * Opens a file for as long as `work` runs with its form, which is undefined for a document without one. Errors: those
 * of `openPdf`; PDF_DAMAGED for objects that contradict each other.
 */
export function withForm<T>(
  path: string,
  work: (form: FormModel | undefined, opened: OpenedPdf) => T | Promise<T>,
): Promise<T> {
  return withPdf({ path }, { repair: false }, (opened) =>
    guardDocument('fileInput', () => work(readForm(opened), opened)),
  );
}

/** What an answer's report says of a form: fields that are left out, and an XFA form. */
export function formFacts(form: FormModel | undefined): Record<string, number | string> {
  return form === undefined
    ? {}
    : { ...(form.leftOut > 0 ? { leftOut: form.leftOut } : {}), ...(form.xfa === undefined ? {} : { xfa: form.xfa }) };
}

/**
 * Gives a document's name as results are named after it: without folders, and without a `.pdf` at its end in any case;
 * other endings stay (docs/interface/form.yml).
 */
export function formStem(name: string): string {
  return name.replace(/^.*[\\/]/, '').replace(/\.pdf$/i, '') || 'document';
}

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

/** Facts about a form for the report: fields that were left out, and an XFA form. */
export function formFacts(form: FormModel | undefined): Record<string, number | string> {
  return form === undefined
    ? {}
    : { ...(form.leftOut > 0 ? { leftOut: form.leftOut } : {}), ...(form.xfa === undefined ? {} : { xfa: form.xfa }) };
}

/**
 * Returns a document's base name for results: without folders, and without `.pdf` in any case; other extensions stay
 * (docs/interface/form.yml).
 */
export function formStem(name: string): string {
  return name.replace(/^.*[\\/]/, '').replace(/\.pdf$/i, '') || 'document';
}

/** What a field is, as answers name it (`docs/interface/form.yml`). */
export const fieldTypes = ['text', 'checkbox', 'combobox', 'listbox', 'radio', 'button', 'signature'] as const;

/** What every operation on a form may refuse a document with. */
export const formErrors = ['PDF_ENCRYPTED', 'PDF_ENCRYPTION_UNSUPPORTED', 'PDF_DAMAGED', 'PDF_NO_PAGES'] as const;

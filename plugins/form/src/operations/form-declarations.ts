/** Field types in answers (`docs/interface/form.yml`). */
export const fieldTypes = ['text', 'checkbox', 'combobox', 'listbox', 'radio', 'button', 'signature'] as const;

export const formErrors = ['PDF_ENCRYPTED', 'PDF_ENCRYPTION_UNSUPPORTED', 'PDF_DAMAGED', 'PDF_NO_PAGES'] as const;

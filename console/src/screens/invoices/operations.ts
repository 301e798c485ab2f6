import type { ShownField, ShownOperation } from '@quire/registry';
import { catalog, operationOf, upload, type Uploaded } from '../../api/index.ts';
import { language } from '../../i18n/index.ts';

export const VALIDATE = 'invoice/validate';
export const EXTRACT = 'invoice/extract';
export const DETECT = 'invoice/detect';
export const RENDER = 'invoice/render';
export const CREATE = 'invoice/create';

/** The operation, if the caller can use it now. */
export function available(path: string): ShownOperation | undefined {
  const found = operationOf(path);
  return found?.availability.state === 'available' ? found : undefined;
}

/** The tools that declare this screen as theirs, and can be used now. */
export function toolsOfScreen(): readonly ShownOperation[] {
  return (catalog.value?.operations ?? []).filter(
    ({ screen, availability }) => screen?.split('/')[0] === 'invoices' && availability.state === 'available',
  );
}

/** Kinds of results that operations on invoices offer. */
const FORMATS: ReadonlySet<unknown> = new Set(['json', 'xml', 'html', 'pdf']);

/** The field that chooses what an operation returns, if there is a choice. */
function formatField(operation: ShownOperation | undefined): ShownField | undefined {
  return operation?.fields.find(({ values = [] }) => values.some(({ value }) => FORMATS.has(value)));
}

/** What an operation can return. */
export function formatsOf(operation: ShownOperation | undefined): NonNullable<ShownField['values']> {
  return formatField(operation)?.values ?? [];
}

export interface InvoiceFile {
  readonly file: File;
  /** Of a PDF, once it was entered to look at it. */
  readonly password: string | undefined;
}

/**
 * Sends the file to an operation. Format, language and password are sent to operations that have them. Rejects with a
 * Problem.
 */
export function run(
  path: string,
  { file, password }: InvoiceFile,
  format: string | undefined,
  signal?: AbortSignal,
): Promise<Uploaded> {
  const operation = operationOf(path);
  const choice = formatField(operation);
  const values: Readonly<Record<string, string | undefined>> = {
    ...(choice?.values?.some(({ value }) => value === format) === true ? { [choice.name]: format } : {}),
    language: languageFor(operation),
    ...(operation?.password === undefined ? {} : { [operation.password]: password }),
  };
  const form = (): FormData => {
    const filled = new FormData();
    filled.append('fileInput', file, file.name);
    for (const [name, value] of Object.entries(values)) if (value !== undefined) filled.append(name, value);
    return filled;
  };
  return upload(path, form, { signal });
}

/** The language of the page where the operation speaks it, else English, else the operation's own choice. */
function languageFor(operation: ShownOperation | undefined): string | undefined {
  const { values = [] } = operation?.fields.find(({ name }) => name === 'language') ?? {};
  const spoken = values.map(({ value }) => String(value));
  return [language.value, 'en'].find((each) => spoken.includes(each));
}

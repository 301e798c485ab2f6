import { upload, type Problem } from '../../../api/index.ts';
import { fileNameOf } from '../../../files/index.ts';
import { formTexts } from '../../../form/values.ts';
import type { Path } from '../data/places.ts';
import { CREATE } from '../operations.ts';
import { invoiceOf, type Texts } from './outline.ts';

/** What is sent beside the invoice: options, and files by the part of the operation that they are for. */
export interface Beside {
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly files?: Readonly<Record<string, File>>;
}

/** Creates the invoice as a file. Rejects with a Problem. */
export async function create(
  texts: Texts,
  { parameters = {}, files = {} }: Beside,
  signal?: AbortSignal,
): Promise<File> {
  const name = (texts['number'] ?? '').trim().replaceAll(/[^\p{L}\p{N}._-]+/gu, '-') || 'invoice';
  const json = new Blob([JSON.stringify(invoiceOf(texts).invoice)], { type: 'application/json' });
  const form = (): FormData => {
    const filled = new FormData();
    filled.append('fileInput', json, `${name}.json`);
    for (const [field, value] of Object.entries(parameters))
      for (const text of formTexts(value)) filled.append(field, text);
    for (const [field, file] of Object.entries(files)) filled.append(field, file, file.name);
    return filled;
  };
  const { blob, header } = await upload(CREATE, form, { signal });
  return new File([blob], fileNameOf(header('content-disposition')) ?? name, { type: blob.type });
}

/** What the server says about a refused invoice. */
export interface Refusal {
  /** By place in the form: `/fileInput/seller/name` is `seller.name`. */
  readonly places: Texts;
  /** By option of the operation, such as `format`. */
  readonly options: Texts;
  /** Sentences about the whole invoice. */
  readonly others: readonly string[];
}

const INVOICE = '/fileInput';

/** Takes the faults apart; `texts` are those that were sent. */
export function refusalOf({ faults, message }: Problem, texts: Texts): Refusal {
  const { placeInForm } = invoiceOf(texts);
  const places: Record<Path, string> = {};
  const options: Record<string, string> = {};
  const others: string[] = [];
  for (const { pointer, detail } of faults)
    if (pointer.startsWith(`${INVOICE}/`))
      places[placeInForm(pointer.slice(INVOICE.length + 1).replaceAll('/', '.'))] ??= detail;
    else if (pointer !== INVOICE && pointer !== '') options[pointer.slice(1)] ??= detail;
    else if (!message.includes(detail.replace(/\.$/, ''))) others.push(detail);
  return { places, options, others };
}

import { upload, type Problem } from '../../../api/index.ts';
import { fileNameOf } from '../../../files/index.ts';
import { formTexts } from '../../../form/values.ts';
import type { Path } from '../data/places.ts';
import { CREATE } from '../operations.ts';
import { invoiceOf, type Texts } from './draft.ts';

/** Creates the invoice as a file. Rejects with a Problem. */
export async function create(
  texts: Texts,
  parameters: Readonly<Record<string, unknown>>,
  signal?: AbortSignal,
): Promise<File> {
  const name = (texts['number'] ?? '').trim().replaceAll(/[^\p{L}\p{N}._-]+/gu, '-') || 'invoice';
  const json = new Blob([JSON.stringify(invoiceOf(texts))], { type: 'application/json' });
  const form = (): FormData => {
    const filled = new FormData();
    filled.append('fileInput', json, `${name}.json`);
    for (const [field, value] of Object.entries(parameters))
      for (const text of formTexts(value)) filled.append(field, text);
    return filled;
  };
  const { blob, header } = await upload(CREATE, form, { signal });
  return new File([blob], fileNameOf(header('content-disposition')) ?? name, { type: blob.type });
}

/** The faults of a refused invoice by place: `/invoice/seller/name` is `seller.name`. */
export function faultsOf({ faults }: Problem): Texts {
  const found: Record<Path, string> = {};
  for (const { pointer, detail } of faults) {
    const path = pointer.replace(/^\/(?:fileInput\/|invoice\/)?/, '').replaceAll('/', '.');
    found[path] ??= detail;
  }
  return found;
}

import { upload, type Uploaded } from '../../api/index.ts';
import { reportOf } from '../tool/run/report.ts';
import type { Applied, Change } from './part.ts';

export type Fields = Change['fields'];

interface SendOptions {
  readonly signal?: AbortSignal;
  /** The share that was sent; undefined once the server works. */
  readonly progress?: (sent: number | undefined) => void;
}

/** Sends a document and fields to an operation. Rejects with a `Problem`. */
export function sendDocument(
  operation: string,
  file: File,
  fields: Fields,
  { signal, progress }: SendOptions = {},
): Promise<Uploaded> {
  const form = (): FormData => {
    const data = new FormData();
    // Fields first: the server can refuse a value before it has read the file.
    for (const [name, value] of Object.entries(fields))
      for (const one of typeof value === 'string' || value instanceof Blob ? [value] : value) data.append(name, one);
    data.append('fileInput', file, file.name);
    return data;
  };
  return upload(operation, form, {
    ...(signal === undefined ? {} : { signal }),
    progress: (sent, total) => progress?.(sent < total ? sent / total : undefined),
  });
}

/** The changed document under the name of the one that was sent, and what the server says about it. */
export function appliedTo({ name }: File, { blob, header }: Uploaded): Applied {
  return {
    file: new File([blob], name, { type: 'application/pdf' }),
    warnings: warningsOf(header),
    report: header('x-tool-report') === null ? undefined : reportOf({ header }).facts,
  };
}

function warningsOf(header: Uploaded['header']): readonly string[] {
  const { warnings } = reportOf({ header });
  return warnings === undefined ? [] : [warnings];
}

/** Answers of operations about files, each asked once for a file and a set of fields. */
export class Answers {
  readonly #known = new WeakMap<File, Map<string, Promise<unknown>>>();
  readonly #warned: (file: File, warnings: readonly string[]) => void;

  /** `warned` gets what the server says about a file beside its answer, for example that it is damaged. */
  constructor(warned: (file: File, warnings: readonly string[]) => void) {
    this.#warned = warned;
  }

  ask<T>(file: File, operation: string, fields: Readonly<Record<string, string>>): Promise<T> {
    const of = this.#known.get(file) ?? new Map<string, Promise<unknown>>();
    this.#known.set(file, of);
    const key = `${operation} ${JSON.stringify(Object.entries(fields).sort())}`;
    const known = of.get(key) ?? this.#send(file, operation, fields);
    of.set(key, known);
    // What failed is asked again the next time.
    known.catch(() => of.delete(key));
    return known as Promise<T>;
  }

  async #send(file: File, operation: string, fields: Fields): Promise<unknown> {
    const { blob, header } = await sendDocument(operation, file, fields);
    const warnings = warningsOf(header);
    if (warnings.length > 0) this.#warned(file, warnings);
    return JSON.parse(await blob.text()) as unknown;
  }
}

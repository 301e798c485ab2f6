/** A file of a form. */
export interface FormFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** A call of an operation over HTTP. */
export interface OperationCall {
  /** Path of the operation (`general/rotate-pdf`), or absolute when it starts with a slash. */
  readonly path: string;
  /** Sent as repeated `fileInput` parts. */
  readonly files?: readonly FormFile[];
  /** Additional files by field. */
  readonly parts?: Readonly<Record<string, FormFile | readonly FormFile[]>>;
  /** Form fields; lists become repeated fields. */
  readonly params?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Gives up after this time; default 60 s. */
  readonly timeoutMs?: number;
}

export interface OperationAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array;
  /** File name of the Content-Disposition header, decoded. */
  readonly fileName: string | undefined;
  /** Parses the body as JSON; throws when it is not JSON. */
  json<T = unknown>(): T;
  /** The problem's code, when the answer is a problem (RFC 9457). */
  readonly code: string | undefined;
}

/** Calls an operation as a client does: with a multipart form over a real connection. */
export async function callOperation(url: string, call: OperationCall): Promise<OperationAnswer> {
  const form = new FormData();
  for (const file of call.files ?? []) form.append('fileInput', blob(file), file.name);
  for (const [field, sent] of Object.entries(call.parts ?? {})) {
    for (const file of Array.isArray(sent) ? (sent as readonly FormFile[]) : [sent as FormFile])
      form.append(field, blob(file), file.name);
  }
  for (const [field, value] of Object.entries(call.params ?? {})) {
    for (const one of Array.isArray(value) ? (value as unknown[]) : [value])
      if (one !== undefined) form.append(field, text(one));
  }
  const target = call.path.startsWith('/') ? call.path : `/api/v1/${call.path}`;
  const response = await fetch(`${url}${target}`, {
    method: 'POST',
    body: form,
    signal: AbortSignal.timeout(call.timeoutMs ?? 60_000),
    headers: call.headers ?? {},
  });
  const bytes = new Uint8Array(await response.arrayBuffer());
  const json = <T>(): T => JSON.parse(new TextDecoder().decode(bytes)) as T;
  const isProblem = (response.headers.get('content-type') ?? '').startsWith('application/problem+json');
  return {
    status: response.status,
    headers: response.headers,
    bytes,
    fileName: dispositionName(response.headers.get('content-disposition')),
    json,
    code: isProblem ? json<{ code?: string }>().code : undefined,
  };
}

/** The file name of a Content-Disposition header; the extended form takes precedence (RFC 6266, 4.3). */
export function dispositionName(header: string | null): string | undefined {
  if (header === null) return undefined;
  const extended = /filename\*=UTF-8''([^;]+)/i.exec(header)?.[1];
  if (extended !== undefined) return decodeURIComponent(extended);
  return /filename="((?:[^"\\]|\\.)*)"/i.exec(header)?.[1]?.replace(/\\(.)/g, '$1');
}

function blob({ bytes }: FormFile): Blob {
  return new Blob([Uint8Array.from(bytes)]);
}

function text(value: unknown): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
}

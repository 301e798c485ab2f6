import { randomUUID } from 'node:crypto';

/** A file to send. */
export interface SentFile {
  readonly name: string;
  readonly mediaType: string;
  readonly bytes: Buffer;
}

/** A field of a form: a text or a file. */
export type FormEntry = readonly [name: string, value: string | SentFile];

/**
 * Returns the body of a form and its content type (RFC 7578). n8n's request helper knows forms of the package
 * `form-data` only, which community nodes may not depend on.
 */
export function multipart(entries: readonly FormEntry[]): { readonly body: Buffer; readonly contentType: string } {
  const boundary = `quire-${randomUUID()}`;
  const chunks = entries.flatMap(([name, value]) => {
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${quotable(name)}"`;
    if (typeof value === 'string') return [Buffer.from(`${head}\r\n\r\n${value}\r\n`)];
    const file = `${head}; filename="${quotable(value.name)}"\r\nContent-Type: ${value.mediaType}\r\n\r\n`;
    return [Buffer.from(file), value.bytes, Buffer.from('\r\n')];
  });
  return {
    body: Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)]),
    contentType: `multipart/form-data; boundary=${boundary}`,
  };
}

/** Escapes a name as browsers do. */
function quotable(text: string): string {
  return text.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

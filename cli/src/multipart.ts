import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';

/**
 * Returns a form as the body of a request (RFC 7578), read as it is sent. Node can do that too (`new Response(form)`),
 * but its stream throws an error that nobody can catch when the server answers before it has read everything.
 */
export function multipart(form: FormData): { readonly stream: Readable; readonly headers: Record<string, string> } {
  const boundary = `quire-${randomUUID()}`;
  const parts: (Buffer | Blob)[] = [];
  for (const [name, value] of form) {
    const file = typeof value === 'string' ? '' : `; filename="${quoted(value.name)}"`;
    const type = typeof value === 'string' ? '' : `\r\nContent-Type: ${value.type || 'application/octet-stream'}`;
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${quoted(name)}"${file}${type}\r\n\r\n`;
    parts.push(Buffer.from(head), typeof value === 'string' ? Buffer.from(value) : value, Buffer.from('\r\n'));
  }
  parts.push(Buffer.from(`--${boundary}--\r\n`));
  const bytes = parts.reduce((sum, part) => sum + (part instanceof Blob ? part.size : part.length), 0);
  return {
    stream: Readable.from(contentOf(parts), { objectMode: false }),
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}`, 'content-length': String(bytes) },
  };
}

async function* contentOf(parts: readonly (Buffer | Blob)[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) {
    if (part instanceof Blob) yield* part.stream();
    else yield part;
  }
}

/** As browsers write names (HTML standard, multipart/form-data encoding algorithm). */
function quoted(name: string): string {
  return name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

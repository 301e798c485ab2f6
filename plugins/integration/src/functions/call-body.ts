import { createReadStream, createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { CallContext } from './call-context.js';
import type { JsonValue } from './connection-types.js';
import { asText, fillJson, fillText, fillValues, invalid, type Lookup } from './placeholders.js';

/** A piece of a body: text, or the document, as it is or in base64. */
export type BodyPiece = string | { readonly document: 'raw' | 'base64' };

/** A body that is still to be written. */
export interface BodyPlan {
  readonly contentType: string;
  readonly pieces: readonly BodyPiece[];
}

export interface BodyParts {
  readonly mode: 'multipart' | 'json' | 'binary';
  readonly template: string | undefined;
  readonly fields: { readonly [key: string]: JsonValue | undefined };
  readonly fileFieldName: string;
  readonly includeContext: boolean;
  readonly includeFile: boolean;
  readonly file: { readonly name: string; readonly mediaType: string };
  readonly context: CallContext;
  readonly lookup: Lookup;
  /** Placeholder for the document in base64 in the result of `lookup`. */
  readonly marker: string;
  /** Parts forms; occurs in nothing that is sent. */
  readonly boundary: string;
}

/** Plans the body of a call (`docs/interface/integration.yml`, external-api-call). Throws INPUT_INVALID. */
export function planBody(parts: BodyParts): BodyPlan {
  if (parts.template !== undefined)
    return {
      contentType: 'application/json',
      pieces: withDocument(fillJson(parts.template, 'bodyTemplate', parts.lookup), parts.marker),
    };
  if (parts.mode === 'json') return planJson(parts);
  return parts.mode === 'multipart' ? planForm(parts) : planBinary(parts);
}

function planJson({ fields, includeContext, includeFile, file, context, lookup, marker }: BodyParts): BodyPlan {
  const body = {
    ...(fillValues(fields, 'fields', lookup) as Readonly<Record<string, JsonValue>>),
    ...(includeContext ? context : {}),
    ...(includeFile ? { filename: file.name, contentType: file.mediaType, content: marker } : {}),
  };
  return { contentType: 'application/json', pieces: withDocument(JSON.stringify(body), marker) };
}

/** A form as browsers send it (RFC 7578, and the escapes of the HTML standard for names). */
function planForm({
  fields,
  fileFieldName,
  includeContext,
  includeFile,
  file,
  context,
  lookup,
  marker,
  boundary,
}: BodyParts): BodyPlan {
  const pieces: BodyPiece[] = [];
  const field = (name: string, value: string, type = ''): void => {
    pieces.push(
      `--${boundary}\r\nContent-Disposition: form-data; name="${escaped(name)}"\r\n` +
        `${type === '' ? '' : `Content-Type: ${type}\r\n`}\r\n`,
      ...withDocument(value, marker),
      '\r\n',
    );
  };
  for (const [name, value] of Object.entries(fields))
    field(
      name,
      typeof value === 'string' ? fillText(value, 'fields', lookup) : asText(fillValues(value, 'fields', lookup)),
    );
  if (includeContext) field('context', JSON.stringify(context), 'application/json');
  if (includeFile)
    pieces.push(
      `--${boundary}\r\nContent-Disposition: form-data; name="${escaped(fileFieldName)}"; filename="` +
        `${escaped(file.name)}"\r\nContent-Type: ${file.mediaType}\r\n\r\n`,
      { document: 'raw' },
      '\r\n',
    );
  pieces.push(`--${boundary}--\r\n`);
  return { contentType: `multipart/form-data; boundary=${boundary}`, pieces };
}

function planBinary({ fields, includeContext, includeFile, file }: BodyParts): BodyPlan {
  if (Object.keys(fields).length > 0) throw invalid('fields', 'fields cannot be sent with bodyMode binary');
  if (includeContext) throw invalid('includeContext', 'includeContext cannot be sent with bodyMode binary');
  if (!includeFile) throw invalid('includeFile', 'includeFile must be true with bodyMode binary');
  return { contentType: file.mediaType, pieces: [{ document: 'raw' }] };
}

/** Writes a body into a file that is not there yet; the document is streamed. */
export async function writeBody(
  { pieces }: BodyPlan,
  document: string,
  target: string,
  signal: AbortSignal,
): Promise<void> {
  await pipeline(
    async function* bodyOf() {
      for (const piece of pieces) {
        if (typeof piece === 'string') yield Buffer.from(piece, 'utf8');
        else if (piece.document === 'raw') yield* createReadStream(document);
        else yield* inBase64(document);
      }
    },
    createWriteStream(target, { flags: 'wx', mode: 0o600 }),
    { signal },
  );
}

async function* inBase64(path: string): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const whole = bytes.length - (bytes.length % 3);
    rest = bytes.subarray(whole);
    yield Buffer.from(bytes.subarray(0, whole).toString('base64'), 'latin1');
  }
  yield Buffer.from(rest.toString('base64'), 'latin1');
}

function withDocument(text: string, marker: string): BodyPiece[] {
  return text.split(marker).flatMap((piece, i): BodyPiece[] => (i === 0 ? [piece] : [{ document: 'base64' }, piece]));
}

function escaped(name: string): string {
  return name.replace(/\r/g, '%0D').replace(/\n/g, '%0A').replace(/"/g, '%22').replace(/\0/g, '');
}

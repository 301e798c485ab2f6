import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { finished } from 'node:stream/promises';
import { Busboy, type BusboyFileStream } from '@fastify/busboy';
import { InputError, OperationalError, sniffKind } from '@quire/registry';
import { cleanFileName, escapePointer, type Scratch } from '../../operations/runner/index.js';
import type { WireFile } from '../../operations/workers/index.js';
import { UploadFile } from './upload-file.js';

/** Bytes that may wait in each step of reading: with less than some chunks, every chunk would stop the connection. */
const WAITING_BYTES = 256 * 1024;

/** Limits of one form. */
export interface FormLimits {
  /** Whole body: text, files and multipart overhead. */
  readonly maxBytes: number;
  /** All text fields together, names included. */
  readonly maxFieldBytes: number;
  readonly maxParts: number;
  /** An upload that sends no byte for this long ends with 408. */
  readonly stallMs: number;
  /** Slowest average rate in bytes per second, checked once the stall time has passed. */
  readonly minRate: number;
}

/** A parsed form whose files are on disk. */
export interface Form {
  /** Text fields; a repeated field is a list. The object has no prototype. */
  readonly fields: Readonly<Record<string, string | readonly string[]>>;
  readonly files: Readonly<Record<string, readonly WireFile[]>>;
}

/** Rejects a Content-Length above the limit before a byte is read. */
export function refuseDeclaredSize(request: IncomingMessage, maxBytes: number): void {
  const declared = Number(request.headers['content-length'] ?? 0);
  if (declared > maxBytes) throw new InputError('INPUT_TOO_LARGE', { limit: maxBytes });
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity')
    throw new InputError('INPUT_ENCODING', { found: String(encoding).slice(0, 40) });
}

/**
 * Streams a multipart form (RFC 7578) to disk under `scratch`; the client's file names are labels only. `digests`
 * receives the SHA-256 of each file by its path, computed while it streams. Throws INPUT_* errors; after an error, the
 * owner of the scratch folder removes what was written.
 */
export async function readForm(
  request: IncomingMessage,
  scratch: Scratch,
  limits: FormLimits,
  digests?: Map<string, string>,
): Promise<Form> {
  const type = request.headers['content-type'] ?? '';
  if (!/^multipart\/form-data\s*;/i.test(type)) {
    throw new InputError('INPUT_MEDIA_TYPE', {
      found: type === '' ? 'without a Content-Type' : `"${type.slice(0, 60).replace(/[^\x20-\x7e]/g, '?')}"`,
      allowed: 'multipart/form-data',
    });
  }
  refuseDeclaredSize(request, limits.maxBytes);
  const reader = new FormReader(request, scratch, limits, type, digests);
  try {
    return await reader.read();
  } finally {
    reader.release();
  }
}

class FormReader {
  readonly #fields: Record<string, string[]> = Object.create(null) as Record<string, string[]>;
  readonly #files: {
    field: string;
    name: string;
    type: string;
    done: Promise<void>;
    out: UploadFile;
  }[] = [];
  readonly #started = Date.now();
  #bytes = 0;
  #parts = 0;
  #textBytes = 0;
  #lastByte = Date.now();
  #watch: NodeJS.Timeout | undefined;
  #fail: (error: unknown) => void = () => undefined;
  readonly #onData = (chunk: Buffer): void => this.#count(chunk.length);

  constructor(
    private readonly request: IncomingMessage,
    private readonly scratch: Scratch,
    private readonly limits: FormLimits,
    private readonly type: string,
    private readonly digests: Map<string, string> | undefined,
  ) {}

  async read(): Promise<Form> {
    const { request } = this;
    let parser: InstanceType<typeof Busboy>;
    try {
      parser = new Busboy({
        headers: { ...request.headers, 'content-type': this.type },
        defCharset: 'utf8',
        preservePath: true,
        highWaterMark: WAITING_BYTES,
        fileHwm: WAITING_BYTES,
        limits: {
          fieldSize: this.limits.maxFieldBytes,
          fieldNameSize: 200,
          parts: this.limits.maxParts,
          headerPairs: 50,
          headerSize: 16 * 1024,
        },
      });
    } catch (error) {
      throw new InputError('INPUT_MALFORMED', { detail: 'the multipart boundary is missing' }, [], { cause: error });
    }
    await new Promise<void>((resolve, reject) => {
      this.#fail = reject;
      parser.on('field', (name, value, _nameCut, cut) => this.#field(name, value, cut));
      parser.on('file', (field, stream, name, _encoding, type) => this.#file(field, stream, name, type));
      parser.on('partsLimit', () => reject(new InputError('INPUT_TOO_MANY_PARTS', { limit: this.limits.maxParts })));
      parser.on('error', (error: unknown) =>
        reject(new InputError('INPUT_MALFORMED', { detail: 'the multipart form is broken' }, [], { cause: error })),
      );
      parser.on('finish', resolve);
      request.on('data', this.#onData);
      request.once('close', () => {
        if (!request.complete) reject(new OperationalError('CANCELLED'));
      });
      request.once('error', () => reject(new OperationalError('CANCELLED')));
      // The client may have disconnected before the listeners were attached.
      if (request.destroyed && !request.complete) reject(new OperationalError('CANCELLED'));
      this.#watch = setInterval(() => this.#checkPace(), 1000);
      request.pipe(parser);
    });
    await Promise.all(this.#files.map(({ done }) => done));
    return this.#form();
  }

  /** Stops reading; the listener discards bytes that the client still sends. */
  release(): void {
    clearInterval(this.#watch);
    this.request.off('data', this.#onData);
    this.request.unpipe();
    this.request.pause();
    for (const { out } of this.#files) if (!out.closed) out.destroy();
  }

  #count(length: number): void {
    this.#bytes += length;
    this.#lastByte = Date.now();
    if (this.#bytes > this.limits.maxBytes)
      this.#fail(new InputError('INPUT_TOO_LARGE', { limit: this.limits.maxBytes }));
  }

  #checkPace(): void {
    const now = Date.now();
    const { stallMs, minRate } = this.limits;
    const age = now - this.#started;
    if (now - this.#lastByte > stallMs || (age > stallMs && this.#bytes / (age / 1000) < minRate))
      this.#fail(new InputError('INPUT_TOO_SLOW', { seconds: Math.round(stallMs / 1000) }));
  }

  #field(name: string | undefined, value: string, cut: boolean): void {
    if (name === undefined) return this.#fail(nameless());
    if (++this.#parts > this.limits.maxParts)
      return this.#fail(new InputError('INPUT_TOO_MANY_PARTS', { limit: this.limits.maxParts }));
    this.#textBytes += Buffer.byteLength(name) + Buffer.byteLength(value);
    if (cut || this.#textBytes > this.limits.maxFieldBytes) {
      const detail = `the text of the form is longer than ${this.limits.maxFieldBytes} bytes`;
      return this.#fail(new InputError('INPUT_INVALID', { detail }, [{ pointer: `/${escapePointer(name)}`, detail }]));
    }
    (this.#fields[name] ??= []).push(value);
  }

  #file(field: string | undefined, stream: BusboyFileStream, name: string | undefined, type: string): void {
    if (field === undefined) {
      stream.resume();
      return this.#fail(nameless());
    }
    if (++this.#parts > this.limits.maxParts) {
      stream.resume();
      return this.#fail(new InputError('INPUT_TOO_MANY_PARTS', { limit: this.limits.maxParts }));
    }
    const path = this.scratch.filePath();
    const out = new UploadFile(path);
    stream.on('error', (error) => out.destroy(error));
    const { digests } = this;
    const hash = digests === undefined ? undefined : createHash('sha256');
    if (hash !== undefined) stream.on('data', (chunk: Buffer) => hash.update(chunk));
    const done = finished(stream.pipe(out)).then(() => {
      if (hash !== undefined) digests?.set(path, hash.digest('hex'));
    });
    // A full disk must end the upload at once, not only after the client has sent everything.
    done.catch((error: unknown) => this.#fail(error));
    this.#files.push({ field, name: cleanFileName(name), type, done, out });
  }

  #form(): Form {
    const fields: Record<string, string | readonly string[]> = Object.create(null) as Record<string, string>;
    for (const [name, values] of Object.entries(this.#fields))
      fields[name] = values.length === 1 ? (values[0] ?? '') : values;
    const files: Record<string, WireFile[]> = Object.create(null) as Record<string, WireFile[]>;
    for (const { field, name, type, out } of this.#files) {
      // Browsers send an empty part without a file name for an empty file input.
      if (out.size === 0 && name === 'default') continue;
      const kind = sniffKind(out.head, name) ?? 'bin';
      (files[field] ??= []).push({
        name,
        kind,
        size: out.size,
        path: out.path,
        ...(usefulType(type) ? { mediaType: type.toLowerCase() } : {}),
      });
    }
    return { fields, files };
  }
}

/** True for a media type (RFC 6838, 4.2) that is more specific than octet-stream. */
function usefulType(type: string): boolean {
  return (
    type.length <= 127 &&
    /^[a-z0-9][\w!#$&^.+-]*\/[a-z0-9][\w!#$&^.+-]*$/i.test(type) &&
    type.toLowerCase() !== 'application/octet-stream'
  );
}

/** A part must have a name (RFC 7578, 4.2). */
function nameless(): InputError {
  return new InputError('INPUT_MALFORMED', { detail: 'a part of the form has no name' });
}

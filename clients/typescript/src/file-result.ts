import { QuireError } from './errors.js';
import type { Platform } from './platform.js';

/** A file that the server returned. Its content is read once, or as often as wanted after `blob()` or `bytes()`. */
export class FileResult {
  /** Suggested by the server: `report_rotated.pdf`. */
  readonly name: string;
  readonly mediaType: string;
  /** Bytes; undefined where the server does not say. */
  readonly size: number | undefined;
  /** What the caller should know about the result. */
  readonly warnings: readonly string[];
  /** Facts about the run, by name; empty for most operations. */
  readonly report: Readonly<Record<string, unknown>>;
  /** Options that the operation does not know. */
  readonly ignored: readonly string[];
  /** Values that could not be used, with the ones used instead: `opacity=1`. */
  readonly replaced: readonly string[];
  #blob: Promise<Blob> | undefined;

  constructor(
    private readonly response: Response,
    private readonly platform: Platform,
  ) {
    const { headers } = response;
    this.name = nameOf(headers.get('content-disposition') ?? '');
    this.mediaType = headers.get('content-type') ?? 'application/octet-stream';
    const length = headers.get('content-length');
    this.size = length === null ? undefined : Number(length);
    const warnings = unescaped(headers.get('x-warnings') ?? '');
    this.warnings = warnings === '' ? [] : [warnings];
    this.report = reportOf(headers.get('x-tool-report'));
    this.ignored = listOf(headers.get('x-ignored-fields'));
    this.replaced = listOf(headers.get('x-replaced-values'));
  }

  /**
   * Writes the file and resolves to its path. A folder gets it under its own name. Nothing half-written stays. In a
   * browser it is downloaded under the name of the path.
   */
  save(path = this.name): Promise<string> {
    return this.platform.save(path, this.name, this.stream());
  }

  async bytes(): Promise<Uint8Array> {
    return new Uint8Array(await (await this.blob()).arrayBuffer());
  }

  async text(): Promise<string> {
    return (await this.blob()).text();
  }

  /** Of a JSON file. */
  async json<T = unknown>(): Promise<T> {
    return JSON.parse(await this.text()) as T;
  }

  blob(): Promise<Blob> {
    return (this.#blob ??= new Response(this.#unread()).blob());
  }

  /** The content as it arrives, without keeping it. */
  stream(): ReadableStream<Uint8Array> {
    const kept = this.#blob;
    if (kept === undefined) return this.#unread();
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    void kept.then((blob) => blob.stream().pipeTo(writable)).catch((error: unknown) => writable.abort(error));
    return readable;
  }

  #unread(): ReadableStream<Uint8Array> {
    if (this.response.bodyUsed || this.response.body?.locked === true)
      throw new QuireError(
        'RESULT_READ',
        `"${this.name}" has been read; call blob() or bytes() first to read it twice.`,
      );
    return this.response.body ?? new Blob([]).stream();
  }
}

/** The file name of an attachment (RFC 6266); `result` where there is none. */
function nameOf(disposition: string): string {
  const extended = /filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1];
  if (extended !== undefined) return decodeURIComponent(extended);
  return /filename="([^"]*)"/i.exec(disposition)?.[1] ?? 'result';
}

/** The server writes other characters than visible ASCII as JSON escapes. */
function unescaped(text: string): string {
  return text.replace(/\\u([0-9a-f]{4})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

function listOf(header: string | null): string[] {
  return header === null ? [] : unescaped(header).split(', ');
}

/** A report that is too long for a header is cut, so it is no JSON then. */
function reportOf(header: string | null): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(header ?? '{}') as Readonly<Record<string, unknown>>;
  } catch {
    return {};
  }
}

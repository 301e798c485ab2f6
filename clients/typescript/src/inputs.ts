import type { FileResult } from './file-result.js';
import type { Platform } from './platform.js';

/** The content of a file. A stream is read completely before it is sent, so that the call can be repeated. */
export type Content = Uint8Array | ArrayBuffer | Blob | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

/** A structure, or its JSON text. */
export type Json = string | object;

/**
 * A document that is sent: a path (Node only), its content, the result of another call, content with a name, or a file
 * that is on the server (a result of an earlier job).
 */
export type Input =
  | string
  | Content
  | FileResult
  | { readonly data: Content; readonly name: string }
  | { readonly path: string; readonly name?: string }
  | { readonly fileId: string };

/** A file as a form takes it, or the id of one that is on the server. */
export type Part = { readonly blob: Blob; readonly name: string } | { readonly fileId: string };

/** Whether a value of an option is a file. Texts are not: only operations know which of their options name files. */
export function isFile(value: unknown): value is Exclude<Input, string> {
  if (typeof value !== 'object' || value === null) return false;
  return isContent(value) || isResult(value) || 'data' in value || 'path' in value || 'fileId' in value;
}

/** Opens an input. Rejects with a TypeError for anything that is not one, and with the error of an unreadable path. */
export async function openInput(input: Input, platform: Platform): Promise<Part> {
  if (typeof input === 'string') return platform.open(input);
  if (typeof input !== 'object' || input === null)
    throw new TypeError(`A document must be a path, bytes, a Blob or a stream, not ${String(input)}.`);
  if (isResult(input)) return { blob: await input.blob(), name: input.name };
  // Before paths: streams of Node have a path too.
  if (isContent(input)) return withUsualName(await blobOf(input), input);
  if ('fileId' in input) return { fileId: input.fileId };
  if ('path' in input) return { ...(await platform.open(input.path)), ...named(input.name) };
  return { blob: await blobOf(input.data), name: input.name };
}

function isResult(value: object): value is FileResult {
  return 'blob' in value && 'save' in value;
}

function isContent(value: object): value is Content {
  return (
    value instanceof Uint8Array ||
    value instanceof ArrayBuffer ||
    value instanceof Blob ||
    value instanceof ReadableStream ||
    Symbol.asyncIterator in value
  );
}

function named(name: string | undefined): { readonly name?: string } {
  return name === undefined ? {} : { name };
}

async function blobOf(content: Content): Promise<Blob> {
  if (content instanceof Blob) return content;
  if (content instanceof ReadableStream) return new Response(content).blob();
  if (content instanceof ArrayBuffer || content instanceof Uint8Array) return new Blob([content as BlobPart]);
  const chunks: BlobPart[] = [];
  for await (const chunk of content) chunks.push(chunk as BlobPart);
  return new Blob(chunks);
}

/** Content without a name is `document`, with `.pdf` if it looks like one: the server reads types from names. */
async function withUsualName(blob: Blob, input: Content): Promise<Part> {
  const own = 'name' in input ? input.name : undefined;
  if (typeof own === 'string') return { blob, name: own };
  const isPdf = (await blob.slice(0, 1024).text()).includes('%PDF-');
  return { blob, name: isPdf ? 'document.pdf' : 'document' };
}

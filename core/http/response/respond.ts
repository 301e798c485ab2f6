import type { Readable } from 'node:stream';
import type { ResponseObject, ResponseToolkit } from '@hapi/hapi';
import { declaredMediaType, type AnyOperation, type EndpointAnswer } from '@quire/registry';
import type { RunResult } from '../../operations/runner/index.js';
import { contentDisposition } from './content-disposition.js';
import { factHeaders } from './fact-headers.js';
import { answerMediaType } from '../request/media-type.js';

/** A file to answer with: on disk, as bytes, or as a stream of known size. */
export interface FileAnswer {
  readonly name: string;
  readonly mediaType: string;
  readonly size: number;
  readonly body: Readable | Buffer | string;
}

/** Sends a file as an attachment, or without a Content-Disposition for pages to show. */
export function answerFile(
  h: ResponseToolkit,
  file: FileAnswer,
  headers: Readonly<Record<string, string>> = {},
  disposition: 'attachment' | 'inline' = 'attachment',
): ResponseObject {
  const response = h.response(file.body).type(file.mediaType).bytes(file.size);
  if (disposition === 'attachment') response.header('content-disposition', contentDisposition(file.name));
  // Only text has a charset; Hapi adds one to everything that it considers text.
  if (!file.mediaType.startsWith('text/')) response.charset('');
  for (const [name, value] of Object.entries(headers)) response.header(name, value);
  return response;
}

/** Sends the answer of a direct call: the file, a zip of several, JSON, or 204 if the file was filtered out. */
export function runAnswer(
  accept: string | undefined,
  result: RunResult,
  operation: AnyOperation,
  more: Readonly<Record<string, string>>,
): EndpointAnswer {
  const headers = { ...factHeaders(result, result.outputs.length), ...more };
  if (result.isJson) return { json: result.json, headers };
  const file = result.archive ?? result.outputs[0];
  if (file === undefined) return { status: 204, headers };
  return {
    file: {
      name: file.name,
      mediaType: answerMediaType(file.kind, accept, declaredMediaType(operation, file.kind)),
      path: file.path,
    },
    headers,
  };
}

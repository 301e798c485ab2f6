import { readFileSync, statSync } from 'node:fs';
import type { ResponseObject, ResponseToolkit } from '@hapi/hapi';
import type { EndpointAnswer } from '@quire/registry';
import { contentDisposition } from './content-disposition.js';
import { openFile } from './file-body.js';
import { answerFile } from './respond.js';
import { untilClosing } from './until-closing.js';

/** A file that is no larger is read at once: each turn in the thread pool costs more than its bytes. */
const SMALL_BYTES = 64 * 1024;

/** Sends the answer of an endpoint; `usual` is the status if the answer has none. */
export async function answerEndpoint(
  h: ResponseToolkit,
  answer: EndpointAnswer,
  usual?: number,
): Promise<ResponseObject> {
  const response = bodyOf(h, answer);
  const status = answer.status ?? usual ?? (response.source === null ? 204 : 200);
  response.code(status);
  for (const [name, value] of Object.entries(answer.headers ?? {})) response.header(name, value);
  return response;
}

function bodyOf(h: ResponseToolkit, answer: EndpointAnswer): ResponseObject {
  if (answer.json !== undefined) return h.response(JSON.stringify(answer.json)).type('application/json');
  if (answer.text !== undefined) return h.response(answer.text).type('text/plain');
  if (answer.stream !== undefined) {
    const { body, mediaType } = answer.stream;
    // A stream that answers another method reports on the work of its call, and ends with that.
    const sent = h.request.method === 'get' ? untilClosing(h.request.server, body) : body;
    return h.response(sent).type(mediaType).header('x-accel-buffering', 'no');
  }
  if (answer.file === undefined) return h.response();
  const { name, mediaType, path, bytes, stream, size, disposition } = answer.file;
  if (path !== undefined) {
    const found = statSync(path).size;
    const body = found <= SMALL_BYTES ? readFileSync(path) : openFile(path, found);
    return answerFile(h, { name, mediaType, size: found, body }, {}, disposition);
  }
  if (bytes !== undefined)
    return answerFile(h, { name, mediaType, size: bytes.length, body: Buffer.from(bytes) }, {}, disposition);
  if (stream !== undefined && size !== undefined)
    return answerFile(h, { name, mediaType, size, body: stream }, {}, disposition);
  if (stream !== undefined)
    return disposition === 'inline'
      ? h.response(stream).type(mediaType)
      : h.response(stream).type(mediaType).header('content-disposition', contentDisposition(name));
  throw new Error('a file answer needs a path, bytes or a stream');
}

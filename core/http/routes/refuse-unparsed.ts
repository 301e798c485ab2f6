import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { InputError, type QuireError } from '@quire/registry';
import { STATUS_CODES } from '../node-http.js';
import { problemOf, requestId } from '../response/error-body.js';

/**
 * Answers bytes that are not HTTP, or exceed the limits for headers, with a problem document. Hapi has no request then
 * and would send a bare 400. Errors: HEADERS_TOO_LARGE, HEADERS_TOO_SLOW, HTTP_REFUSED (RFC 9110, 15.5; RFC 6585, 5).
 */
export function refuseUnparsed(server: Server, maxHeaderBytes: number): void {
  server.prependListener('clientError', (error: NodeJS.ErrnoException, stream) => {
    const socket = stream as Socket;
    const {
      status,
      body: { instance: _, path: __, ...body },
    } = problemOf(refusalOf(error, maxHeaderBytes), {
      path: '',
      id: requestId(undefined),
      method: '',
      now: new Date(),
    });
    const text = JSON.stringify(body);
    const head = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
      'Content-Type: application/problem+json',
      `Content-Length: ${Buffer.byteLength(text)}`,
      `X-Request-Id: ${body.requestId}`,
      'Connection: close',
    ];
    // Replaces only the answer that Hapi sends by itself; requests that Hapi knows are answered as usual.
    const end = socket.end.bind(socket);
    socket.end = () => end(`${head.join('\r\n')}\r\n\r\n${text}`);
  });
}

function refusalOf({ code }: NodeJS.ErrnoException, limit: number): QuireError {
  if (code === 'HPE_HEADER_OVERFLOW') return new InputError('HEADERS_TOO_LARGE', { limit });
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new InputError('HEADERS_TOO_SLOW');
  return new InputError('HTTP_REFUSED', { detail: 'The bytes that were sent are not an HTTP/1.1 request.' });
}

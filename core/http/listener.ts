import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { createServer } from './node-http.js';
import { acceptedEncodings } from './request/accepted-encodings.js';
import { refuseUnparsed } from './routes/refuse-unparsed.js';

/** Limits of a connection. */
export interface ListenerSettings {
  readonly headersTimeoutMs: number;
  readonly keepAliveMs: number;
  readonly maxConnections: number;
  /** A client that reads no byte of an answer for this long is disconnected. */
  readonly slowReaderMs: number;
}

/** Limit of the request line and headers together. */
const MAX_HEADER_BYTES = 16 * 1024;
/** How long a rejected client may continue to send, so that it can read the answer. */
const LINGER_MS = 1500;
const READER_CHECK_MS = 5000;
/** Bytes per second below which a reader counts as slow, once the slow reader time has passed. */
const MIN_READ_RATE = 1024;

/**
 * Creates Node's HTTP server with our own time limits. The duration of a whole request is not limited here:
 * `read-form.ts` watches the progress of uploads instead.
 */
export function createListener(settings: ListenerSettings): Server {
  const server = createServer({
    headersTimeout: settings.headersTimeoutMs,
    requestTimeout: 0,
    keepAliveTimeout: settings.keepAliveMs,
    connectionsCheckingInterval: 1000,
    maxHeaderSize: MAX_HEADER_BYTES,
  });
  refuseUnparsed(server, MAX_HEADER_BYTES);
  if (settings.maxConnections > 0) server.maxConnections = settings.maxConnections;
  const attend = (request: IncomingMessage, response: ServerResponse): void => {
    // hapi logs a stack for a header that it cannot parse.
    const accepted = acceptedEncodings(request.headers['accept-encoding']);
    if (accepted.length === 0) delete request.headers['accept-encoding'];
    else request.headers['accept-encoding'] = accepted.join(', ');
    lingerAfterRefusal(request);
    watchReader(response, settings.slowReaderMs);
  };
  server.on('request', attend);
  server.on('checkContinue', attend);
  return server;
}

/**
 * Keeps the connection of a rejected client open a little longer. Node closes it after the answer (`Connection:
 * close`); closing with unread bytes resets the connection, and the client may lose the answer (RFC 9112, 9.6). So the
 * remaining bytes are read and discarded first.
 */
function lingerAfterRefusal(request: IncomingMessage): void {
  const { socket } = request;
  const end = (): void => Socket.prototype.destroySoon.call(socket);
  socket.destroySoon = () => {
    if (request.complete) return end();
    request.resume();
    request.once('end', end);
    const timer = setTimeout(() => socket.destroy(), LINGER_MS);
    socket.once('close', () => clearTimeout(timer));
  };
}

/** Disconnects a client that does not read its answer (reliability.md, F11). */
function watchReader(response: ServerResponse, slowMs: number): void {
  let startedAt = 0;
  let startedBytes = 0;
  let lastBytes = -1;
  let lastChange = Date.now();
  const timer = setInterval(
    () => {
      const { socket } = response;
      if (socket === null || !response.headersSent || response.writableLength + socket.writableLength === 0) {
        lastChange = Date.now();
        return;
      }
      const now = Date.now();
      // Bytes that the kernel accepted count as sent; bytes still queued in Node do not.
      const sent = socket.bytesWritten - socket.writableLength;
      if (startedAt === 0) {
        startedAt = now;
        startedBytes = sent;
      }
      if (sent !== lastBytes) {
        lastBytes = sent;
        lastChange = now;
      }
      const age = now - startedAt;
      const tooSlow = age > slowMs && (sent - startedBytes) / (age / 1000) < MIN_READ_RATE;
      if (now - lastChange > slowMs || tooSlow) socket.destroy();
    },
    Math.min(READER_CHECK_MS, slowMs),
  );
  timer.unref();
  response.once('close', () => clearInterval(timer));
}

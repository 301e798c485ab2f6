import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { refuseUnparsed } from './routes/refuse-unparsed.js';

/** Bounds of the connection itself. */
export interface ListenerSettings {
  readonly headersTimeoutMs: number;
  readonly keepAliveMs: number;
  readonly maxConnections: number;
  /** A client that takes no byte of an answer for this long is let go. */
  readonly slowReaderMs: number;
}

/** Of a request's line and headers together. */
const MAX_HEADER_BYTES = 16 * 1024;
/** How long a client may go on sending after it was refused, so that it can read the answer. */
const LINGER_MS = 1500;
const READER_CHECK_MS = 5000;
/** Bytes per second below which a reader counts as slow, once the slow reader time has passed. */
const MIN_READ_RATE = 1024;

/**
 * Node's HTTP server with time limits of our own. The time of a whole request is not limited here: uploads are watched
 * by their progress (`read-form.ts`), which a fixed time cannot do.
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
    lingerAfterRefusal(request);
    watchReader(response, settings.slowReaderMs);
  };
  server.on('request', attend);
  server.on('checkContinue', attend);
  return server;
}

/**
 * Keeps a refused client's connection a while longer. Node ends it with the answer (`Connection: close`); with bytes
 * unread that resets the connection and overtakes the answer (RFC 9112, 9.6), so what still comes is thrown away first.
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

/** Lets a client go that does not read its answer (reliability.md, F11). */
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
      // What the kernel has taken has left us; what is still queued in Node has not been read.
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

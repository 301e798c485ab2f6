/**
 * Node's HTTP server. `import … from 'node:http'` reads every export of that module, and with `WebSocket` Node loads
 * its client for fetch, HTTP/2 and Web Streams: 13 MB of memory and 30 ms of the start that the server never uses.
 */
export const { createServer, STATUS_CODES } = process.getBuiltinModule('node:http');

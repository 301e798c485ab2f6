import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';

/** A request as the service got it. */
export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

/** A service elsewhere: answers as the test says, and keeps what it was sent. */
export interface RemoteService {
  readonly url: string;
  readonly port: number;
  readonly seen: Seen[];
  answer: (request: Seen, response: ServerResponse) => void;
  stop(): Promise<void>;
}

/** Starts one on this machine. */
export async function startRemote(): Promise<RemoteService> {
  const seen: Seen[] = [];
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request
      .on('error', () => undefined)
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', () => {
        const got = {
          method: request.method ?? '',
          url: request.url ?? '',
          headers: request.headers,
          body: Buffer.concat(chunks),
        };
        seen.push(got);
        service.answer(
          got,
          response.on('error', () => undefined),
        );
      });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const service: RemoteService = {
    url: `http://127.0.0.1:${port}`,
    port,
    seen,
    answer: (_request, response) => void response.end(),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return service;
}

/** A zip of these files. */
export async function zipOf(files: readonly (readonly [name: string, bytes: Buffer])[]): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, bytes] of files) zip.addBuffer(bytes, name);
  zip.end();
  return buffer(zip.outputStream);
}

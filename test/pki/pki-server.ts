import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Authority, Issued } from './authority.js';
import { openssl } from './openssl.js';

/** A request as the server received it. */
export interface PkiRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly body: Buffer;
}

/** The answer: bytes with their type, or a listener for misbehaviour of any kind. */
export type PkiAnswer = { readonly type: string; readonly bytes: Uint8Array } | RequestListener;

/** Answers at a path. */
export type PkiRoute = (request: PkiRequest) => PkiAnswer | Promise<PkiAnswer>;

/**
 * A local HTTP server for OCSP, revocation lists, issuer certificates, timestamps and trusted lists; it records its
 * requests.
 */
export class PkiServer {
  readonly requests: PkiRequest[] = [];
  readonly #routes = new Map<string, PkiRoute>();

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(): Promise<PkiServer> {
    const server = createServer();
    const port = await new Promise<number>((resolve) =>
      server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)),
    );
    const pki = new PkiServer(server, `http://127.0.0.1:${port}`);
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request
        .on('error', () => undefined)
        .on('data', (chunk: Buffer) => chunks.push(chunk))
        .on('end', () => {
          const seen: PkiRequest = {
            method: request.method ?? '',
            path: new URL(request.url ?? '/', pki.url).pathname,
            headers: request.headers,
            body: Buffer.concat(chunks),
          };
          pki.requests.push(seen);
          void Promise.resolve()
            .then(() => pki.#routes.get(seen.path)?.(seen))
            .then((answer) => {
              if (answer === undefined) response.writeHead(404).end();
              else if (typeof answer === 'function') answer(request, response);
              else response.writeHead(200, { 'content-type': answer.type }).end(answer.bytes);
            })
            .catch((error: unknown) => response.writeHead(500).end(String(error)));
        });
    });
    return pki;
  }

  /** Adds a route; returns its address. */
  route(path: string, route: PkiRoute): string {
    this.#routes.set(path, route);
    return this.url + path;
  }

  /** An OCSP responder of an authority (RFC 6960, over POST). */
  ocsp(path: string, authority: Authority, responder?: Issued): string {
    return this.route(path, async ({ body }) => ({
      type: 'application/ocsp-response',
      bytes: await authority.ocspAnswer(body, responder),
    }));
  }

  /** The revocation list of an authority, created again for each call. */
  crl(path: string, authority: Authority, days?: number): string {
    return this.route(path, async () => ({ type: 'application/pkix-crl', bytes: await authority.crl(days) }));
  }

  /** The certificate of an authority, DER. */
  issuer(path: string, authority: Authority): string {
    return this.route(path, () => ({ type: 'application/pkix-cert', bytes: authority.own.certificate }));
  }

  /** A timestamp authority (RFC 3161) that signs with a certificate issued for it. */
  timeStamps(path: string, authority: Authority, signer: Issued): string {
    return this.route(path, async ({ body }) => ({
      type: 'application/timestamp-reply',
      bytes: await timeStampReply(authority, signer, body),
    }));
  }

  async stop(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.server.close(() => resolve());
      this.server.closeAllConnections();
    });
  }
}

/** Creates a timestamp reply with `openssl ts`. */
export async function timeStampReply(
  { folder, ...authority }: Authority,
  signer: Issued,
  request: Uint8Array,
): Promise<Buffer> {
  const stem = join(folder, `ts-${process.hrtime.bigint()}`);
  await writeFile(`${stem}.tsq`, request);
  await writeFile(`${stem}.chain`, await readFile(authority.own.certificateFile));
  await openssl(folder, [
    'ts',
    '-reply',
    '-config',
    'ca.cnf',
    '-queryfile',
    `${stem}.tsq`,
    '-signer',
    signer.certificateFile,
    '-inkey',
    signer.keyFile,
    '-chain',
    `${stem}.chain`,
    '-out',
    `${stem}.tsr`,
  ]);
  return readFile(`${stem}.tsr`);
}

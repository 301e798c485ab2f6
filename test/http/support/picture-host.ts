import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A host of pictures, over TLS, that answers what a test wants. */
export class PictureHost {
  /** Paths that were asked for. */
  readonly asked: string[] = [];
  readonly #answers = new Map<string, Answer>();

  private constructor(
    private readonly server: Server,
    private readonly folder: string,
    readonly url: string,
  ) {}

  static async listen(): Promise<PictureHost> {
    const folder = mkdtempSync(join(tmpdir(), 'quire-picture-host-'));
    const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'host.pem')];
    const shape = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
    const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
    execFileSync('openssl', ['req', '-x509', ...shape, '-keyout', key, '-out', certificate, ...names], {
      stdio: 'ignore',
    });
    const server = createServer({ key: readFileSync(key), cert: readFileSync(certificate) });
    server.listen(0, 'localhost');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const host = new PictureHost(server, folder, `https://localhost:${port}`);
    server.on('request', (request, response) => {
      host.asked.push(request.url ?? '');
      const answer = host.#answers.get(request.url ?? '');
      if (answer === undefined) response.writeHead(404).end();
      else answer(request, response);
    });
    return host;
  }

  /** Settings of a server that trusts this host and may call it. */
  get settings(): Readonly<Record<string, unknown>> {
    return { system: { caBundle: join(this.folder, 'host.pem') }, outbound: { allowed: ['localhost'] } };
  }

  /** Answers a path with this content; returns the address. */
  has(path: string, content: Uint8Array | string | Answer, type = 'image/png'): string {
    const answer: Answer =
      typeof content === 'function'
        ? content
        : (_, response) => response.writeHead(200, { 'content-type': type }).end(content);
    this.#answers.set(path, answer);
    return `${this.url}${path}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
    rmSync(this.folder, { recursive: true });
  }
}

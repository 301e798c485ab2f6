import { mkdtemp, readdir, readlink, rm, truncate, writeFile } from 'node:fs/promises';
import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { openFile } from './file-body.js';

describe('a file that is sent', () => {
  let folder: string;
  let path: string;
  let server: Server;
  /** What the server does with the file before it sends it. */
  let beforeSending: () => Promise<void>;
  const content = Buffer.from(Array.from({ length: 700_001 }, (_, i) => i % 251));

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quire-file-body-'));
    path = join(folder, 'file');
    await writeFile(path, content);
    beforeSending = async () => undefined;
    server = createServer((_, res) => {
      const body = openFile(path, content.length);
      res.setHeader('content-length', content.length);
      void beforeSending().then(() => body.writeToStream(res));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterEach(async () => {
    server.closeAllConnections();
    server.close();
    await rm(folder, { recursive: true });
  });

  const request = (): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      get({ host: '127.0.0.1', port: (server.address() as AddressInfo).port }, resolve).on('error', reject);
    });
  const isOpen = async (): Promise<boolean> => {
    const links = await Promise.all(
      (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')),
    );
    return links.includes(path);
  };
  const closed = async (): Promise<void> => {
    for (let i = 0; i < 200 && (await isOpen()); i++) await setTimeout(10);
    expect(await isOpen()).to.equal(false);
  };

  it('arrives whole, also at a client that reads slowly, and is closed then', async () => {
    const answer = await request();
    await setTimeout(30);
    expect((await buffer(answer)).equals(content)).to.equal(true);
    await closed();
  });

  it('is closed when the client leaves in the middle', async () => {
    const answer = await request();
    answer.once('data', () => answer.destroy());
    answer.on('error', () => undefined);
    await new Promise((resolve) => answer.once('close', resolve));
    await closed();
  });

  it('ends the connection when it has become shorter than it was', async () => {
    beforeSending = () => truncate(path, 300_000);
    const failure = await buffer(await request()).then(
      () => undefined,
      (error: NodeJS.ErrnoException) => error.code,
    );
    expect(failure).to.equal('ECONNRESET');
    await closed();
  });

  it('ends the connection when it is gone before it is open, and not the server', async () => {
    path = join(folder, 'no such file');
    const failure = await request().then(
      () => undefined,
      (error: NodeJS.ErrnoException) => error.code,
    );
    expect(failure).to.equal('ECONNRESET');
  });

  it('does not end the server when it is gone before it is open, and nobody listens', async () => {
    const body = openFile(join(folder, 'no such file of quire'), 3);
    await new Promise<void>((resolve) => body.on('close', () => resolve()));
    expect(body.errored).to.have.property('code', 'ENOENT');
  });
});

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
  const small = Buffer.from(Array.from({ length: 700_001 }, (_, i) => i % 251));
  const large = Buffer.from(Array.from({ length: 5_000_001 }, (_, i) => (i * 3) % 241));
  let content: Buffer;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quire-file-body-'));
    path = join(folder, 'file');
    content = small;
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

  it('arrives whole when it is large, many at once and small ones between them', async () => {
    const sizes = [large, small, large, small, ...Array<Buffer>(14).fill(large)];
    const answers = [];
    for (content of sizes) {
      await writeFile(path, content);
      answers.push(await request());
      path = `${path}+`;
    }
    for (const [i, answer] of answers.entries())
      expect((await buffer(answer)).equals(sizes[i] as Buffer), `answer ${i}`).to.equal(true);
  });

  it('does not mix with the next one when a client leaves in the middle', async () => {
    content = large;
    await writeFile(path, large);
    for (let i = 0; i < 6; i++) {
      const left = await request();
      left.on('error', () => undefined);
      const gone = new Promise((resolve) => left.once('close', resolve));
      left.once('data', () => left.destroy());
      const slow = await request();
      await gone;
      expect((await buffer(slow)).equals(large)).to.equal(true);
    }
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

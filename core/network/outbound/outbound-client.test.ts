import { once } from 'node:events';
import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createSocketServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Outbound, OutboundCall } from '@quire/registry';
import { codeOf } from '../../../test/suites/code-of.js';
import { createOutbound } from './outbound-client.js';
import type { Resolve } from './pinned-lookup.js';

const settings = (allowed: readonly string[]) => ({
  get: <T>(path: string): T => (path === 'outbound.allowed' ? allowed : '/nowhere') as T,
});
const here: Resolve = async () => [{ address: '127.0.0.1', family: 4 }];

describe('calls to other servers', () => {
  const opened: { server?: Server; clients: { close(): Promise<void> }[] } = { clients: [] };
  const seen: { url: string; headers: IncomingMessage['headers']; body: string }[] = [];

  function client(allowed: readonly string[], resolve?: Resolve): Outbound {
    const made = createOutbound(settings(allowed), resolve);
    opened.clients.push(made);
    return made;
  }

  async function serve(answer: RequestListener): Promise<number> {
    const server = createServer((request, response) => {
      let body = '';
      request
        .on('data', (chunk: Buffer) => (body += chunk.toString('latin1')))
        .on('end', () => {
          seen.push({ url: request.url ?? '', headers: request.headers, body });
          answer(request, response);
        });
    });
    opened.server = server;
    return new Promise((resolve) =>
      server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)),
    );
  }

  afterEach(async () => {
    seen.length = 0;
    await Promise.all(opened.clients.splice(0).map((one) => one.close()));
    const { server } = opened;
    if (server !== undefined)
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    delete opened.server;
  });

  const call = (url: string, more: Partial<OutboundCall> = {}): OutboundCall => ({ url, field: 'tsaUrl', ...more });

  it('send what they are given and give back what was answered, whatever its status', async () => {
    const port = await serve((_request, response) =>
      response.writeHead(418, { 'content-type': 'application/x', 'x-two': ['a', 'b'] }).end('short'),
    );
    const answer = await client(['127.0.0.1']).call(
      call(`http://127.0.0.1:${port}/a?b=c`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/timestamp-query' },
        body: new Uint8Array([1, 2, 255]),
      }),
    );
    expect(answer).to.deep.include({ status: 418, url: `http://127.0.0.1:${port}/a?b=c` });
    expect(answer.headers).to.deep.include({ 'content-type': 'application/x', 'x-two': 'a, b' });
    expect(Buffer.from(answer.body).toString()).to.equal('short');
    expect(seen).to.have.length(1);
    expect(seen[0]).to.deep.include({ url: '/a?b=c', body: '\u0001\u0002\u00ff' });
    expect(seen[0]?.headers).to.include({
      'content-type': 'application/timestamp-query',
      'content-length': '3',
      'accept-encoding': 'identity',
    });
  });

  it('do not leave for an address that is not public, and no connection is made', async () => {
    const port = await serve((_request, response) => response.end('inner'));
    expect(await codeOf(client([]).call(call(`http://127.0.0.1:${port}/`)))).to.equal('ADDRESS_REFUSED');
    expect(seen).to.deep.equal([]);
  });

  it('refuse a public name that resolves to an internal address, without showing the address', async () => {
    const port = await serve((_request, response) => response.end('inner'));
    for (const resolve of [
      here,
      async () => [
        { address: '93.184.215.14', family: 4 },
        { address: '127.0.0.1', family: 4 },
      ],
      async () => [{ address: '::ffff:127.0.0.1', family: 6 }],
    ] as Resolve[]) {
      const error = await client([], resolve)
        .call(call(`http://tsa.example.com:${port}/`))
        .then(
          () => undefined,
          (reason: unknown) => reason as Error & { code: string },
        );
      expect(error?.code).to.equal('ADDRESS_REFUSED');
      expect(error?.message)
        .to.contain('tsa.example.com does not lead to the public internet')
        .and.not.to.contain('127.0.0.1');
    }
    expect(seen).to.deep.equal([]);
  });

  it('look a name up once for each connection, so that a name server cannot answer twice', async () => {
    const port = await serve((_request, response) => response.end('first'));
    let lookups = 0;
    const resolve: Resolve = async () => [{ address: lookups++ === 0 ? '127.0.0.2' : '127.0.0.1', family: 4 }];
    const outbound = client(['127.0.0.2'], resolve);
    // The listener is at 127.0.0.1 only: what was checked is what is dialled.
    expect(await codeOf(outbound.call(call(`http://rebind.example.com:${port}/`)))).to.equal('REMOTE_UNREACHABLE');
    expect(await codeOf(outbound.call(call(`http://rebind.example.com:${port}/`)))).to.equal('ADDRESS_REFUSED');
    expect([lookups, seen]).to.deep.equal([2, []]);
  });

  it('follow redirects only as often as asked, each checked again, without what was for the first host', async () => {
    const port = await serve((request, response) => {
      if (request.url === '/inner')
        return response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data' }).end();
      if (request.url === '/scheme') return response.writeHead(302, { location: 'file:///etc/passwd' }).end();
      if (request.url === '/loop') return response.writeHead(302, { location: '/loop' }).end();
      if (request.url === '/away') return response.writeHead(301, { location: `http://localhost:${port}/end` }).end();
      if (request.url === '/near') return response.writeHead(307, { location: 'end' }).end();
      return response.end('end');
    });
    const outbound = client(['127.0.0.1', 'localhost'], here);
    const get = (path: string, redirects: number) =>
      outbound.call(
        call(`http://127.0.0.1:${port}${path}`, { headers: { Authorization: 'secret' }, limits: { redirects } }),
      );
    expect((await get('/near', 0)).status).to.equal(307);
    expect(Buffer.from((await get('/near', 1)).body).toString()).to.equal('end');
    expect(seen.at(-1)?.headers).to.include({ authorization: 'secret' });
    expect((await get('/away', 3)).url).to.equal(`http://localhost:${port}/end`);
    expect(seen.at(-1)?.headers).not.to.have.property('authorization');
    seen.length = 0;
    expect((await get('/loop', 3)).status).to.equal(302);
    expect(seen).to.have.length(4);
    for (const path of ['/inner', '/scheme']) expect(await codeOf(get(path, 3)), path).to.equal('ADDRESS_REFUSED');
  });

  it("go anywhere for an operator's own address, on separate connections, without redirects", async () => {
    const port = await serve((request, response) =>
      request.url === '/away' ? response.writeHead(302, { location: '/end' }).end() : response.end('inner'),
    );
    const outbound = client([], here);
    for (const host of ['127.0.0.1', 'localhost', 'model.example.com'])
      expect(
        Buffer.from((await outbound.call(call(`http://${host}:${port}/`, { ofOperator: true }))).body).toString(),
        host,
      ).to.equal('inner');
    expect(
      (await outbound.call(call(`http://localhost:${port}/away`, { ofOperator: true, limits: { redirects: 3 } })))
        .status,
    ).to.equal(302);
    seen.length = 0;
    for (const host of ['127.0.0.1', 'localhost', 'model.example.com'])
      expect(await codeOf(outbound.call(call(`http://${host}:${port}/`))), host).to.equal('ADDRESS_REFUSED');
    expect(await codeOf(outbound.call(call('file:///etc/passwd', { ofOperator: true })))).to.equal('ADDRESS_REFUSED');
    expect(seen).to.deep.equal([]);
  });

  it(
    'go to private addresses where they may, on connections that serve no other call, and never where a cloud ' +
      'keeps its secrets',
    async () => {
      const port = await serve((_request, response) => response.end('inner'));
      const outbound = client([], async (host) => [
        { address: host === 'cloud.example.com' ? '169.254.169.254' : '127.0.0.1', family: 4 },
      ]);
      for (const host of ['127.0.0.1', 'localhost', 'api.example.com'])
        expect((await outbound.call(call(`http://${host}:${port}/`, { reach: 'private' }))).status, host).to.equal(200);
      seen.length = 0;
      for (const host of ['127.0.0.1', 'localhost', 'api.example.com'])
        expect(await codeOf(outbound.call(call(`http://${host}:${port}/`))), host).to.equal('ADDRESS_REFUSED');
      for (const host of ['cloud.example.com', '169.254.169.254', 'metadata.google.internal'])
        expect(await codeOf(outbound.call(call(`http://${host}:${port}/`, { reach: 'private' }))), host).to.equal(
          'ADDRESS_REFUSED',
        );
      expect(seen).to.deep.equal([]);
      expect(() => outbound.check('http://10.0.0.1/', 'url', 'private')).not.to.throw();
      expect(() => outbound.check('http://10.0.0.1/', 'url')).to.throw();
    },
  );

  it('stream a file as their body, with its length, and again for another call', async () => {
    const port = await serve((_request, response) => response.end('got it'));
    const folder = await mkdtemp(join(tmpdir(), 'quire-outbound-'));
    try {
      await writeFile(join(folder, 'body'), Buffer.alloc(1_500_000, 'ab'));
      const outbound = client(['127.0.0.1']);
      for (let i = 0; i < 2; i++)
        expect(
          (
            await outbound.call(
              call(`http://127.0.0.1:${port}/`, {
                method: 'PUT',
                bodyFile: join(folder, 'body'),
                headers: { 'content-type': 'a/b' },
              }),
            )
          ).status,
        ).to.equal(200);
      expect(
        seen.map(({ headers, body }) => [
          headers['content-length'],
          headers['content-type'],
          headers['transfer-encoding'],
          body.length,
        ]),
      ).to.deep.equal([
        ['1500000', 'a/b', undefined, 1_500_000],
        ['1500000', 'a/b', undefined, 1_500_000],
      ]);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('reports a failure of its own disk as such, and survives a body that is gone', async () => {
    const port = await serve((_request, response) => response.end('kept'));
    const outbound = client(['127.0.0.1']);
    const folder = await mkdtemp(join(tmpdir(), 'quire-outbound-'));
    const failure = async (work: Promise<unknown>): Promise<unknown> =>
      work.then(
        () => 'nothing',
        (error: { code?: unknown }) => error.code,
      );
    const file = await open('/dev/null');
    await file.close();
    // A disk that fills up, on every file.
    const handle = Object.getPrototypeOf(file) as { appendFile(chunk: unknown): Promise<void> };
    const { appendFile } = handle;
    try {
      expect(
        await failure(
          outbound.call(call(`http://127.0.0.1:${port}/`, { method: 'PUT', bodyFile: join(folder, 'gone') })),
        ),
      ).to.equal('ENOENT');
      expect(
        await failure(outbound.download(call(`http://127.0.0.1:${port}/`), join(folder, 'no', 'folder'))),
      ).to.equal('ENOENT');
      handle.appendFile = () =>
        Promise.reject(Object.assign(new Error('no space left on device'), { code: 'ENOSPC', syscall: 'write' }));
      expect(await failure(outbound.download(call(`http://127.0.0.1:${port}/`), join(folder, 'full')))).to.equal(
        'ENOSPC',
      );
    } finally {
      handle.appendFile = appendFile;
      await rm(folder, { recursive: true });
    }
    // A stream without listeners would have ended the process by now.
    await new Promise((resolve) => setTimeout(resolve, 20));
  });

  it('end at the time limit, before or within the answer, and when they are cancelled', async () => {
    const port = await serve((request, response) => {
      if (request.url === '/drip') response.write('a');
    });
    const outbound = client(['127.0.0.1']);
    for (const path of ['/silent', '/drip'])
      expect(
        await codeOf(outbound.call(call(`http://127.0.0.1:${port}${path}`, { limits: { timeoutMs: 150 } }))),
        path,
      ).to.equal('REMOTE_TIMEOUT');
    const abort = new AbortController();
    const waiting = outbound.call(call(`http://127.0.0.1:${port}/silent`), abort.signal);
    setTimeout(() => abort.abort(new Error('enough')), 50);
    expect(await codeOf(waiting)).to.equal('CANCELLED');
  });

  it('end at the size limit, also where the length lies or the body was packed unasked', async () => {
    const port = await serve((request, response) => {
      if (request.url === '/packed') return response.writeHead(200, { 'content-encoding': 'gzip' }).end('x');
      return response.end(Buffer.alloc(2_000_000, 7));
    });
    const outbound = client(['127.0.0.1']);
    const limits = { maxBytes: 1_000_000 };
    expect(await codeOf(outbound.call(call(`http://127.0.0.1:${port}/`, { limits })))).to.equal('REMOTE_ANSWER');
    expect(await codeOf(outbound.call(call(`http://127.0.0.1:${port}/packed`, { limits })))).to.equal('REMOTE_ANSWER');
    const folder = await mkdtemp(join(tmpdir(), 'quire-outbound-'));
    try {
      expect(
        await codeOf(outbound.download(call(`http://127.0.0.1:${port}/`, { limits }), join(folder, 'cut'))),
      ).to.equal('REMOTE_ANSWER');
      expect((await outbound.download(call(`http://127.0.0.1:${port}/`), join(folder, 'whole'))).bytes).to.equal(
        2_000_000,
      );
      expect((await readFile(join(folder, 'whole'))).equals(Buffer.alloc(2_000_000, 7))).to.equal(true);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('end with the head where only that is wanted, whatever body follows', async () => {
    const port = await serve((request, response) => {
      response.writeHead(request.url === '/packed' ? 410 : 200, {
        'x-a': 'b',
        ...(request.url === '/packed' ? { 'content-encoding': 'gzip' } : {}),
      });
      if (request.url === '/huge') response.end(Buffer.alloc(2_000_000));
      else if (request.url === '/short') response.end('short');
      else response.write('a');
    });
    const outbound = client(['127.0.0.1']);
    for (const [path, status] of [
      ['/huge', 200],
      ['/short', 200],
      ['/drip', 200],
      ['/packed', 410],
    ] as const) {
      const answer = await outbound.call(
        call(`http://127.0.0.1:${port}${path}`, {
          method: 'POST',
          body: '{}',
          wants: 'head',
          limits: { timeoutMs: 1000, maxBytes: 10 },
        }),
      );
      expect([answer.status, answer.headers['x-a'], answer.body.length], path).to.deep.equal([status, 'b', 0]);
    }
  });

  it('never take what follows the answer to a HEAD for another answer', async () => {
    const forged = 'HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\nforged';
    const server = createSocketServer((socket) => {
      socket.on('error', () => undefined);
      socket.on('data', (chunk) => {
        const isHead = chunk.toString('latin1').startsWith('HEAD');
        const head = `HTTP/1.1 ${isHead ? 200 : 404} X\r\nconnection: keep-alive\r\ncontent-length: `;
        socket.write(isHead ? `${head}${forged.length}\r\n\r\n${forged}` : `${head}0\r\n\r\n`);
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const outbound = client(['127.0.0.1']);
    try {
      for (const keepsConnection of [{}, { keepsConnection: true }])
        for (let turn = 0; turn < 5; turn++) {
          expect((await outbound.call({ ...call(url, { method: 'HEAD' }), ...keepsConnection })).status).to.equal(200);
          expect((await outbound.call(call(url)).catch(() => ({ status: 404 }))).status).to.equal(404);
        }
    } finally {
      await Promise.all(opened.clients.map((one) => one.close()));
      server.close();
    }
  });

  it('report by code and without addresses that nobody answers', async () => {
    const port = await serve(() => undefined);
    await new Promise<void>((resolve) => opened.server?.close(() => resolve()));
    const error = await client(['tsa.example.com'], here)
      .call(call(`http://tsa.example.com:${port}/`, { remote: 'The time stamp authority' }))
      .then(
        () => undefined,
        (reason: unknown) => reason as Error & { code: string },
      );
    expect([error?.code, error?.message]).to.deep.equal([
      'REMOTE_UNREACHABLE',
      'The time stamp authority could not be reached: ECONNREFUSED.',
    ]);
    expect(await codeOf(client([], async () => []).call(call('http://nowhere.example.com/')))).to.equal(
      'REMOTE_UNREACHABLE',
    );
  });
});

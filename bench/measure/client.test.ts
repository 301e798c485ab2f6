import { createServer, type Server } from 'node:http';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import { expect } from 'chai';
import { AnswerReader } from './answer-reader.js';
import { Client, formBody } from './client.js';

const body = Buffer.alloc(300_000, 'pages ');

/** Reads an answer that arrives in pieces of a size. */
function readInPieces(answer: string, size: number): { sizes: string; body: string } {
  const pieces: string[] = [];
  const reader = new AnswerReader((piece) => pieces.push(piece.toString()));
  const bytes = Buffer.from(answer);
  for (let at = 0; at < bytes.length; at += size) {
    const found = reader.read(bytes.subarray(at, at + size));
    if (found !== undefined) return { sizes: `${found.status} ${found.size}`, body: pieces.join('') };
  }
  throw new Error('the answer has no end');
}

describe('The client of the measurements', () => {
  let server: Server;
  let url: string;
  const connections = new Set<unknown>();

  before((done) => {
    server = createServer((request, response) => {
      connections.add(request.socket);
      const sent: Buffer[] = [];
      request.on('data', (chunk: Buffer) => sent.push(chunk));
      request.on('end', () => {
        if (request.url === '/refused') response.writeHead(400).end('the field is missing');
        else if (request.url === '/closed') response.writeHead(200, { connection: 'close' }).end('closed');
        else if (request.url === '/chunked') {
          response.write(body.subarray(0, 70_000));
          response.end(body.subarray(70_000));
        } else if (request.url === '/broken') response.socket?.destroy();
        else if (request.url === '/key') response.end(String(request.headers['x-api-key']));
        else response.end(Buffer.concat(sent));
      });
    }).listen(0, '127.0.0.1', () => {
      url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      done();
    });
  });

  after(() => {
    server.closeAllConnections();
    server.close();
  });

  it('returns the body of an answer with a length, and of one in chunks', async () => {
    const client = new Client(url);
    const form = { bytes: body, contentType: 'multipart/form-data; boundary=x' };
    expect((await client.answer('/echo', form)).equals(body)).to.equal(true);
    expect((await client.answer('/chunked', form)).equals(body)).to.equal(true);
    expect(await client.post('/echo', form)).to.equal(body.length);
    client.close();
  });

  it('uses one connection for calls one after another, and a new one after an answer that closes it', async () => {
    connections.clear();
    const client = new Client(url);
    for (const path of ['/echo', '/chunked', '/closed', '/echo']) await client.get(path);
    expect(connections.size).to.equal(2);
    client.close();
  });

  it('opens as many connections as there are calls at once', async () => {
    connections.clear();
    const client = new Client(url);
    await Promise.all([client.get('/echo'), client.get('/echo'), client.get('/echo')]);
    await Promise.all([client.get('/echo'), client.get('/echo'), client.get('/echo')]);
    expect(connections.size).to.equal(3);
    client.close();
  });

  it('says the path, the status and the text of a refusal', async () => {
    const client = new Client(url);
    const form = await formBody([], { angle: '90' });
    const error = await client.post('/refused', form).catch((refusal: unknown) => refusal);
    expect(String(error)).to.contain('/refused: 400 the field is missing');
    expect(await client.status('/refused', form)).to.equal(400);
    expect(await client.post('/echo', form)).to.equal(form.bytes.length);
    client.close();
  });

  it('fails when the connection ends before the answer does', async () => {
    const client = new Client(url);
    const error = await client.get('/broken').catch((refusal: unknown) => refusal);
    expect(String(error)).to.match(/closed before the answer was complete|ECONNRESET/);
    expect(await client.get('/echo')).to.equal(0);
    client.close();
  });

  it('sends its own headers with every call', async () => {
    const client = new Client(url, { 'x-api-key': 'k1' });
    expect(String(await client.answer('/key', await formBody([], {})))).to.equal('k1');
    client.close();
  });

  it('reads heads, chunks and trailers wherever the pieces end', () => {
    const plain = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\npages';
    const chunked =
      'HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\n' +
      '4\r\npage\r\na;name=value\r\ns are read\r\n0\r\nDigest: x\r\n\r\n';
    for (let size = 1; size < 120; size++) {
      expect(readInPieces(plain, size)).to.deep.equal({ sizes: '200 5', body: 'pages' });
      expect(readInPieces(chunked, size)).to.deep.equal({ sizes: '201 14', body: 'pages are read' });
    }
  });

  it('refuses what is no HTTP answer', async () => {
    const other = createTcpServer((socket) => socket.end('SSH-2.0-server\r\n\r\n')).listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as AddressInfo;
    const error = await new Client(`http://127.0.0.1:${port}`).get('/').catch((refusal: unknown) => refusal);
    expect(String(error)).to.contain('not the head of an answer: "SSH-2.0-server"');
    other.close();
  });
});

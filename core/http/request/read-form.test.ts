import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { readFileSync, readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { Scratch } from '../../operations/runner/index.js';
import { readForm, type Form, type FormLimits } from './read-form.js';

const limits: FormLimits = { maxBytes: 100_000, maxFieldBytes: 1000, maxParts: 10, stallMs: 10_000, minRate: 1 };
const part = (disposition: string, body: string): string =>
  `--b\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${body}\r\n`;

/** A stream with the members of a request that the parser uses; `body` in one piece or several. */
function incoming(body: string | readonly Buffer[], headers: Readonly<Record<string, string>> = {}): IncomingMessage {
  const stream = new PassThrough();
  const request = Object.assign(stream, {
    headers: { 'content-type': 'multipart/form-data; boundary=b', ...headers },
    complete: false,
  });
  stream.once('end', () => (request.complete = true));
  for (const piece of typeof body === 'string' ? [Buffer.from(body)] : body) stream.write(piece);
  stream.end();
  return request as unknown as IncomingMessage;
}

describe('reading a form', () => {
  let folder: string;
  let scratch: Scratch;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quire-form-'));
    scratch = await Scratch.create(folder);
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const read = (
    body: string,
    headers: Readonly<Record<string, string>> = {},
    bounds: Partial<FormLimits> = {},
  ): Promise<Form> => readForm(incoming(body, headers), scratch, { ...limits, ...bounds });
  const refusal = async (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => 'nothing',
      (error: { code?: string }) => error.code,
    );

  it('keeps text as text and a repeated field as a list', async () => {
    const { fields } = await read(`${part('name="a"', '1')}${part('name="b"', 'é')}${part('name="b"', '')}--b--\r\n`);
    expect({ ...fields }).to.deep.equal({ a: '1', b: ['é', ''] });
    expect(Object.getPrototypeOf(fields)).to.equal(null);
  });

  it('writes a large file as a small one, and knows the kind of both', async () => {
    const large = `%PDF-1.7 ${'x'.repeat(90_000)}`;
    const { files } = await read(
      part('name="fileInput"; filename="large.pdf"', large) +
        `${part('name="fileInput"; filename="small.pdf"', '%PDF-1.7')}--b--\r\n`,
    );
    const [first, second] = files['fileInput'] ?? [];
    expect([first?.kind, first?.size, second?.kind, second?.size]).to.deep.equal(['pdf', large.length, 'pdf', 8]);
    expect(readFileSync(first?.path ?? '', 'latin1')).to.equal(large);
    expect(readFileSync(second?.path ?? '', 'latin1')).to.equal('%PDF-1.7');
  });

  /** A form with text, two files of which the first is large, and lines in it that begin like boundaries. */
  const mixedForm = (size: number): { readonly body: Buffer; readonly large: string } => {
    const large = `%PDF-1.7 \r\n--${'\r\n--a\r\n--\r\n-'.repeat(50)}${'x'.repeat(size)}\r\n-`;
    const body =
      `${part('name="a"', 'one')}${part('name="fileInput"; filename="a.pdf"', large)}` +
      `${part('name="b"', 'two')}${part('name="fileInput"; filename="b.txt"', '\r\n--')}--b--\r\n`;
    return { body: Buffer.from(body), large };
  };
  const expectMixed = async (pieces: readonly Buffer[], large: string, what: string): Promise<void> => {
    const digests = new Map<string, string>();
    // Each piece has memory of its own, as one that comes from a connection.
    const sent = pieces.map((piece) => Buffer.concat([Buffer.allocUnsafeSlow(0), piece]));
    const { fields, files } = await readForm(incoming(sent), scratch, { ...limits, maxBytes: 10_000_000 }, digests);
    expect({ ...fields }, what).to.deep.equal({ a: 'one', b: 'two' });
    const found = files['fileInput']?.map(({ path }) => readFileSync(path, 'latin1'));
    expect(found?.[0] === large && found[1] === '\r\n--', what).to.equal(true);
    expect(files['fileInput']?.map(({ path }) => digests.get(path))).to.deep.equal(
      [large, '\r\n--'].map((text) => createHash('sha256').update(text).digest('hex')),
    );
  };

  it('finds the same parts wherever the body is cut', async () => {
    const { body, large } = mixedForm(20);
    for (let at = 1; at < body.length; at++)
      await expectMixed([body.subarray(0, at), body.subarray(at)], large, `cut at ${at}`);
    const single = Array.from(body, (_, at) => body.subarray(at, at + 1));
    await expectMixed(single, large, 'single bytes');
  });

  it('finds the same parts of a large body wherever it is cut around its boundaries', async () => {
    const { body, large } = mixedForm(1_200_000);
    const boundary = body.indexOf('\r\n--b\r\n', body.indexOf('xxx'));
    for (let at = boundary - 3; at < boundary + 12; at++) {
      const pieces: Buffer[] = [];
      for (let from = 0; from < at; from += 65_536) pieces.push(body.subarray(from, Math.min(at, from + 65_536)));
      await expectMixed([...pieces, body.subarray(at)], large, `cut at the boundary ${at - boundary}`);
    }
    for (const size of [16_384, 65_536, 1_000_003]) {
      const count = Math.ceil(body.length / size);
      const pieces = Array.from({ length: count }, (_, i) => body.subarray(i * size, (i + 1) * size));
      await expectMixed(pieces, large, `pieces of ${size}`);
    }
  });

  it('refuses a large body that ends without its last boundary', async () => {
    const { body } = mixedForm(1_200_000);
    const cut = [body.subarray(0, 65_536), body.subarray(65_536, 1_000_000)];
    expect(await refusal(readForm(incoming(cut), scratch, { ...limits, maxBytes: 10_000_000 }))).to.equal(
      'INPUT_MALFORMED',
    );
  });

  it("writes files under generated names and keeps the client's names as labels", async () => {
    const { files } = await read(
      `${part('name="fileInput"; filename="../x/a.pdf"', '%PDF-1.7 x')}` +
        `${part('name="fileInput"; filename="b.txt"', 'text')}--b--\r\n`,
    );
    expect(files['fileInput']?.map(({ name, kind, size }) => [name, kind, size])).to.deep.equal([
      ['a.pdf', 'pdf', 10],
      ['b.txt', 'txt', 4],
    ]);
    expect(files['fileInput']?.map(({ path }) => readFileSync(path, 'utf8'))).to.deep.equal(['%PDF-1.7 x', 'text']);
    expect(readdirSync(scratch.root)).to.have.members(['f0', 'f1']);
  });

  it("keeps the client's media types if they are useful", async () => {
    const said = async (type: string): Promise<string | undefined> =>
      (await read(`${part(`name="a"; filename="a"\r\nContent-Type: ${type}`, 'x')}--b--\r\n`)).files['a']?.[0]
        ?.mediaType;
    expect(
      await Promise.all(
        [
          'Text/CSV; charset=utf-8',
          'application/vnd.x-y+json',
          'application/octet-stream',
          'nonsense',
          `a/${'b'.repeat(200)}`,
          'a/b c',
        ].map(said),
      ),
    ).to.deep.equal(['text/csv', 'application/vnd.x-y+json', undefined, undefined, undefined, undefined]);
  });

  it('skips the empty part that a browser sends', async () => {
    expect((await read(`${part('name="fileInput"; filename=""', '')}--b--\r\n`)).files['fileInput']).to.equal(
      undefined,
    );
  });

  it('rejects a body that is not a form', async () => {
    expect(await refusal(read('{}', { 'content-type': 'application/json' }))).to.equal('INPUT_MEDIA_TYPE');
    expect(await refusal(read('x', { 'content-type': 'multipart/form-data; boundary=' }))).to.equal('INPUT_MALFORMED');
    expect(await refusal(read('garbage'))).to.equal('INPUT_MALFORMED');
    expect(await refusal(read(`${part('x="a"', '1')}--b--\r\n`))).to.equal('INPUT_MALFORMED');
    expect(await refusal(read(`${part('filename="a.pdf"', '1')}--b--\r\n`))).to.equal('INPUT_MALFORMED');
  });

  it('rejects encodings and declared sizes before reading', async () => {
    expect(await refusal(read('', { 'content-encoding': 'gzip' }))).to.equal('INPUT_ENCODING');
    expect(await refusal(read('', { 'content-length': '100001' }))).to.equal('INPUT_TOO_LARGE');
  });

  it('rejects bytes, text and parts above the limits', async () => {
    expect(await refusal(read(`${part('name="a"; filename="a.pdf"', 'x'.repeat(200_000))}--b--\r\n`))).to.equal(
      'INPUT_TOO_LARGE',
    );
    expect(await refusal(read(`${part('name="a"', 'x'.repeat(2000))}--b--\r\n`))).to.equal('INPUT_INVALID');
    expect(await refusal(read(`${part('name="a"', 'x'.repeat(600)).repeat(2)}--b--\r\n`))).to.equal('INPUT_INVALID');
    expect(await refusal(read(`${part('name="a"', 'x').repeat(11)}--b--\r\n`))).to.equal('INPUT_TOO_MANY_PARTS');
    expect(await refusal(read(`${part('name="a"; filename="a.pdf"', 'x').repeat(11)}--b--\r\n`))).to.equal(
      'INPUT_TOO_MANY_PARTS',
    );
  });

  it('rejects a request whose client has disconnected, before or during reading', async () => {
    const gone = incoming('');
    gone.destroy();
    expect(await refusal(readForm(gone, scratch, limits))).to.equal('CANCELLED');
    const going = Object.assign(new PassThrough(), {
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
      complete: false,
    }) as unknown as IncomingMessage;
    const reading = refusal(readForm(going, scratch, limits));
    setImmediate(() => going.destroy());
    expect(await reading).to.equal('CANCELLED');
  });
});

import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { expect } from 'chai';
import { PDFContext, PDFName, PDFRawStream } from 'pdf-lib';
import { packFile, unpackFile } from '../../structure/attachments/index.js';
import { lateData } from '../../file/reader/index.js';

describe('Embedding and extracting files', () => {
  let folder: string;
  const context = PDFContext.create();
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'quire-embedded-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const file = (content: Uint8Array): string => {
    writeFileSync(join(folder, 'in'), content);
    return join(folder, 'in');
  };
  const stream = (bytes: Uint8Array, entries: Record<string, unknown> = {}): PDFRawStream =>
    PDFRawStream.of(context.obj(entries as Record<string, string>), bytes);
  const out = (): string => join(folder, 'out');

  for (const [title, content, packed] of [
    [
      'text',
      Buffer.from('line of text\n'.repeat(30_000).slice(0, 300_000)).map((byte, i) => (i % 11 === 0 ? i & 63 : byte)),
      true,
    ],
    ['noise', randomBytes(700_000), false],
    ['nothing to gain', Buffer.from('x'), false],
    ['what would look like a bomb', Buffer.alloc(3_000_000), false],
  ] as const) {
    it(`carries ${title} there and back, in pieces`, async () => {
      const { stream: made, size, checksum } = await packFile(context, file(content), join(folder, 'scratch'));
      expect([size, Buffer.from(checksum).toString('hex')]).to.deep.equal([
        content.length,
        createHash('md5').update(content).digest('hex'),
      ]);
      expect([made.dict.has(PDFName.of('Filter')), existsSync(join(folder, 'scratch'))]).to.deep.equal([
        packed,
        packed,
      ]);
      const data = lateData(made);
      const pieces: Buffer[] = [];
      for (const piece of data?.pieces() ?? []) pieces.push(Buffer.from(piece));
      expect(Buffer.concat(pieces).equals(Buffer.from(made.contents))).to.equal(true);
      expect(data?.length).to.equal(made.contents.length);
      expect(await unpackFile(context, made, out(), content.length)).to.deep.equal({
        outcome: 'written',
        size: content.length,
        worked: content.length,
      });
      expect(readFileSync(out()).equals(Buffer.from(content))).to.equal(true);
    });
  }

  it('stops at the limit and leaves no partial file', async () => {
    const bomb = await unpackFile(
      context,
      stream(deflateSync(Buffer.alloc(5_000_000)), { Filter: 'FlateDecode' }),
      out(),
      1_000_000,
    );
    expect([bomb.outcome, bomb.worked < 2_000_000]).to.deep.equal(['too large', true]);
    expect((await unpackFile(context, stream(Buffer.alloc(11)), out(), 10)).outcome).to.equal('too large');
    expect(
      (
        await unpackFile(
          context,
          stream(Buffer.from(deflateSync(Buffer.alloc(2000)).toString('hex')), {
            Filter: ['ASCIIHexDecode', 'FlateDecode'],
          }),
          out(),
          1000,
        )
      ).outcome,
    ).to.equal('too large');
    expect(readdirSync(folder)).to.deep.equal([]);
  });

  it('reads every chain of filters, with predictors, and reports unreadable ones', async () => {
    const rows = Buffer.from([2, 1, 1, 1, 2, 1, 1, 1]);
    expect(
      (
        await unpackFile(
          context,
          stream(deflateSync(rows), { Filter: 'FlateDecode', DecodeParms: { Predictor: 12, Columns: 3 } }),
          out(),
          100,
        )
      ).size,
    ).to.equal(6);
    expect([...readFileSync(out())]).to.deep.equal([1, 1, 1, 2, 2, 2]);
    for (const entries of [{ Filter: 'JPXDecode' }, { Filter: 'NoSuchDecode' }, { Filter: ['FlateDecode', 7] }]) {
      expect(
        (await unpackFile(context, stream(deflateSync('x'), entries), join(folder, 'none'), 100)).outcome,
        JSON.stringify(entries),
      ).to.equal('unreadable');
    }
  });

  it('returns truncated data as far as it goes', async () => {
    const whole = deflateSync(Buffer.from(Array.from({ length: 5000 }, (_none, i) => i % 251)));
    const cut = await unpackFile(
      context,
      stream(whole.subarray(0, whole.length - 40), { Filter: 'FlateDecode' }),
      out(),
      10_000,
    );
    expect([cut.outcome, cut.size > 0, cut.size < 5000]).to.deep.equal(['written', true, true]);
  });

  it('ends on cancellation', async () => {
    const gone = AbortSignal.abort(new Error('cancelled'));
    const settled = await Promise.allSettled([
      packFile(context, file(randomBytes(1000)), join(folder, 's'), gone),
      unpackFile(context, stream(Buffer.alloc(10)), out(), 100, gone),
    ]);
    expect(settled.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected']);
  });
});

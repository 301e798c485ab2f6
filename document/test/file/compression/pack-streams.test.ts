import { deflateSync, inflateSync } from 'node:zlib';
import { expect } from 'chai';
import { type PDFDict, PDFDocument, PDFName, PDFRawStream } from 'pdf-lib';
import { compressPdf } from './compress-support.js';
import { packStreams } from '../../../file/compression/pack-streams.js';
import { decodeImage, encodeG4 } from '../../../images/index.js';

/** Content like that of a page, which level 9 packs less than 1 % better than level 5. */
function pageOf(seed: number): Buffer {
  let state = seed * 7919 + 1;
  const next = (count: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor(state / 65_536) % count;
  };
  const words =
    'lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor incididunt ut labore'.split(' ');
  const text = (): string => Array.from({ length: 10 }, () => words[next(words.length)]).join(' ');
  const lines = Array.from({ length: 60 }, (_, i) => `1 0 0 1 40 ${800 - 12 * i} Tm\n(${text()} ${next(100_000)}) Tj`);
  return Buffer.from(lines.join('\n'));
}

describe('packing streams', () => {
  const TEXT = Buffer.from(
    Array.from({ length: 200 }, (_, i) => `${(i * i) % 97} ${(i * 31) % 89} m 100 ${i} l S `).join(''),
  );

  async function packing(
    streams: Readonly<Record<string, readonly [entries: object, data: Uint8Array]>>,
    info?: Readonly<Record<string, string>>,
  ): Promise<(name: string) => PDFRawStream> {
    const { context } = await PDFDocument.create({ updateMetadata: false });
    if (info !== undefined) context.trailerInfo.Info = context.obj(info);
    const made = Object.entries(streams).map(([name, [entries, data]]) => {
      const stream = PDFRawStream.of(context.obj({ ...entries }) as PDFDict, data);
      return { name, ref: context.register(stream), stream };
    });
    await packStreams(
      context,
      made.map(({ ref, stream }) => [ref, stream] as const),
    );
    return (name) => context.lookup(made.find((each) => each.name === name)?.ref) as PDFRawStream;
  }

  it('deflates unfiltered streams, but not metadata or very short ones', async () => {
    const after = await packing({
      plain: [{}, TEXT],
      metadata: [{ Type: 'Metadata', Subtype: 'XML' }, TEXT],
      short: [{}, Buffer.from('S')],
    });
    expect(after('plain').dict.get(PDFName.of('Filter'))).to.equal(PDFName.of('FlateDecode'));
    expect(inflateSync(after('plain').contents).equals(TEXT)).to.equal(true);
    for (const name of ['metadata', 'short']) expect(after(name).dict.has(PDFName.of('Filter')), name).to.equal(false);
  });

  describe('of images of one bit per pixel', () => {
    const [width, height] = [400, 200];
    const entries = {
      Type: 'XObject',
      Subtype: 'Image',
      Width: width,
      Height: height,
      BitsPerComponent: 1,
      ColorSpace: 'DeviceGray',
    };

    /** Thirty discs on a background of zeros or ones; dust makes long runs, and so the fax codes, rare. */
    function discs(background: number, dust = false): Uint8Array {
      const bits = new Uint8Array((width / 8) * height).fill(background);
      for (let disc = 0; disc < 30; disc++) {
        const [x, y, radius] = [(disc * 137) % width, (disc * 61) % height, 6 + ((disc * 5) % 17)];
        for (let at = 0; at < width * height; at++)
          if (Math.hypot((at % width) - x, Math.floor(at / width) - y) < radius)
            bits[at >> 3] =
              background === 0 ? (bits[at >> 3] ?? 0) | (0x80 >> (at & 7)) : (bits[at >> 3] ?? 0) & ~(0x80 >> (at & 7));
      }
      for (let at = 0; dust && at < width * height; at += 61) bits[at >> 3] = (bits[at >> 3] ?? 0) ^ (0x80 >> (at & 7));
      return bits;
    }

    async function samplesOf(image: PDFRawStream): Promise<Buffer> {
      const { data = new Uint8Array(), channels = 1 } = (await decodeImage(image.dict.context, image)) ?? {};
      return Buffer.from(
        Array.from({ length: (width / 8) * height }, (_, i) =>
          Array.from({ length: 8 }, (_unused, k) => ((data[(i * 8 + k) * channels] ?? 0) > 127 ? 0x80 >> k : 0)).reduce(
            (sum, bit) => sum | bit,
            0,
          ),
        ),
      );
    }

    const filterOf = (image: PDFRawStream): string | undefined => image.dict.get(PDFName.of('Filter'))?.toString();
    const fax = (bits: Uint8Array): readonly [entries: object, data: Uint8Array] => [
      { ...entries, Filter: 'CCITTFaxDecode', DecodeParms: { K: -1, Columns: width, Rows: height, BlackIs1: true } },
      encodeG4(bits, width, height),
    ];

    for (const background of [0x00, 0xff])
      it(`encodes them as JBIG2, whatever their filter was, on a background of ${background & 1}`, async () => {
        const bits = discs(background, true);
        const after = await packing({
          plain: [entries, bits],
          flate: [{ ...entries, Filter: 'FlateDecode' }, deflateSync(bits)],
          fax: fax(bits),
          short: [{ ...entries, Height: 400 }, bits],
        });
        for (const name of ['plain', 'flate', 'fax']) {
          expect(filterOf(after(name)), name).to.equal('/JBIG2Decode');
          expect(after(name).dict.has(PDFName.of('DecodeParms')), name).to.equal(false);
          expect((await samplesOf(after(name))).equals(Buffer.from(bits)), name).to.equal(true);
        }
        expect(filterOf(after('short')), 'samples that are not all there').to.equal('/FlateDecode');
      });

    it('encodes them as CCITT fax in documents for printing, where JBIG2 may be forbidden', async () => {
      for (const background of [0x00, 0xff]) {
        const bits = discs(background);
        const after = await packing({ plain: [entries, bits], fax: fax(bits) }, { GTS_PDFXVersion: 'PDF/X-3:2003' });
        for (const name of ['plain', 'fax']) {
          expect(filterOf(after(name)), name).to.equal('/CCITTFaxDecode');
          expect((await samplesOf(after(name))).equals(Buffer.from(bits)), name).to.equal(true);
        }
      }
    });

    it('keeps fax data that is damaged as it is', async () => {
      const [dict, data] = fax(discs(0));
      const cut = data.subarray(0, 40);
      const after = await packing({ cut: [dict, cut] });
      expect([filterOf(after('cut')), after('cut').contents]).to.deep.equal(['/CCITTFaxDecode', cut]);
    });
  });

  it('deflates weaker filters again and keeps the other entries', async () => {
    const weak = deflateSync(TEXT, { level: 1 });
    const after = await packing({
      weak: [{ Filter: 'FlateDecode', Own: 1 }, weak],
      two: [{ Filter: ['FlateDecode', 'ASCIIHexDecode'] }, deflateSync(Buffer.from('00'.repeat(500)), { level: 0 })],
    });
    expect(after('weak').contents.length).to.be.lessThan(weak.length);
    expect(inflateSync(after('weak').contents).equals(TEXT)).to.equal(true);
    expect(after('weak').dict.has(PDFName.of('Own'))).to.equal(true);
    expect(after('two').contents.length).to.be.lessThan(100);
  });

  it('leaves compressed streams above a limit as they are, and those that inflate to much more', async () => {
    const { context } = await PDFDocument.create({ updateMetadata: false });
    const streams = [deflateSync(TEXT, { level: 1 }), deflateSync(Buffer.alloc(50_000), { level: 1 })].map((data) => {
      const stream = PDFRawStream.of(context.obj({ Filter: 'FlateDecode' }) as PDFDict, data);
      return [context.register(stream), stream] as const;
    });
    expect(await packStreams(context, streams, { maxBytes: 400 })).to.equal(0);
    expect(await packStreams(context, streams)).to.equal(2);
  });

  it('leaves streams that are alike as they are, if samples of them hardly shrink', async () => {
    const { context } = await PDFDocument.create({ updateMetadata: false });
    const packed = async (level: number, length: number, sampled = true): Promise<number> => {
      const streams = Array.from({ length }, (_, i) => {
        const data = deflateSync(pageOf(i), { level });
        const stream = PDFRawStream.of(context.obj({ Filter: 'FlateDecode' }) as PDFDict, data);
        return [context.register(stream), stream] as const;
      });
      await packStreams(context, streams, { sampled });
      for (const [ref, { contents }] of streams)
        expect(inflateSync((context.lookup(ref) as PDFRawStream).contents).equals(inflateSync(contents))).to.equal(
          true,
        );
      return streams.filter(([ref, stream]) => context.lookup(ref) !== stream).length;
    };
    expect(await packed(5, 48, false)).to.be.greaterThan(16);
    expect(await packed(5, 48)).to.be.within(1, 16);
    expect(await packed(1, 48), 'worth it').to.equal(48);
    expect(await packed(5, 20, false)).to.be.greaterThan(5);
    expect(await packed(5, 20)).to.be.within(1, 5);
    expect(await packed(1, 20), 'worth it').to.equal(20);
    expect(await packed(5, 14), 'too few to be sampled').to.equal(await packed(5, 14, false));
  });

  it('leaves what was deflated at the default level, if asked to, and packs images and weaker levels', async () => {
    const { context } = await PDFDocument.create({ updateMetadata: false });
    // An empty stored block (RFC 1951, 3.2.4): packing again would make the stream smaller.
    const slack = Buffer.from([0, 0, 0, 0xff, 0xff]);
    const packed = async (level: number, entries: Record<string, string> = {}): Promise<boolean> => {
      const data = deflateSync(pageOf(1), { level });
      const dict = context.obj({ Filter: 'FlateDecode', ...entries }) as PDFDict;
      const stream = PDFRawStream.of(
        dict,
        level === 6 ? Buffer.concat([data.subarray(0, 2), slack, data.subarray(2)]) : data,
      );
      const ref = context.register(stream);
      await packStreams(context, [[ref, stream]], { leaveDeflated: true });
      const after = context.lookup(ref) as PDFRawStream;
      expect(inflateSync(after.contents).equals(pageOf(1))).to.equal(true);
      return after !== stream;
    };
    expect(await packed(6)).to.equal(false);
    expect(await packed(9)).to.equal(false);
    expect(await packed(1)).to.equal(true);
    expect(await packed(6, { Subtype: 'Image' })).to.equal(true);
    expect(await packed(6, { Filter: 'Fl' })).to.equal(true);
  });

  it('returns damaged input where the repaired file would be larger', async () => {
    const objects =
      '%PDF-1.4\n1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n2 0 obj\n<</Type/Pages/Kids[3 0 R]/Count 1>>\nendobj\n' +
      '3 0 obj\n<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>\nendobj\n';
    const input = new Uint8Array(Buffer.from(objects));
    const { bytes, ...result } = await compressPdf(input, { level: 1 });
    expect(bytes).to.deep.equal(input);
    expect(result).to.include({ unchanged: true, damaged: true, size: input.length });
    const padded = new Uint8Array(Buffer.from(objects + '% a long comment\n'.repeat(40)));
    expect(await compressPdf(padded, { level: 1 })).to.include({ unchanged: false, damaged: false });
  });

  it('leaves damaged data unchanged, with any predictor', async () => {
    const pdf = await PDFDocument.create({ updateMetadata: false });
    const { context } = pdf;
    const cut = deflateSync(Buffer.alloc(40_000, 'some text that packs well; '), { level: 0 }).subarray(0, 30_000);
    const broken = [{}, { DecodeParms: { Predictor: 12, Columns: 5 } }].map((more) => {
      const stream = PDFRawStream.of(context.obj({ Filter: 'FlateDecode', ...more }), cut);
      return [context.register(stream), stream] as const;
    });
    expect(await packStreams(context, broken)).to.equal(0);
    for (const [ref, stream] of broken) expect(context.lookup(ref)).to.equal(stream);
  });
});

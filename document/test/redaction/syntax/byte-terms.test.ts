import { expect } from 'chai';
import { blank, ByteTerms, repeat, soften } from '../../../redaction/syntax/byte-terms.js';
import { cleanCodedImage } from '../../../redaction/syntax/coded-image.js';

describe('terms as bytes', () => {
  const encodings = {
    'Latin-1': (text: string): Buffer => Buffer.from(text, 'latin1'),
    'UTF-8': (text: string): Buffer => Buffer.from(text, 'utf8'),
    'UTF-16LE': (text: string): Buffer => Buffer.from(text, 'utf16le'),
    'UTF-16BE': (text: string): Buffer => Buffer.from(text, 'utf16le').swap16(),
  };
  for (const [encoding, encode] of Object.entries(encodings)) {
    it(`are found in ${encoding} in any case, also beyond ASCII`, () => {
      const terms = new ByteTerms(['Müller']);
      for (const text of ['Müller', 'müller', 'MÜLLER', 'MüLLER'])
        expect(terms.isIn(encode(`x${text}y`)), text).to.equal(true);
      expect(terms.isIn(encode('Muller'))).to.equal(false);
    });
  }

  it('change samples by at most 16, and leave nothing of their letters', () => {
    const data = Buffer.from('\x80\x81secret 1234\x82', 'latin1');
    const clean = new ByteTerms(['Secret 1234']).overwritten(data, soften)!;
    expect(Buffer.from(clean).toString('latin1')).to.equal('\x80\x81pppppp00000\x82');
    for (const [i, byte] of clean.entries()) expect(Math.abs(byte - data[i]!)).to.be.at.most(16);
  });

  it('are changed in another way where the first one spells them again', () => {
    for (const word of ['ppp', 'PPP', '000', 'ooo']) {
      const terms = new ByteTerms([word]);
      expect(terms.isIn(terms.overwritten(Buffer.from(`..${word}..`), soften)!), word).to.equal(false);
    }
    const same = new ByteTerms(['aaa']).overwritten(Buffer.from('baaab'), repeat)!;
    expect(Buffer.from(same).toString('latin1')).to.equal('b\0\0\0b');
  });

  it('of fewer than three bytes are chance, and no terms find nothing', () => {
    expect(new ByteTerms(['ab', ' a ']).overwritten(Buffer.from('abab'), blank)).to.equal(undefined);
    expect(new ByteTerms([]).isIn(Buffer.from('anything'))).to.equal(false);
  });

  it('that overlap are changed together', () => {
    const clean = new ByteTerms(['anan']).overwritten(Buffer.from('bananan'), blank)!;
    expect(Buffer.from(clean).toString()).to.equal('b      ');
  });
});

describe('coded images', () => {
  const find = (text: string): (readonly [number, number])[] =>
    [...text.matchAll(/secret/gi)].map(({ index }) => [index, index + 6] as const);
  const clean = (data: Buffer, filter: string): string | undefined => {
    const put = cleanCodedImage(data, filter, find, new ByteTerms(['secret']));
    return put === undefined ? undefined : Buffer.from(put).toString('latin1');
  };
  const box = (type: string, data: Buffer): Buffer => {
    const head = Buffer.alloc(8);
    head.writeUInt32BE(8 + data.length);
    head.write(type, 4, 'latin1');
    return Buffer.concat([head, data]);
  };
  const segment = (marker: number, text: string): Buffer =>
    Buffer.concat([Buffer.of(0xff, marker, 0, text.length + 2), Buffer.from(text, 'latin1')]);

  it('lose found text in JPEG segments and behind the end, not in the scan', () => {
    const scan = Buffer.concat([segment(0xda, 'head'), Buffer.from('..secret..'), Buffer.of(0xff, 0xd9)]);
    const data = Buffer.concat([
      Buffer.of(0xff, 0xd8),
      segment(0xe1, 'Exif secret'),
      segment(0xfe, 'a SECRET'),
      scan,
      Buffer.from('secret'),
    ]);
    const now = clean(data, 'DCTDecode')!;
    expect(now).to.have.length(data.length);
    expect(now.match(/secret/gi)).to.deep.equal(['secret']);
    expect(now).to.include('..secret..');
  });

  it('lose found text in boxes and comments of JPEG 2000, not in the tiles', () => {
    const stream = Buffer.concat([
      Buffer.of(0xff, 0x4f),
      segment(0x64, 'by secret'),
      Buffer.of(0xff, 0x90),
      Buffer.from('..secret..'),
    ]);
    const file = Buffer.concat([box('xml ', Buffer.from('<secret/>')), box('jp2c', stream)]);
    expect(clean(file, 'JPXDecode')!.match(/secret/g)).to.deep.equal(['secret']);
    expect(clean(stream, 'JPXDecode')!.match(/secret/g)).to.deep.equal(['secret']);
  });

  it('that are damaged or of another kind stay', () => {
    for (const data of [Buffer.alloc(0), Buffer.of(0xff), Buffer.of(0xff, 0xd8, 0xff, 0xe1, 0, 1), Buffer.alloc(40)])
      for (const filter of ['DCTDecode', 'JPXDecode', 'JBIG2Decode']) expect(clean(data, filter)).to.equal(undefined);
    expect(clean(box('free', Buffer.alloc(0)).subarray(0, 8), 'JPXDecode')).to.equal(undefined);
  });
});

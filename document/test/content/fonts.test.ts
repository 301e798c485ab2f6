import { expect } from 'chai';
import { type PDFContext, PDFDocument, PDFString } from 'pdf-lib';
import { FontBook } from '../../fonts/pdf-fonts/index.js';
import { parseCMap } from '../../fonts/pdf-fonts/cmap.js';
import { namedEncoding } from '../../fonts/pdf-fonts/encodings.js';
import { textOfGlyphName } from '../../fonts/pdf-fonts/glyph-names.js';
import { standardFont } from '../../fonts/pdf-fonts/standard-fonts.js';
import { shapeLine, TextFont } from '../../fonts/index.js';

const bytes = (text: string): Uint8Array => Buffer.from(text, 'latin1');

async function fontOf(make: (context: PDFContext) => Record<string, unknown>) {
  const { context } = await PDFDocument.create();
  return new FontBook(context).font(context.obj(make(context) as never) as never);
}

const cmap = (context: PDFContext, body: string) =>
  context.register(context.stream(`begincmap 1 begincodespacerange <0000> <ffff> endcodespacerange ${body} endcmap`));

describe('Fonts of content', () => {
  it('read single bytes by a named encoding with differences', async () => {
    const font = await fontOf(() => ({
      Type: 'Font',
      Subtype: 'Type1',
      BaseFont: 'Helvetica',
      Encoding: { BaseEncoding: 'WinAnsiEncoding', Differences: [1, 'fi', 'Euro', 'uni0416', 'A.alt', 'f_f_i', 'g17'] },
    }));
    expect(font.decode(bytes('\x01\x02\x03\x04\x05\x06A\x80\xe4 ')).map(({ text }) => text)).to.deep.equal([
      'fi',
      '€',
      'Ж',
      'A',
      'ffi',
      '',
      'A',
      '€',
      'ä',
      ' ',
    ]);
    expect(font.decode(bytes('A ')).map(({ width, blank }) => [width, blank])).to.deep.equal([
      [667, false],
      [278, true],
    ]);
  });

  it('believe a ToUnicode map more than the encoding', async () => {
    const font = await fontOf((context) => ({
      Type: 'Font',
      Subtype: 'TrueType',
      BaseFont: 'X',
      Encoding: 'WinAnsiEncoding',
      FirstChar: 65,
      Widths: [500, 600],
      ToUnicode: cmap(context, '1 beginbfchar <41> <0394> endbfchar'),
    }));
    expect(font.decode(bytes('ABC')).map(({ text, width }) => [text, width])).to.deep.equal([
      ['Δ', 500],
      ['B', 600],
      ['C', 0],
    ]);
  });

  it('take Type 3 widths by the matrix of the font', async () => {
    const font = await fontOf((context) => ({
      Type: 'Font',
      Subtype: 'Type3',
      FontBBox: [0, -2, 10, 10],
      FontMatrix: [0.1, 0, 0, 0.1, 0, 0],
      FirstChar: 97,
      Widths: [5],
      Encoding: { Differences: [97, 'a', 'b'] },
      CharProcs: { a: context.register(context.stream('5 0 d0')) },
    }));
    expect(font.decode(bytes('a'))[0]).to.include({ text: 'a', width: 500 });
    expect([font.descent, font.ascent]).to.deep.equal([-200, 1000]);
    expect(font.em).to.be.closeTo(0.93, 0.01);
    expect([...font.encode('a')!]).to.deep.equal([97]);
    expect(font.encode('ab'), 'b has no drawing').to.equal(undefined);
  });

  it('read composite fonts with widths, ranges of characters and vertical writing', async () => {
    const make = (encoding: string) =>
      fontOf((context) => ({
        Type: 'Font',
        Subtype: 'Type0',
        BaseFont: 'X',
        Encoding: encoding,
        ToUnicode: cmap(
          context,
          '1 beginbfrange <0001> <0003> <0041> endbfrange 1 beginbfrange <0005> <0006> [<0066 0069> <D835DC00>' +
            '] endbfrange',
        ),
        DescendantFonts: [
          context.register(
            context.obj({
              Type: 'Font',
              Subtype: 'CIDFontType2',
              DW: 900,
              W: [1, [400, 500], 5, 6, 700],
              DW2: [880, -900],
              CIDSystemInfo: { Ordering: 'Identity' },
            }),
          ),
        ],
      }));
    const font = await make('Identity-H');
    expect(font.decode(bytes('\0\x01\0\x02\0\x03\0\x05\0\x06')).map(({ text, width }) => [text, width])).to.deep.equal([
      ['A', 400],
      ['B', 500],
      ['C', 900],
      ['fi', 700],
      ['\u{1d400}', 700],
    ]);
    const vertical = await make('Identity-V');
    expect(vertical.vertical).to.equal(true);
    expect(vertical.decode(bytes('\0\x01'))[0]).to.include({ height: -900, originX: 200 });
  });

  it('read Chinese, Japanese and Korean without a ToUnicode map by the CMap or the collection', async () => {
    const make = (encoding: string, ordering: string) =>
      fontOf((context) => ({
        Type: 'Font',
        Subtype: 'Type0',
        BaseFont: 'X',
        Encoding: encoding,
        DescendantFonts: [
          context.register(
            context.obj({
              Type: 'Font',
              Subtype: 'CIDFontType0',
              W: [231, [500], 1, [300], 1125, [777]],
              CIDSystemInfo: { Registry: PDFString.of('Adobe'), Ordering: PDFString.of(ordering) },
            }),
          ),
        ],
      }));
    const cases: readonly (readonly [string, string, string, string])[] = [
      ['90ms-RKSJ-H', 'Japan1', '2093fa967b8cea', ' 日本語'],
      ['EUC-V', 'Japan1', 'c6fccbdc', '日本'],
      ['H', 'Japan1', '467c4b5c', '日本'],
      ['GBK-EUC-H', 'GB1', '41d6d0b9fa', 'A中国'],
      ['KSCms-UHC-H', 'Korea1', 'c7d1b1db', '한글'],
      ['ETen-B5-H', 'CNS1', 'a4a4a4e5', '中文'],
      ['UniJIS-UCS2-H', 'Japan1', '65e500410020', '日A '],
      ['UniGB-UTF16-H', 'GB1', 'd83dde004e2d', '😀中'],
      ['Identity-H', 'Japan1', '00220ac5034b', 'A日あ'.slice(0, 1)],
      ['Identity-H', 'GB1', '00030060', '"　'],
    ];
    for (const [encoding, ordering, hex, text] of cases) {
      const read = (await make(encoding, ordering))
        .decode(Buffer.from(hex, 'hex'))
        .map((glyph) => glyph.text)
        .join('');
      expect(read.slice(0, text.length), encoding).to.equal(text);
    }
    const [blank] = (await make('90ms-RKSJ-H', 'Japan1')).decode(bytes(' '));
    expect(blank).to.include({ width: 500, blank: true });
    expect((await make('UniJIS-UCS2-H', 'Japan1')).decode(bytes('\0 '))[0]).to.include({ width: 300, blank: false });
    // The first kanji of JIS X 0208 is CID 1125 of Adobe-Japan1.
    expect((await make('90ms-RKSJ-H', 'Japan1')).decode(Buffer.from('889f', 'hex'))[0]).to.include({
      text: '亜',
      width: 777,
    });
    expect((await make('EUC-V', 'Japan1')).vertical).to.equal(true);
  });

  it('give codes only for what the embedded subset can draw', async () => {
    const document = await PDFDocument.create();
    const made = new TextFont(document);
    const line = await shapeLine('Hello Ж', 'roman');
    made.show(line, 10);
    made.embed();
    const font = new FontBook(document.context).font(document.context.lookup(made.ref) as never);
    const codes = font.encode('Hello Ж');
    expect(codes).to.be.instanceOf(Uint8Array);
    expect(
      font
        .decode(codes!)
        .map(({ text }) => text)
        .join(''),
    ).to.equal('Hello Ж');
    expect(font.encode('Hexe')).to.equal(undefined);
    expect(font.decode(codes!)[0]!.width).to.be.closeTo(line.glyphs[0]!.advance, 1);
  });

  it('take what is not embedded to have the characters of its encoding', async () => {
    const font = await fontOf(() => ({
      Type: 'Font',
      Subtype: 'Type1',
      BaseFont: 'Times-Roman',
      Encoding: 'WinAnsiEncoding',
    }));
    expect([...font.encode('Aä–€ -')!]).to.deep.equal([0x41, 0xe4, 0x96, 0x80, 0x20, 0x2d]);
    expect(font.encode('Ж')).to.equal(undefined);
    expect(
      (await fontOf(() => ({ Type: 'Font', Subtype: 'Type1', BaseFont: 'Symbol' })))
        .decode(bytes('abG'))
        .map(({ text }) => text)
        .join(''),
    ).to.equal('αβΓ');
  });

  it('know the encodings of Annex D', () => {
    expect(namedEncoding('StandardEncoding')?.slice(0x27, 0x28)).to.deep.equal(['quoteright']);
    expect([0xae, 0xc1, 0xd0, 0xfb].map((code) => namedEncoding('StandardEncoding')?.[code])).to.deep.equal([
      'fi',
      'grave',
      'emdash',
      'germandbls',
    ]);
    expect([0x80, 0x95, 0x9f, 0xa0, 0xad, 0xb2].map((code) => namedEncoding('WinAnsiEncoding')?.[code])).to.deep.equal([
      'Euro',
      'bullet',
      'Ydieresis',
      'space',
      'hyphen',
      'twosuperior',
    ]);
    expect([0x80, 0xa5, 0xca, 0xdb, 0xde].map((code) => namedEncoding('MacRomanEncoding')?.[code])).to.deep.equal([
      'Adieresis',
      'bullet',
      'space',
      'currency',
      'fi',
    ]);
    for (const name of ['StandardEncoding', 'WinAnsiEncoding'] as const) {
      const known = (namedEncoding(name) ?? []).filter((glyph) => glyph !== undefined);
      expect(
        known.filter((glyph) => standardFont('Helvetica')?.width(glyph) === undefined),
        name,
      ).to.deep.equal([]);
    }
  });

  it('know glyph names by rule', () => {
    expect(
      ['uni00410042', 'u1F600', 'afii10023', 'afii10097', 'Tcommaaccent', 'nosuchname', 'x.sc'].map((name) =>
        textOfGlyphName(name),
      ),
    ).to.deep.equal(['AB', '😀', 'Ё', 'я', 'Ţ', undefined, 'x']);
  });

  it('bound what hostile maps can hold', () => {
    const map = parseCMap(
      bytes(
        'begincmap ' +
          `${'9 beginbfrange <0000> <ffff> <0000> <00000000> <ffffffff> <0041> endbfrange '.repeat(200)} endcmap`,
      ),
    );
    expect(map.texts.size).to.be.at.most(300_000);
  }).timeout(80_000);
});

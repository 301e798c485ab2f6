import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { expect } from 'chai';
import { PDFDocument, PDFName, type PDFObject, StandardFonts } from 'pdf-lib';
import { isNightly, sampleOf } from '../../../../test/suites/nightly.js';
import { randomContent, randomNumbers } from './random-pages.js';
import { compare, type Compared, contradiction } from './support.js';

const corpus = new URL('../../../../../shared/corpus/', import.meta.url).pathname;
/** 40 letters: wide enough to tell that lines run across. */
const WIDE = '(A line that is as wide as lines should be) Tj';

interface Painting {
  readonly content: string;
  /** Further resources by kind and name, given the document. */
  readonly resources?: (document: PDFDocument) => Record<string, Record<string, PDFObject>>;
  readonly page?: (document: PDFDocument) => Record<string, PDFObject>;
  readonly catalog?: (document: PDFDocument) => Record<string, PDFObject>;
}

/** Paints one page with the font Courier as F and Helvetica as H. */
async function read({ content, resources, page, catalog }: Painting): Promise<Compared> {
  const document = await PDFDocument.create({ updateMetadata: false });
  const { context } = document;
  const [courier, helvetica] = [
    await document.embedFont(StandardFonts.Courier),
    await document.embedFont(StandardFonts.Helvetica),
  ];
  const { node } = document.addPage([400, 300]);
  const { Font = {}, ...others } = resources?.(document) ?? {};
  node.set(PDFName.of('Resources'), context.obj({ ...others, Font: { F: courier.ref, H: helvetica.ref, ...Font } }));
  node.set(PDFName.of('Contents'), context.register(context.flateStream(content)));
  for (const [key, value] of Object.entries(page?.(document) ?? {})) node.set(PDFName.of(key), value);
  for (const [key, value] of Object.entries(catalog?.(document) ?? {})) document.catalog.set(PDFName.of(key), value);
  const [compared] = await compare(await document.save());
  return compared!;
}

/** Contents of 200 random pages in the fonts F0 to F2. */
function randomContents(seed: number): string[] {
  const random = randomNumbers(seed);
  return Array.from({ length: 200 }, () => randomContent(random, 2));
}

/** Compares pages with these contents, in three standard fonts named F0 to F2. */
async function compareInFonts(contents: readonly string[]): Promise<Compared[]> {
  const document = await PDFDocument.create({ updateMetadata: false });
  const fonts = await Promise.all(
    [StandardFonts.Helvetica, StandardFonts.TimesRoman, StandardFonts.Courier].map((one) => document.embedFont(one)),
  );
  const resources = document.context.obj({ Font: Object.fromEntries(fonts.map(({ ref }, i) => [`F${i}`, ref])) });
  for (const content of contents) {
    const { node } = document.addPage([500, 800]);
    node.set(PDFName.of('Resources'), resources);
    node.set(PDFName.of('Contents'), document.context.register(document.context.flateStream(content)));
  }
  return compare(await document.save(), contents.length);
}

const form = (document: PDFDocument, content: string): PDFObject =>
  document.context.register(
    document.context.stream(content, { Type: 'XObject', Subtype: 'Form', BBox: [0, 0, 400, 300] }),
  );

/** A font whose character map says these texts of codes. */
const mapped = (document: PDFDocument, lines: string, entries = {}): PDFObject =>
  document.context.register(
    document.context.obj({
      Type: 'Font',
      Subtype: 'Type1',
      BaseFont: 'Helvetica',
      Encoding: 'WinAnsiEncoding',
      ToUnicode: document.context.register(
        document.context.stream(`begincmap 1 begincodespacerange <00> <ff> endcodespacerange ${lines} endcmap`),
      ),
      ...entries,
    }),
  );

describe('plain pages', function () {
  this.timeout(60_000);

  for (const [title, content, texts] of [
    ['lines', 'BT /F 10 Tf 12 TL 50 200 Td (Jane Roe) Tj T* (stays here) Tj ET', ['Jane Roe\nstays here']],
    ['a word in several operators', 'BT /F 10 Tf 50 200 Td (Ja) Tj (ne) Tj [( R)-20(oe)] TJ ET', ['Jane Roe']],
    ['gaps for blanks', 'BT /F 10 Tf 50 200 Td [(Jane)-300(Roe)] TJ ET', ['Jane Roe']],
    ['cells of a table', 'BT /F 10 Tf 50 200 Td (Jane) Tj 150 0 Td (Roe) Tj ET', ['Jane Roe']],
    [
      'a blank at a line end, which only PDFium gives a line feed',
      'BT /F 10 Tf 12 TL 50 200 Td (Jane ) Tj T* (Roe) Tj ET',
      ['Jane Roe', 'Jane\nRoe'],
    ],
    ['escapes and hexadecimal strings', 'BT /F 10 Tf 50 200 Td (J\\141\\(n\\)) Tj <20526F65> Tj ET', ['Ja(n) Roe']],
    ['marked content', '/P <</MCID 0>> BDC BT /F 10 Tf 50 200 Td (Jane) Tj ET EMC', ['Jane']],
    [
      'text that is scaled and turned upside down twice',
      'q 2 0 0 -2 0 300 cm BT /F 10 Tf 1 0 0 -1 20 40 Tm (Jane) Tj ET Q',
      ['Jane'],
    ],
    [
      'a single letter on a page with wide lines',
      `BT /F 10 Tf 12 TL 50 200 Td ${WIDE} T* (J) Tj ET`,
      ['A line that is as wide as lines should be\nJ'],
    ],
    ['lines and areas', '1 0 0 RG 2 w 10 10 m 20 20 l S 0 0 50 50 re W n 10 10 5 5 re f', ['']],
  ] as const) {
    it(`are read as both readers do: ${title}`, async () => {
      const compared = await read({ content });
      expect([compared.plain, compared.inOrder, compared.isAgreed]).to.deep.equal([texts, true, true]);
      expect(contradiction(compared)).to.equal(undefined);
      expect([compared.own, compared.pdfium]).to.deep.equal([[texts[0]], texts.at(-1)]);
    });
  }

  it('may draw images and forms without text', async () => {
    const compared = await read({
      content: '/I Do /A Do BT /F 10 Tf 50 200 Td (Jane) Tj ET',
      resources: (document) => ({
        XObject: {
          A: form(document, '10 10 50 50 re f'),
          I: document.context.register(
            document.context.stream('\0', {
              Type: 'XObject',
              Subtype: 'Image',
              Width: 1,
              Height: 1,
              BitsPerComponent: 8,
              ColorSpace: 'DeviceGray',
            }),
          ),
        },
      }),
    });
    expect(compared.plain).to.deep.equal(['Jane']);
  });

  it('may have an order that only one reader changes: then both texts are searched', async () => {
    const compared = await read({ content: 'BT /F 10 Tf 50 100 Td (Roe) Tj 0 50 Td (Jane) Tj ET' });
    expect([compared.plain, compared.inOrder, compared.own]).to.deep.equal([
      ['Roe\nJane'],
      false,
      ['Roe\nJane', 'Jane\nRoe'],
    ]);
  });

  const show = (operators: string): Painting => ({ content: `BT /F 10 Tf 12 TL 50 200 Td ${operators} ET` });
  const others: Record<string, Painting> = {
    'a gap that is none for one reader and a blank for another': show('[(Jane)-150(Roe)] TJ'),
    'a gap between operators of that kind': show('(Jane) Tj 25.5 0 Td (Roe) Tj'),
    'letters over others': show('[(secr)1200(et)] TJ'),
    'lines too near to each other': show('(Jane) Tj 0 -8 Td (Roe) Tj'),
    'raised letters': show('(Jane) Tj 3 Ts (Roe) Tj'),
    'shifted lines': show('(Jane) Tj 24 4 Td (Roe) Tj'),
    'the shadow of a word': show('(Jane) Tj 0.5 0 Td (Jane) Tj'),
    'a word twice in a line': show('(Jane) Tj (Jane) Tj'),
    'single letters': show('(J) Tj 100 0 Td (a) Tj -100 -30 Td (n) Tj'),
    'spaced-out letters': show('4 Tc (Jane) Tj'),
    'stretched letters': show('60 Tz (Jane) Tj'),
    'invisible text': show('3 Tr (Jane) Tj'),
    'text as a clip': show('7 Tr (Jane) Tj'),
    'turned text': show('0 1 -1 0 50 50 Tm (Jane) Tj'),
    'slanted text': show('1 0 0.3 1 50 50 Tm (Jane) Tj'),
    'text of a negative size': show('/F -10 Tf (Jane) Tj'),
    'tiny text': show('/F 0.4 Tf (Jane) Tj'),
    'a soft hyphen': {
      content: 'BT /T 10 Tf 50 200 Td (a) Tj ET',
      resources: (document) => ({ Font: { T: mapped(document, '1 beginbfchar <61> <00ad> endbfchar') } }),
    },
    'operators that few know': show("(Jane) Tj T* (x) '"),
    'unknown operators': show('(Jane) Tj 5 foo'),
    'missing operands': show('Td (Jane) Tj'),
    'too many operands': show('1 (Jane) Tj'),
    'odd numbers': show('--5 0 Td (Jane) Tj'),
    'an array without its end': show('[(Jane) (Roe) TJ'),
    'a line end in a string': show('(Ja\nne) Tj'),
    'an escape that is none': show('(J\\zane) Tj'),
    comments: show('% Jane\n(Roe) Tj'),
    'text outside of a text object': { content: '/F 10 Tf 50 200 Td (Jane) Tj' },
    'a text object without its end': { content: 'BT /F 10 Tf 50 200 Td (Jane) Tj' },
    'a state that is restored too often': { content: 'Q BT /F 10 Tf 50 200 Td (Jane) Tj ET' },
    'a font that does not exist': show('/X 10 Tf (Jane) Tj'),
    'an inline image': { content: 'BI /W 1 /H 1 /BPC 8 /CS /G ID \0 EI BT /F 10 Tf 50 200 Td (Jane) Tj ET' },
    '/ActualText': show('/Span <</ActualText (Jane)>> BDC (J.) Tj EMC'),
    '/ActualText with an escaped name': show('/Span <</Actual#54ext (Jane)>> BDC (J.) Tj EMC'),
    'an expansion': show('/Span <</E (Jane)>> BDC (J.) Tj EMC'),
    'named properties': {
      ...show('/Span /P1 BDC (J.) Tj EMC'),
      resources: ({ context }) => ({ Properties: { P1: context.obj({ ActualText: 'Jane' }) } }),
    },
    'an optional layer': {
      ...show('/OC /L BDC (Jane) Tj EMC'),
      resources: ({ context }) => ({ Properties: { L: context.obj({ Type: 'OCG' }) } }),
    },
    'a form with text': {
      content: '/A Do',
      resources: (document) => ({ XObject: { A: form(document, 'BT /F 10 Tf 50 200 Td (Jane) Tj ET') } }),
    },
    'a form within a form': {
      content: '/A Do',
      resources: (document) => ({ XObject: { A: form(document, '/B Do') } }),
    },
    'a font of a graphics state': {
      content: '/G gs BT 50 200 Td (Jane) Tj ET',
      resources: ({ context }) => ({ ExtGState: { G: context.obj({ Font: [context.obj({}), 10] }) } }),
    },
    'a Type 3 font': {
      content: 'BT /T 10 Tf 50 200 Td (a) Tj ET',
      resources: ({ context }) => ({
        Font: {
          T: context.obj({
            Type: 'Font',
            Subtype: 'Type3',
            FontMatrix: [0.001, 0, 0, 0.001, 0, 0],
            FontBBox: [0, 0, 1000, 1000],
            FirstChar: 97,
            LastChar: 97,
            Widths: [1000],
            Encoding: { Differences: [97, 'a'] },
            CharProcs: { a: context.register(context.stream('1000 0 d0 BT /F 900 Tf (secret) Tj ET')) },
          }),
        },
      }),
    },
    'a font that says one text and shows another': {
      content: 'BT /T 10 Tf 50 200 Td (Jane) Tj ET',
      resources: (document) => ({ Font: { T: mapped(document, '1 beginbfchar <4a> <004b> endbfchar') } }),
    },
    'a font that says nothing of a code': {
      content: 'BT /T 10 Tf 50 200 Td (Jane) Tj ET',
      resources: (document) => ({ Font: { T: mapped(document, '1 beginbfchar <4a> <0000> endbfchar') } }),
    },
    'text that runs from right to left': {
      content: 'BT /T 10 Tf 50 200 Td (abc) Tj ET',
      resources: (document) => ({
        Font: {
          T: mapped(document, '1 beginbfrange <61> <63> <05d0> endbfrange', { Encoding: { Differences: [] } }),
        },
      }),
    },
    'a turned page': { ...show('(Jane) Tj'), page: ({ context }) => ({ Rotate: context.obj(90) }) },
    'a page with another unit': { ...show('(Jane) Tj'), page: ({ context }) => ({ UserUnit: context.obj(2) }) },
    'a document that runs from right to left': {
      ...show('(Jane1) Tj'),
      catalog: ({ context }) => ({ ViewerPreferences: context.obj({ Direction: 'R2L' }) }),
    },
  };
  for (const [title, painting] of Object.entries(others)) {
    it(`are not those with ${title}`, async () => {
      expect((await read(painting)).plain).to.equal(undefined);
    });
  }

  const text = Buffer.from('BT /F 10 Tf 50 200 Td (Jane) Tj ET');
  const streams: Record<string, readonly [Uint8Array, Record<string, unknown>]> = {
    'without a checksum': [deflateSync(text).subarray(0, -4), { Filter: 'FlateDecode' }],
    'with the wrong checksum': [
      Buffer.concat([deflateSync(text).subarray(0, -4), Buffer.alloc(4)]),
      { Filter: 'FlateDecode' },
    ],
    'with further data behind the end': [
      Buffer.concat([deflateSync(text), deflateSync(text)]),
      { Filter: 'FlateDecode' },
    ],
    'with parameters': [deflateSync(text), { Filter: 'FlateDecode', DecodeParms: { Predictor: 1 } }],
    'with two filters': [deflateSync(Buffer.from(text.toString('hex'))), { Filter: ['FlateDecode', 'ASCIIHexDecode'] }],
    'with another filter': [Buffer.from(`${text.toString('hex')}>`), { Filter: 'ASCIIHexDecode' }],
    'with an abbreviated filter': [deflateSync(text), { Filter: 'Fl' }],
  };
  for (const [title, [bytes, entries]] of Object.entries(streams)) {
    it(`are not those with content ${title}`, async () => {
      const { plain } = await read({
        content: '',
        page: ({ context }) => ({ Contents: context.register(context.stream(bytes, entries as never)) }),
      });
      expect(plain).to.equal(undefined);
    });
  }

  it('may have their content in several streams', async () => {
    const compared = await read({
      content: '',
      page: ({ context }) => ({
        Contents: context.obj([
          context.register(context.flateStream('BT /F 10 Tf 50 200 Td (Ja) Tj')),
          context.register(context.stream('(ne) Tj ET')),
        ]),
      }),
    });
    expect([compared.plain, compared.pdfium]).to.deep.equal([['Jane'], 'Jane']);
  });

  it('need fonts that PDFium reads in the same way', async () => {
    // Quire takes pairs outside of their section as well, PDFium does not: each sees another text.
    const lines = '<61> <0041> 1 beginbfchar <61> <0041> <62> <0042> endbfchar';
    const compared = await read({
      content: 'BT /T 10 Tf 50 200 Td (ab) Tj ET',
      resources: (document) => ({ Font: { T: mapped(document, lines) } }),
    });
    expect([compared.plain, compared.pdfium, compared.isAgreed]).to.deep.equal([['AB'], 'ab', false]);
  });

  it('count gaps of just the least size of a blank as the complete reading does', async () => {
    // Random pages in which sums of widths and shifts differed from 0.15 in their last digits.
    for (const [seed, number] of [
      [1014, 91],
      [1030, 191],
      [1115, 96],
    ] as const) {
      const page = randomContents(seed)[number]!;
      const [compared] = await compareInFonts([page]);
      expect(compared!.plain, page).not.to.equal(undefined);
      expect(compared!.counts[0], page).to.deep.equal(compared!.counts[1]);
    }
  });

  it('are what both readers read, whatever the gaps, leadings, sizes and orders', async () => {
    let plain = 0;
    for (let seed = 1; seed <= 4; seed++) {
      const contents = randomContents(seed);
      for (const [i, compared] of (await compareInFonts(contents)).entries()) {
        if (compared.plain !== undefined && compared.isAgreed) plain++;
        expect(contradiction(compared), contents[i]).to.equal(undefined);
      }
    }
    expect(plain).to.be.greaterThan(60);
  });

  (existsSync(corpus) ? it : it.skip)('are what both readers read in real files (of the corpus)', async () => {
    let plain = 0;
    for (const folder of ['pdf.js', 'pypdf', 'pdfminer.six'].filter((one) => existsSync(join(corpus, one)))) {
      const names = readdirSync(join(corpus, folder)).filter((one) => one.endsWith('.pdf'));
      for (const name of sampleOf(names, 3)) {
        // Files that cannot be opened have no plain pages.
        const pages = await compare({ path: join(corpus, folder, name) }, 10).catch(() => []);
        plain += pages.filter((page) => page.plain !== undefined && page.isAgreed).length;
        for (const [i, page] of pages.entries())
          expect(contradiction(page), `${folder}/${name}, page ${i + 1}`).to.equal(undefined);
      }
    }
    expect(plain).to.be.greaterThan(isNightly ? 100 : 20);
  });
});

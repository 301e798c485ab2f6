import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { editBytes, withPdf } from '@quire/document/file/open';
import { pageBox, pageRotation, userUnit } from '@quire/document/structure/pages';
import { readClaims } from '@quire/document/structure/metadata';
import { withDocument } from '@quire/document/engines/pdfium';
import { type Watermarked, addImageWatermark, addTextWatermark } from '../../src/functions/add-watermark.js';
import { pagesAsPictures } from '../../src/functions/redaction/pages-as-pictures.js';
import { type PageShape, pagesOf, seenByPdfium } from './watermark-sight.js';
import {
  style,
  shape,
  pdfOf,
  stream,
  page,
  onePage,
  square,
  marked,
  seen,
  near,
  emptyPage,
  expectTiles,
} from './watermarked-pages.js';

describe('watermarks on unusual pages', function () {
  this.timeout(30_000);

  const pages: readonly (readonly [title: string, bytes: Uint8Array])[] = [
    ['without resources and content', emptyPage()],
    [
      'whose content leaves states open',
      onePage('/Contents 4 0 R', stream('q q 3 0 0 3 40 40 cm 0 0 1 1 re W n q 0.1 0 0 0.1 5 5 cm')),
    ],
    [
      'whose content takes off more states than it put on',
      onePage('/Contents 4 0 R', stream('Q Q q Q Q 2 0 0 2 30 30 cm')),
    ],
    [
      'whose content ends within a text, a string and marked content',
      onePage('/Contents [4 0 R 5 0 R]', stream('/P BMC BT 1 0 0 1 50 50 Tm'), stream('(never closed')),
    ],
    [
      'whose form draws itself',
      onePage(
        '/Contents 4 0 R/Resources<</XObject<</F 5 0 R>>>>',
        stream('/F Do'),
        stream('/F Do', '/Type/XObject/Subtype/Form/BBox[0 0 120 100]/Resources<</XObject<</F 5 0 R>>>>'),
      ),
    ],
    [
      'whose resources are those of the form that they hold',
      onePage(
        '/Contents 4 0 R/Resources 6 0 R',
        stream('/Overlay1 Do'),
        stream('/Overlay1 Do', '/Type/XObject/Subtype/Form/BBox[0 0 120 100]/Resources 6 0 R'),
        '<</XObject<</Overlay1 5 0 R>>>>',
      ),
    ],
    [
      'whose resources are inherited',
      pdfOf(['<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[120 100 0 0]/Resources<<>>>>', '<</Type/Page/Parent 2 0 R>>']),
    ],
  ];
  for (const [title, bytes] of pages) {
    it(`are in their places on a page ${title}`, async () => expectTiles(await marked(bytes, await square())));
  }

  it('are drawn once on a page that occurs twice in the page tree', async () => {
    const twice = pdfOf(['<</Type/Pages/Kids[3 0 R 3 0 R]/Count 2>>', page('')]);
    const bytes = await marked(twice, await square(), { opacity: 0.5 });
    for (const sights of await seen(bytes, [shape, shape])) {
      for (const sight of sights) expect(near(sight.rgb(10, 90), [128, 128, 255])).to.equal(true);
    }
  });

  it('are transparent as a whole where their letters and lines overlap', async () => {
    const bytes = await editBytes(
      emptyPage(),
      {},
      async (opened) =>
        void (await addTextWatermark(opened, { ...style, fontSize: 30, opacity: 0.5, text: '██\\n██\\n██' })),
    );
    for (const [sight] of await seen(bytes)) {
      const shades = new Set(Array.from({ length: 40 }, (_, i) => sight!.rgb(15, 5 + i).join('/')));
      for (const shade of shades) expect(Number(shade.split('/', 1)[0])).to.be.at.least(126);
      expect([...shades].join(' ')).to.match(/\b12[678]\//);
    }
  });

  it('are tagged as artifacts of the standard, and searchable in a readable order', async () => {
    const bytes = await editBytes(
      emptyPage(),
      {},
      async (opened) => void (await addTextWatermark(opened, { ...style, text: 'One\\nTwo', widthSpacer: 500 })),
    );
    expect(await withDocument(bytes, {}, (document) => document.pageText(0))).to.match(/One\s+Two/);
    expect(Buffer.from(bytes).toString('latin1')).to.include('/Artifact <</Type /Pagination /Subtype /Watermark>> BDC');
  });

  it('report how many pages are smaller than the image, and are refused if all are', async () => {
    const mixed = pdfOf([
      '<</Type/Pages/Kids[3 0 R 4 0 R]/Count 2>>',
      page(''),
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 19 19]>>',
    ]);
    let found: Watermarked | undefined;
    await editBytes(
      mixed,
      {},
      async (opened) =>
        void (found = await addImageWatermark(opened, { ...style, image: await square(), kind: 'png' })),
    );
    expect(found).to.deep.equal({ pages: 2, unmarked: 1 });
    const refused = await marked(mixed, await square(), { fontSize: 300 }).then(
      () => undefined,
      (error: unknown) => error as { code: string; errors: readonly { pointer: string; detail: string }[] },
    );
    expect(refused).to.have.property('code', 'INPUT_INVALID');
    expect(refused!.errors[0]).to.have.property('pointer', '/fontSize');
    expect(refused!.errors[0]!.detail).to.include('300 x 300 points');
  });

  it('are refused if nothing would be visible', async () => {
    for (const text of [' ', '\\n', '\u200b']) {
      const refused = await editBytes(emptyPage(), {}, (opened) => addTextWatermark(opened, { ...style, text })).then(
        () => undefined,
        (error: unknown) => error as { code: string; errors: readonly { pointer: string }[] },
      );
      expect([refused?.code, refused?.errors[0]?.pointer], JSON.stringify(text)).to.deep.equal([
        'INPUT_INVALID',
        '/watermarkText',
      ]);
    }
  });

  it('remove the declaration of PDF/A-1 if they are transparent', async () => {
    const claiming = async (part: number, opacity: number): Promise<boolean> => {
      const xmp =
        '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">' +
        `<rdf:Description rdf:about="" xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/"><pdfaid:part>${part}` +
        '</pdfaid:part><pdfaid:conformance>B</pdfaid:conformance></rdf:Description></rdf:RDF></x:xmpmeta>';
      const claims = Buffer.from(
        Buffer.from(onePage('', stream(xmp, '/Type/Metadata/Subtype/XML')))
          .toString('latin1')
          .replace('/Pages 2 0 R>>', '/Pages 2 0 R/Metadata 4 0 R>>'),
        'latin1',
      );
      const bytes = await marked(claims, await square(), { opacity });
      return withPdf(bytes, {}, ({ document }) => readClaims(document.context).has('PDF/A'));
    };
    expect([await claiming(1, 0.5), await claiming(1, 1), await claiming(2, 0.5)]).to.deep.equal([false, true, true]);
  });

  it('have limited cost on pages that all differ', async () => {
    const kids = Array.from({ length: 200 }, (_, i) => i + 3);
    const many = pdfOf([
      `<</Type/Pages/Kids[${kids.map((id) => `${id} 0 R`).join(' ')}]/Count ${kids.length}>>`,
      ...kids.map((id) => `<</Type/Page/Parent 2 0 R/MediaBox[0 0 1 ${9000 + id}]>>`),
    ]);
    const refused = await editBytes(many, {}, (opened) =>
      addTextWatermark(opened, { ...style, fontSize: 1, heightSpacer: 0, text: 'x' }),
    ).then(
      () => undefined,
      (error: unknown) => (error as { code: string }).code,
    );
    expect(refused).to.equal('INPUT_TOO_COMPLEX');
  });
});

describe('watermarks on pages that become images', function () {
  this.timeout(30_000);

  const shapes: readonly PageShape[] = [
    { name: 'plain', media: [0, 0, 120, 100] },
    { name: 'turned', media: [0, 0, 120, 100], rotate: 90 },
    { name: 'turned, cropped and off the origin', media: [-20, -30, 100, 70], crop: [-10, 0, 90, 60], rotate: 270 },
    { name: 'in units of a half inch', media: [0, 0, 60, 50], userUnit: 2 },
  ];

  it('appear in the image as on the page, with opacity, and page boxes stay', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'quire-pictures-'));
    try {
      const [source, target] = [join(folder, 'in.pdf'), join(folder, 'out.pdf')];
      const before = await editBytes(
        await pagesOf(shapes),
        {},
        async (opened) => void (await addTextWatermark(opened, { ...style, opacity: 0.4, rotation: 30, text: '██' })),
      );
      await writeFile(source, before);
      await pagesAsPictures(source, target, { dpi: 288 });
      const after = await readFile(target);
      const [drawn, pictured] = [await seenByPdfium(before, shapes, 1), await seenByPdfium(after, shapes, 1)];
      for (const [i, { name }] of shapes.entries()) {
        const { width, height } = drawn[i]!;
        const places = Array.from({ length: width * height }, (_, at) => [at % width, Math.floor(at / width)] as const);
        const inked = places.filter(([x, y]) => near(drawn[i]!.rgb(x, y), [153, 153, 255]));
        expect(inked.length, `${name}: pixels of the watermark`).to.be.greaterThan(200);
        const same = places.filter(([x, y]) => near(pictured[i]!.rgb(x, y), drawn[i]!.rgb(x, y), 12));
        expect(same.length / places.length, name).to.be.greaterThan(0.93);
        expect(
          inked.filter(([x, y]) => near(pictured[i]!.rgb(x, y), [153, 153, 255], 12)).length / inked.length,
          name,
        ).to.be.greaterThan(0.95);
      }
      const boxes = (bytes: Uint8Array): Promise<unknown> =>
        withPdf(bytes, {}, ({ document, pages: all }) =>
          all.map((one) => [
            pageBox(document.context, one, 'MediaBox'),
            pageBox(document.context, one),
            pageRotation(document.context, one),
            userUnit(document.context, one),
          ]),
        );
      expect(await boxes(after)).to.deep.equal(await boxes(before));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});

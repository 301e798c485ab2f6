import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { editBytes, withPdf } from '@quire/document/file/open';
import { pageBox, pageRotation, userUnit } from '@quire/document/structure/pages';
import { readClaims } from '@quire/document/structure/metadata';
import { withDocument } from '@quire/document/engines/pdfium';
import sharp, { type Create, type CreateRaw, type Sharp } from 'sharp';
import { type Watermarked, addImageWatermark, addTextWatermark } from '../../src/functions/add-watermark.js';
import { pagesAsPictures } from '../../src/functions/redaction/pages-as-pictures.js';
import { type PageShape, type Sight, pagesOf, seenByPdfium, seenByPoppler } from './watermark-sight.js';

const style = {
  fontSize: 20,
  rotation: 0,
  opacity: 1,
  widthSpacer: 30,
  heightSpacer: 30,
  alphabet: 'roman',
  colour: '0000ff',
};
const shape: PageShape = { name: 'page', media: [0, 0, 120, 100] };

/** A document of these objects: first its catalog, then its page tree. */
function pdfOf(objects: readonly string[]): Uint8Array {
  const bodies = ['<</Type/Catalog/Pages 2 0 R>>', ...objects].map((body, i) => `${i + 1} 0 obj\n${body}\nendobj\n`);
  return Buffer.from(
    `%PDF-1.7\n${bodies.join('')}trailer\n<</Root 1 0 R/Size ${bodies.length + 1}>>\n%%EOF\n`,
    'latin1',
  );
}

const stream = (content: string, dict = ''): string =>
  `<<${dict}/Length ${content.length}>>\nstream\n${content}\nendstream`;
const page = (entries: string): string => `<</Type/Page/Parent 2 0 R/MediaBox[0 0 120 100]${entries}>>`;
const onePage = (entries: string, ...more: string[]): Uint8Array =>
  pdfOf(['<</Type/Pages/Kids[3 0 R]/Count 1>>', page(entries), ...more]);
const square = (): Promise<Buffer> =>
  sharp({ create: { width: 10, height: 10, channels: 3, background: '#0000ff' } })
    .png()
    .toBuffer();

async function marked(
  bytes: Uint8Array,
  image: Uint8Array,
  change: Partial<typeof style> & { kind?: 'png' | 'jpeg' | 'gif' | 'bmp' } = {},
): Promise<Uint8Array> {
  return editBytes(
    bytes,
    {},
    async (opened) => void (await addImageWatermark(opened, { ...style, kind: 'png', ...change, image })),
  );
}

/** The page rendered by both engines. */
async function seen(bytes: Uint8Array, shapes: readonly PageShape[] = [shape]): Promise<Sight[][]> {
  const poppler = await seenByPoppler(bytes, shapes, 1);
  return [await seenByPdfium(bytes, shapes, 1), ...(poppler === undefined ? [] : [poppler])];
}

const near = (found: readonly number[], wanted: readonly number[], slack = 6): boolean =>
  found.every((value, i) => Math.abs(value - wanted[i]!) <= slack);
const [BLUE, WHITE] = [
  [0, 0, 255],
  [255, 255, 255],
] as const;
const emptyPage = (): Uint8Array => onePage('');

/** Tiles of 20 points are at 0 and 50, in two rows. */
async function expectTiles(bytes: Uint8Array): Promise<void> {
  for (const [sight] of await seen(bytes)) {
    for (const [x, y, wanted] of [
      [10, 90, BLUE],
      [60, 90, BLUE],
      [10, 40, BLUE],
      [60, 40, BLUE],
      [35, 90, WHITE],
      [10, 65, WHITE],
      [105, 50, WHITE],
    ] as const) {
      expect(near(sight!.rgb(x, y), wanted), `${x},${y} is ${sight!.rgb(x, y).join('/')}`).to.equal(true);
    }
  }
}

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
      const xmp = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/"><pdfaid:part>${part}</pdfaid:part><pdfaid:conformance>B</pdfaid:conformance></rdf:Description></rdf:RDF></x:xmpmeta>`;
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

describe('watermark images', function () {
  this.timeout(30_000);

  /** An image of 40 x 20 pixels with its left half in one colour and its right half in another. */
  const halves = async (left: string, right: string): Promise<Sharp> => {
    const half = (background: string): Create => ({ width: 20, height: 20, channels: 4, background });
    const both = sharp({ create: { ...half('#00000000'), width: 40 } }).composite([
      { input: { create: half(left) }, left: 0, top: 0 },
      { input: { create: half(right) }, left: 20, top: 0 },
    ]);
    return sharp(await both.png().toBuffer());
  };
  const expectHalves = async (
    image: Uint8Array,
    kind: 'png' | 'jpeg' | 'gif' | 'bmp',
    [left, right]: readonly [readonly number[], readonly number[]],
    change: { opacity?: number } = {},
    slack = 6,
  ): Promise<void> => {
    // 20 points high and 40 wide, at the lower left corner.
    for (const [sight] of await seen(await marked(emptyPage(), image, { kind, ...change }))) {
      expect(near(sight!.rgb(10, 90), left, slack), `left is ${sight!.rgb(10, 90).join('/')}`).to.equal(true);
      expect(near(sight!.rgb(30, 90), right, slack), `right is ${sight!.rgb(30, 90).join('/')}`).to.equal(true);
      expect(near(sight!.rgb(45, 90), WHITE)).to.equal(true);
      expect(near(sight!.rgb(10, 75), WHITE)).to.equal(true);
    }
  };
  const [red, green] = [
    [255, 0, 0],
    [0, 128, 0],
  ] as const;

  it('keep palette and alpha, and combine alpha with opacity', async () => {
    const image = await (await halves('#ff0000', '#00000000')).png({ palette: true }).toBuffer();
    await expectHalves(image, 'png', [red, WHITE]);
    await expectHalves(image, 'png', [[255, 128, 128], WHITE], { opacity: 0.5 });
    const half = await (await halves('#ff000080', '#008000')).png().toBuffer();
    await expectHalves(half, 'png', [[255, 127, 127], green]);
    await expectHalves(
      half,
      'png',
      [
        [255, 191, 191],
        [127, 191, 127],
      ],
      { opacity: 0.5 },
    );
  });

  it('may have 16 bits per channel', async () => {
    await expectHalves(await (await halves('#ff0000', '#008000')).toColourspace('rgb16').png().toBuffer(), 'png', [
      red,
      green,
    ]);
  });

  it('may be CMYK, with similar colours', async () => {
    const image = await (
      await halves('#ff0000', '#008000')
    )
      .flatten()
      .toColourspace('cmyk')
      .jpeg({ quality: 95 })
      .toBuffer();
    await expectHalves(
      image,
      'jpeg',
      [
        [237, 28, 36],
        [0, 140, 70],
      ],
      {},
      60,
    );
  });

  it('show the first frame of a GIF', async () => {
    const frame = async (left: string, right: string): Promise<Buffer> =>
      (await halves(left, right)).removeAlpha().raw().toBuffer();
    const frames = Buffer.concat([await frame('#ff0000', '#008000'), await frame('#0000ff', '#000000')]);
    const image = await sharp(frames, { raw: { width: 40, height: 40, channels: 3, pageHeight: 20 } as CreateRaw })
      .gif()
      .toBuffer();
    expect((await sharp(image).metadata()).pages).to.equal(2);
    await expectHalves(image, 'gif', [red, green]);
  });

  it('may be a bitmap with rows from the top', async () => {
    const rows = Buffer.concat(
      Array.from({ length: 20 }, () =>
        Buffer.concat([
          ...Array.from({ length: 20 }, () => Buffer.from([0, 0, 255])),
          ...Array.from({ length: 20 }, () => Buffer.from([0, 128, 0])),
        ]),
      ),
    );
    const head = Buffer.alloc(54);
    head.write('BM');
    head.writeUInt32LE(54 + rows.length, 2);
    head.writeUInt32LE(54, 10);
    head.writeUInt32LE(40, 14);
    head.writeInt32LE(40, 18);
    head.writeInt32LE(-20, 22);
    head.writeUInt16LE(1, 26);
    head.writeUInt16LE(24, 28);
    head.writeUInt32LE(rows.length, 34);
    await expectHalves(Buffer.concat([head, rows]), 'bmp', [red, green]);
  });

  it('are upright if the camera was rotated', async () => {
    // Stored as 20 x 40, red above green; orientation 8 rotates it by 90 degrees counter-clockwise to 40 x 20, top to
    // the left.
    const stored = await (await halves('#ff0000', '#008000')).flatten().rotate(90).jpeg({ quality: 95 }).toBuffer();
    const image = await sharp(stored)
      .withMetadata({ orientation: 8 })
      .jpeg({ quality: 95, chromaSubsampling: '4:4:4' })
      .toBuffer();
    await expectHalves(image, 'jpeg', [red, green], {}, 20);
  });

  it('fill their tile if they have a single pixel', async () => {
    const dot = await sharp({ create: { width: 1, height: 1, channels: 3, background: '#0000ff' } })
      .png()
      .toBuffer();
    await expectTiles(await marked(emptyPage(), dot));
  });

  it('are refused by their size before a pixel is decoded', async () => {
    const claimed = Buffer.from(await square());
    for (const side of [60_000, 7_100]) {
      claimed.writeUInt32BE(side, 16);
      claimed.writeUInt32BE(side, 20);
      claimed.writeUInt32BE(crc32(claimed.subarray(12, 29)), 29);
      expect(
        await marked(emptyPage(), claimed).then(
          () => undefined,
          (error: unknown) => (error as { code: string }).code,
        ),
        `${side} pixels square`,
      ).to.equal('IMAGE_TOO_LARGE');
    }
  });
});

/** The checksum of a PNG chunk (ISO 15948, annex D). */
function crc32(bytes: Uint8Array): number {
  let sum = 0xffffffff;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return ~sum >>> 0;
}

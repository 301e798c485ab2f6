import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { pixelSize, renderPage, withRenderable } from '@quire/document/engines/rendering';
import { callOperation, makePdf, type OperationAnswer, readPdf, readZip, serverForTests } from '@quire/plugin-kit';
import { expect } from 'chai';
import { PDFDocument, PDFName, PDFString, StandardFonts, degrees, rgb } from 'pdf-lib';
import sharp from 'sharp';

const fixture = async (name: string) => ({
  name,
  bytes: new Uint8Array(await readFile(new URL(`../../fixtures/${name}`, import.meta.url))),
});
const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8');

const hasOffice = (): boolean => {
  try {
    execFileSync('sh', ['-c', 'command -v soffice || command -v libreoffice'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

/** Pages in grey at 36 dpi, blurred a little, so that other hinting of letters counts for nothing. */
async function seen(
  bytes: Uint8Array,
): Promise<{ readonly width: number; readonly height: number; readonly grey: Uint8Array }[]> {
  const pages = await withRenderable(bytes, (document) =>
    Array.from({ length: document.pageCount }, (_, index) => {
      const size = pixelSize(document.pageGeometry(index), 36);
      return { ...size, pixels: renderPage(document, index, { ...size, annotations: true }) };
    }),
  );
  return Promise.all(
    pages.map(async ({ width, height, pixels }) => ({
      width,
      height,
      grey: await sharp(pixels, { raw: { width, height, channels: 4 } })
        .removeAlpha()
        .greyscale()
        .blur(1.2)
        .raw()
        .toBuffer(),
    })),
  );
}

/** Mean difference of two pages, of 255; of another size they differ altogether. */
function difference(a: Awaited<ReturnType<typeof seen>>[number] | undefined, b: typeof a): number {
  if (a === undefined || b === undefined || Math.abs(a.width - b.width) > 1 || Math.abs(a.height - b.height) > 1)
    return 255;
  let sum = 0;
  const [width, height] = [Math.min(a.width, b.width), Math.min(a.height, b.height)];
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) sum += Math.abs(a.grey[y * a.width + x]! - b.grey[y * b.width + x]!);
  return sum / (width * height);
}

describe('Tables and slides of PDFs over HTTP', function () {
  this.timeout(120_000);
  const server = serverForTests({ plugins: ['@quire/plugin-convert'] });

  const call = (
    path: string,
    files: readonly { name: string; bytes: Uint8Array }[],
    params: Record<string, unknown> = {},
  ): Promise<OperationAnswer> => callOperation(server.url, { path: `convert/${path}`, files, params });
  const faultyField = (answer: OperationAnswer): string | undefined =>
    answer.json<{ errors?: { pointer: string }[] }>().errors?.[0]?.pointer;
  const plain = async () => ({ name: 'plain.pdf', bytes: await makePdf({ pages: 2 }) });

  describe('pdf/csv', () => {
    it('gives one table as CSV: every field quoted, quotes doubled, CR LF, text as it is printed', async () => {
      const answer = await call('pdf/csv', [await fixture('tables.pdf')], { pageNumbers: '1' });
      expect([answer.status, answer.fileName, answer.headers.get('content-type')?.split(';')[0]]).to.deep.equal([
        200,
        'tables_extracted.csv',
        'text/csv',
      ]);
      expect(text(answer.bytes)).to.equal(
        '"Item","Net","Gross"\r\n"Pear, ""best""","1.00","=1.19"\r\n"Plum","on request",""\r\n',
      );
    });

    it('gives the tables of all pages as a zip when no page is named, by page and place', async () => {
      const answer = await call('pdf/csv', [await fixture('tables.pdf')]);
      expect([answer.status, answer.fileName, answer.headers.get('content-type')]).to.deep.equal([
        200,
        'tables_extracted.zip',
        'application/octet-stream',
      ]);
      const entries = await readZip(answer.bytes);
      expect(entries.map(({ name }) => name)).to.deep.equal([
        'tables_p1_t1.csv',
        'tables_p2_t1.csv',
        'tables_p2_t2.csv',
      ]);
      expect(entries.slice(1).map(({ bytes }) => text(bytes))).to.deep.equal([
        '"a1","b1"\r\n"a2","b2"\r\n',
        '"c1","d1"\r\n"c2","d2"\r\n',
      ]);
    });

    it('answers 204 without a table, and for pages without one', async () => {
      expect([
        (await call('pdf/csv', [await plain()])).status,
        (await call('pdf/xlsx', [await plain()])).status,
      ]).to.deep.equal([204, 204]);
    });

    it('takes several documents', async () => {
      const answer = await call(
        'pdf/csv',
        [await fixture('tables.pdf'), { ...(await fixture('tables.pdf')), name: 'other.pdf' }],
        { pageNumbers: '1' },
      );
      expect((await readZip(answer.bytes)).map(({ name }) => name).toSorted()).to.deep.equal([
        'other_extracted.csv',
        'tables_extracted.csv',
      ]);
    });

    it('refuses pages that are none, and documents that are damaged or no PDF', async () => {
      for (const path of ['pdf/csv', 'pdf/xlsx']) {
        const wrong = await call(path, [await fixture('tables.pdf')], { pageNumbers: 'x' });
        expect([wrong.status, faultyField(wrong)], path).to.deep.equal([400, '/pageNumbers']);
        expect(
          [
            (await call(path, [await fixture('header-only.pdf')])).code,
            (await call(path, [await fixture('letter.docx')])).status,
          ],
          path,
        ).to.deep.equal(['PDF_DAMAGED', 415]);
      }
    });
  });

  describe('pdf/xlsx', () => {
    it('makes a sheet of each table, its cells text, merged and bold as on the page', async () => {
      const answer = await call('pdf/xlsx', [await fixture('tables.pdf')]);
      expect([answer.status, answer.fileName, answer.headers.get('content-type')]).to.deep.equal([
        200,
        'tables.xlsx',
        'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      ]);
      const parts = new Map((await readZip(answer.bytes)).map(({ name, bytes }) => [name, text(bytes)]));
      expect(
        [...parts.get('xl/workbook.xml')!.matchAll(/<sheet [^>]*name="([^"]*)"/g)].map(([, name]) => name),
      ).to.deep.equal(['Page 1', 'Page 2 Table 1', 'Page 2 Table 2']);
      const sheet = parts.get('xl/worksheets/sheet1.xml')!;
      expect(sheet).to.match(/<mergeCell ref="B3:C3"\s*\/>/);
      // Shared or inline strings, never numbers or formulas.
      expect(
        [...sheet.matchAll(/<c [^>]*t="(\w+)"/g)].every(([, type]) => type === 's' || type === 'inlineStr'),
      ).to.equal(true);
      expect(sheet).not.to.match(/<f>|t="n"/);
      expect(`${sheet}${parts.get('xl/sharedStrings.xml') ?? ''}`)
        .to.contain('=1.19')
        .and.to.match(/Pear, (?:&quot;|")best(?:&quot;|")/);
    });

    it('opens in an office program with the same text in the same places', async function () {
      if (!hasOffice()) return this.skip();
      const book = await call('pdf/xlsx', [await fixture('tables.pdf')], { pageNumbers: '1' });
      const { text: shown } = await readPdf(
        (await call('file/pdf', [{ name: 'tables.xlsx', bytes: book.bytes }])).bytes,
      );
      expect(shown[0]!.replaceAll(/\s+/g, ' ').trim()).to.equal(
        'Item Net Gross Pear, "best" 1.00 =1.19 Plum on request',
      );
    });
  });

  describe('pdf/presentation', () => {
    /**
     * A page with a heading, lines of text, a turned and a coloured line, a drawing and a link; one that is turned and
     * cropped; one of another size.
     */
    async function sample(): Promise<Uint8Array> {
      const document = await PDFDocument.create();
      const [plainFont, bold] = [
        await document.embedFont(StandardFonts.Helvetica),
        await document.embedFont(StandardFonts.TimesRomanBold),
      ];
      document.setTitle('Slides & more');
      const first = document.addPage([400, 300]);
      first.drawText('A heading', { x: 40, y: 250, size: 24, font: bold });
      for (const [i, line] of ['The first line of a paragraph', 'and its second one, which ends it.'].entries())
        first.drawText(line, { x: 40, y: 210 - 15 * i, size: 12, font: plainFont });
      first.drawRectangle({ x: 40, y: 40, width: 120, height: 80, color: rgb(0.1, 0.2, 0.5) });
      first.drawText('white on blue', { x: 50, y: 75, size: 12, font: plainFont, color: rgb(1, 1, 1) });
      first.drawText('turned', {
        x: 300,
        y: 60,
        size: 14,
        font: plainFont,
        rotate: degrees(90),
        color: rgb(0.8, 0, 0),
      });
      first.drawCircle({ x: 220, y: 80, size: 30, color: rgb(1, 0.6, 0) });
      const turned = document.addPage([420, 520]);
      turned.setRotation(degrees(90));
      turned.setCropBox(20, 60, 300, 400);
      turned.drawText('On a page that is turned', { x: 60, y: 300, size: 14, font: plainFont });
      turned.drawRectangle({ x: 60, y: 100, width: 100, height: 60, borderWidth: 3 });
      const small = document.addPage([200, 300]);
      small.drawText('Another size', { x: 20, y: 200, size: 12, font: plainFont });
      return document.save();
    }

    const entries = async (answer: OperationAnswer): Promise<Map<string, string>> =>
      new Map((await readZip(answer.bytes)).map(({ name, bytes }) => [name, text(bytes)]));

    it("answers slides as octet-stream under the document's name, PPTX when no format is named", async () => {
      const file = { name: 'talk.pdf', bytes: await sample() };
      for (const params of [{}, { outputFormat: 'pptx' }]) {
        const answer = await call('pdf/presentation', [file], params);
        expect([answer.status, answer.fileName, answer.headers.get('content-type')]).to.deep.equal([
          200,
          'talk.pptx',
          'application/octet-stream',
        ]);
      }
      const wrong = await call('pdf/presentation', [file], { outputFormat: 'key' });
      expect([wrong.status, faultyField(wrong)]).to.deep.equal([400, '/outputFormat']);
      expect((await call('pdf/presentation', [await fixture('header-only.pdf')])).code).to.equal('PDF_DAMAGED');
    });

    it('makes ppt and odp where LibreOffice is, and names it where it is not', async () => {
      const answers = await Promise.all(
        ['ppt', 'odp'].map((outputFormat) =>
          fixture('three-pages.pdf').then((file) => call('pdf/presentation', [file], { outputFormat })),
        ),
      );
      for (const [i, answer] of answers.entries()) {
        if (hasOffice())
          expect([
            answer.status,
            answer.fileName,
            Buffer.from(answer.bytes.subarray(0, 4)).toString('hex'),
          ]).to.deep.equal(i === 0 ? [200, 'three-pages.ppt', 'd0cf11e0'] : [200, 'three-pages.odp', '504b0304']);
        else expect([answer.status, answer.code]).to.deep.equal([503, 'PROGRAM_MISSING']);
      }
    });

    it('keeps formatted text, lines of a paragraph in one box, drawings as separate images', async () => {
      const parts = await entries(await call('pdf/presentation', [{ name: 'talk.pdf', bytes: await sample() }]));
      const slide = parts.get('ppt/slides/slide1.xml')!;
      const boxes = [...slide.matchAll(/<p:txBody>.*?<\/p:txBody>/g)].map(([body]) => body);
      expect(
        boxes.map((body) => [...body.matchAll(/<a:t>([^<]*)<\/a:t>/g)].map(([, line]) => line)),
      ).to.deep.include.members([
        ['A heading'],
        ['The first line of a paragraph', 'and its second one, which ends it.'],
        ['white on blue'],
        ['turned'],
      ]);
      expect(boxes.find((body) => body.includes('A heading'))).to.match(/sz="2400" b="1".*typeface="Times New Roman"/);
      expect(boxes.find((body) => body.includes('white on blue'))).to.contain('<a:srgbClr val="FFFFFF">');
      expect(slide).to.contain('rot="16200000"');
      expect([...slide.matchAll(/<p:pic>/g)]).to.have.lengthOf(2);
      expect(parts.get('ppt/presentation.xml')).to.contain(`<p:sldSz cx="${400 * 12_700}" cy="${300 * 12_700}"/>`);
      expect(parts.get('docProps/core.xml')).to.contain('<dc:title>Slides &amp; more</dc:title>');
      // Centred: 200 of 400 points wide.
      expect(parts.get('ppt/slides/slide3.xml')).to.match(/<a:off x="15240\d\d"/);
    });

    it('uses a bookmarked heading as title, keeps links, and drops script addresses', async () => {
      const file = { name: 'links.pdf', bytes: await withOutlineAndLinks(await sample()) };
      const parts = await entries(await call('pdf/presentation', [file]));
      expect(parts.get('ppt/slides/slide1.xml')).to.match(/<p:ph type="title"\/>.*A heading/);
      const relations = parts.get('ppt/slides/_rels/slide1.xml.rels')!;
      expect(relations)
        .to.contain('Target="https://example.org/a?b=1&amp;c=2" TargetMode="External"')
        .and.to.contain('Target="slide2.xml"')
        .and.not.to.contain('javascript');
    });

    it('gives equal files for equal documents', async () => {
      const file = { name: 'talk.pdf', bytes: await sample() };
      expect(
        Buffer.compare((await call('pdf/presentation', [file])).bytes, (await call('pdf/presentation', [file])).bytes),
      ).to.equal(0);
    });

    it('looks like the document, and says the same, when an office program shows it', async function () {
      if (!hasOffice()) return this.skip();
      const bytes = await sample();
      const slides = await call('pdf/presentation', [{ name: 'talk.pdf', bytes }]);
      const back = (await call('file/pdf', [{ name: 'talk.pptx', bytes: slides.bytes }])).bytes;
      const [was, is] = [await seen(bytes), await seen(back)];
      expect(is).to.have.lengthOf(3);
      expect(difference(was[0], is[0])).to.be.below(3);
      // The measure's result for a white page.
      expect(difference(was[0], { ...was[0]!, grey: new Uint8Array(was[0]!.grey.length).fill(255) })).to.be.above(12);
      // Letters of turned text come as lines of their own.
      const letters = (all: string): string => [...all.replaceAll(/\s/g, '')].join('');
      const [before, after] = [await readPdf(bytes), await readPdf(back)];
      expect(after.text.map(letters)).to.deep.equal(before.text.map(letters));
    });
  });
});

/** Adds an outline item for the first page, and links over three of its lines. */
async function withOutlineAndLinks(bytes: Uint8Array): Promise<Uint8Array> {
  const document = await PDFDocument.load(bytes);
  const { context } = document;
  const [first, second] = document.getPages();
  const address = (uri: string) => ({ S: 'URI', URI: PDFString.of(uri) });
  first!.node.set(
    PDFName.of('Annots'),
    context.obj([
      { Type: 'Annot', Subtype: 'Link', Rect: [40, 205, 250, 222], A: address('https://example.org/a?b=1&c=2') },
      { Type: 'Annot', Subtype: 'Link', Rect: [40, 190, 250, 204], Dest: [second!.ref, 'Fit'] },
      { Type: 'Annot', Subtype: 'Link', Rect: [45, 70, 150, 90], A: address('javascript:alert(1)') },
    ]),
  );
  const outlines = context.nextRef();
  const item = context.register(
    context.obj({ Title: PDFString.of('A Heading'), Parent: outlines, Dest: [first!.ref, 'Fit'] }),
  );
  context.assign(outlines, context.obj({ Type: 'Outlines', First: item, Last: item, Count: 1 }));
  document.catalog.set(PDFName.of('Outlines'), outlines);
  return document.save();
}

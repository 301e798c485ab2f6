import { expect } from 'chai';
import { type PDFDict, PDFDocument, PDFName, PDFRawStream, PDFString } from 'pdf-lib';
import { asDict, entry } from '@quire/document/file/objects';
import { openPdf } from '@quire/document/file/open';
import { allFieldNodes, fullName, readFields } from '@quire/document/forms/fields';
import { outlineTitle, readOutlines } from '@quire/document/structure/outlines';
import { readAnnotations } from '@quire/document/structure/annotations';
import { readAttachments } from '@quire/document/structure/attachments';
import { readLayers } from '@quire/document/structure/layers';
import { readNamedDestinations } from '@quire/document/structure/names';
import { readPageLabels } from '@quire/document/structure/pages';
import { expectPdf, fakeFile, hostileFiles, makePdf } from '@quire/plugin-kit';
import { difference, partOf, seenPages } from '../seen-pages.js';
import { fixture, run } from './support.js';

const LAYOUT = 'general/multi-page-layout';
const BOOKLET = 'general/booklet-imposition';
const SINGLE = 'general/pdf-to-single-page';
const POSTER = 'general/split-for-poster-print';

async function made(
  path: string,
  file: Awaited<ReturnType<typeof fixture>>,
  params: Record<string, unknown> = {},
): Promise<Uint8Array> {
  const {
    outputs: [output],
    code,
    detail,
  } = await run(path, [file], params);
  if (output === undefined) throw new Error(`${code}: ${detail}`);
  return output.bytes;
}

/** The content of the handbook, and the sheets it is on. */
async function facts(bytes: Uint8Array) {
  const {
    document: { context },
    pages,
  } = await openPdf(bytes);
  const place = (value: unknown): number => pages.findIndex(({ ref }) => ref === value);
  const target = (dict: PDFDict, key: string): number =>
    place((entry(dict, key) as unknown as { asArray?: () => unknown[] })?.asArray?.()[0]);
  const fields = [...allFieldNodes(readFields(context))];
  return {
    bookmarks: readOutlines(context).map((node) => [outlineTitle(context, node), target(node.dict, 'Dest')]),
    named: [...readNamedDestinations(context).strings.values()].map((value) =>
      place((value as unknown as { asArray: () => unknown[] }).asArray()[0]),
    ),
    fields: fields
      .filter(({ children }) => children.length === 0)
      .map((node) => [
        fullName(context, node),
        pages.findIndex(({ dict }) => readAnnotations(context, dict).some((one) => one.dict === node.dict)),
      ]),
    links: pages.map(({ dict }) => readAnnotations(context, dict).filter(({ kind }) => kind === 'Link').length),
    attachments: readAttachments(context, pages).length,
    labels: readPageLabels(context, pages.length),
  };
}

describe('sheets made of pages', () => {
  it('keep bookmarks, links, fields and attachments with their pages, and lose the labels', async () => {
    const file = await fixture('handbook.pdf');
    const chapters = (one: number, two: number) => [
      ['Chapter one', one],
      ['Chapter two', two],
    ];
    const fields = (one: number, two: number) => [
      ['reader.name', one],
      ['remark', two],
    ];
    expect(await facts(await made(LAYOUT, file))).to.deep.equal({
      bookmarks: chapters(0, 1),
      named: [1],
      fields: fields(0, 1),
      links: [1, 0],
      attachments: 1,
      labels: undefined,
    });
    expect(await facts(await made(BOOKLET, file))).to.deep.equal({
      bookmarks: chapters(1, 1),
      named: [0],
      fields: fields(1, 1),
      links: [1, 0],
      attachments: 1,
      labels: undefined,
    });
    expect(await facts(await made(SINGLE, file))).to.deep.equal({
      bookmarks: chapters(0, 0),
      named: [0],
      fields: fields(0, 0),
      links: [1],
      attachments: 1,
      labels: undefined,
    });
    // Four sheets per page; bookmarks show the top, fields and the link stay where they were.
    const poster = await facts(await made(POSTER, file));
    expect(poster.bookmarks).to.deep.equal(chapters(4, 8));
    expect(poster.fields).to.deep.equal(fields(4, 8));
    expect(poster.links.flatMap((count, i) => (count > 0 ? [i] : []))).to.deep.equal([0]);
    expect([poster.named, poster.attachments, poster.labels]).to.deep.equal([[12], 1, undefined]);
  });

  it('show every page as it was seen: cropped, rotated, in large units, with its fields and patterns', async () => {
    const file = await fixture('unusual-pages.pdf');
    // PDFium ignores larger units, which the last page has.
    const pages = [
      ...(await seenPages(await file.bytes())).slice(0, 3),
      ...(await seenPages(await file.bytes(), 2)).slice(3),
    ];
    const [stacked] = await seenPages(await made(SINGLE, file));
    let top = 0;
    for (const [i, page] of pages.entries()) {
      expect(difference(page, partOf(stacked!, 0, top, page.width, page.height)), `page ${i + 1}`).to.be.lessThan(40);
      top += page.height;
    }
    expect([stacked!.width, stacked!.height]).to.deep.equal([Math.max(...pages.map(({ width }) => width)), top]);
    // The measure detects a different page.
    expect(difference(pages[2]!, partOf(stacked!, 0, 0, pages[2]!.width, pages[2]!.height))).to.be.greaterThan(60);
  });

  it('of a poster, put together, show the enlarged page', async () => {
    const file = await fixture('unusual-pages.pdf');
    const pages = await seenPages(await file.bytes(), 2);
    const sheets = await seenPages(await made(POSTER, file, { pageSize: 'A5' }));
    for (const [i, page] of pages.entries()) {
      for (const [k, sheet] of sheets.slice(i * 4, i * 4 + 4).entries()) {
        const [width, height] = [page.width / 2, page.height / 2];
        const scale = Math.min(sheet.width / width, sheet.height / height);
        const cell = partOf(
          sheet,
          (sheet.width - width * scale) / 2,
          (sheet.height - height * scale) / 2,
          width,
          height,
          scale,
        );
        expect(
          difference(cell, partOf(page, (k % 2) * width, Math.floor(k / 2) * height, width, height)),
          `page ${i + 1}, sheet ${k + 1}`,
        ).to.be.lessThan(60);
      }
    }
  });

  it('contain the content of a page once, on however many sheets it is', async () => {
    const bytes = await made(POSTER, await fixture('two-pages.pdf'), { xFactor: 10, yFactor: 10 });
    await expectPdf(bytes).pages(200);
    const { context } = await PDFDocument.load(bytes, { updateMetadata: false });
    const forms = context
      .enumerateIndirectObjects()
      .filter(
        ([, object]) => object instanceof PDFRawStream && object.dict.get(PDFName.of('Subtype')) === PDFName.of('Form'),
      );
    expect(forms).to.have.length(2);
  });

  it('are refused for encrypted and damaged documents', async () => {
    const [locked] = hostileFiles().filter(({ bytes }) => Buffer.from(bytes).includes('/Encrypt'));
    for (const path of [LAYOUT, BOOKLET, SINGLE, POSTER]) {
      expect((await run(path, [fakeFile('locked.pdf', locked!.bytes)], {})).code, path).to.equal('PDF_ENCRYPTED');
      expect((await run(path, [await fixture('broken.pdf')], {})).code, path).to.equal('PDF_DAMAGED');
    }
  });
});

describe('multi-page-layout', () => {
  it('places pages on A4, portrait or landscape, on as many sheets as needed', async () => {
    const file = await fakeFile('seven.pdf', await makePdf({ pages: 7 }));
    for (const [params, sheets, size] of [
      [{}, 4, [595.28, 841.89]],
      [{ pagesPerSheet: '4', orientation: 'LANDSCAPE' }, 2, [841.89, 595.28]],
      [{ pagesPerSheet: 1 }, 7, [595.28, 841.89]],
      [{ mode: '', pagesPerSheet: 16 }, 1, [595.28, 841.89]],
      [{ mode: 'CUSTOM' }, 4, [595.28, 841.89]],
      [{ mode: 'CUSTOM', rows: 3, cols: 1, pagesPerSheet: 6 }, 3, [595.28, 841.89]],
      [{ mode: 'CUSTOM', rows: 300, cols: 300 }, 1, [595.28, 841.89]],
    ] as const) {
      await expectPdf(await made(LAYOUT, file, params))
        .pages(sheets)
        .size(1, size[0], size[1]);
    }
  });

  it('refuses page counts that fill no sheet and margins without space, and names the field', async () => {
    const file = await fixture('two-pages.pdf');
    for (const [params, field] of [
      [{ pagesPerSheet: 3 }, 'pagesPerSheet'],
      [{ pagesPerSheet: 0 }, 'pagesPerSheet'],
      [{ pagesPerSheet: 99_856 }, 'pagesPerSheet'],
      [{ pagesPerSheet: '4e0' }, 'pagesPerSheet'],
      [{ mode: 'custom' }, 'mode'],
      [{ mode: 'CUSTOM', rows: 0 }, 'rows'],
      [{ mode: 'CUSTOM', cols: 301 }, 'cols'],
      [{ arrangement: 'BY_ROW' }, 'arrangement'],
      [{ readingDirection: 'rtl' }, 'readingDirection'],
      [{ orientation: 'landscape' }, 'orientation'],
      [{ topMargin: -1 }, 'topMargin'],
      [{ innerMargin: 200 }, 'innerMargin'],
      [{ leftMargin: 300, rightMargin: 296 }, 'leftMargin'],
      [{ bottomMargin: 900 }, 'bottomMargin'],
      [{ addBorder: true, borderWidth: -1 }, 'borderWidth'],
      [{ addBorder: 'maybe' }, 'addBorder'],
    ] as const) {
      const { code, fields } = await run(LAYOUT, [file], params);
      expect([code, ...fields], JSON.stringify(params)).to.deep.equal(['INPUT_INVALID', field]);
    }
    expect((await run(LAYOUT, [file], { borderWidth: -1 })).code).to.equal(undefined);
  });

  it('draws a line around each page, one point wide for a width of 0', async () => {
    const file = await fakeFile('square.pdf', await makePdf({ pages: 1, text: [''], size: [595.28, 841.89] }));
    const edge = async (params: Record<string, unknown>): Promise<number> => {
      const [sheet] = await seenPages(
        await made(LAYOUT, file, {
          pagesPerSheet: 1,
          leftMargin: 50,
          rightMargin: 50,
          topMargin: 50,
          bottomMargin: 50,
          ...params,
        }),
      );
      return Math.min(...Array.from({ length: 200 }, (_unused, x) => sheet!.grey(x, 420)));
    };
    expect(await edge({})).to.equal(255);
    expect(await edge({ addBorder: true, borderWidth: 0 })).to.be.lessThan(200);
    expect(await edge({ addBorder: 'yes', borderWidth: 6 })).to.equal(0);
  });
});

describe('booklet-imposition', () => {
  it("uses the first page's crop box in landscape for all sheets", async () => {
    await expectPdf(await made(BOOKLET, await fixture('unusual-pages.pdf')))
      .pages(2)
      .size(1, 400, 300)
      .size(2, 400, 300);
    await expectPdf(await made(BOOKLET, await fakeFile('nine.pdf', await makePdf({ pages: 9 })))).pages(6);
  });

  it("contains nothing of the other pass's pages in a single pass", async () => {
    const file = await fixture('handbook.pdf');
    const [fronts, backs] = [
      await made(BOOKLET, file, { duplexPass: 'FIRST' }),
      await made(BOOKLET, file, { duplexPass: 'SECOND' }),
    ];
    await expectPdf(fronts)
      .pages(1)
      .text(1, 'Cover')
      .text(1, 'Index')
      .noText(/Chapter/);
    await expectPdf(backs)
      .pages(1)
      .text(1, 'Chapter one')
      .text(1, 'Chapter two')
      .noText(/Cover|Index/);
    const [front, back] = [await facts(fronts), await facts(backs)];
    expect([front.bookmarks, front.fields, front.named, front.links, front.attachments]).to.deep.equal([
      [],
      [],
      [0],
      [1],
      1,
    ]);
    expect([back.bookmarks.length, back.fields.length, back.named, back.links, back.attachments]).to.deep.equal([
      2,
      2,
      [],
      [0],
      1,
    ]);
  });

  it('has a blank back behind a single page', async () => {
    const file = await fakeFile('one.pdf', await makePdf({ pages: 1 }));
    await expectPdf(await made(BOOKLET, file))
      .pages(2)
      .text(1, 'Page 1')
      .size(2, 841.89, 595.28);
    await expectPdf(await made(BOOKLET, file, { duplexPass: 'SECOND', addBorder: true }))
      .pages(1)
      .noText(/\S/)
      .size(1, 841.89, 595.28);
  });

  it('treats any other spine as left, and refuses other passes and page counts', async () => {
    const file = await fixture('handbook.pdf');
    const order = async (params: Record<string, unknown>): Promise<string[]> =>
      (await expectPdf(await made(BOOKLET, file, params))).text.map((text) => text.replaceAll(/\s+/g, ' ').trim());
    expect(await order({ spineLocation: 'middle' })).to.deep.equal(await order({}));
    expect(await order({ flipOnShortEdge: true, doubleSided: false })).to.deep.equal(await order({}));
    expect((await order({ spineLocation: 'rIgHt' }))[0]).not.to.equal((await order({}))[0]);
    for (const [params, field] of [
      [{ duplexPass: 'THIRD' }, 'duplexPass'],
      [{ duplexPass: 'both' }, 'duplexPass'],
      [{ pagesPerSheet: 4 }, 'pagesPerSheet'],
      [{ gutterSize: 'wide' }, 'gutterSize'],
    ] as const) {
      expect((await run(BOOKLET, [file], params)).fields, JSON.stringify(params)).to.deep.equal([field]);
    }
  });
});

describe('pdf-to-single-page', () => {
  it('adds a layer for each page to those of the document', async () => {
    const document = await PDFDocument.load(await makePdf({ pages: 3 }));
    const { context, catalog } = document;
    const own = context.register(context.obj({ Type: 'OCG', Name: PDFString.of('Own') } as never));
    catalog.set(
      PDFName.of('OCProperties'),
      context.obj({ OCGs: [own], D: { BaseState: 'OFF', ON: [own], Order: [own] } } as never),
    );
    const result = await openPdf(await made(SINGLE, await fakeFile('layers.pdf', await document.save())));
    expect(readLayers(result.document.context).map(({ name, shown }) => `${name} ${shown}`)).to.deep.equal([
      'Own true',
      'Layer0 true',
      'Layer1 true',
      'Layer2 true',
    ]);
    const resources = asDict(result.document.context, entry(result.pages[0]!.dict, 'Resources'))!;
    expect(asDict(result.document.context, entry(resources, 'Properties'))!.keys()).to.have.length(3);
  });

  it('uses a larger unit if the page would exceed the maximum length', async () => {
    const bytes = await made(SINGLE, await fakeFile('long.pdf', await makePdf({ pages: 40 })));
    const {
      document: { context },
      pages: [page],
    } = await openPdf(bytes);
    const unit = Number(String(entry(page!.dict, 'UserUnit')));
    const [, , width, height] = (entry(page!.dict, 'MediaBox') as unknown as { asArray: () => unknown[] })
      .asArray()
      .map((value) => Number(String(value)));
    const one = (await expectPdf(await makePdf({ pages: 1 }))).sizes[0]!;
    expect(height).to.equal(14_400);
    expect(height! * unit).to.be.closeTo(one.height * 40, 0.5);
    expect(width! * unit).to.be.closeTo(one.width, 0.5);
    expect(context.header.toString()).to.match(/PDF-1\.[67]/);
  });
});

describe('split-for-poster-print', () => {
  it('creates upright paper of the requested size, as many sheets as columns and rows', async () => {
    const file = await fixture('two-pages.pdf');
    for (const [pageSize, width, height] of [
      ['A4', 595.28, 841.89],
      ['Letter', 612, 792],
      ['A3', 841.89, 1190.55],
      ['A5', 419.53, 595.28],
      ['Legal', 612, 1008],
      ['Tabloid', 792, 1224],
    ] as const) {
      await expectPdf(await made(POSTER, file, { pageSize, xFactor: 3, yFactor: 1 }))
        .pages(6)
        .size(6, width, height);
    }
    await expectPdf(await made(POSTER, file))
      .pages(8)
      .size(1, 595.28, 841.89);
  });

  it('orders sheets from right to left when asked', async () => {
    const file = await fixture('handbook.pdf');
    const links = async (rightToLeft: boolean): Promise<number[]> =>
      (await facts(await made(POSTER, file, { rightToLeft }))).links.slice(0, 4);
    expect([await links(false), await links(true)]).to.deep.equal([
      [1, 0, 0, 0],
      [0, 1, 0, 0],
    ]);
  });

  it('refuses unknown papers and sheet counts', async () => {
    const file = await fixture('two-pages.pdf');
    for (const [params, field] of [
      [{ pageSize: 'a4' }, 'pageSize'],
      [{ pageSize: 'LETTER' }, 'pageSize'],
      [{ xFactor: 0 }, 'xFactor'],
      [{ yFactor: 11 }, 'yFactor'],
      [{ xFactor: '2e0' }, 'xFactor'],
      [{ rightToLeft: 'left' }, 'rightToLeft'],
    ] as const) {
      expect((await run(POSTER, [file], params)).fields, JSON.stringify(params)).to.deep.equal([field]);
    }
  });
});

import { expect } from 'chai';
import {
  type PDFContext,
  type PDFDict,
  PDFDocument,
  PDFName,
  type PDFPage,
  PDFRawStream,
  type PDFRef,
  PDFString,
} from 'pdf-lib';
import { checkImposed, faultsOfSheets } from '../../checks/check-imposed.js';
import { portraitOf } from '../../checks/portrait.js';
import { imposeSheets, type Sheet } from '../../../structure/imposition/index.js';
import { asDict, asNumber, catalogOf, elements, entry, resolve } from '../../../file/objects/index.js';
import { type OpenedPdf, openPdf, pdfBytes } from '../../../file/open/index.js';
import { decodedContent } from '../../../structure/pages/index.js';
import { readAnnotations } from '../../../structure/annotations/index.js';
import { readLayers } from '../../../structure/layers/index.js';
import { readXmp, writeXmp } from '../../../structure/metadata/index.js';
import { makeRichPdf } from '../../support.js';
import { halves, pairs } from './layouts.js';

type Maker = (document: PDFDocument, pages: readonly PDFPage[]) => void;

/** Creates a document with pages of 200 by 100 points, imposes it and reads the result. */
async function imposed(
  pages: number,
  make: Maker,
  sheetsOf: (pages: OpenedPdf['pages'], context: PDFContext) => Sheet[],
): Promise<OpenedPdf> {
  const document = await PDFDocument.create();
  make(
    document,
    Array.from({ length: pages }, () => document.addPage([200, 100])),
  );
  const opened = await openPdf(await document.save({ useObjectStreams: false }));
  await imposeSheets(opened, sheetsOf(opened.pages, opened.document.context));
  return openPdf(pdfBytes(opened), { repair: false });
}

const one = (placement: Partial<Sheet['placements'][number]>, rest: Partial<Sheet> = {}): Sheet => ({
  size: [400, 400],
  placements: [{ page: 0, matrix: [1, 0, 0, 1, 0, 0], ...placement }],
  ...rest,
});

function contentOf({ document: { context }, pages }: OpenedPdf, page = 0): string {
  const stream = resolve(context, entry(pages[page]!.dict, 'Contents'));
  return stream instanceof PDFRawStream
    ? Buffer.from(decodedContent(context, stream) ?? [])
        .toString('latin1')
        .replaceAll(/\s+/g, ' ')
        .trim()
    : '';
}

const annotationsOf = ({ document: { context }, pages }: OpenedPdf, page = 0) =>
  readAnnotations(context, pages[page]!.dict);
const rect = (dict: PDFDict): string => String(entry(dict, 'Rect'));
const add = (page: PDFPage, values: Record<string, unknown>): PDFRef => {
  const ref = page.doc.context.register(page.doc.context.obj({ Type: 'Annot', ...values } as never));
  page.node.addAnnot(ref);
  return ref;
};

describe('imposeSheets', () => {
  it('keeps all features of a document, with two pages per sheet and with one page on two sheets', async () => {
    for (const layout of [pairs, halves])
      expect((await checkImposed(await makeRichPdf('A', 5), layout)).faults, layout.name).to.deep.equal([]);
  });

  it('fails these checks if tags or bookmarks are missing', async () => {
    const opened = await openPdf(await makeRichPdf('A', 4));
    const catalog = catalogOf(opened.document.context)!;
    for (const key of ['StructTreeRoot', 'Outlines']) catalog.delete(PDFName.of(key));
    await imposeSheets(opened, pairs(opened.pages, opened.document.context));
    const whole = await openPdf(await makeRichPdf('A', 4));
    const found = await faultsOfSheets(
      portraitOf(whole.document.context, whole.pages),
      pairs(whole.pages, whole.document.context),
      pdfBytes(opened),
    );
    expect(found.map((fault) => fault.split(':')[0])).to.include.members(['bookmarks', 'elements', '4 tags became 0']);
  });

  it('places pages by their matrix, clips them, and marks decoration as an artifact', async () => {
    const result = await imposed(
      1,
      () => undefined,
      () => [one({ matrix: [0.5, 0, 0, 0.5, 10, 20], clip: [10, 20, 60, 70] }, { decoration: '0 0 9 9 re S' })],
    );
    expect(contentOf(result)).to.equal(
      'q 10 20 50 50 re W n q 0.5 0 0 0.5 10 20 cm /P0 Do Q Q /Artifact BMC q 0 0 9 9 re S Q EMC',
    );
    expect(String(entry(result.pages[0]!.dict, 'MediaBox'))).to.equal('[ 0 0 400 400 ]');
  });

  it('uses a larger unit for sheets that are larger than a page may be', async () => {
    const result = await imposed(
      1,
      (_document, [page]) => add(page!, { Subtype: 'Square', Rect: [0, 0, 200, 100] }),
      () => [one({}, { size: [1000, 28_800] })],
    );
    const { dict } = result.pages[0]!;
    expect([
      String(entry(dict, 'UserUnit')),
      String(entry(dict, 'MediaBox')),
      contentOf(result),
      rect(annotationsOf(result)[0]!.dict),
    ]).to.deep.equal(['2', '[ 0 0 500 14400 ]', '0.5 0 0 0.5 0 0 cm q 1 0 0 1 0 0 cm /P0 Do Q', '[ 0 0 100 50 ]']);
  });

  it('adds visible layers with their annotations beside hidden layers of the document', async () => {
    const result = await imposed(
      1,
      (document, [page]) => {
        const { context, catalog } = document;
        const own = context.register(context.obj({ Type: 'OCG', Name: PDFString.of('Own') } as never));
        catalog.set(PDFName.of('OCProperties'), context.obj({ OCGs: [own], D: { BaseState: 'OFF' } } as never));
        add(page!, { Subtype: 'Square', Rect: [0, 0, 9, 9] });
        add(page!, { Subtype: 'Square', Rect: [0, 0, 9, 9], OC: own });
      },
      () => [one({ layer: 'Sheet' })],
    );
    const layers = readLayers(result.document.context);
    expect(layers.map(({ name, shown }) => [name, shown])).to.deep.equal([
      ['Own', false],
      ['Sheet', true],
    ]);
    expect(contentOf(result)).to.equal('/OC /P0 BDC q 1 0 0 1 0 0 cm /P0 Do Q EMC');
    expect(
      annotationsOf(result).map(({ dict }) => layers.find(({ ref }) => ref === entry(dict, 'OC'))?.name),
    ).to.deep.equal(['Sheet', 'Own']);
  });

  it('removes annotations outside of a page, hides fields there, and keeps pop-ups with their parents', async () => {
    const result = await imposed(
      1,
      (document, [page]) => {
        page!.node.set(PDFName.of('CropBox'), document.context.obj([50, 0, 200, 100]));
        add(page!, { Subtype: 'Square', Rect: [0, 0, 40, 40] });
        const note = add(page!, { Subtype: 'Text', Rect: [60, 60, 80, 80] });
        add(page!, { Subtype: 'Popup', Rect: [300, 60, 400, 160], Parent: note });
        add(page!, { Subtype: 'Widget', Rect: [0, 0, 40, 40], F: 4 });
        add(page!, { Subtype: 'Widget', Rect: [60, 0, 90, 40], F: 4 });
      },
      () => [one({})],
    );
    expect(
      annotationsOf(result).map(({ kind, dict }) => [kind, asNumber(result.document.context, entry(dict, 'F'))]),
    ).to.deep.equal([
      ['Text', undefined],
      ['Popup', undefined],
      ['Widget', 6],
      ['Widget', 4],
    ]);
  });

  it('places an annotation with its replies where its centre is and paints it on other sheets', async () => {
    const result = await imposed(
      1,
      (document, [page]) => {
        const look = document.context.register(document.context.stream('f', { BBox: [0, 0, 10, 10] }));
        const stamp = add(page!, { Subtype: 'Stamp', Rect: [90, 20, 120, 40], AP: { N: look } });
        add(page!, { Subtype: 'Text', Rect: [0, 0, 10, 10], IRT: stamp });
        add(page!, { Subtype: 'Stamp', Rect: [10, 20, 40, 40], AP: { N: look } });
        add(page!, { Subtype: 'Stamp', Rect: [90, 60, 120, 80], AP: { N: look }, F: 2 });
      },
      halves,
    );
    expect([0, 1].map((page) => annotationsOf(result, page).map(({ kind }) => kind))).to.deep.equal([
      ['Stamp'],
      ['Stamp', 'Text', 'Stamp'],
    ]);
    expect(contentOf(result)).to.match(/\/P0 Do Q \/Artifact BMC q [-\d. ]+ cm \/P0A0 Do Q EMC$/);
    expect(contentOf(result, 1)).not.to.contain('A0');
    const form = asDict(
      result.document.context,
      entry(
        asDict(
          result.document.context,
          entry(asDict(result.document.context, entry(result.pages[0]!.dict, 'Resources'))!, 'XObject'),
        )!,
        'P0A0',
      ),
    );
    expect(String(entry(form!, 'Subtype'))).to.equal('/Form');
  });

  it('copies a link to each page that lists it, and keeps one widget per field', async () => {
    const result = await imposed(
      2,
      (_document, [first, second]) => {
        for (const ref of [
          add(first!, { Subtype: 'Link', Rect: [0, 0, 10, 10], NM: PDFString.of('a') }),
          add(first!, { Subtype: 'Widget', Rect: [0, 0, 10, 10] }),
        ])
          second!.node.addAnnot(ref);
      },
      (pages) => pages.map((_page, page) => one({ page, matrix: [1, 0, 0, 1, 100 * page, 0] })),
    );
    expect(
      [0, 1].map((page) => annotationsOf(result, page).map(({ kind, dict }) => `${kind} ${rect(dict)}`)),
    ).to.deep.equal([['Link [ 0 0 10 10 ]', 'Widget [ 0 0 10 10 ]'], ['Link [ 100 0 110 10 ]']]);
  });

  it('moves articles', async () => {
    const result = await imposed(
      2,
      (document, [first, second]) => {
        const { context, catalog } = document;
        const [thread, a, b] = [context.nextRef(), context.nextRef(), context.nextRef()];
        context.assign(a, context.obj({ T: thread, N: b, V: b, P: first!.ref, R: [0, 0, 10, 10] }));
        context.assign(b, context.obj({ N: a, V: a, P: second!.ref, R: [0, 0, 20, 20] }));
        context.assign(thread, context.obj({ F: a }));
        catalog.set(PDFName.of('Threads'), context.obj([thread]));
        first!.node.set(PDFName.of('B'), context.obj([a]));
        second!.node.set(PDFName.of('B'), context.obj([b]));
      },
      () => [
        {
          size: [400, 400],
          placements: [0, 1].map((page) => ({ page, matrix: [1, 0, 0, 1, 200 * page, 0] as const })),
        },
      ],
    );
    const { context } = result.document;
    const beads = elements(context, entry(result.pages[0]!.dict, 'B')).map((bead) => asDict(context, bead)!);
    expect(beads.map((bead) => [String(entry(bead, 'R')), entry(bead, 'P') === result.pages[0]!.ref])).to.deep.equal([
      ['[ 0 0 10 10 ]', true],
      ['[ 200 0 220 20 ]', true],
    ]);
  });

  it('removes claims and labels that are no longer true', async () => {
    const xmp = (claim: string): string =>
      '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">' +
      `<rdf:Description rdf:about="" ${claim}/></rdf:RDF></x:xmpmeta>`;
    const claims =
      'xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/" pdfaid:part="1" pdfaid:conformance="A" ' +
      'xmlns:pdfuaid="http://www.aiim.org/pdfua/ns/id/" pdfuaid:part="1"';
    const facts = async (sheet: Partial<Sheet['placements'][number]>, twice = false): Promise<string[]> => {
      const {
        document: { context },
      } = await imposed(
        1,
        (document) => {
          const { context: own, catalog } = document;
          const set = (key: string, value: unknown): void => catalog.set(PDFName.of(key), own.obj(value as never));
          set('Metadata', writeXmp(own, xmp(claims)));
          set('PageLabels', { Nums: [0, { S: 'r' }] });
          set('ViewerPreferences', { PrintPageRange: [0, 0], DisplayDocTitle: true });
          set('AcroForm', { Fields: [], XFA: PDFString.of('<xdp/>') });
          set('Perms', {});
        },
        () => (twice ? [one(sheet), one(sheet)] : [one(sheet)]),
      );
      const catalog = catalogOf(context)!;
      expect(['PageLabels', 'Perms'].map((key) => entry(catalog, key))).to.deep.equal([undefined, undefined]);
      expect(asDict(context, entry(catalog, 'ViewerPreferences'))!.keys().map(String)).to.deep.equal([
        '/DisplayDocTitle',
      ]);
      expect(entry(asDict(context, entry(catalog, 'AcroForm'))!, 'XFA')).to.equal(undefined);
      return ['pdfaid:part', 'pdfuaid:part'].filter((name) => readXmp(context)?.includes(name));
    };
    expect(await facts({})).to.deep.equal(['pdfaid:part', 'pdfuaid:part']);
    expect(await facts({ layer: 'one' })).to.deep.equal(['pdfuaid:part']);
    expect(await facts({}, true)).to.deep.equal(['pdfaid:part']);
  });

  it('rejects sheets that omit a page', async () => {
    const failed = await imposed(
      2,
      () => undefined,
      () => [one({})],
    ).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(failed).to.be.instanceOf(RangeError);
  });
});

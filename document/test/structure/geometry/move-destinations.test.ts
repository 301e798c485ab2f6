import { expect } from 'chai';
import { type PDFContext, type PDFDict, PDFDocument, PDFName, type PDFObject, PDFString } from 'pdf-lib';
import { type Box, type Matrix, moveDestinations } from '../../../structure/geometry/index.js';
import { asDict, entry } from '../../../file/objects/index.js';
import { walkPages } from '../../../structure/pages/index.js';

/** Moves destinations of a page of 200 by 100 points: returns each view before and after. */
async function views(
  wanted: readonly (readonly unknown[])[],
  matrix: Matrix,
  view?: Box,
  rotate = 0,
): Promise<string[]> {
  const document = await PDFDocument.create();
  const { context, catalog } = document;
  const old = document.addPage([200, 100]);
  old.node.set(PDFName.of('Rotate'), context.obj(rotate));
  const pages = walkPages(context);
  const target = context.register(context.obj({ Type: 'Page' }));
  const arrays = wanted.map((parts) => context.obj([old.ref, ...parts] as never) as unknown as PDFObject);
  catalog.set(
    PDFName.of('Dests'),
    context.obj(Object.fromEntries(arrays.map((array, i) => [`d${i}`, array])) as never),
  );
  moveDestinations(context, pages, () => ({ page: target, matrix, ...(view === undefined ? {} : { view }) }));
  return arrays.map((array) => {
    expect(String(array)).to.contain(`[ ${target.toString()}`);
    return String(array).replace(`[ ${target.toString()} `, '').replace(' ]', '');
  });
}

describe('moveDestinations', () => {
  it('keeps the place and the magnification', async () => {
    const half: Matrix = [0.5, 0, 0, 0.5, 300, 400];
    const all = [
      ['XYZ', 10, 90, 2],
      ['XYZ', 10, 90, 0],
      ['XYZ', null, null, null],
      ['Fit'],
      ['FitB'],
      ['FitH', 80],
      ['FitV', 20],
      ['FitR', 10, 20, 30, 40],
      ['FitBH', 80],
    ];
    expect(await views(all, half, [300, 400, 400, 450])).to.deep.equal([
      '/XYZ 305 445 4',
      '/XYZ 305 445 0',
      '/XYZ 300 450 null',
      '/FitR 300 400 400 450',
      '/FitR 300 400 400 450',
      '/XYZ 300 440 null',
      '/XYZ 310 450 null',
      '/FitR 305 410 315 420',
      '/XYZ 300 440 null',
    ]);
  });

  it('keeps the view type if the whole page is still visible', async () => {
    const double: Matrix = [2, 0, 0, 2, 0, 0];
    expect(
      await views(
        [
          ['XYZ', null, 90, null],
          ['XYZ', null, null, 1],
          ['Fit'],
          ['FitB'],
          ['FitH', 80],
          ['FitBV', 20],
          ['FitH', null],
        ],
        double,
      ),
    ).to.deep.equal([
      '/XYZ null 180 null',
      '/XYZ null null 0.5',
      '/Fit',
      '/FitB',
      '/FitH 160',
      '/FitBV 40',
      '/FitH null',
    ]);
  });

  it('turns horizontal views into vertical ones if the page is rotated', async () => {
    const upright: Matrix = [0, -1, 1, 0, 0, 200];
    // The upper left of a page that is rotated clockwise is its lower left corner.
    expect(
      await views(
        [
          ['FitH', 80],
          ['FitV', 20],
          ['XYZ', null, null, null],
          ['XYZ', 10, 90, null],
        ],
        upright,
        undefined,
        90,
      ),
    ).to.deep.equal(['/FitV 80', '/FitH 180', '/XYZ 0 200 null', '/XYZ 90 190 null']);
  });

  it('updates bookmarks, both name tables, links, action chains, fields, pages and the document', async () => {
    const document = await PDFDocument.create();
    const { context, catalog } = document;
    const page = document.addPage([200, 100]);
    const target = context.register(context.obj({ Type: 'Page' }));
    const made: PDFObject[] = [];
    const dest = (): PDFObject => {
      made.push(context.obj([page.ref, 'Fit']));
      return made.at(-1)!;
    };
    const action = (next?: PDFObject): PDFDict =>
      context.obj({
        S: 'GoTo',
        D: dest(),
        ...(next === undefined ? {} : { Next: next }),
      } as never) as unknown as PDFDict;
    const set = (key: string, value: unknown): void => catalog.set(PDFName.of(key), context.obj(value as never));
    set('OpenAction', dest());
    const item = context.register(
      context.obj({ Title: PDFString.of('one'), A: action(context.obj([action(), action()])) } as never),
    );
    set('Outlines', { First: item, Last: item });
    set('Dests', { old: { D: dest() } });
    set('Names', { Dests: { Names: [PDFString.of('new'), dest()] } });
    const looping = action();
    looping.set(PDFName.of('Next'), context.register(looping));
    const link = context.register(context.obj({ Subtype: 'Link', A: looping, AA: { U: action() } } as never));
    page.node.set(PDFName.of('Annots'), context.obj([link]));
    page.node.set(PDFName.of('AA'), context.obj({ O: action() } as never));
    set('AcroForm', {
      Fields: [context.register(context.obj({ T: PDFString.of('f'), AA: { K: action() } } as never))],
    });
    const remote = context.obj([0, 'Fit']);
    page.node.addAnnot(context.register(context.obj({ Subtype: 'Link', A: { S: 'GoToR', D: remote } } as never)));
    moveDestinations(context, walkPages(context), () => ({ page: target, matrix: [1, 0, 0, 1, 0, 0] }));
    expect(made.map(String)).to.deep.equal(made.map(() => `[ ${target.toString()} /Fit ]`));
    expect(made).to.have.length(10);
    expect(String(remote)).to.equal('[ 0 /Fit ]');
  });

  it('updates the page of structure destinations and keeps their element', async () => {
    const document = await PDFDocument.create();
    const { context, catalog } = document;
    const page = document.addPage([200, 100]);
    const target = context.register(context.obj({ Type: 'Page' }));
    const element = context.register(context.obj({ S: 'P', Pg: page.ref }));
    const [dests, ofAction] = [context.obj([element, 'XYZ', 10, 20, null]), context.obj([element, 'Fit'])];
    catalog.set(PDFName.of('Dests'), context.obj({ a: { D: [page.ref, 'Fit'], SD: dests } } as never));
    catalog.set(PDFName.of('OpenAction'), context.obj({ S: 'GoTo', D: [page.ref, 'Fit'], SD: ofAction } as never));
    moveDestinations(context, walkPages(context), () => ({
      page: target,
      matrix: [2, 0, 0, 2, 0, 0],
      view: [0, 0, 400, 200],
    }));
    expect([dests, ofAction].map(String)).to.deep.equal([
      `[ ${element.toString()} /XYZ 20 40 null ]`,
      `[ ${element.toString()} /FitR 0 0 400 200 ]`,
    ]);
  });

  it('keeps destinations without a target and accepts page numbers', async () => {
    const document = await PDFDocument.create();
    const { context, catalog } = document as { context: PDFContext; catalog: PDFDict };
    document.addPage([200, 100]);
    const target = context.register(context.obj({ Type: 'Page' }));
    catalog.set(PDFName.of('Dests'), context.obj({ a: [0, 'Fit'], b: [7, 'Fit'], c: [], d: ['x'] } as never));
    moveDestinations(context, walkPages(context), () => ({ page: target, matrix: [1, 0, 0, 1, 0, 0] }));
    const dests = asDict(context, entry(catalog, 'Dests'))!;
    expect(['a', 'b', 'c'].map((key) => String(entry(dests, key)))).to.deep.equal([
      `[ ${target.toString()} /Fit ]`,
      '[ 7 /Fit ]',
      '[ ]',
    ]);
  });
});

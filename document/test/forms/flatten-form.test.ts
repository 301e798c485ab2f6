import { existsSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { type PDFArray, type PDFDict, PDFDocument, PDFName, type PDFRawStream, PDFString, degrees } from 'pdf-lib';
import sharp from 'sharp';
import { flattenForm } from '../../forms/index.js';
import { asDict, asName, asNumber, elements, entry, readNumberTree, resolve } from '../../file/objects/index.js';
import { editBytes, openPdf } from '../../file/open/index.js';
import { withDocument } from '../../engines/pdfium/index.js';
import { renderPage } from '../../engines/rendering/index.js';
import { corpus, everythingIn } from '../support.js';
import { difference, draw, type FieldSpec, formOf, name, text } from './forms-support.js';

const flat = (bytes: Uint8Array): Promise<Uint8Array> => editBytes(bytes, {}, (opened) => flattenForm(opened));
const flattened = async (
  fields: readonly FieldSpec[],
  form: object = {},
  pages?: readonly (readonly [number, number])[],
): Promise<Uint8Array> => flat(await (await formOf(fields, form, pages)).save());
const kinds = async (bytes: Uint8Array, page = 0): Promise<string[]> => {
  const { document, pages } = await openPdf(bytes);
  return elements(document.context, entry(pages[page]!.dict, 'Annots')).map(
    (value) => asName(document.context, entry(asDict(document.context, value)!, 'Subtype')) ?? '',
  );
};
const png = (bytes: Uint8Array): Promise<Uint8Array> =>
  withDocument(bytes, {}, (document) => {
    const { width, height } = document.pageGeometry(0);
    const size = { width: Math.round(width), height: Math.round(height) };
    return sharp(renderPage(document, 0, { ...size, annotations: true }), { raw: { ...size, channels: 4 } })
      .removeAlpha()
      .png()
      .toBuffer();
  });
const rect = [50, 200, 250, 230] as const;

describe('flattenForm', function () {
  this.timeout(60_000);

  it('turns fields into text and removes the form', async () => {
    const bytes = await flattened([{ rect, FT: 'Tx', V: text('Ada Lovelace') }], { XFA: PDFString.of('x') });
    const { document } = await openPdf(bytes);
    expect([document.catalog.has(name('AcroForm')), await kinds(bytes)]).to.deep.equal([false, []]);
    expect(await everythingIn(bytes)).not.to.contain('/Widget');
    expect(await withDocument(bytes, {}, (pdf) => pdf.pageText(0))).to.contain('Ada Lovelace');
  });

  it('draws neither hidden nor print-only widgets, but those that are only on screen', async () => {
    const field = (F: number): FieldSpec => ({ rect, FT: 'Tx', F, V: text('seen'), MK: { BG: [0] } });
    for (const [F, seen] of [
      [0, true],
      [4, true],
      [2, false],
      [6, false],
      [32, false],
      [36, false],
      [1, true],
    ] as const) {
      expect((await draw(await flattened([field(F)]))).ink([60, 205, 240, 225]) > 0, `flags ${F}`).to.equal(seen);
    }
  });

  it('fits appearances into their rectangles by their boxes and matrices', async () => {
    const document = await formOf([{ rect: [100, 100, 200, 200], FT: 'Tx' }]);
    const { context } = document;
    const widget = asDict(context, elements(context, document.getPage(0).node.get(name('Annots')))[0])!;
    // The lower left quarter of its box is black; the matrix rotates it by 90 degrees counter-clockwise, to the lower
    // right.
    const form = context.register(
      context.stream('0 g 10 20 20 5 re f', {
        Type: 'XObject',
        Subtype: 'Form',
        BBox: [10, 20, 50, 30],
        Matrix: [0, 3, -3, 0, 7, -2],
      }),
    );
    widget.set(name('AP'), context.obj({ N: form }));
    const { ink } = await draw(await flat(await document.save()));
    expect([ink([150, 100, 200, 150]), ink([100, 100, 150, 150]), ink([100, 150, 200, 200])]).to.deep.equal([
      2500, 0, 0,
    ]);
  });

  it('keeps a widget upright at its upper left corner on a rotated page if its flags require it', async () => {
    const document = await formOf([{ rect: [100, 100, 140, 120], FT: 'Tx', F: 4 | 16, MK: { BG: [0] } }]);
    document.getPage(0).setRotation(degrees(90));
    const { ink } = await draw(await flat(await document.save()));
    // The corner (100, 120) is displayed at (120, 200) from below; from there the widget extends 40 to the right and 20
    // down.
    expect(ink([120, 180, 160, 200])).to.equal(800);
    expect(ink([0, 0, 300, 300])).to.equal(800);
  });

  it('creates appearances if the form asks for it, except for values that a script formats', async () => {
    const withAppearance = async (entries: object, form: object): Promise<string> => {
      const document = await formOf([{ rect, FT: 'Tx', V: text('1234.5'), ...entries }], form);
      const { context } = document;
      const widget = asDict(context, elements(context, document.getPage(0).node.get(name('Annots')))[0])!;
      const font = context.obj({ Type: 'Font', Subtype: 'Type1', BaseFont: 'Helvetica' });
      widget.set(
        name('AP'),
        context.obj({
          N: context.register(
            context.stream('BT /F 12 Tf 2 8 Td (1.234,50) Tj ET', {
              BBox: [0, 0, 200, 30],
              Resources: { Font: { F: font } },
            }),
          ),
        }),
      );
      return withDocument(await flat(await document.save()), {}, (pdf) => pdf.pageText(0));
    };
    expect(await withAppearance({}, {})).to.contain('1.234,50');
    expect(await withAppearance({}, { NeedAppearances: true })).to.contain('1234.5');
    expect(
      await withAppearance(
        { AA: { F: { S: 'JavaScript', JS: PDFString.of('AFNumber_Format()') } } },
        { NeedAppearances: true },
      ),
    ).to.contain('1.234,50');
  });

  it('draws the current state of a button, and nothing for a state without an appearance', async () => {
    const document = await formOf([
      { rect: [50, 50, 70, 70], FT: 'Btn', AS: name('On') },
      { rect: [100, 50, 120, 70], FT: 'Btn', AS: name('Off') },
    ]);
    const { context } = document;
    const on = context.register(context.stream('0 g 0 0 20 20 re f', { BBox: [0, 0, 20, 20] }));
    for (const value of elements(context, document.getPage(0).node.get(name('Annots'))))
      asDict(context, value)!.set(name('AP'), context.obj({ N: { On: on } }));
    const { ink } = await draw(await flat(await document.save()));
    expect([ink([50, 50, 70, 70]), ink([100, 50, 120, 70])]).to.deep.equal([400, 0]);
  });

  it('keeps the looks of a signature, and removes the signature, locks and usage rights', async () => {
    const document = await formOf([
      { rect: [50, 50, 90, 70], FT: 'Sig', Lock: { Action: name('All') } },
      { rect: [150, 50, 190, 70], FT: 'Sig' },
    ]);
    const { context } = document;
    const [signed] = elements(context, document.getPage(0).node.get(name('Annots')));
    asDict(context, signed)!.set(
      name('AP'),
      context.obj({ N: context.register(context.stream('0 g 0 0 40 20 re f', { BBox: [0, 0, 40, 20] })) }),
    );
    document.catalog.set(name('Perms'), context.obj({ DocMDP: { Type: 'Sig' } }));
    const bytes = await flat(await document.save());
    const { ink } = await draw(bytes);
    expect([ink([50, 50, 90, 70]), ink([0, 0, 300, 300]), await kinds(bytes)]).to.deep.equal([800, 800, []]);
    expect(await everythingIn(bytes)).not.to.match(/\/Perms|\/SigFieldLock|\/Sig\b/);
  });

  it('keeps other annotations, and includes widgets that the form does not list', async () => {
    const document = await formOf([{ rect, FT: 'Tx', V: text('named') }]);
    const { context } = document;
    const loose = context.register(
      context.obj({
        Type: 'Annot',
        Subtype: 'Widget',
        FT: 'Tx',
        Rect: [50, 100, 250, 130],
        V: text('loose'),
        DA: PDFString.of('/Helv 12 Tf 0 g'),
      } as never),
    );
    const link = context.register(context.obj({ Type: 'Annot', Subtype: 'Link', Rect: [0, 0, 10, 10] }));
    const list = document.getPage(0).node.get(name('Annots')) as PDFArray;
    list.push(loose);
    list.push(link);
    const bytes = await flat(await document.save());
    expect(await kinds(bytes)).to.deep.equal(['Link']);
    expect(await withDocument(bytes, {}, (pdf) => pdf.pageText(0))).to.match(/named[\s\S]*loose/);
  });

  it('moves the tags of widgets to their content', async () => {
    const document = await formOf([
      { rect, FT: 'Tx', V: text('tagged'), StructParent: 0 },
      { rect: [50, 100, 250, 130], FT: 'Tx', F: 2, V: text('hidden'), StructParent: 1 },
    ]);
    const { context } = document;
    const widgets = elements(context, document.getPage(0).node.get(name('Annots')));
    const root = context.nextRef();
    const forms = widgets.map((widget) =>
      context.register(
        context.obj({
          Type: 'StructElem',
          S: 'Form',
          P: root,
          K: { Type: 'OBJR', Obj: widget, Pg: document.getPage(0).ref },
        }),
      ),
    );
    context.assign(
      root,
      context.obj({
        Type: 'StructTreeRoot',
        K: forms,
        ParentTree: { Nums: [0, forms[0]!, 1, forms[1]!] },
        ParentTreeNextKey: 2,
      }),
    );
    document.catalog.set(name('StructTreeRoot'), root);
    const { document: result } = await openPdf(await flat(await document.save()));
    const after = result.context;
    const tree = asDict(after, result.catalog.get(name('StructTreeRoot')))!;
    const [shown, hidden] = elements(after, entry(tree, 'K')).map((value) => asDict(after, value)!);
    const content = asDict(after, elements(after, entry(shown!, 'K'))[0])!;
    expect([
      asName(after, entry(content, 'Type')),
      asNumber(after, entry(content, 'MCID')),
      hidden === undefined ? 'gone' : entry(hidden, 'K'),
    ]).to.deep.equal(['MCR', 0, undefined]);
    const stream = resolve(after, entry(content, 'Stm')) as PDFRawStream;
    const key = asNumber(after, entry(stream.dict, 'StructParents'));
    const parents = readNumberTree(after, entry(tree, 'ParentTree'));
    expect(parents.map(([at]) => at)).to.deep.equal([key]);
    expect(asDict(after, elements(after, parents[0]?.[1])[0])).to.equal(shown);
  });

  it('keeps the layer of a field', async () => {
    const layers = await formOf([{ rect, FT: 'Tx', MK: { BG: [0] } }]);
    const { context } = layers;
    const layer = context.register(context.obj({ Type: 'OCG', Name: text('Off') } as never));
    asDict(context, elements(context, layers.getPage(0).node.get(name('Annots')))[0])!.set(name('OC'), layer);
    const on = await draw(await flat(await layers.save()));
    layers.catalog.set(name('OCProperties'), context.obj({ OCGs: [layer], D: { OFF: [layer] } }));
    const off = await draw(await flat(await layers.save()));
    expect([on.ink([60, 205, 240, 225]) > 0, off.ink([60, 205, 240, 225])]).to.deep.equal([true, 0]);
  });

  it('handles fields that are their own parents and kids', async () => {
    const document = await formOf([{ rect, FT: 'Tx', V: text('round') }]);
    const { context } = document;
    const field = elements(context, document.getPage(0).node.get(name('Annots')))[0]!;
    const dict = asDict(context, field) as PDFDict;
    dict.set(name('Kids'), context.obj([field]));
    dict.set(name('Parent'), field);
    expect(await withDocument(await flat(await document.save()), {}, (pdf) => pdf.pageText(0))).to.contain('round');
  });

  for (const file of [
    'pdf-lib/fancy_fields.pdf',
    'pdf-lib/sample_form.pdf',
    'pdf-lib/form_to_flatten.pdf',
    'pyHanko/minimal-with-simple-form.pdf',
    'pdfbox/FillFormField.pdf',
  ]) {
    const skipped = corpus === undefined ? ' (skipped: no ../shared/corpus)' : '';
    it(`shows the same page as before: ${file}${skipped}`, async function needsCorpus() {
      const path = `${corpus}/${file}`;
      if (corpus === undefined || !existsSync(path)) return this.skip();
      const bytes = readFileSync(path);
      const result = await flat(bytes);
      expect(await difference(await png(result), await png(bytes))).to.be.lessThan(0.6);
      expect((await kinds(result)).filter((kind) => kind === 'Widget')).to.deep.equal([]);
      expect((await PDFDocument.load(result)).catalog.has(PDFName.of('AcroForm'))).to.equal(false);
    });
  }
});

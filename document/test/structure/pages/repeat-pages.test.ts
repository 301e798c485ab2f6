import { expect } from 'chai';
import { type PDFArray, PDFDict, PDFDocument, PDFName, PDFRef, PDFString } from 'pdf-lib';
import { asDict, asName, asNumber, elements, entry, readNumberTree, resolve } from '../../../file/objects/index.js';
import { openPdf, pdfBytes } from '../../../file/open/index.js';
import { walkPages, writePageTree } from '../../../structure/pages/index.js';
import { allFieldNodes, fullName, isField, readFields } from '../../../forms/fields/index.js';
import { PageRepeats } from '../../../structure/pages/index.js';
import { extractPages } from '../../../structure/split/index.js';
import { corpus, corpusFile, danglingReferences, hasProgram, look, makeRichPdf, runOn } from '../../support.js';

/** Creates a document with its pages in this order; repeated indexes create copies. */
async function repeated(bytes: Uint8Array, order: readonly number[]): Promise<Uint8Array> {
  const opened = await openPdf(bytes);
  const { context, catalog } = opened.document;
  const repeats = new PageRepeats(context);
  const seen = new Set<number>();
  const refs = order.map((index) => {
    const page = opened.pages[index]!;
    const again = seen.has(index);
    seen.add(index);
    return again ? repeats.repeat(page) : page.ref;
  });
  repeats.finish();
  catalog.set(PDFName.of('Pages'), writePageTree(context, refs));
  return pdfBytes(opened);
}

const annotations = (document: PDFDocument, page: number): PDFRef[] =>
  elements(document.context, document.getPage(page).node.get(PDFName.of('Annots'))) as PDFRef[];

describe('PageRepeats', () => {
  it('creates separate pages that share their content', async () => {
    const { context } = await look(await repeated(await makeRichPdf('A'), [0, 0, 1, 2]));
    const pages = walkPages(context);
    expect(new Set(pages.map(({ ref }) => ref)).size).to.equal(4);
    expect(entry(pages[0]!.dict, 'Contents')).to.be.instanceOf(PDFRef).and.to.equal(entry(pages[1]!.dict, 'Contents'));
    expect(entry(pages[0]!.dict, 'Resources'))
      .to.be.instanceOf(PDFRef)
      .and.to.equal(entry(pages[1]!.dict, 'Resources'));
  });

  it('gives each copy its own annotations on its own page', async () => {
    const document = await look(await repeated(await makeRichPdf('A'), [0, 0, 1, 2]));
    const [first, second] = [annotations(document, 0), annotations(document, 1)];
    expect(second).to.have.length(first.length);
    expect(new Set([...first, ...second]).size).to.equal(first.length * 2);
    for (const ref of second) {
      const page = entry(asDict(document.context, ref)!, 'P');
      if (page !== undefined) expect(page).to.equal(document.getPage(1).ref);
    }
  });

  it('keeps one field with one value and adds a widget', async () => {
    const document = await look(await repeated(await makeRichPdf('A'), [0, 1, 2, 2, 2, 0]));
    const fields = [...allFieldNodes(readFields(document.context))];
    expect(
      fields
        .filter(isField)
        .map((node) => fullName(document.context, node))
        .sort(),
    ).to.deep.equal(['note', 'person', 'person.name']);
    const form = document.getForm();
    expect(form.getTextField('person.name').acroField.getWidgets()).to.have.length(3);
    expect(form.getTextField('note').acroField.getWidgets()).to.have.length(3);
    expect(form.getTextField('person.name').getText()).to.equal('A value');
    form.getTextField('note').setText('typed once');
    expect((await look(await document.save())).getForm().getTextField('note').getText()).to.equal('typed once');
  });

  it('splits a field that is its own widget into a field with two widgets', async () => {
    const document = await PDFDocument.create({ updateMetadata: false });
    const page = document.addPage([200, 200]);
    const { context } = document;
    const merged = context.register(
      context.obj({
        Type: 'Annot',
        Subtype: 'Widget',
        FT: 'Tx',
        T: PDFString.of('alone'),
        V: PDFString.of('value'),
        Rect: [10, 10, 90, 30],
        P: page.ref,
        AA: { K: { S: 'JavaScript', JS: PDFString.of('key') }, E: { S: 'JavaScript', JS: PDFString.of('enter') } },
      }),
    );
    page.node.set(PDFName.of('Annots'), context.obj([merged]));
    document.catalog.set(PDFName.of('AcroForm'), context.obj({ Fields: [merged], CO: [merged] }));
    const result = await look(await repeated(await document.save(), [0, 0]));
    const [field] = readFields(result.context);
    expect(entry(field!.dict, 'Subtype')).to.equal(undefined);
    expect(entry(field!.dict, 'Rect')).to.equal(undefined);
    const [first] = elements(
      result.context,
      entry(asDict(result.context, result.catalog.get(PDFName.of('AcroForm')))!, 'CO'),
    );
    expect(first).to.equal(field!.ref);
    expect(field!.children.map(({ ref }) => ref)).to.deep.equal([annotations(result, 0)[0], annotations(result, 1)[0]]);
    for (const { dict } of field!.children) {
      expect(asName(result.context, entry(dict, 'Subtype'))).to.equal('Widget');
      expect([entry(dict, 'V'), entry(dict, 'T'), entry(dict, 'FT')]).to.deep.equal([undefined, undefined, undefined]);
      expect(asDict(result.context, entry(dict, 'AA'))!.keys().map(String)).to.deep.equal(['/E']);
    }
    expect(asDict(result.context, entry(field!.dict, 'AA'))!.keys().map(String)).to.deep.equal(['/K']);
  });

  it('switches copies of a radio button together and keeps export values with their widgets', async () => {
    const document = await PDFDocument.create({ updateMetadata: false });
    const page = document.addPage([200, 200]);
    const group = document.getForm().createRadioGroup('colour');
    for (const [i, option] of ['red', 'green'].entries())
      group.addOptionToPage(option, page, { x: 20 + 30 * i, y: 20, width: 12, height: 12 });
    group.select('green');
    const result = (await look(await repeated(await document.save(), [0, 0, 0]))).getForm().getRadioGroup('colour');
    expect(result.acroField.getWidgets()).to.have.length(6);
    expect(result.getSelected()).to.equal('green');
    expect(asNumber(result.acroField.dict.context, entry(result.acroField.dict, 'Ff'))! & (1 << 25)).to.not.equal(0);
    const options = elements(result.acroField.dict.context, entry(result.acroField.dict, 'Opt'));
    expect(options).to.have.length(6);
  });

  it('copies only the looks of a signature, since a signature field has one widget', async () => {
    const document = await PDFDocument.create({ updateMetadata: false });
    const page = document.addPage([200, 200]);
    const { context } = document;
    const appearance = context.register(
      context.stream('0 0 9 9 re f', { Type: 'XObject', Subtype: 'Form', BBox: [0, 0, 9, 9] }),
    );
    const signature = context.register(
      context.obj({
        Type: 'Annot',
        Subtype: 'Widget',
        FT: 'Sig',
        T: PDFString.of('seal'),
        V: {},
        Rect: [10, 10, 90, 30],
        AP: { N: appearance },
      }),
    );
    page.node.set(PDFName.of('Annots'), context.obj([signature]));
    document.catalog.set(PDFName.of('AcroForm'), context.obj({ Fields: [signature] }));
    const result = await look(await repeated(await document.save(), [0, 0]));
    expect([...allFieldNodes(readFields(result.context))]).to.have.length(1);
    const copy = asDict(result.context, annotations(result, 1)[0])!;
    expect(asName(result.context, entry(copy, 'Subtype'))).to.equal('Stamp');
    expect([entry(copy, 'V'), entry(copy, 'FT'), entry(copy, 'T')]).to.deep.equal([undefined, undefined, undefined]);
    expect(asDict(result.context, entry(copy, 'AP'))).to.be.instanceOf(PDFDict);
  });

  it('links the pop-up of a copy to the copy of its note', async () => {
    const document = await PDFDocument.create({ updateMetadata: false });
    const page = document.addPage([200, 200]);
    const { context } = document;
    const [note, popup, reply] = [context.nextRef(), context.nextRef(), context.nextRef()];
    context.assign(
      note,
      context.obj({ Type: 'Annot', Subtype: 'Text', Rect: [0, 0, 9, 9], Popup: popup, Contents: PDFString.of('note') }),
    );
    context.assign(popup, context.obj({ Type: 'Annot', Subtype: 'Popup', Rect: [0, 0, 9, 9], Parent: note }));
    context.assign(reply, context.obj({ Type: 'Annot', Subtype: 'Text', Rect: [0, 0, 9, 9], IRT: note }));
    page.node.set(PDFName.of('Annots'), context.obj([note, popup, reply]));
    const result = await look(await repeated(await document.save(), [0, 0]));
    const [copy, itsPopup, itsReply] = annotations(result, 1);
    const of = (ref: PDFRef | undefined, key: string) => entry(asDict(result.context, ref)!, key);
    expect([of(copy, 'Popup'), of(itsPopup, 'Parent'), of(itsReply, 'IRT')]).to.deep.equal([itsPopup, copy, copy]);
  });

  it('tags a copy below the same elements with its own page', async () => {
    const { context, catalog } = await look(await repeated(await makeRichPdf('A'), [0, 1, 2, 1]));
    const pages = walkPages(context);
    const keys = pages.map(({ dict }) => asNumber(context, entry(dict, 'StructParents')));
    expect(new Set(keys).size).to.equal(4);
    const root = asDict(context, catalog.get(PDFName.of('StructTreeRoot')))!;
    const parents = new Map(readNumberTree(context, entry(root, 'ParentTree')));
    const element = asDict(context, (resolve(context, parents.get(keys[3]!)) as PDFArray).get(0))!;
    expect(entry(element, 'Pg')).to.equal(pages[3]!.ref);
    expect((entry(element, 'ActualText') as PDFString).decodeText()).to.equal('A spoken 2');
    const tops = elements(context, entry(root, 'K'));
    expect(tops).to.have.length(1);
    expect(entry(element, 'P')).to.equal(tops[0]);
    const kids = elements(context, entry(asDict(context, tops[0])!, 'K')).map((kid) =>
      entry(asDict(context, kid)!, 'Pg'),
    );
    expect(kids).to.deep.equal(pages.map(({ ref }) => ref));
    expect(asNumber(context, entry(root, 'ParentTreeNextKey'))).to.be.greaterThan(Math.max(...keys.map(Number)));
  });

  it('rejects copies that need too many objects', async () => {
    const document = await PDFDocument.create({ updateMetadata: false });
    const page = document.addPage([200, 200]);
    const { context } = document;
    page.node.set(
      PDFName.of('Annots'),
      context.obj(
        Array.from({ length: 5000 }, () => context.obj({ Type: 'Annot', Subtype: 'Text', Rect: [0, 0, 9, 9] })),
      ),
    );
    const opened = await openPdf(await document.save());
    const repeats = new PageRepeats(opened.document.context);
    let code: unknown;
    for (let i = 0; i < 200 && code === undefined; i++) {
      try {
        repeats.repeat(opened.pages[0]!);
      } catch (error) {
        ({ code } = error as { code: unknown });
      }
    }
    expect(code).to.equal('INPUT_TOO_COMPLEX');
  });

  it('repeats a page as often as requested during extraction', async () => {
    const bytes = await extractPages(await openPdf(await makeRichPdf('A')), [1, 0, 1]);
    const document = await look(bytes);
    expect(new Set(walkPages(document.context).map(({ ref }) => ref)).size).to.equal(3);
    expect(document.getForm().getTextField('person.name').acroField.getWidgets()).to.have.length(3);
    expect(await danglingReferences(bytes)).to.deep.equal([]);
  });

  for (const file of ['pdfbox/PDFBOX-4417-001031.pdf', 'OCRmyPDF/tagged.pdf', 'pdfbox/AcroFormsRotation.pdf']) {
    it(`repeats every page of ${file} so that copies look the same`, async function () {
      if (corpus === undefined || !hasProgram('qpdf') || !hasProgram('pdftoppm')) {
        this.test!.title += ' (skipped: needs the corpus, qpdf and pdftoppm)';
        this.skip();
      }
      this.timeout(60_000);
      const bytes = corpusFile(file);
      const { pages } = await openPdf(bytes);
      const count = Math.min(pages.length, 4);
      const result = await repeated(bytes, Array.from({ length: count }, (_unused, i) => [i, i]).flat());
      const picture = (page: number): Buffer =>
        runOn(
          result,
          'pdftoppm',
          ['-singlefile', '-r', '40', '-f', String(page), '-l', String(page), 'DIR/in.pdf', 'DIR/out'],
          ['out.ppm'],
        ).files[0]!;
      expect(runOn(result, 'qpdf', ['--check', 'DIR/in.pdf']).code).to.not.equal(2);
      expect(await danglingReferences(result)).to.deep.equal([]);
      for (let i = 0; i < count; i++)
        expect(picture(2 * i + 1).equals(picture(2 * i + 2)), `page ${i + 1}`).to.equal(true);
    });
  }
});

import { expect } from 'chai';
import { type PDFArray, PDFDict, PDFDocument, PDFName, PDFRawStream, PDFString, StandardFonts } from 'pdf-lib';
import { openPdf } from '../../../file/open/index.js';
import { readNameTree, resolve } from '../../../file/objects/index.js';
import { allFieldNodes, readFields } from '../../../forms/fields/index.js';
import { outlineTitle, readOutlines, type OutlineNode } from '../../../structure/outlines/index.js';
import { readNamedDestinations } from '../../../structure/names/index.js';
import { readPageLabels } from '../../../structure/pages/index.js';
import { extractPages, measureExtract, partsOfCuts, SplitSource } from '../../../structure/split/index.js';
import {
  corpus,
  corpusFile,
  danglingReferences,
  everythingIn,
  hasProgram,
  look,
  makeRichPdf,
  runOn,
} from '../../support.js';

const hexOf = (text: string): string => Buffer.from(text).toString('hex').toUpperCase();
const names = (document: PDFDocument): PDFDict | undefined =>
  resolve(document.context, document.catalog.get(PDFName.of('Names'))) as PDFDict | undefined;
const tree = (document: PDFDocument, kind: string): string[] =>
  readNameTree(document.context, names(document)?.get(PDFName.of(kind))).map(([name]) => name);

describe('extractPages', () => {
  it('leaves no word of the other pages in any stream or string', async () => {
    const opened = await openPdf(await makeRichPdf('A', 4));
    for (const kept of [0, 1, 2, 3]) {
      const bytes = await extractPages(opened, [kept]);
      const text = await everythingIn(bytes);
      for (const page of [1, 2, 3, 4]) {
        const present = page === kept + 1;
        expect(text.includes(hexOf(`A secret ${page}`)), `content of page ${page} in part ${kept + 1}`).to.equal(
          present,
        );
        expect(text.includes(`A spoken ${page}`), `tag text of page ${page} in part ${kept + 1}`).to.equal(present);
      }
      expect(text).to.not.include('A whole text').and.to.not.include('A attachment');
      expect(await danglingReferences(bytes)).to.deep.equal([]);
    }
  });

  it('reduces resources that all pages share to those that the page names', async () => {
    const document = await PDFDocument.create({ updateMetadata: false });
    const { context } = document;
    const form = (text: string) =>
      context.register(
        PDFRawStream.of(context.obj({ Type: 'XObject', Subtype: 'Form', BBox: [0, 0, 9, 9] }), Buffer.from(text)),
      );
    const shared = context.register(
      context.obj({
        XObject: { One: form('% first picture'), Two: form('% second picture'), Inner: form('% inner picture') },
      }),
    );
    document.catalog.Pages().set(PDFName.of('Resources'), shared);
    for (const name of ['One', 'Two']) {
      const page = document.addPage([100, 100]);
      page.node.delete(PDFName.of('Resources'));
      page.node.set(PDFName.of('Contents'), context.register(context.flateStream(`q /${name} Do Q`)));
    }
    // A form without resources uses those of the page that draws it.
    const inner = context.lookup(shared, PDFDict).lookup(PDFName.of('XObject'), PDFDict);
    inner.set(PDFName.of('Two'), form('% second picture\n/Inner Do'));
    const opened = await openPdf(await document.save());
    const first = await everythingIn(await extractPages(opened, [0]));
    expect(first).to.include('first picture').and.to.not.include('second picture').and.to.not.include('inner picture');
    const second = await everythingIn(await extractPages(opened, [1]));
    expect(second).to.include('second picture').and.to.include('inner picture').and.to.not.include('first picture');
  });

  it('finds the resources that a page names late in its content, or where its beginning is cut', async () => {
    const document = await PDFDocument.create({ updateMetadata: false });
    const { context } = document;
    const form = (text: string) =>
      context.register(
        PDFRawStream.of(context.obj({ Type: 'XObject', Subtype: 'Form', BBox: [0, 0, 9, 9] }), Buffer.from(text)),
      );
    const [first, second, third] = [form('% first picture'), form('% second picture'), form('% third picture')];
    const all = context.register(context.obj({ XObject: { Im1: first, Im12: second, Im3: third } }));
    // Without the name that the content has: the beginning of it is another.
    const some = context.register(context.obj({ XObject: { Im1: first, Im3: third } }));
    // The beginning that is read ends within, before and behind the second name.
    const places = [2036, 2037, 2038, 2039, 2040, 2041, 2042, 2043, 2044, 2045, 2046, 2047, 2048, 5000];
    for (const shared of [all, some])
      for (const place of places) {
        const page = document.addPage([100, 100]);
        page.node.set(PDFName.of('Resources'), shared);
        const content = `${'q /Im3 Do Q'.padEnd(place)}/Im12 Do `;
        page.node.set(PDFName.of('Contents'), context.register(context.flateStream(content)));
      }
    const opened = await openPdf(await document.save());
    for (let index = 0; index < 2 * places.length; index++) {
      const text = await everythingIn(await extractPages(opened, [index]));
      expect(text.includes('second picture'), `page ${index}`).to.equal(index < places.length);
      expect(text, `page ${index}`).to.include('third picture').and.to.not.include('first picture');
    }
  });

  it('reads on in a content that a page with more resources shares with others', async () => {
    const document = await PDFDocument.create({ updateMetadata: false });
    const { context } = document;
    const form = (text: string) =>
      context.register(
        PDFRawStream.of(context.obj({ Type: 'XObject', Subtype: 'Form', BBox: [0, 0, 9, 9] }), Buffer.from(text)),
      );
    const [first, second] = [form('% first picture'), form('% second picture')];
    const content = context.register(context.flateStream(`${'/Im1 Do'.padEnd(4000)} /Im2 Do`));
    for (const XObject of [{ Im1: first }, { Im1: first, Im2: second }]) {
      const page = document.addPage([100, 100]);
      page.node.set(PDFName.of('Resources'), context.obj({ XObject }));
      page.node.set(PDFName.of('Contents'), content);
    }
    const both = await everythingIn(await extractPages(await openPdf(await document.save()), [0, 1]));
    expect(both).to.include('first picture').and.to.include('second picture');
  });

  it('reduces equal resources that each page has separately, whatever escapes the names have', async () => {
    const document = await PDFDocument.create({ updateMetadata: false });
    const { context } = document;
    const form = (text: string) =>
      context.register(
        PDFRawStream.of(context.obj({ Type: 'XObject', Subtype: 'Form', BBox: [0, 0, 9, 9] }), Buffer.from(text)),
      );
    const pictures = { Im1: form('% first picture'), Im2: form('% second picture') };
    for (const name of ['I#6d1', 'I#6D2']) {
      const page = document.addPage([100, 100]);
      page.node.set(PDFName.of('Resources'), context.obj({ XObject: pictures }));
      page.node.set(PDFName.of('Contents'), context.register(context.stream(`q /${name} Do Q`)));
    }
    const opened = await openPdf(await document.save());
    const first = await everythingIn(await extractPages(opened, [0]));
    expect(first).to.include('first picture').and.to.not.include('second picture');
    expect(await everythingIn(await extractPages(opened, [1])))
      .to.include('second picture')
      .and.to.not.include('first picture');
  });

  it('keeps bookmarks to kept pages, and their parents without the removed target', async () => {
    const { context } = await look(await extractPages(await openPdf(await makeRichPdf('A')), [1]));
    const shape = (node: OutlineNode): unknown => [
      outlineTitle(context, node),
      node.dict.has(PDFName.of('Dest')),
      node.children.map(shape),
    ];
    expect(readOutlines(context).map(shape)).to.deep.equal([['A chapter 1', false, [['A section 2', true, []]]]]);
  });

  it('removes links and destinations to removed pages and keeps the others', async () => {
    const opened = await openPdf(await makeRichPdf('A'));
    const links = async (kept: number[]): Promise<number> => {
      const document = await look(await extractPages(opened, kept));
      const annotations = document.getPage(0).node.Annots()?.asArray() ?? [];
      return annotations.filter(
        (ref) => document.context.lookup(ref, PDFDict).get(PDFName.of('Subtype')) === PDFName.of('Link'),
      ).length;
    };
    expect(await links([0, 1, 2])).to.equal(2);
    expect(await links([0, 1])).to.equal(1);
    expect(await links([0])).to.equal(0);
    const first = readNamedDestinations((await look(await extractPages(opened, [0, 1]))).context);
    expect([[...first.strings.keys()], [...first.names.keys()]]).to.deep.equal([['target'], []]);
  });

  it('keeps fields with widgets on kept pages and removes the others', async () => {
    const opened = await openPdf(await makeRichPdf('A'));
    const fields = async (kept: number[]): Promise<unknown> => {
      const document = await look(await extractPages(opened, kept));
      if (!document.catalog.has(PDFName.of('AcroForm'))) return undefined;
      return document
        .getForm()
        .getFields()
        .map((field) => [field.getName(), field.acroField.getWidgets().length]);
    };
    expect(await fields([0, 1, 2])).to.deep.equal([
      ['person.name', 2],
      ['note', 1],
    ]);
    expect(await fields([1])).to.deep.equal([['person.name', 1]]);
    expect(await fields([2])).to.deep.equal([['note', 1]]);
    expect(
      await extractPages(await openPdf(await makeRichPdf('A', 4)), [2])
        .then(look)
        .then((document) => document.catalog.has(PDFName.of('AcroForm'))),
    ).to.equal(false);
  });

  it('recalculates page labels', async () => {
    const document = await look(await extractPages(await openPdf(await makeRichPdf('A', 4)), [0, 2, 3]));
    expect(
      readPageLabels(document.context, 3)?.map(({ style, prefix, number }) => `${prefix}${style}${number}`),
    ).to.deep.equal(['r1', 'A-D2', 'A-D3']);
  });

  it('keeps layers only if a page uses them', async () => {
    const opened = await openPdf(await makeRichPdf('A'));
    const layers = async (page: number): Promise<boolean> =>
      (await look(await extractPages(opened, [page]))).catalog.has(PDFName.of('OCProperties'));
    expect([await layers(0), await layers(1)]).to.deep.equal([true, false]);
  });

  it('keeps attachments and scripts if the result continues the document', async () => {
    const opened = await openPdf(await makeRichPdf('A'));
    const whole = await look(await extractPages(opened, [0, 1], { keepDocumentLevel: true }));
    expect([tree(whole, 'EmbeddedFiles'), tree(whole, 'JavaScript')]).to.deep.equal([['data.txt'], ['init']]);
    const part = await look(await extractPages(opened, [0, 1]));
    expect([tree(part, 'EmbeddedFiles'), tree(part, 'JavaScript')]).to.deep.equal([[], ['init']]);
  });

  it('measures the size of a part without writing it', async () => {
    const source = new SplitSource(await openPdf(await makeRichPdf('A', 4)));
    const options = { modified: new Date(0) };
    for (const kept of [[0], [1, 2], [0, 1, 2, 3], [2, 2]])
      expect(measureExtract(source, kept, options), kept.join()).to.equal(
        (await extractPages(source, kept, options)).length,
      );
  });

  it('omits title and other information on request', async () => {
    const bytes = await makeRichPdf('A');
    const document = await look(await extractPages(await openPdf(bytes), [1], { withoutInformation: true }));
    expect([document.getTitle(), document.getProducer()]).to.deep.equal([undefined, 'Quire']);
    expect(
      await everythingIn(await extractPages(await openPdf(bytes), [1], { withoutInformation: true })),
    ).to.not.include('Title A');
  });

  it('keeps title and other information of the document', async () => {
    const document = await look(await extractPages(await openPdf(await makeRichPdf('A')), [1]));
    expect([document.getTitle(), document.getProducer()]).to.deep.equal(['Title A', 'Quire']);
  });

  it('removes private data of applications, which may contain the whole document', async () => {
    const document = await look(await makeRichPdf('A'));
    document
      .getPage(0)
      .node.set(PDFName.of('PieceInfo'), document.context.obj({ App: { Private: PDFString.of('all artboards') } }));
    expect(await everythingIn(await extractPages(await openPdf(await document.save()), [0]))).to.not.include(
      'all artboards',
    );
  });

  it('keeps the tags of kept pages only', async () => {
    const { context, catalog } = await look(await extractPages(await openPdf(await makeRichPdf('A')), [1]));
    const root = resolve(context, catalog.get(PDFName.of('StructTreeRoot'))) as PDFDict;
    const top = resolve(context, (resolve(context, root.get(PDFName.of('K'))) as PDFArray).get(0)) as PDFDict;
    const kid = resolve(context, top.get(PDFName.of('K'))) as PDFDict;
    expect((kid.get(PDFName.of('ActualText')) as PDFString).decodeText()).to.equal('A spoken 2');
  });

  it('accepts cuts in any order and always ends a part at the last page', () => {
    expect(partsOfCuts([3, 1], 5)).to.deep.equal([[0, 1], [2, 3], [4]]);
    expect(partsOfCuts([], 2)).to.deep.equal([[0, 1]]);
    expect(partsOfCuts([1, 1, 9], 2)).to.deep.equal([[0, 1]]);
    expect(partsOfCuts([0, 2, 4, 5, 6, 7, 8], 20)).to.have.length(8);
  });

  it('keeps the parts of a document with many linked pages small', async () => {
    const document = await PDFDocument.create({ updateMetadata: false });
    const font = await document.embedFont(StandardFonts.Helvetica);
    const pages = Array.from({ length: 60 }, (_unused, i) => {
      const page = document.addPage([200, 200]);
      page.drawText(`page ${i}`, { font, size: 10 });
      return page;
    });
    pages.forEach((page, i) =>
      page.node.addAnnot(
        document.context.register(
          document.context.obj({
            Type: 'Annot',
            Subtype: 'Link',
            Rect: [0, 0, 9, 9],
            Dest: [pages[(i + 1) % 60]!.ref, 'Fit'],
          }),
        ),
      ),
    );
    const source = new SplitSource(await openPdf(await document.save()));
    const sizes = await Promise.all(pages.map(async (_page, i) => (await extractPages(source, [i])).length));
    expect(Math.max(...sizes)).to.be.lessThan(2500);
  });

  describe('with real files', () => {
    for (const file of [
      'pdfbox/PDFBOX-4417-001031.pdf',
      'OCRmyPDF/tagged.pdf',
      'pdfbox/AcroFormsRotation.pdf',
      'pdfium/rectangles_multi_page_xfa.pdf',
      'pdfbox/PDFBOX-3110-poems-beads.pdf',
    ]) {
      it(`extracts correct parts of ${file} with unchanged images`, async function () {
        if (corpus === undefined || !hasProgram('qpdf') || !hasProgram('pdftoppm')) {
          this.test!.title += ' (skipped: needs the corpus, qpdf and pdftoppm)';
          this.skip();
        }
        this.timeout(60_000);
        const bytes = corpusFile(file);
        const opened = await openPdf(bytes);
        const source = new SplitSource(opened);
        const picture = (input: Uint8Array, page: number): Buffer =>
          runOn(
            input,
            'pdftoppm',
            ['-singlefile', '-r', '40', '-f', String(page), '-l', String(page), 'DIR/in.pdf', 'DIR/out'],
            ['out.ppm'],
          ).files[0]!;
        let widgets = 0;
        for (const index of opened.pages.keys()) {
          const part = await extractPages(source, [index]);
          expect(runOn(part, 'qpdf', ['--check', 'DIR/in.pdf']).code).to.not.equal(2);
          expect(await danglingReferences(part)).to.deep.equal([]);
          expect(picture(part, 1).equals(picture(bytes, index + 1)), `page ${index + 1}`).to.equal(true);
          widgets += [...allFieldNodes(readFields((await look(part)).context))].filter(({ dict }) =>
            dict.has(PDFName.of('Rect')),
          ).length;
        }
        expect(widgets).to.be.at.most(
          [...allFieldNodes(source.fields)].filter(({ dict }) => dict.has(PDFName.of('Rect'))).length,
        );
      });
    }
  });
});

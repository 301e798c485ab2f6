import { expect } from 'chai';
import { PDFArray, PDFDict, PDFDocument, type PDFHexString, PDFName, PDFNumber, PDFString } from 'pdf-lib';
import { mergePdfs } from '../../../structure/merge/index.js';
import { readNameTree, readNumberTree, resolve } from '../../../file/objects/index.js';
import { allFieldNodes, readFields } from '../../../forms/fields/index.js';
import { explicitDestination, readNamedDestinations } from '../../../structure/names/index.js';
import { readOutlines, outlineTitle, type OutlineNode } from '../../../structure/outlines/index.js';
import { readPageLabels } from '../../../structure/pages/index.js';
import { walkPages } from '../../../structure/pages/index.js';
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

const named = (bytes: Uint8Array, name: string) => ({ bytes, name });

async function mergeRich(): Promise<{ bytes: Uint8Array; document: PDFDocument }> {
  const { bytes } = await mergePdfs([named(await makeRichPdf('A'), 'a.pdf'), named(await makeRichPdf('B'), 'b.pdf')]);
  return { bytes, document: await look(bytes) };
}

async function titled(title: string, modified?: string): Promise<Uint8Array> {
  const document = await PDFDocument.create({ updateMetadata: false });
  document.addPage([100, 100]);
  if (title !== '') document.setTitle(title);
  if (modified !== undefined) document.setModificationDate(new Date(modified));
  return document.save();
}

const catalogEntry = (document: PDFDocument, ...path: string[]): unknown =>
  path.reduce<unknown>(
    (at, key) => (at instanceof PDFDict ? resolve(document.context, at.get(PDFName.of(key))) : undefined),
    document.catalog,
  );

describe('mergePdfs', () => {
  it('returns all pages in order without dangling references', async () => {
    const { bytes, document } = await mergeRich();
    expect(walkPages(document.context)).to.have.length(6);
    expect(await danglingReferences(bytes)).to.deep.equal([]);
    const text = await everythingIn(bytes);
    for (const secret of ['A secret 1', 'B secret 3'])
      expect(text).to.include(Buffer.from(secret).toString('hex').toUpperCase());
  });

  it('keeps the nesting of the bookmarks of every input', async () => {
    const { document } = await mergeRich();
    const shape = (node: OutlineNode): unknown => [outlineTitle(document.context, node), node.children.map(shape)];
    expect(readOutlines(document.context).map(shape)).to.deep.equal([
      ['A chapter 1', [['A section 2', []]]],
      ['A chapter 3', []],
      ['B chapter 1', [['B section 2', []]]],
      ['B chapter 3', []],
    ]);
    expect(catalogEntry(document, 'Outlines', 'Count')?.toString()).to.equal('6');
  });

  it('renames conflicting destinations and updates every link and bookmark to them', async () => {
    const { document } = await mergeRich();
    const { context } = document;
    const pages = walkPages(context);
    const destinations = readNamedDestinations(context);
    const pageOf = (dest: unknown): number =>
      pages.findIndex(({ ref }) => ref === explicitDestination(context, destinations, dest as PDFString)?.get(0));
    const linkPages = (page: number): number[] => {
      const annotations = resolve(context, pages[page]?.dict.get(PDFName.of('Annots')));
      const dicts = (annotations instanceof PDFArray ? annotations.asArray() : [])
        .map((ref) => resolve(context, ref))
        .filter((dict): dict is PDFDict => dict instanceof PDFDict);
      return dicts.filter((dict) => dict.has(PDFName.of('Dest'))).map((dict) => pageOf(dict.get(PDFName.of('Dest'))));
    };
    expect(linkPages(0)).to.deep.equal([1, 2]);
    expect(linkPages(3)).to.deep.equal([4, 5]);
    const [, , chapter, last] = readOutlines(context);
    expect(pageOf(chapter?.children[0]?.dict.get(PDFName.of('Dest')))).to.equal(4);
    const action = resolve(context, last?.dict.get(PDFName.of('A'))) as PDFDict;
    expect(pageOf(action.get(PDFName.of('D')))).to.equal(5);
  });

  it('joins the forms and renames conflicting fields', async () => {
    const { document } = await mergeRich();
    const names = document
      .getForm()
      .getFields()
      .map((field) => field.getName());
    expect(names).to.deep.equal(['person.name', 'note', 'person_2.name', 'note_2']);
    expect(document.getForm().getTextField('person.name').getText()).to.equal('A value');
    expect(document.getForm().getTextField('person_2.name').getText()).to.equal('B value');
  });

  it('renames conflicting form fonts and updates the appearance strings', async () => {
    const withFont = async (base: string): Promise<Uint8Array> => {
      const document = await PDFDocument.create({ updateMetadata: false });
      const { context } = document;
      const page = document.addPage([100, 100]);
      const field = context.register(
        context.obj({
          Type: 'Annot',
          Subtype: 'Widget',
          FT: 'Tx',
          T: PDFString.of(base),
          Rect: [0, 0, 50, 20],
          DA: PDFString.of('/F1 12 Tf 0 g'),
        }),
      );
      page.node.addAnnot(field);
      document.catalog.set(
        PDFName.of('AcroForm'),
        context.obj({
          Fields: [field],
          DA: PDFString.of('/F1 9 Tf 0 g'),
          DR: { Font: { F1: { Type: 'Font', Subtype: 'Type1', BaseFont: base } } },
        }),
      );
      return document.save();
    };
    const { bytes } = await mergePdfs([
      named(await withFont('Helvetica'), 'a.pdf'),
      named(await withFont('Courier'), 'b.pdf'),
    ]);
    const document = await look(bytes);
    const fonts = catalogEntry(document, 'AcroForm', 'DR', 'Font') as PDFDict;
    expect(fonts.keys().map((key) => key.decodeText())).to.deep.equal(['F1', 'F1_2']);
    const second = readFields(document.context)[1]?.dict.get(PDFName.of('DA')) as PDFHexString;
    expect(second.decodeText()).to.equal('/F1_2 12 Tf 0 g');
  });

  it('continues page labels, in decimal for an input without labels', async () => {
    const plain = await titled('plain');
    const { bytes } = await mergePdfs([
      named(await makeRichPdf('A'), 'a.pdf'),
      named(plain, 'p.pdf'),
      named(await makeRichPdf('B'), 'b.pdf'),
    ]);
    const labels = readPageLabels((await look(bytes)).context, 7)?.map(
      ({ style, prefix, number }) => `${prefix}${style}${number}`,
    );
    expect(labels).to.deep.equal(['r1', 'A-D1', 'A-D2', 'D1', 'r1', 'B-D1', 'B-D2']);
  });

  it('writes no page labels if no input has any', async () => {
    const { bytes } = await mergePdfs([named(await titled('a'), 'a.pdf'), named(await titled('b'), 'b.pdf')]);
    expect((await look(bytes)).catalog.has(PDFName.of('PageLabels'))).to.equal(false);
  });

  it('keeps attachments and scripts of every input under different names', async () => {
    const { bytes, document } = await mergeRich();
    const names = (kind: string): string[] =>
      readNameTree(document.context, catalogEntry(document, 'Names', kind) as PDFDict).map(([name]) => name);
    expect(names('EmbeddedFiles')).to.deep.equal(['data.txt', 'data.txt_2']);
    expect(names('JavaScript')).to.deep.equal(['init', 'init_2']);
    const text = await everythingIn(bytes);
    expect(text).to.include('A attachment').and.to.include('B attachment');
  });

  it('joins layers with their order and state', async () => {
    const { document } = await mergeRich();
    expect((catalogEntry(document, 'OCProperties', 'OCGs') as PDFArray).size()).to.equal(2);
    expect((catalogEntry(document, 'OCProperties', 'D', 'Order') as PDFArray).size()).to.equal(2);
    expect((catalogEntry(document, 'OCProperties', 'D', 'OFF') as PDFArray).size()).to.equal(2);
  });

  it('joins the tags of all pages and renames roles with different mappings', async () => {
    const { document } = await mergeRich();
    const { context } = document;
    const parents = new Map(readNumberTree(context, catalogEntry(document, 'StructTreeRoot', 'ParentTree') as PDFDict));
    walkPages(context).forEach(({ ref, dict }) => {
      const owners = resolve(
        context,
        parents.get((dict.get(PDFName.of('StructParents')) as PDFNumber).asNumber()),
      ) as PDFArray;
      expect((resolve(context, owners.get(0)) as PDFDict).get(PDFName.of('Pg'))).to.equal(ref);
    });
    const roles = catalogEntry(document, 'StructTreeRoot', 'RoleMap') as PDFDict;
    expect(roles.toString().replace(/\s+/g, ' ')).to.include('/Text /Sect').and.to.include('/Text_2 /Div');
    const tops = catalogEntry(document, 'StructTreeRoot', 'K') as PDFArray;
    expect(
      tops.asArray().map((top) => (resolve(context, top) as PDFDict).get(PDFName.of('S'))?.toString()),
    ).to.deep.equal(['/Text', '/Text_2']);
    expect(catalogEntry(document, 'MarkInfo', 'Marked')?.toString()).to.equal('true');
  });

  it('does not claim to be tagged if one input is not', async () => {
    const { bytes } = await mergePdfs([named(await makeRichPdf('A'), 'a.pdf'), named(await titled('b'), 'b.pdf')]);
    expect(catalogEntry(await look(bytes), 'MarkInfo', 'Marked')?.toString()).to.equal('false');
  });

  it('puts one bookmark per input before all others if a table of contents is requested', async () => {
    const { bytes } = await mergePdfs(
      [named(await makeRichPdf('A'), 'one.two.pdf'), named(await titled('b'), ' .pdf')],
      { generateToc: true },
    );
    const { context } = await look(bytes);
    expect(
      readOutlines(context)
        .slice(0, 3)
        .map((node) => outlineTitle(context, node)),
    ).to.deep.equal(['one.two', 'Document 2', 'A chapter 1']);
  });

  it('removes signature fields from the pages of every input, and keeps other annotations', async () => {
    const signed = async (width: number): Promise<Uint8Array> => {
      const document = await PDFDocument.create({ updateMetadata: false });
      const { context } = document;
      document.addPage([100, 100]);
      const page = document.addPage([width, 100]);
      const sign = context.obj({ Subtype: 'Widget', FT: 'Sig', T: PDFString.of('S'), Rect: [0, 0, 9, 9] });
      const field = context.register(sign);
      const note = context.register(context.obj({ Subtype: 'Text', Rect: [0, 0, 9, 9] }));
      // A widget that no form lists.
      const loose = context.register(context.obj({ Subtype: 'Widget', FT: 'Sig', Rect: [0, 0, 9, 9] }));
      page.node.set(PDFName.of('Annots'), context.obj([field, note, loose]));
      document.catalog.set(PDFName.of('AcroForm'), context.obj({ Fields: [field], SigFlags: 3 }));
      return document.save();
    };
    const inputs = [named(await signed(200), 'a.pdf'), named(await signed(300), 'b.pdf')];
    const annotations = async (removeCertSign: boolean): Promise<readonly string[]> => {
      const { context } = await look((await mergePdfs(inputs, { removeCertSign })).bytes);
      return walkPages(context).map(({ dict }) => {
        const list = resolve(context, dict.get(PDFName.of('Annots')));
        const items = list instanceof PDFArray ? list.asArray() : [];
        return items
          .map((item) => (resolve(context, item) as PDFDict).get(PDFName.of('Subtype'))?.toString() ?? '')
          .join('');
      });
    };
    const all = '/Widget/Text/Widget';
    expect(await annotations(false)).to.deep.equal(['', all, '', all]);
    expect(await annotations(true)).to.deep.equal(['', '/Text', '', '/Text']);
  });

  it('copies title and other information from the first document', async () => {
    const { document } = await mergeRich();
    expect(document.getTitle()).to.equal('Title A');
    expect(document.getProducer()).to.equal('Quire');
  });

  it('keeps inherited page attributes', async () => {
    const document = await PDFDocument.create({ updateMetadata: false });
    document.addPage([100, 100]).node.delete(PDFName.of('MediaBox'));
    const root = document.catalog.Pages();
    root.set(PDFName.of('MediaBox'), document.context.obj([0, 0, 321, 123]));
    root.set(PDFName.of('Rotate'), PDFNumber.of(90));
    const bytes = await document.save();
    const merged = await look((await mergePdfs([named(bytes, 'a.pdf'), named(bytes, 'b.pdf')])).bytes);
    expect(merged.getPages().map((page) => [page.getWidth(), page.getRotation().angle])).to.deep.equal([
      [321, 90],
      [321, 90],
    ]);
  });

  describe('order', () => {
    const first = async (
      inputs: { name: string; bytes: Uint8Array }[],
      options: Parameters<typeof mergePdfs>[1],
    ): Promise<string[]> => {
      const { bytes } = await mergePdfs(inputs, { ...options, generateToc: true });
      const { context } = await look(bytes);
      return readOutlines(context).map((node) => outlineTitle(context, node));
    };
    const files = async () => [
      named(await titled('beta', '2020-01-01T00:00:00Z'), 'C.pdf'),
      named(await titled('', '2024-01-01T00:00:00Z'), 'a.pdf'),
      named(await titled('Alpha'), 'b.pdf'),
    ];

    it('keeps the order of upload by default', async () =>
      expect(await first(await files(), {})).to.deep.equal(['C', 'a', 'b']));
    it('ignores case when sorting by file name', async () =>
      expect(await first(await files(), { sortType: 'byFileName' })).to.deep.equal(['a', 'b', 'C']));
    it('puts untitled files last when sorting by title', async () =>
      expect(await first(await files(), { sortType: 'byPDFTitle' })).to.deep.equal(['b', 'C', 'a']));
    it('puts the newest first and undated files last when sorting by date', async () => {
      for (const sortType of ['byDateModified', 'byDateCreated'] as const)
        expect(await first(await files(), { sortType })).to.deep.equal(['a', 'C', 'b']);
    });
    it('prefers a list of names, skips unknown names and appends the rest', async () => {
      expect(
        await first(await files(), { sortType: 'byFileName', fileOrder: 'b.pdf\r\nnone.pdf\nC.pdf' }),
      ).to.deep.equal(['b', 'C', 'a']);
    });
    it('reports which input came first', async () =>
      expect((await mergePdfs(await files(), { sortType: 'byFileName' })).first).to.equal(1));
  });

  describe('with real files', () => {
    const pairs: readonly (readonly [string, string, string])[] = [
      [
        'bookmarks and named destinations',
        'gotenberg/page_1_with_bookmarks.pdf',
        'gotenberg/page_2_with_bookmarks.pdf',
      ],
      ['forms', 'pdf-lib/sample_form.pdf', 'pdf-lib/fancy_fields.pdf'],
      ['page labels', 'pdfbox/PDFBOX-3053-reduced.pdf', 'pdfbox/PDFBOX-4417-001031.pdf'],
      ['attachments and layers', 'pdfbox/testPDF_multiFormatEmbFiles.pdf', 'pdf.js/bug1146106.pdf'],
      ['tags', 'OCRmyPDF/tagged.pdf', 'pdf-lib/with_update_sections.pdf'],
    ];
    for (const [what, a, b] of pairs) {
      it(`keeps ${what} and changes no image of a page`, async function () {
        if (corpus === undefined || !hasProgram('qpdf') || !hasProgram('pdftoppm')) {
          this.test!.title += ' (skipped: needs the corpus, qpdf and pdftoppm)';
          this.skip();
        }
        this.timeout(60_000);
        const inputs = [corpusFile(a), corpusFile(b)];
        const { bytes, pages } = await mergePdfs(
          inputs.map((input, i) => named(input, `${i}.pdf`)),
          { removeCertSign: false },
        );
        expect(runOn(bytes, 'qpdf', ['--check', 'DIR/in.pdf']).text).to.include('No syntax or stream encoding errors');
        expect(await danglingReferences(bytes)).to.deep.equal([]);
        const documents = await Promise.all(inputs.map(look));
        const merged = await look(bytes);
        const count = (document: PDFDocument, read: (document: PDFDocument) => number): number => read(document);
        const sums: ((document: PDFDocument) => number)[] = [
          (document) => [...nodes(readOutlines(document.context))].length,
          (document) => [...allFieldNodes(readFields(document.context))].length,
          (document) =>
            readNameTree(document.context, catalogEntry(document, 'Names', 'EmbeddedFiles') as PDFDict | undefined)
              .length,
          (document) => readNamedDestinations(document.context).strings.size,
          (document) => (catalogEntry(document, 'OCProperties', 'OCGs') as PDFArray | undefined)?.size() ?? 0,
          (document) =>
            readNumberTree(
              document.context,
              catalogEntry(document, 'StructTreeRoot', 'ParentTree') as PDFDict | undefined,
            ).length,
        ];
        for (const sum of sums)
          expect(count(merged, sum)).to.equal(documents.reduce((total, document) => total + count(document, sum), 0));
        const picture = (input: Uint8Array, page: number): Buffer | undefined =>
          runOn(
            input,
            'pdftoppm',
            ['-singlefile', '-r', '40', '-f', String(page), '-l', String(page), 'DIR/in.pdf', 'DIR/out'],
            ['out.ppm'],
          ).files[0];
        expect(picture(bytes, 1)?.equals(picture(inputs[0]!, 1)!)).to.equal(true);
        expect(picture(bytes, pages)?.equals(picture(inputs[1]!, documents[1]!.getPageCount())!)).to.equal(true);
      });
    }
  });
});

function* nodes(outline: readonly OutlineNode[]): Generator<OutlineNode> {
  for (const node of outline) {
    yield node;
    yield* nodes(node.children);
  }
}

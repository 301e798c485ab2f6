import { expect } from 'chai';
import { PDFArray, PDFDict, PDFDocument, PDFHexString, type PDFObject, type PDFRef, PDFString } from 'pdf-lib';
import { type FormField, type FormModel, readForm, tryValues } from '../../forms/index.js';
import { withPdf } from '../../file/open/index.js';
import { formOf, name, text } from './forms-support.js';

const read = async (document: PDFDocument): Promise<FormModel | undefined> =>
  withPdf(await document.save({ updateFieldAppearances: false }), {}, readForm);
const fieldsOf = async (document: PDFDocument): Promise<readonly FormField[]> => (await read(document))?.fields ?? [];
const brief = (fields: readonly FormField[]): unknown[] =>
  fields.map((field) => [
    field.name,
    field.kind,
    field.values?.join('|'),
    ...field.widgets.map(({ pageIndex }) => pageIndex),
  ]);
const rect = [10, 10, 100, 30] as const;
const annotations = (document: PDFDocument, page = 0): PDFArray =>
  document.getPages()[page]!.node.lookup(name('Annots'), PDFArray);
const formDict = (document: PDFDocument): PDFDict => document.catalog.lookup(name('AcroForm'), PDFDict);
/** Creates a field with kids from fields that `formOf` created. */
function above(document: PDFDocument, entries: Record<string, unknown>, kids: readonly number[]): PDFRef {
  const fields = formDict(document).lookup(name('Fields'), PDFArray);
  const refs = kids.map((kid) => fields.get(kid) as PDFRef);
  const parent = document.context.register(document.context.obj({ ...entries, Kids: refs } as never));
  for (const ref of refs) document.context.lookup(ref, PDFDict).set(name('Parent'), parent);
  formDict(document).set(
    name('Fields'),
    document.context.obj([...fields.asArray().filter((ref) => !refs.includes(ref as PDFRef)), parent]),
  );
  return parent;
}
const dictOf = (document: PDFDocument, at: number): PDFDict =>
  document.context.lookup(formDict(document).lookup(name('Fields'), PDFArray).get(at) as PDFRef, PDFDict);

describe('readForm', () => {
  it('reads every field type with its value and page', async () => {
    const states = (on: string): object => ({ N: { [on]: null, Off: null } });
    const document = await formOf(
      [
        { rect, FT: name('Tx'), V: text('Ää €') },
        { rect, FT: name('Tx'), page: 1 },
        { rect, FT: name('Ch'), Ff: 1 << 17, V: PDFString.of('b'), Opt: [['a', 'A'].map(text), ['b', 'B'].map(text)] },
        { rect, FT: name('Ch'), Ff: 1 << 21, V: ['x', 'z'].map(text), Opt: ['x', 'y', 'z'].map(text) },
        { rect, FT: name('Btn'), V: name('On'), AP: states('On') },
        { rect, FT: name('Btn'), AP: states('On') },
        { rect, FT: name('Btn'), Ff: 1 << 15, V: name('2'), AP: states('2') },
        { rect, FT: name('Btn'), Ff: 1 << 15, AP: states('2') },
        { rect, FT: name('Btn'), Ff: 1 << 16 },
        { rect, FT: name('Sig'), V: { Name: text('Ada') } },
      ],
      {},
      [
        [300, 300],
        [300, 300],
      ],
    );
    for (const field of [4, 5, 6, 7]) {
      const normal = dictOf(document, field).lookup(name('AP'), PDFDict).lookup(name('N'), PDFDict);
      for (const key of normal.keys())
        normal.set(
          key,
          document.context.register(
            document.context.stream('', { Type: 'XObject', Subtype: 'Form', BBox: [0, 0, 9, 9] }),
          ),
        );
    }
    const fields = await fieldsOf(document);
    expect(brief(fields)).to.deep.equal([
      ['field0', 'text', 'Ää €', 0],
      ['field1', 'text', undefined, 1],
      ['field2', 'combobox', 'b', 0],
      ['field3', 'listbox', 'x|z', 0],
      ['field4', 'checkbox', 'On', 0],
      ['field5', 'checkbox', 'Off', 0],
      ['field6', 'radio', '2', 0],
      ['field7', 'radio', undefined, 0],
      ['field8', 'button', undefined, 0],
      ['field9', 'signature', 'Ada', 0],
    ]);
    expect(fields[2]?.options).to.deep.equal([
      { value: 'a', shown: 'A', place: 0 },
      { value: 'b', shown: 'B', place: 1 },
    ]);
    expect([fields[4]?.widgets[0]?.onState, fields[0]?.widgets[0]?.box, fields[0]?.widgets[0]?.fontSize]).to.deep.equal(
      ['On', [10, 10, 100, 30], 12],
    );
  });

  it('decodes every string encoding, and reads streams, names and numbers', async () => {
    const document = await formOf([
      { rect, FT: name('Tx'), V: PDFHexString.of('feff4e2d65870041') },
      { rect, FT: name('Tx'), V: PDFHexString.of('efbbbfe4b8ad') },
      { rect, FT: name('Tx'), V: PDFHexString.of('fffe2d4e') },
      { rect, FT: name('Tx'), V: PDFHexString.of('a041') },
      { rect, FT: name('Tx') },
      { rect, FT: name('Tx'), V: name('Word') },
      { rect, FT: name('Tx'), V: 12.5 },
      { rect, FT: name('Tx'), V: true },
    ]);
    dictOf(document, 4).set(name('V'), document.context.register(document.context.flateStream('a long text')));
    expect((await fieldsOf(document)).map(({ values }) => values?.[0])).to.deep.equal([
      '中文A',
      '中',
      '中',
      '€A',
      'a long text',
      'Word',
      '12.5',
      undefined,
    ]);
  });

  it('inherits types, flags, values and styles, and joins names by periods', async () => {
    const document = await formOf([
      { rect, T: text('first.name') },
      { rect, T: text('') },
      { rect, T: undefined },
    ]);
    for (const field of [0, 1, 2]) dictOf(document, field).delete(name('DA'));
    dictOf(document, 2).delete(name('T'));
    above(
      document,
      { T: text('person'), FT: name('Tx'), Ff: 1 << 12, V: text('shared'), DA: PDFString.of('/Helv 9 Tf') },
      [0, 1],
    );
    const fields = await fieldsOf(document);
    expect(
      fields.map((field) => [
        field.name,
        field.partialName,
        field.kind,
        field.flags,
        field.values?.[0],
        field.widgets[0]?.fontSize,
      ]),
    ).to.deep.equal([
      ['person.first.name', 'first.name', 'text', 1 << 12, 'shared', 9],
      ['person', '', 'text', 1 << 12, 'shared', 9],
    ]);
    expect((await read(document))?.leftOut, 'one has neither name nor type').to.equal(1);
  });

  it('treats kids without names as widgets, with states and export values', async () => {
    const document = await formOf([{ rect, page: 1 }, { rect }, { rect }], {}, [
      [300, 300],
      [300, 300],
    ]);
    for (const field of [0, 1, 2]) {
      dictOf(document, field).delete(name('T'));
      dictOf(document, field).set(
        name('AP'),
        document.context.obj({ D: { [String(field)]: document.context.register(document.context.stream('')) } }),
      );
    }
    above(
      document,
      { T: text('colour'), FT: name('Btn'), Ff: 1 << 15, V: name('1'), Opt: ['Rot', 'Grün', 'Rot'].map(text) },
      [0, 1, 2],
    );
    const [colour] = await fieldsOf(document);
    expect(
      colour?.widgets.map(({ pageIndex, onState, exportValue }) => [pageIndex, onState, exportValue]),
    ).to.deep.equal([
      [1, '0', 'Rot'],
      [0, '1', 'Grün'],
      [0, '2', 'Rot'],
    ]);
    expect(colour?.values).to.deep.equal(['Grün']);
  });

  it('takes the field type from widgets, and accepts widgets beside nested fields', async () => {
    const document = await formOf([
      { rect, FT: name('Tx'), V: text('below') },
      { rect, FT: name('Ch'), Ff: 1 << 17 },
    ]);
    dictOf(document, 1).delete(name('T'));
    above(document, { T: text('both'), V: text('x') }, [0, 1]);
    expect(brief(await fieldsOf(document))).to.deep.equal([
      ['both', 'combobox', 'x', 0],
      ['both.field0', 'text', 'below', 0],
    ]);
  });

  it('finds the pages of widgets in annotation lists, else in /P', async () => {
    const document = await formOf(
      [
        { rect, FT: name('Tx'), page: 1 },
        { rect, FT: name('Tx') },
        { rect, FT: name('Tx') },
      ],
      {},
      [
        [300, 300],
        [300, 300],
      ],
    );
    const [first, second] = document.getPages();
    dictOf(document, 0).set(name('P'), first!.ref);
    annotations(document).remove(1);
    dictOf(document, 2).set(name('P'), second!.ref);
    annotations(document).remove(0);
    expect(brief(await fieldsOf(document))).to.deep.equal([
      ['field0', 'text', undefined, 1],
      ['field1', 'text', undefined, -1],
      ['field2', 'text', undefined, 1],
    ]);
  });

  it('includes widgets that pages list and the form does not, once, below the fields they name', async () => {
    const document = await formOf([{ rect, FT: name('Tx') }, { rect, FT: name('Tx'), V: text('alone') }, { rect }]);
    const fields = formDict(document).lookup(name('Fields'), PDFArray);
    const [known, , orphan] = fields.asArray() as PDFRef[];
    dictOf(document, 2).delete(name('T'));
    document.context.lookup(orphan, PDFDict).set(name('Parent'), known!);
    formDict(document).set(name('Fields'), document.context.obj([known!]));
    const read = await fieldsOf(document);
    expect(brief(read)).to.deep.equal([
      ['field0', 'text', undefined, 0],
      ['field1', 'text', 'alone', 0],
    ]);
    expect(read.map(({ unlisted }) => unlisted)).to.deep.equal([false, true]);
  });

  it('handles cycles and reads shared nodes once', async () => {
    const document = await formOf([
      { rect, FT: name('Tx'), V: text('once') },
      { rect, FT: name('Tx') },
    ]);
    const [first, second] = formDict(document).lookup(name('Fields'), PDFArray).asArray() as PDFRef[];
    const loop = above(document, { T: text('loop') }, [1]);
    const { context } = document;
    context.lookup(loop, PDFDict).set(name('Kids'), context.obj([second!, loop, first!]));
    context.lookup(loop, PDFDict).set(name('Parent'), loop);
    formDict(document).set(name('Fields'), context.obj([first!, first!, loop, loop]));
    expect(brief(await fieldsOf(document))).to.deep.equal([
      ['field0', 'text', 'once', 0],
      ['loop.field1', 'text', undefined, 0],
    ]);
  });

  it('distinguishes hybrid from dynamic XFA, and a missing form from an empty one', async () => {
    const xfa = (document: PDFDocument): PDFObject =>
      document.context.register(document.context.stream('<xdp:xdp xmlns:xdp="http://ns.adobe.com/xdp/"/>'));
    const hybrid = await formOf([{ rect, FT: name('Tx') }]);
    formDict(hybrid).set(name('XFA'), xfa(hybrid));
    const dynamic = await formOf([{ rect, FT: name('Sig') }]);
    formDict(dynamic).set(name('XFA'), xfa(dynamic));
    const none = await PDFDocument.create();
    none.addPage();
    expect([
      (await read(hybrid))?.xfa,
      (await read(dynamic))?.xfa,
      (await read(await formOf([])))?.fields,
      await read(none),
    ]).to.deep.equal(['hybrid', 'dynamic', [], undefined]);
  });

  it('reads ten thousand fields, long shared values and long lists of options in seconds', async () => {
    const document = await formOf([], {}, [[300, 300]]);
    const { context } = document;
    const options = context.register(
      context.obj(Array.from({ length: 5_000 }, (_, i) => text(`Option ${i}`)) as never),
    );
    const parent = context.nextRef();
    const kids = Array.from({ length: 10_000 }, (_, i) =>
      context.register(
        context.obj({
          Type: 'Annot',
          Subtype: 'Widget',
          T: text(`f${i}`),
          Parent: parent,
          Rect: [...rect],
          ...(i % 2 === 0 ? { FT: 'Ch', Opt: options } : {}),
        } as never),
      ),
    );
    context.assign(
      parent,
      context.obj({ T: text('all'), FT: 'Tx', V: text('é'.repeat(1_000_000)), Kids: kids } as never),
    );
    formDict(document).set(name('Fields'), context.obj([parent]));
    document.getPages()[0]!.node.set(name('Annots'), context.obj(kids));
    const bytes = await document.save({ updateFieldAppearances: false });
    const form = await withPdf(bytes, {}, readForm);
    expect([
      form?.fields.length,
      form?.fields[1]?.name,
      form?.fields[1]?.values?.[0]?.length,
      form?.fields[0]?.options.length,
      form?.fields[9_999]?.widgets[0]?.pageIndex,
    ]).to.deep.equal([10_000, 'all.f1', 1_000_000, 5_000, 0]);
    // Measured: half a second.
  }).timeout(30_000);

  it('tries values for reading the form afterwards, and skips those that fields do not accept', async () => {
    const document = await formOf([
      { rect, FT: name('Tx'), MaxLen: 3 },
      { rect, FT: name('Ch'), Ff: 1 << 17, Opt: [['a', 'Apple'].map(text)] },
      { rect, FT: name('Tx'), V: text('old') },
      { rect, FT: name('Btn'), Ff: 1 << 16 },
    ]);
    const [tried, after] = await withPdf(await document.save({ updateFieldAppearances: false }), {}, (opened) => {
      const result = tryValues(opened.document.context, readForm(opened)!, [
        ['field0', 'too long'],
        ['field1', 'APPLE'],
        ['field2', null],
        ['field3', 'x'],
        ['nobody', 'x'],
      ]);
      return [result, readForm(opened)!.fields] as const;
    });
    expect(tried).to.deep.equal({ unknown: ['nobody'], refused: ['field0', 'field3'] });
    expect(after.map(({ values }) => values?.[0])).to.deep.equal([undefined, 'a', undefined, undefined]);
  });
});

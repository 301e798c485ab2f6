import { expect } from 'chai';
import { type PDFDict, type PDFDocument, PDFString } from 'pdf-lib';
import {
  deleteFields,
  type DeletionReport,
  type FieldUpdate,
  type FormField,
  modifyFields,
  type ModificationReport,
  readForm,
} from '../../forms/index.js';
import {
  asDict,
  asName,
  asNumber,
  asText,
  elements,
  entry,
  readNameTree,
  readNumberTree,
  resolve,
} from '../../file/objects/index.js';
import { editBytes, type OpenedPdf, openPdf } from '../../file/open/index.js';
import { acroFormOf } from '../../forms/fields/index.js';
import { danglingReferences } from '../parts-support.js';
import { draw, formOf, name, text } from './forms-support.js';

interface Changed<R> {
  readonly report: R;
  readonly bytes: Uint8Array;
  readonly opened: OpenedPdf;
  readonly fields: ReadonlyMap<string, FormField>;
}

async function changed<R>(
  source: PDFDocument | Uint8Array,
  change: (opened: OpenedPdf) => R | Promise<R>,
): Promise<Changed<R>> {
  let report: R | undefined;
  const bytes = await editBytes(
    source instanceof Uint8Array ? source : await source.save(),
    { mode: 'rewrite' },
    async (opened) => {
      report = await change(opened);
    },
  );
  const opened = await openPdf(bytes);
  return {
    report: report!,
    bytes,
    opened,
    fields: new Map((readForm(opened)?.fields ?? []).map((field) => [field.name, field])),
  };
}
const modified = (
  source: PDFDocument | Uint8Array,
  ...updates: readonly Omit<FieldUpdate, 'pointer'>[]
): Promise<Changed<ModificationReport>> =>
  changed(source, (opened) =>
    modifyFields(
      opened,
      updates.map((update, i) => ({ ...update, pointer: `/updates/${i}` })),
    ),
  );
const deleted = (source: PDFDocument | Uint8Array, ...names: readonly string[]): Promise<Changed<DeletionReport>> =>
  changed(source, (opened) => deleteFields(opened, names));
const fault = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'not refused',
    (error: unknown) => (error as { errors: unknown }).errors,
  );

const at = (i: number): readonly [number, number, number, number] => [20, 260 - i * 40, 140, 290 - i * 40];
const opt = (...values: readonly string[]): unknown => values.map(text);
const dictOf = ({ fields }: Changed<unknown>, field: string): PDFDict => fields.get(field)!.node.dict;
const annotationsOf = ({
  opened: {
    document: { context },
    pages,
  },
}: Changed<unknown>): PDFDict[] =>
  elements(context, entry(pages[0]!.dict, 'Annots')).map((value) => asDict(context, value)!);

/**
 * Creates a tagged form: a group of two fields, one of them with two widgets, calculated, and named by scripts and
 * actions.
 */
async function tagged(): Promise<PDFDocument> {
  const document = await formOf([
    { rect: at(0), FT: 'Tx', V: text('Ada'), StructParent: 0 },
    { rect: at(1), StructParent: 1 },
    { rect: at(2), StructParent: 2 },
    { rect: at(3), FT: 'Tx', V: text('stays'), T: text('other'), StructParent: 3 },
  ]);
  const { context } = document;
  const page = document.getPage(0);
  const widgets = elements(context, page.node.get(name('Annots')));
  const sum = context.register(
    context.obj({
      FT: 'Tx',
      T: text('sum'),
      V: text('geheim 42'),
      Kids: widgets.slice(1, 3),
      AA: {
        C: {
          S: 'JavaScript',
          JS: PDFString.of('event.value = this.getField("person.name").value + this.getField("other").value'),
        },
      },
    } as never),
  );
  for (const widget of widgets.slice(1, 3)) {
    asDict(context, widget)!.delete(name('T'));
    asDict(context, widget)!.set(name('Parent'), sum);
  }
  const person = context.register(context.obj({ T: text('person'), Kids: [widgets[0]!, sum] } as never));
  asDict(context, widgets[0])!.set(name('T'), text('name'));
  for (const ref of [widgets[0]!, sum]) asDict(context, ref)!.set(name('Parent'), person);
  const reset = context.register(
    context.obj({
      S: 'ResetForm',
      Fields: [sum, text('person.name'), text('other')],
      Flags: 0,
      Next: { S: 'Hide', T: widgets[1]! },
    } as never),
  );
  const form = acroFormOf(context)!;
  form.set(name('Fields'), context.obj([person, widgets[3]!]));
  form.set(name('CO'), context.obj([sum]));
  document.catalog.set(name('OpenAction'), reset);
  const root = context.nextRef();
  const elementsOf = widgets.map((widget) =>
    context.register(
      context.obj({ Type: 'StructElem', S: 'Form', P: root, K: { Type: 'OBJR', Obj: widget, Pg: page.ref } }),
    ),
  );
  context.assign(
    root,
    context.obj({
      Type: 'StructTreeRoot',
      K: elementsOf,
      ParentTree: { Nums: elementsOf.flatMap((one, i) => [i, one] as never) },
      ParentTreeNextKey: 4,
    } as never),
  );
  document.catalog.set(name('StructTreeRoot'), root);
  return document;
}

describe('modifyFields', function () {
  this.timeout(60_000);

  it('sets and removes labels, tooltips and flags, and keeps everything else', async () => {
    const source = await (
      await formOf([
        { rect: at(0), FT: 'Tx', V: text('x'), TU: text('old'), RV: text('<b>x</b>'), MaxLen: 1 },
        { rect: at(1), FT: 'Ch', Opt: opt('a', 'b'), TU: text('gone') },
      ])
    ).save();
    const result = await modified(
      source,
      { target: 'field0', label: ' Vorname ', required: true },
      { target: 'field1', label: ' ', multiSelect: true, required: true },
    );
    expect(result.report).to.deep.equal({ changed: 2, unknown: [], skipped: [], renamed: [], xfaRemoved: false });
    const { context } = result.opened.document;
    const first = dictOf(result, 'field0');
    expect([
      asText(context, entry(first, 'TU')),
      asNumber(context, entry(first, 'Ff')),
      asText(context, entry(first, 'RV')),
    ]).to.deep.equal(['Vorname', 2, '<b>x</b>']);
    expect([
      entry(dictOf(result, 'field1'), 'TU'),
      asNumber(context, entry(dictOf(result, 'field1'), 'Ff')),
    ]).to.deep.equal([undefined, 2 | (1 << 21)]);
    expect(
      asText(
        context,
        entry(dictOf(await modified(source, { target: 'field0', tooltip: 'Tip', label: 'Label' }), 'field0'), 'TU'),
      ),
    ).to.equal('Tip');
    expect(
      asText(
        context,
        entry(dictOf(await modified(source, { target: 'field0', tooltip: '', label: 'Label' }), 'field0'), 'TU'),
      ),
    ).to.equal('Label');
  });

  it('renames fields, numbers duplicate names, and rejects names with a period', async () => {
    const source = await (
      await formOf([
        { rect: at(0), FT: 'Tx' },
        { rect: at(1), FT: 'Tx' },
        { rect: at(2), FT: 'Tx' },
      ])
    ).save();
    const { fields, report } = await modified(
      source,
      { target: 'field0', name: 'field1' },
      { target: 'field2', name: 'field1' },
      { target: 'field1', name: '名前' },
      { target: 'nobody', name: 'x' },
      { target: '名前', label: 'again' },
    );
    expect([[...fields.keys()], report.renamed, report.unknown, report.changed]).to.deep.equal([
      ['field1_1', '名前', 'field1_2'],
      ['field1_1', 'field1_2'],
      ['nobody'],
      3,
    ]);
    expect(fields.get('名前')!.alternateName).to.equal('again');
    expect(await fault(modified(source, { target: 'field0', name: 'a.b' }))).to.deep.equal([
      {
        pointer: '/updates/0/name',
        detail:
          'the name "a.b" contains a period, which would separate a field from its group; ' +
          'use a name without periods (ISO 32000-1, 12.7.3.2)',
      },
    ]);
  });

  it('updates scripts, actions and locks to new names', async () => {
    const result = await modified(await tagged(), { target: 'person.name', name: 'first' });
    const { context, catalog } = result.opened.document;
    const action = asDict(context, entry(catalog, 'OpenAction'))!;
    expect(elements(context, entry(action, 'Fields')).map((one) => asText(context, one))).to.deep.equal([
      undefined,
      'person.first',
      'other',
    ]);
    const script = asText(
      context,
      entry(asDict(context, entry(asDict(context, entry(dictOf(result, 'person.sum'), 'AA'))!, 'C'))!, 'JS'),
    );
    expect(script).to.contain('getField("person.first")').and.contain('getField("other")');
  });

  it('replaces options and removes values that are not among them', async () => {
    const source = await (
      await formOf([
        { rect: at(0), FT: 'Ch', Opt: opt('a', 'b', 'c'), Ff: 1 << 21, V: opt('a', 'c'), I: [0, 2], DV: text('a') },
        { rect: at(1), FT: 'Ch', Ff: 1 << 17, Opt: opt('a'), V: text('a') },
      ])
    ).save();
    const result = await modified(
      source,
      { target: 'field0', options: ['c', ' ', 'd'] },
      { target: 'field1', options: [], defaultValue: '' },
    );
    expect(
      [...result.fields.values()].map(({ values, options }) => [values, options.map(({ value }) => value)]),
    ).to.deep.equal([
      [['c'], ['c', 'd']],
      [undefined, []],
    ]);
    expect(entry(dictOf(result, 'field0'), 'DV')).to.equal(undefined);
    expect((await draw(result.bytes)).ink(at(0) as [number, number, number, number]), 'drawn anew').to.be.greaterThan(
      20,
    );
    expect(
      (await modified(source, { target: 'field0', multiSelect: false })).fields.get('field0')!.values,
    ).to.deep.equal(['a']);
    expect(
      (await modified(source, { target: 'field0', defaultValue: 'B, c' })).fields.get('field0')!.values,
    ).to.deep.equal(['b', 'c']);
    expect(JSON.stringify(await fault(modified(source, { target: 'field1', options: [], defaultValue: 'x' }))))
      .to.contain('/updates/0/defaultValue')
      .and.contain('has no options');
  });

  it('changes the type of a field at its first widget, with name, label and frame, and removes other widgets', async () => {
    const source = await (await tagged()).save();
    const result = await modified(source, {
      target: 'sum',
      type: 'ComboBox',
      options: ['geheim 42', 'b'],
      label: 'Total',
      required: true,
    });
    const field = result.fields.get('person.sum')!;
    expect([
      field.kind,
      field.values,
      field.alternateName,
      field.widgets.length,
      field.widgets[0]!.box,
      result.report.changed,
    ]).to.deep.equal(['combobox', ['geheim 42'], 'Total', 1, [...at(1)], 1]);
    const { context, catalog } = result.opened.document;
    expect([
      entry(field.node.dict, 'AA'),
      entry(acroFormOf(context)!, 'CO'),
      annotationsOf(result).length,
    ]).to.deep.equal([undefined, undefined, 3]);
    const kids = elements(context, entry(asDict(context, entry(catalog, 'StructTreeRoot'))!, 'K')).map((one) =>
      asDict(context, entry(asDict(context, one)!, 'K')),
    );
    expect(
      kids.map((one) => one !== undefined),
      'tags of those that are there',
    ).to.deep.equal([true, true, true]);
    expect(await danglingReferences(result.bytes)).to.deep.equal([]);
    expect((await draw(result.bytes)).ink(at(1) as [number, number, number, number])).to.be.greaterThan(20);
  });

  it('keeps values that fit the new type, and skips types that cannot be created', async () => {
    const source = await (
      await formOf([
        { rect: at(0), FT: 'Ch', Ff: 1 << 17, Opt: opt('a', 'b'), V: text('b'), MK: { BC: [0] } },
        {
          rect: [20, 220, 40, 240] as const,
          FT: 'Btn',
          AS: name('On'),
          V: name('On'),
          DA: PDFString.of('/ZaDb 0 Tf 1 0 0 rg'),
        },
        { rect: at(2), FT: 'Tx', V: text('yes') },
        { rect: at(3), FT: 'Tx', V: text('x') },
      ])
    ).save();
    const result = await modified(
      source,
      { target: 'field0', type: 'listbox' },
      { target: 'field1', type: 'signature', defaultValue: 'Hello' },
      { target: 'field2', type: 'checkbox' },
      { target: 'field3', type: 'slider', label: 'no' },
    );
    expect([...result.fields.values()].map(({ kind, values }) => [kind, values])).to.deep.equal([
      ['listbox', ['b']],
      ['text', ['Hello']],
      ['checkbox', ['Yes']],
      ['text', ['x']],
    ]);
    expect([result.report.skipped, result.report.changed, result.fields.get('field3')!.alternateName]).to.deep.equal([
      ['field3'],
      3,
      undefined,
    ]);
    expect(asText(result.opened.document.context, entry(dictOf(result, 'field1'), 'DA'))).to.equal(
      '/Helv 0 Tf 1 0 0 rg',
    );
    const { ink } = await draw(result.bytes);
    for (const area of [at(0), [20, 220, 40, 240], at(2)])
      expect(ink(area as [number, number, number, number])).to.be.greaterThan(10);
  });

  it('clears radio buttons for a blank value, and leaves documents without a form unchanged', async () => {
    const document = await formOf([
      { rect: [20, 20, 40, 40], FT: 'Btn', Ff: 1 << 15, AS: name('a'), V: name('a'), AP: { N: { a: null } } },
    ]);
    const stream = document.context.register(document.context.stream('0 0 9 9 re f', { BBox: [0, 0, 9, 9] }));
    asDict(document.context, elements(document.context, document.getPage(0).node.get(name('Annots')))[0])!.set(
      name('AP'),
      document.context.obj({ N: { a: stream } }),
    );
    const result = await modified(document, { target: 'field0', defaultValue: '' });
    expect([
      asName(result.opened.document.context, entry(dictOf(result, 'field0'), 'V')),
      asName(result.opened.document.context, entry(dictOf(result, 'field0'), 'AS')),
    ]).to.deep.equal(['Off', 'Off']);
    const plain = await formOf([]);
    plain.catalog.delete(name('AcroForm'));
    expect((await modified(plain, { target: 'x', label: 'y' })).report).to.deep.include({ changed: 0, unknown: ['x'] });
  });
});

describe('deleteFields', function () {
  this.timeout(60_000);

  it('removes a field with its widgets, tags, calculation order and entries in action lists', async () => {
    const result = await deleted(await tagged(), 'sum', 'nobody');
    expect(result.report).to.deep.equal({ deleted: ['person.sum'], unknown: ['nobody'], xfaRemoved: false });
    const { context, catalog } = result.opened.document;
    expect([[...result.fields.keys()], annotationsOf(result).length, entry(acroFormOf(context)!, 'CO')]).to.deep.equal([
      ['person.name', 'other'],
      2,
      undefined,
    ]);
    const action = asDict(context, entry(catalog, 'OpenAction'))!;
    expect(elements(context, entry(action, 'Fields')).map((one) => asText(context, one))).to.deep.equal([
      'person.name',
      'other',
    ]);
    expect(elements(context, entry(asDict(context, entry(action, 'Next'))!, 'T'))).to.deep.equal([]);
    expect(await danglingReferences(result.bytes)).to.deep.equal([]);
    const latin = Buffer.from(result.bytes).toString('latin1');
    expect(latin).not.to.contain(text('geheim 42').toString());
    expect((await draw(result.bytes)).ink(at(1) as [number, number, number, number])).to.equal(0);
  });

  it('removes tags with alternate texts of deleted fields, and elements that become empty', async () => {
    const document = await tagged();
    const { context } = document;
    const tree = asDict(context, document.catalog.get(name('StructTreeRoot')))!;
    const forms = elements(context, tree.get(name('K')));
    const section = context.register(
      context.obj({
        Type: 'StructElem',
        S: 'Sect',
        P: document.catalog.get(name('StructTreeRoot')),
        K: forms.slice(1, 3),
      } as never),
    );
    for (const form of forms) asDict(context, form)!.set(name('Alt'), text('aloud'));
    for (const form of forms.slice(1, 3)) asDict(context, form)!.set(name('P'), section);
    tree.set(name('K'), context.obj([forms[0]!, section, forms[3]!]));
    tree.set(
      name('IDTree'),
      context.obj({
        Names: [...forms.slice(0, 3), section].flatMap((one, i) => [PDFString.of(`id${i}`), one]),
      } as never),
    );
    const result = await deleted(document, 'sum');
    const after = asDict(result.opened.document.context, entry(result.opened.document.catalog, 'StructTreeRoot'))!;
    const left = elements(result.opened.document.context, entry(after, 'K')).map((one) =>
      asDict(result.opened.document.context, one)!,
    );
    expect(left.map((one) => one.get(name('S'))?.toString())).to.deep.equal(['/Form', '/Form']);
    expect(
      [...readNumberTree(result.opened.document.context, entry(after, 'ParentTree'))].map(([key]) => key),
    ).to.deep.equal([0, 3]);
    expect(
      readNameTree(result.opened.document.context, entry(after, 'IDTree')).map(([id]) => id),
      'names of tags',
    ).to.deep.equal(['id0']);
    expect(await danglingReferences(result.bytes)).to.deep.equal([]);
  });

  it('removes a group with all its fields, and the form with its last field', async () => {
    const source = await (await tagged()).save();
    const group = await deleted(source, 'person');
    expect([group.report.deleted, [...group.fields.keys()], group.fields.get('other')!.values]).to.deep.equal([
      ['person.name', 'person.sum'],
      ['other'],
      ['stays'],
    ]);
    const all = await deleted(source, 'person', 'other');
    expect([
      resolve(all.opened.document.context, entry(all.opened.document.catalog, 'AcroForm')),
      annotationsOf(all),
    ]).to.deep.equal([undefined, []]);
  });

  it('removes XFA, and signature flags with the last signature field', async () => {
    const document = await formOf(
      [
        { rect: at(0), FT: 'Tx' },
        { rect: at(1), FT: 'Sig' },
      ],
      { XFA: text('x'), SigFlags: 3 },
    );
    const { context } = document;
    const signature = context.register(context.obj({ Type: 'Sig', ByteRange: [0, 1, 2, 3] }));
    asDict(context, elements(context, document.getPage(0).node.get(name('Annots')))[1])!.set(name('V'), signature);
    document.catalog.set(name('Perms'), context.obj({ DocMDP: signature }));
    const result = await deleted(document, 'field1');
    const form = acroFormOf(result.opened.document.context)!;
    expect([
      result.report.xfaRemoved,
      form.has(name('XFA')),
      form.has(name('SigFlags')),
      result.opened.document.catalog.has(name('Perms')),
    ]).to.deep.equal([true, false, false, false]);
  });

  it('leaves a document without a form, or without the field, unchanged', async () => {
    const plain = await formOf([]);
    plain.catalog.delete(name('AcroForm'));
    expect((await deleted(plain, 'x')).report).to.deep.equal({ deleted: [], unknown: ['x'], xfaRemoved: false });
    const other = await deleted(await formOf([{ rect: at(0), FT: 'Tx' }], { XFA: text('x') }), 'x');
    expect([other.fields.size, other.report.xfaRemoved]).to.deep.equal([1, false]);
  });
});

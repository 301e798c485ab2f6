import { expect } from 'chai';
import { PDFString } from 'pdf-lib';
import { asDict, asName, asNumber, asText, elements, entry } from '../../file/objects/index.js';
import { acroFormOf } from '../../forms/fields/index.js';
import { danglingReferences } from '../support.js';
import { draw, formOf, name, text } from './forms-support.js';
import { modified, fault, at, opt, dictOf, annotationsOf, tagged } from './change-support.js';

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
    expect((await draw(result.bytes)).ink(at(0) as [number, number, number, number]), 'redrawn').to.be.greaterThan(20);
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

  it('changes the type of a field at its first widget, keeps name, label and frame, and removes the rest', async () => {
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

import { expect } from 'chai';
import { PDFString } from 'pdf-lib';
import { asDict, asText, elements, entry, readNameTree, readNumberTree, resolve } from '../../file/objects/index.js';
import { acroFormOf } from '../../forms/fields/index.js';
import { danglingReferences } from '../support.js';
import { draw, formOf, name, text } from './forms-support.js';
import { deleted, at, annotationsOf, tagged } from './change-support.js';

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

import { expect } from 'chai';
import { PDFDict, PDFString } from 'pdf-lib';
import { fillForm } from '../../forms/index.js';
import { asDict, asText, elements, entry } from '../../file/objects/index.js';
import { editBytes, openPdf } from '../../file/open/index.js';
import { acroFormOf } from '../../forms/fields/index.js';
import { draw, type FieldSpec, formOf, name, text } from './forms-support.js';
import { filled, held, refusal, rect, at } from './fill-support.js';

describe('fillForm', function () {
  this.timeout(60_000);

  it('sets texts, clears them for null, and removes the rich text of an older value', async () => {
    const { fields, bytes, document } = await filled(
      await formOf([
        { rect, FT: 'Tx', V: text('old'), RV: text('<b>old</b>') },
        { rect: at(3), FT: 'Tx', V: text('gone') },
      ]),
      { field0: 'Ünal (1) \\ 東京', field1: null },
    );
    expect(held(fields)).to.deep.equal({ field0: ['Ünal (1) \\ 東京'], field1: undefined });
    expect(entry(fields.get('field0')!.node.dict, 'RV')).to.equal(undefined);
    const { ink } = await draw(bytes);
    expect([ink([50, 200, 250, 230]) > 50, ink(at(3) as [number, number, number, number])]).to.deep.equal([true, 0]);
    expect(acroFormOf(document.context)!.has(name('NeedAppearances'))).to.equal(false);
  });

  it('finds fields by full, then by partial name, sets all fields of a name, and reports unknown names', async () => {
    const document = await formOf([
      { rect: at(0), FT: 'Tx' },
      { rect: at(1), FT: 'Tx' },
      { rect: at(2), FT: 'Tx', T: text('twin') },
      { rect: at(3), FT: 'Tx', T: text('twin') },
    ]);
    const { context } = document;
    const [first] = elements(context, document.getPage(0).node.get(name('Annots')));
    const parent = context.register(context.obj({ T: text('person'), Kids: [first!] } as never));
    asDict(context, first)!.set(name('T'), text('Straße.1'));
    asDict(context, first)!.set(name('Parent'), parent);
    const form = acroFormOf(context)!;
    form.set(name('Fields'), context.obj([parent, ...elements(context, form.get(name('Fields'))).slice(1)]));
    const bytes = await document.save();
    const { fields, report } = await filled(bytes, { 'person.Straße.1': 'a', twin: 'both', nobody: 'x' });
    expect(held(fields)).to.deep.equal({ 'person.Straße.1': ['a'], field1: undefined, twin: ['both'] });
    expect([report.unknown, report.filled]).to.deep.equal([['nobody'], 3]);
    expect(held((await filled(bytes, { 'Straße.1': 'by its own name' })).fields)['person.Straße.1']).to.deep.equal([
      'by its own name',
    ]);
  });

  it('rejects too long texts, reports all such fields at once, and counts graphemes', async () => {
    const document = await formOf([
      { rect: at(0), FT: 'Tx', MaxLen: 3 },
      { rect: at(1), FT: 'Tx', MaxLen: 5, Ff: 1 << 24 },
    ]);
    const bytes = await document.save();
    const { code, errors } = await refusal(filled(bytes, { field0: 'four', field1: 'x'.repeat(1_000_000) }));
    expect(code).to.equal('INPUT_INVALID');
    expect(errors.map(({ pointer }) => pointer)).to.deep.equal(['/data/field0', '/data/field1']);
    expect(errors[0]!.detail).to.equal('the field "field0" accepts at most 3 characters; found 4');
    expect(held((await filled(bytes, { field0: 'a\u0308e\u0301\u0301x' })).fields)['field0']).to.deep.equal([
      'a\u0308e\u0301\u0301x',
    ]);
  });

  it('draws values in scripts that few fonts have', async () => {
    const bytes = await (
      await formOf([
        { rect: at(0), FT: 'Tx' },
        { rect: at(1), FT: 'Tx', MaxLen: 8, Ff: 1 << 24 },
      ])
    ).save();
    const { bytes: result, fields } = await filled(bytes, { field0: 'தமிழ் বাংলা ខ្មែរ', field1: 'தமிழ்' });
    expect(held(fields)).to.deep.equal({ field0: ['தமிழ் বাংলা ខ្មែរ'], field1: ['தமிழ்'] });
    const { ink } = await draw(result);
    for (const place of [0, 1])
      expect(ink(at(place) as [number, number, number, number]), `field${place}`).to.be.greaterThan(100);
  });

  it('skips push buttons and signatures, and fills in read-only fields', async () => {
    const { report, fields } = await filled(
      await formOf([
        { rect: at(0), FT: 'Btn', Ff: 1 << 16 },
        { rect: at(1), FT: 'Sig' },
        { rect: at(2), FT: 'Tx', Ff: 1 },
      ]),
      { field0: 'x', field1: 'y', field2: 'z' },
    );
    expect([report.ignored, report.filled, held(fields)['field2']]).to.deep.equal([['field0', 'field1'], 1, ['z']]);
  });

  it('never writes a password in clear text', async () => {
    const { bytes, fields } = await filled(await formOf([{ rect, FT: 'Tx', Ff: 1 << 13 }]), { field0: 'geheim' });
    const { document } = await openPdf(bytes);
    const appearance = asDict(
      document.context,
      entry(asDict(document.context, entry(fields.get('field0')!.node.dict, 'AP'))!, 'N'),
    )!;
    expect(appearance).to.be.instanceOf(PDFDict);
    const { flattenForm } = await import('../../forms/index.js');
    const { withDocument } = await import('../../engines/pdfium/index.js');
    expect(
      await withDocument(await editBytes(bytes, {}, (opened) => flattenForm(opened)), {}, (pdf) => pdf.pageText(0)),
    ).to.match(/^\*{6}\s*$/);
  });

  it('creates all appearances if the form asks for it, and keeps those that scripts format', async () => {
    const script = (key: string): object => ({
      AA: { [key]: { S: 'JavaScript', JS: PDFString.of('AFSimple_Calculate("SUM", ["field0"])') } },
    });
    const document = await formOf(
      [
        { rect: at(0), FT: 'Tx' },
        { rect: at(1), FT: 'Tx', V: text('never drawn \u{12000}') },
        { rect: at(2), FT: 'Tx', V: text('7'), ...script('C') },
        { rect: at(3), FT: 'Tx', ...script('F') },
      ],
      { NeedAppearances: true },
    );
    const { report, bytes, document: result } = await filled(document, { field0: 'a', field3: '5' });
    expect([report.notCalculated, report.notFormatted]).to.deep.equal([['field2'], ['field3']]);
    const { ink } = await draw(bytes);
    for (const i of [0, 1, 2, 3])
      expect(ink(at(i) as [number, number, number, number]), `field ${i}`).to.be.greaterThan(10);
    expect(String(entry(acroFormOf(result.context)!, 'NeedAppearances'))).to.equal('false');
  });

  it('names the field with characters that no font has', async () => {
    const { code, errors } = await refusal(filled(await formOf([{ rect, FT: 'Tx' }]), { field0: 'a\u{12000}' }));
    expect([code, errors[0]!.pointer]).to.deep.equal(['INPUT_INVALID', '/data/field0']);
    expect(errors[0]!.detail).to.contain('the field "field0"').and.to.contain('U+12000');
  });

  it('adds fields that only a page lists to the form, and a style to fields without one', async () => {
    const document = await formOf([{ rect: at(0), FT: 'Tx', T: text('loose'), DA: undefined }]);
    const form = acroFormOf(document.context)!;
    form.set(name('Fields'), document.context.obj([]));
    form.delete(name('DR'));
    const {
      fields,
      document: { context },
    } = await filled(document, { loose: 'x' });
    const after = acroFormOf(context)!;
    expect([
      fields.get('loose')!.unlisted,
      fields.get('loose')!.values,
      elements(context, entry(after, 'Fields')).length,
    ]).to.deep.equal([false, ['x'], 1]);
    expect(asText(context, entry(after, 'DA'))).to.equal('/Helv 12 Tf 0 g');
    expect(
      asDict(context, entry(asDict(context, entry(asDict(context, entry(after, 'DR'))!, 'Font'))!, 'Helv')),
    ).to.be.instanceOf(PDFDict);
  });

  it('writes very long values and thousands of fields in linear time', async () => {
    const count = 2500;
    const fields: FieldSpec[] = Array.from({ length: count }, (_, i) => ({
      rect: [i % 250, 10, 30 + (i % 250), 20] as const,
      FT: 'Tx',
    }));
    const bytes = await (
      await formOf([{ rect, FT: 'Tx', Ff: 4096, T: text('long'), DA: PDFString.of('/Helv 0 Tf 0 g') }, ...fields])
    ).save();
    const long = 'ein Satz mit Wörtern. '.repeat(50_000).trim();
    const { report, fields: after } = await filled(bytes, {
      long,
      ...Object.fromEntries(fields.map((_field, i) => [`field${i + 1}`, `value ${i}`])),
    });
    expect([report.filled, after.get('long')!.values![0] === long, after.get(`field${count}`)!.values]).to.deep.equal([
      count + 1,
      true,
      [`value ${count - 1}`],
    ]);
    // Measured: about a second.
  }).timeout(60_000);

  it('rejects documents without a form or with XFA alone, and removes XFA from a changed hybrid form', async () => {
    const plain = await formOf([]);
    plain.catalog.delete(name('AcroForm'));
    expect((await refusal(filled(plain, {}))).code).to.equal('PDF_NO_FORM');
    expect((await refusal(filled(await formOf([], { XFA: text('x') }), { a: 'b' }))).code).to.equal('XFA_DYNAMIC');
    const dynamic = await (await formOf([], { XFA: text('x') })).save();
    expect((await filled(dynamic, {})).report.filled, 'nothing is filled in').to.equal(0);
    expect((await refusal(editBytes(dynamic, {}, (opened) => fillForm(opened, [], { flattens: true })))).code).to.equal(
      'XFA_DYNAMIC',
    );
    const hybrid = await (await formOf([{ rect, FT: 'Tx' }], { XFA: text('x') })).save();
    const untouched = await filled(hybrid, { nobody: 'x' });
    const changed = await filled(hybrid, { field0: 'x' });
    expect(
      [untouched, changed].map(({ document, report }) => [
        acroFormOf(document.context)!.has(name('XFA')),
        report.xfaRemoved,
      ]),
    ).to.deep.equal([
      [true, false],
      [false, true],
    ]);
  });
});

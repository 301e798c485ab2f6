import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { PDFDict, type PDFDocument, PDFHexString, PDFName, PDFString } from 'pdf-lib';
import {
  type FieldInput,
  type FieldValue,
  fillForm,
  type FillReport,
  type FormField,
  readForm,
} from '../../forms/index.js';
import { asDict, asName, asText, elements, entry, resolve } from '../../file/objects/index.js';
import { editBytes, openPdf } from '../../file/open/index.js';
import { catalogOf } from '../../file/objects/index.js';
import { acroFormOf } from '../../forms/fields/index.js';
import { SigningDesk, verdictOf } from '../signatures/signing-desk.js';
import { draw, type FieldSpec, formOf, name, text } from './forms-support.js';

const valuesOf = (values: Readonly<Record<string, FieldInput>>): FieldValue[] =>
  Object.entries(values).map(([field, value]) => ({ name: field, value, pointer: `/data/${field}` }));

/** Fills in a form and returns its bytes, its fields, and the report. */
async function filled(
  source: PDFDocument | Uint8Array,
  values: Readonly<Record<string, FieldInput>>,
): Promise<{ bytes: Uint8Array; report: FillReport; fields: Map<string, FormField>; document: PDFDocument }> {
  let report: FillReport | undefined;
  const bytes = await editBytes(source instanceof Uint8Array ? source : await source.save(), {}, async (opened) => {
    report = await fillForm(opened, valuesOf(values));
  });
  const opened = await openPdf(bytes);
  return {
    bytes,
    report: report!,
    fields: new Map(readForm(opened)!.fields.map((field) => [field.name, field])),
    document: opened.document,
  };
}
const held = (fields: ReadonlyMap<string, FormField>): Record<string, readonly string[] | undefined> =>
  Object.fromEntries([...fields].map(([key, { values }]) => [key, values]));
const refusal = (work: Promise<unknown>): Promise<{ code: string; errors: { pointer: string; detail: string }[] }> =>
  work.then(
    () => {
      throw new Error('was not refused');
    },
    (error: unknown) => error as { code: string; errors: { pointer: string; detail: string }[] },
  );
const rect = [50, 200, 250, 230] as const;
const at = (i: number): readonly [number, number, number, number] => [20, 260 - i * 40, 140, 290 - i * 40];
const options = [
  ['de', 'Germany'],
  ['fr', 'France'],
  ['it', 'Italy, Rome'],
].map((pair) => pair.map(text));
/** Creates the states of a button with different appearances. */
const states = (document: PDFDocument, ...names: readonly string[]): object => ({
  N: Object.fromEntries(
    [...names, 'Off'].map((one) => [
      one,
      document.context.register(
        document.context.stream(one === 'Off' ? '' : '0 g 0 0 20 20 re f', { BBox: [0, 0, 20, 20] }),
      ),
    ]),
  ),
});

/** Creates the buttons of one field with appearances for these states. */
async function group(kind: 'radio' | 'checkbox', names: readonly string[], more: object = {}): Promise<PDFDocument> {
  const document = await formOf(
    names.map((_name, i) => ({ rect: [20 + i * 40, 20, 40 + i * 40, 40] as const, AS: name('Off') })),
  );
  const { context } = document;
  const widgets = elements(context, document.getPage(0).node.get(name('Annots')));
  const field = context.register(
    context.obj({ FT: 'Btn', Ff: kind === 'radio' ? 1 << 15 : 0, T: text('group'), Kids: widgets, ...more } as never),
  );
  widgets.forEach((widget, i) => {
    const dict = asDict(context, widget)!;
    dict.delete(name('T'));
    dict.set(name('Parent'), field);
    dict.set(name('AP'), context.obj(states(document, names[i]!) as never));
  });
  acroFormOf(context)!.set(name('Fields'), context.obj([field]));
  return document;
}
const shown = ({ document: { context }, fields }: Awaited<ReturnType<typeof filled>>): string[] =>
  fields.get('group')!.widgets.map(({ node }) => asName(context, entry(node.dict, 'AS')) ?? '');
const valueOf = ({ document: { context }, fields }: Awaited<ReturnType<typeof filled>>): string | undefined =>
  asName(context, entry(fields.get('group')!.node.dict, 'V'));

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

  it('matches choices by value or label, ignoring case, drops unknown ones, and clears fields for empty input', async () => {
    const document = await formOf([
      { rect: at(0), FT: 'Ch', Ff: 1 << 17, Opt: options, V: text('fr') },
      { rect: at(1), FT: 'Ch', Ff: 1 << 21, Opt: options },
      { rect: at(2), FT: 'Ch', Opt: options, V: text('fr'), I: [1] },
    ]);
    const bytes = await document.save();
    const by = async (value: FieldInput): Promise<unknown[]> => {
      const { fields, report } = await filled(bytes, { field0: value, field1: value, field2: value });
      return [...Object.values(held(fields)), report.dropped.map(({ values }) => values.join('|'))];
    };
    expect(await by('GERMANY')).to.deep.equal([['de'], ['de'], ['de'], []]);
    expect(await by('italy, rome')).to.deep.equal([['it'], ['it'], ['it'], []]);
    // Input in the form in which such a field is read: choices joined by commas, one of which contains a comma.
    expect(await by('Italy, Rome,de')).to.deep.equal([['it'], ['de', 'it'], ['it'], ['de', 'de']]);
    expect(await by('de,italy, rome,Spain')).to.deep.equal([
      ['de'],
      ['de', 'it'],
      ['de'],
      ['italy, rome|Spain', 'Spain', 'italy, rome|Spain'],
    ]);
    expect(await by('fr, de')).to.deep.equal([['fr'], ['de', 'fr'], ['fr'], ['de', 'de']]);
    expect(await by(['Italy, Rome', 'de'])).to.deep.equal([['it'], ['de', 'it'], ['it'], ['de', 'de']]);
    expect(await by('Spain')).to.deep.equal([undefined, undefined, undefined, ['Spain', 'Spain', 'Spain']]);
    expect(await by(null)).to.deep.equal([undefined, undefined, undefined, []]);
    const { fields, document: result } = await filled(bytes, { field1: 'de,it' });
    expect(elements(result.context, entry(fields.get('field1')!.node.dict, 'I')).map(String)).to.deep.equal(['0', '2']);
  });

  it('counts the options of a list box by their index in /Opt, including invalid entries', async () => {
    const bytes = await (
      await formOf([{ rect: at(0), FT: 'Ch', Ff: 1 << 21, Opt: [null, text('one'), null, text('two')] }])
    ).save();
    const { fields, document } = await filled(bytes, { field0: ['two', 'one'] });
    expect(elements(document.context, entry(fields.get('field0')!.node.dict, 'I')).map(String)).to.deep.equal([
      '1',
      '3',
    ]);
    expect(held(fields)).to.deep.equal({ field0: ['one', 'two'] });
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

  it('scrolls a list box to its selected option only if necessary', async () => {
    const many = Array.from({ length: 30 }, (_, i) => text(`Option ${i + 1}`));
    const bytes = await (await formOf([{ rect: [50, 100, 150, 160], FT: 'Ch', Opt: many }])).save();
    const topOf = async (value: string): Promise<string | undefined> =>
      entry((await filled(bytes, { field0: value })).fields.get('field0')!.node.dict, 'TI')?.toString();
    expect(await Promise.all(['Option 2', 'Option 10', 'Option 30'].map(topOf))).to.deep.equal([undefined, '9', '26']);
    const { bytes: last } = await filled(bytes, { field0: 'Option 30' });
    const { at: colour } = await draw(last);
    expect([colour(148, 111), colour(148, 152)]).to.deep.equal([
      [153, 193, 218],
      [255, 255, 255],
    ]);
  });

  it('accepts any text for an editable combo box, and rejects choices if there are no options', async () => {
    const bytes = await (
      await formOf([
        { rect: at(0), FT: 'Ch', Ff: 3 << 17, Opt: options },
        { rect: at(1), FT: 'Ch' },
      ])
    ).save();
    expect(held((await filled(bytes, { field0: 'Spain, Madrid' })).fields)['field0']).to.deep.equal(['Spain, Madrid']);
    expect(held((await filled(bytes, { field0: 'FRANCE', field1: '' })).fields)).to.deep.equal({
      field0: ['fr'],
      field1: undefined,
    });
    const { errors } = await refusal(filled(bytes, { field1: 'x' }));
    expect(errors).to.deep.equal([
      { pointer: '/data/field1', detail: 'the field "field1" has no options to choose from' },
    ]);
  });

  it('checks boxes for affirmative words and their own state, and unchecks them otherwise', async () => {
    const document = await group('checkbox', ['Ja#1']);
    for (const yes of ['true', '1', 'YES', 'on', 'Checked', 'ja#1'])
      expect(shown(await filled(document, { group: yes })), yes).to.deep.equal(['Ja#1']);
    const on = await filled(document, { group: 'true' });
    expect(valueOf(on)).to.equal('Ja#1');
    expect((await draw(on.bytes)).ink([20, 20, 40, 40]), 'its own picture').to.equal(400);
    for (const no of ['false', 'Off', 'nein', '', null])
      expect(
        [valueOf(await filled(on.bytes, { group: no })), shown(await filled(on.bytes, { group: no }))],
        String(no),
      ).to.deep.equal(['Off', ['Off']]);
  });

  it('checks boxes of one field with a common state together, and others by name', async () => {
    const document = await group('checkbox', ['A', 'B', 'A']);
    expect(shown(await filled(document, { group: 'b' }))).to.deep.equal(['Off', 'B', 'Off']);
    expect(shown(await filled(document, { group: 'true' }))).to.deep.equal(['A', 'Off', 'A']);
  });

  it('draws the states of a check box that has none', async () => {
    const { fields, bytes, document } = await filled(await formOf([{ rect: [50, 50, 80, 80], FT: 'Btn' }]), {
      field0: 'yes',
    });
    expect([
      held(fields)['field0'],
      asName(document.context, entry(fields.get('field0')!.node.dict, 'AS')),
    ]).to.deep.equal([['Yes'], 'Yes']);
    expect((await draw(bytes)).ink([50, 50, 80, 80])).to.be.greaterThan(20);
  });

  it('selects a radio button by its export value, ignores empty input, and lists allowed values', async () => {
    const document = await group('radio', ['card', 'invoice']);
    const chosen = await filled(document, { group: 'invoice' });
    expect([valueOf(chosen), shown(chosen)]).to.deep.equal(['invoice', ['Off', 'invoice']]);
    for (const nothing of [null, ' '])
      expect(shown(await filled(chosen.bytes, { group: nothing }))).to.deep.equal(['Off', 'invoice']);
    expect(shown(await filled(chosen.bytes, { group: 'CARD' }))).to.deep.equal(['card', 'Off']);
    const { errors } = await refusal(filled(document, { group: 'cash' }));
    expect(errors).to.deep.equal([
      { pointer: '/data/group', detail: 'the field "group" has no choice "cash"; allowed are "card", "invoice"' },
    ]);
  });

  it('selects radio buttons with equal values together only if the field allows it, and uses /Opt', async () => {
    expect(shown(await filled(await group('radio', ['a', 'b', 'a']), { group: 'a' }))).to.deep.equal([
      'a',
      'Off',
      'Off',
    ]);
    expect(
      shown(await filled(await group('radio', ['a', 'b', 'a'], { Ff: (1 << 15) | (1 << 25) }), { group: 'a' })),
    ).to.deep.equal(['a', 'Off', 'a']);
    const Opt = ['Wien', 'Rom', 'Wien'].map(text);
    const exported = await filled(await group('radio', ['0', '1', '2'], { Opt, Ff: (1 << 15) | (1 << 25) }), {
      group: 'Wien',
    });
    expect([valueOf(exported), shown(exported), held(exported.fields)['group']]).to.deep.equal([
      '0',
      ['0', 'Off', '2'],
      ['Wien'],
    ]);
    expect(shown(await filled(await group('radio', ['0', '1', '2'], { Opt }), { group: 'Wien' }))).to.deep.equal([
      '0',
      'Off',
      'Off',
    ]);
    expect(shown(await filled(await group('radio', ['0', '1', '2'], { Opt }), { group: 'Rom' }))).to.deep.equal([
      'Off',
      '1',
      'Off',
    ]);
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

  describe('with signatures', () => {
    let desk: SigningDesk;
    before(async () => {
      desk = await SigningDesk.open();
    });
    after(() => desk.close());

    const fillFile = (path: string, values: Readonly<Record<string, FieldInput>>): Promise<string> =>
      desk.append(path, (opened) => fillForm(opened, valuesOf(values), { appends: true }));
    const source = (change: (document: PDFDocument) => void = () => undefined): Promise<string> =>
      desk.plain((document) => {
        const form = document.getForm();
        for (const [i, field] of ['Name', 'Sum'].entries())
          form.createTextField(field).addToPage(document.getPage(0), { x: 20, y: 20 + i * 40, width: 100, height: 20 });
        const box = form.createCheckBox('Agreed');
        box.addToPage(document.getPage(0), { x: 200, y: 20, width: 20, height: 20 });
        change(document);
      });
    const pdfsig = (path: string): string | undefined => {
      try {
        return execFileSync('pdfsig', ['-nocert', path], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
        throw error;
      }
    };

    it('keeps a certification that allows it, verified by Quire and by another program', async () => {
      const signed = await desk.sign(await source(), { certifies: 2 });
      const path = await fillFile(signed, { Name: 'Grüße 東京', Agreed: 'true' });
      const [review] = await desk.review(path);
      expect(verdictOf(review)).to.equal('valid, allowed');
      expect(review!.changes!.what).to.deep.equal([
        'the field "Name" was filled in',
        'the field "Agreed" was filled in',
      ]);
      expect(
        readFileSync(path).subarray(0, readFileSync(signed).length).equals(readFileSync(signed)),
        'every signed byte',
      ).to.equal(true);
      const other = pdfsig(path);
      if (other !== undefined) expect(other).to.contain('Signature is Valid').and.not.to.contain('Invalid');
      const twice = await fillFile(path, { Name: 'Grüße 東京', Sum: '5' });
      expect((await desk.review(twice)).map(verdictOf)).to.deep.equal(['valid, allowed']);
    });

    it('rejects fields that a signature locks, and fills in the others', async () => {
      const lock = { Type: 'SigFieldLock', Action: 'Include', Fields: [PDFString.of('Sum')] };
      const locked = await desk.sign(
        await source((document) => {
          const { context } = document;
          const field = context.register(
            context.obj({
              Type: 'Annot',
              Subtype: 'Widget',
              FT: 'Sig',
              T: PDFString.of('Approval'),
              F: 132,
              Rect: [0, 0, 0, 0],
              P: document.getPage(0).ref,
              Lock: lock,
            } as never),
          );
          document.getForm().acroForm.addField(field);
          document.getPage(0).node.addAnnot(field);
        }),
        { certifies: 2 },
      );
      // Signed by hand, like a program that fills the reserved field.
      const path = await desk.append(locked, ({ document: { context } }) => {
        const approval = elements(context, entry(acroFormOf(context)!, 'Fields'))
          .map((value) => asDict(context, value)!)
          .find((dict) => asText(context, entry(dict, 'T')) === 'Approval')!;
        approval.set(
          PDFName.of('V'),
          context.register(context.obj({ Type: 'Sig', ByteRange: [0, 1, 2, 3], Contents: PDFHexString.of('00') })),
        );
      });
      const { code, errors } = await refusal(fillFile(path, { Name: 'ok', Sum: '1' }));
      expect([code, errors]).to.deep.equal([
        'FIELD_LOCKED',
        [{ pointer: '/data/Sum', detail: 'the field "Sum" is locked by the signature in "Approval"' }],
      ]);
      const { document } = await openPdf(readFileSync(await fillFile(path, { Name: 'ok' })));
      expect(
        asText(
          document.context,
          entry(
            asDict(document.context, elements(document.context, entry(acroFormOf(document.context)!, 'Fields'))[0])!,
            'V',
          ),
        ),
      ).to.equal('ok');
    });

    it('refuses to remove XFA from a signed document', async () => {
      const signed = await desk.sign(
        await desk.append(await source(), ({ document }) => {
          acroFormOf(document.context)!.set(name('XFA'), text('x'));
        }),
      );
      expect((await refusal(fillFile(signed, { Name: 'x' }))).code).to.equal('PDF_SIGNED');
      const { document } = await openPdf(readFileSync(await fillFile(signed, { nobody: 'x' })));
      expect(resolve(document.context, entry(acroFormOf(document.context)!, 'XFA'))).not.to.equal(undefined);
      expect(catalogOf(document.context)).to.be.instanceOf(PDFDict);
    });
  });
});

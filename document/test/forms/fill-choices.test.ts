import { expect } from 'chai';
import { type FieldInput } from '../../forms/index.js';
import { asName, elements, entry } from '../../file/objects/index.js';
import { draw, formOf, text } from './forms-support.js';
import { filled, held, refusal, at, options, group, shown, valueOf } from './fill-support.js';

describe('fillForm for choices and buttons', function () {
  this.timeout(60_000);

  it('matches choices by value or label in any case, drops unknown ones, and clears for empty input', async () => {
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
});

import type { FieldKind, FormField } from '@quire/document/forms';
import { expect } from 'chai';
import { allLabels } from '../../src/functions/field-labels.js';

/** A field with what labels are made of. */
function field(
  name: string,
  kind: FieldKind = 'text',
  more: { readonly alternateName?: string; readonly tooltip?: string; readonly options?: readonly string[] } = {},
): FormField {
  const node = { ref: undefined, dict: undefined as never, parent: undefined, children: [] };
  const widget = {
    node,
    pageIndex: 0,
    box: undefined,
    fontSize: 0,
    tooltip: more.tooltip,
    onState: kind === 'radio' ? more.options?.[0] : undefined,
    exportValue: kind === 'radio' ? more.options?.[0] : undefined,
  };
  return {
    node,
    name,
    partialName: name,
    kind,
    flags: 0,
    values: undefined,
    options: kind === 'radio' ? [] : (more.options ?? []).map((value, place) => ({ value, shown: value, place })),
    alternateName: more.alternateName,
    widgets: [widget],
    unlisted: false,
  };
}
const labels = (...fields: readonly FormField[]): string[] => [...allLabels(fields).values()];

describe('Labels of fields', () => {
  it("are the alternate name, else the widget's, else the first choice, else the name", () => {
    expect(
      labels(
        field('a.b', 'text', { alternateName: 'Your name: ..', tooltip: 'other' }),
        field('a.b', 'text', { tooltip: ' Street ' }),
        field('a.b', 'combobox', { options: ['Berlin'] }),
        field('a.b', 'radio', { options: ['Cash'] }),
        field('form1[0].#subform[0].firstName_of-Child[0]'),
        field('ÜberSchrift'),
      ),
    ).to.deep.equal([
      'Your name',
      'Street',
      'Berlin',
      'Cash',
      'form1 0 subform 0 first Name of Child 0',
      'Über Schrift',
    ]);
  });

  it('are never words that programs give, but the type with its number among the fields of that type', () => {
    const generic = ['Field', 'text12', 'Text 3', 'checkbox', 'a1', 'ab 123', '42', 'e'.repeat(32), 'value', '...'];
    expect(labels(...generic.map((name) => field(name)))).to.deep.equal(generic.map((_, i) => `Text field ${i + 1}`));
    expect(
      labels(
        field('1', 'checkbox'),
        field('1', 'radio'),
        field('1', 'combobox'),
        field('1', 'listbox'),
        field('1', 'button'),
        field('1', 'signature'),
        field('Text1', 'text', { alternateName: 'Text1', tooltip: 'Town' }),
      ),
    ).to.deep.equal(['Checkbox 1', 'Option 1', 'Dropdown 1', 'List 1', 'Field 1', 'Field 1', 'Town']);
    expect(labels(field('Town'), field('1'), field('Street'), field('2')), 'every field counts').to.deep.equal([
      'Town',
      'Text field 2',
      'Street',
      'Text field 4',
    ]);
    expect(labels(field('abc1'), field('a1234'), field('e'.repeat(31)))).to.deep.equal([
      'abc1',
      'a1234',
      'e'.repeat(31),
    ]);
  });

  it('are made of hostile names in no time', () => {
    expect(
      labels(field('[.'.repeat(2_000_000)), field(`a${' '.repeat(4_000_000)}b`), field('.:'.repeat(1000))),
    ).to.have.length(3);
  });
});

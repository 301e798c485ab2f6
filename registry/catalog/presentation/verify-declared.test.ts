import { expect } from 'chai';
import { goodOperation, pluginCode, usePluginPackages } from '../../../test/suites/plugin-packages.js';

const NAME = 'quire-plugin-shown';

describe('The check of what an operation declares for people', () => {
  const { install, load, refused } = usePluginPackages();
  const number = "joi.number().description('n')";
  const text = "joi.string().description('t')";

  /** The faults of a plugin whose operation has these members, and fields with these presentations. */
  async function faults(members: string, fields = ''): Promise<string> {
    install(NAME, pluginCode(`operations: [${operationWith(members, fields)}]`));
    return (await refused([{ use: NAME }])).message;
  }
  function operationWith(members: string, fields = ''): string {
    const meta = '(field, shown) => field.meta({ shown })';
    return `{ ...${goodOperation}, ${members} params: (joi) => { const shown = ${meta}; return joi.object({
      angle: joi.number().valid(0, 90).default(90).description('Angle'), ${fields}
    }); } }`;
  }

  it('accepts titles, icons, groups, and fields with everything that they can have', async () => {
    const groups =
      "{ id: 'area', title: 'Area', widget: 'area', roles: { x: 'x', y: 'y', width: 'w', height: 'h' } }, " +
      "{ id: 'place', title: 'Place', widget: 'area', picture: 'logo', roles: { x: 'x', y: 'y', width: 'w' } }, " +
      "{ id: 'more', title: 'More' }";
    install(
      NAME,
      pluginCode(
        "categories: [{ id: 'misc', title: 'More tools', icon: 'wrench', order: 5 }], operations: [" +
          operationWith(
            `title: 'Turn pages', icon: 'rotate-cw', order: 5, groups: [${groups}],
             parts: [{ field: 'logo', label: 'Logo', description: 'l', kinds: ['png'], when: { angle: 90 },
                       widget: 'signature' }],`,
            `x: shown(${number}, { group: 'area', unit: 'pt' }), y: shown(${number}, { group: 'area' }),
             w: shown(${number}, { group: 'area' }), h: shown(${number}, { group: 'area' }),
             note: shown(${text}, {
               label: 'Note', help: 'A note.', widget: 'multiline', group: 'more', order: 1, advanced: true,
               when: { angle: [0, 90] }, requiredWhen: { angle: 90 }, element: 'my-note',
             }),
             pick: shown(joi.string().valid('a').description('p'), { options: { a: 'First' } }),
             old: shown(${text}, { hidden: true })`,
          ) +
          ']',
      ),
    );
    const { operations, plugins } = await load([{ use: NAME }]);
    expect(operations.get('misc/turn-round')?.operation.title).to.equal('Turn pages');
    expect(plugins[0]?.plugin.categories).to.have.length(1);
  });

  const refusals: Readonly<Record<string, readonly [members: string, fields: string, fault: string]>> = {
    'a long title': [`title: '${'A long title '.repeat(3)}',`, '', 'characters; the limit is 30'],
    'a title in lower case': [
      "title: 'turn pages',",
      '',
      'its title "turn pages" does not begin with a capital letter',
    ],
    'a title with a full stop': ["title: 'Turn pages.',", '', 'ends with a full stop'],
    'an icon that is no name': ["icon: 'Rotate Right',", '', 'it must be the name of a Lucide icon'],
    'a screen that the console does not have': [
      "screen: 'document/signing',",
      '',
      'screen is "document/signing"; it must be one of organise, document/forms',
    ],
    'an icon with markup': ["icon: 'M0 0\"><script>',", '', 'it must be the name of a Lucide icon'],
    'an order that is no number': ["order: 'first',", '', 'order is "first"; it must be a number'],
    'a group twice': [
      "groups: [{ id: 'a', title: 'A' }, { id: 'a', title: 'B' }],",
      '',
      'the group "a" is declared twice',
    ],
    'a group without a title': ["groups: [{ id: 'a' }],", '', 'the title of the group "a" is undefined'],
    'a group with an unknown widget': [
      "groups: [{ id: 'a', title: 'A', widget: 'circle' }],",
      '',
      'the group "a" has the widget "circle"; allowed are area, point',
    ],
    'an area without its height': [
      "groups: [{ id: 'a', title: 'A', widget: 'area', roles: { x: 'x', y: 'x', width: 'x' } }],",
      `x: ${number}`,
      'has the roles x, y, width; area needs x, y, width, height, or left, bottom, right, top',
    ],
    'a picture in an area with a height': [
      "groups: [{ id: 'a', title: 'A', widget: 'area', picture: 'logo', roles: { x: 'x', y: 'x', height: 'x' } }],",
      `x: ${number}`,
      'has the roles x, y, height; area needs x, y, width, or x, y, width, page',
    ],
    'a picture that is not a part': [
      "groups: [{ id: 'a', title: 'A', widget: 'area', picture: 'logo', roles: { x: 'x', y: 'x', width: 'x' } }],",
      `x: ${number}`,
      'the group "a" has the picture "logo"; an area may name a part there',
    ],
    'a signature that is not accepted as PNG': [
      "parts: [{ field: 'logo', description: 'l', kinds: ['jpeg'], widget: 'signature' }],",
      '',
      'widget of the part logo is "signature"; parts that accept png may have signature',
    ],
    'a point with a text': [
      "groups: [{ id: 'a', title: 'A', widget: 'point', roles: { x: 'x', y: 'note' } }],",
      `x: ${number}, note: ${text}`,
      'has "note" as y, which is not a field with a number',
    ],
    'an unknown member': [
      '',
      `note: shown(${text}, { colour: 'red' })`,
      'of the field note has colour, which is not known',
    ],
    'a member of another type': ['', `note: shown(${text}, { advanced: 1 })`, 'advanced of the field note is 1'],
    'a long label': ['', `note: shown(${text}, { label: 'N${'o'.repeat(40)}' })`, 'has 41 characters; the limit is 40'],
    'an empty label': ['', `note: shown(${text}, { label: ' ' })`, 'the label of the field note is " "'],
    'an unknown widget': ['', `note: shown(${text}, { widget: 'slider' })`, 'widget of the field note is "slider"'],
    'a widget for another type': [
      '',
      `note: shown(${text}, { widget: 'switch' })`,
      'widget of the field note is switch, which shows boolean, not string',
    ],
    'a unit of a text': [
      '',
      `note: shown(${text}, { unit: 'pt' })`,
      'unit of the field note is "pt"; numbers may have',
    ],
    'an unknown unit': ['', `x: shown(${number}, { unit: 'furlong' })`, 'unit of the field x is "furlong"'],
    'an unknown group': ['', `note: shown(${text}, { group: 'none' })`, 'group of the field note is "none"'],
    'a condition on an unknown field': [
      '',
      `note: shown(${text}, { when: { colour: 'red' } })`,
      'when of the field note has the field colour, which the parameters do not have',
    ],
    'a condition on a value that is not allowed': [
      '',
      `note: shown(${text}, { when: { angle: [90, 45] } })`,
      'when of the field note compares angle with 45, which it does not allow',
    ],
    'a condition on the field itself': [
      '',
      `note: shown(${text}, { requiredWhen: { note: 'a' } })`,
      'requiredWhen of the field note depends on the field itself',
    ],
    'a condition of a part on a wrong value': [
      "parts: [{ field: 'logo', description: 'l', kinds: ['png'], when: { angle: 7 } }],",
      '',
      'when of the part logo compares angle with 7',
    ],
    'a long label of a part': [
      `parts: [{ field: 'logo', label: 'L${'o'.repeat(40)}', description: 'l', kinds: ['png'] }],`,
      '',
      'the label of the part logo',
    ],
    'labels of values that do not exist': [
      '',
      "pick: shown(joi.string().valid('a').description('p'), { options: { b: 'Second' } })",
      'options of the field pick has b, which the schema does not allow',
    ],
    'an offered value that is refused': [
      '',
      "pick: joi.number().min(3).description('p').meta({ offered: { values: [1] } })",
      'the field pick offers 1, which its schema refuses',
    ],
    'a hidden field that is required': [
      '',
      "old: shown(joi.string().required().description('o'), { hidden: true })",
      'the field old is required, so it cannot be hidden',
    ],
    'an element that is no custom element': [
      '',
      `note: shown(${text}, { element: 'note' })`,
      'element of the field note',
    ],
    'needed settings that are no paths': ["needs: { settings: ['mail'] },", '', 'needs.settings has "mail"'],
  };
  for (const [what, [members, fields, fault]] of Object.entries(refusals))
    it(`refuses ${what}`, async () => {
      expect(await faults(members, fields)).to.include(fault);
    });

  it('refuses categories that are not of the plugin, without an icon or a place', async () => {
    const wrong = "[{ id: 'other', title: 'other things.', order: 'last' }]";
    install(NAME, pluginCode(`operations: [${goodOperation}], categories: ${wrong}`));
    const { message } = await refused([{ use: NAME }]);
    for (const part of [
      'category other: its id is not in quire.prefixes',
      'category other: its title "other things." does not begin with a capital letter',
      'category other: has no icon',
      'category other: order is "last"',
    ])
      expect(message).to.include(part);
  });

  it('accepts an operation of an older plugin, which declares nothing for people', async () => {
    install(NAME, pluginCode(`operations: [${goodOperation}]`));
    expect((await load([{ use: NAME }])).operations.size).to.equal(1);
  });
});

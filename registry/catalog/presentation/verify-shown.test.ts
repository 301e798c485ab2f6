import { defineOperation, shown, type AnyOperation } from '@quire/registry';
import { expect } from 'chai';
import Joi from 'joi';
import { presentationFaults } from './index.js';

type Members = Partial<Omit<AnyOperation, 'files' | 'run'>>;
type Examples = AnyOperation['examples'];

/** The faults of an operation with these fields and other members. */
function faultsOf(fields: Joi.SchemaMap, members: Members = {}): string[] {
  const operation = defineOperation<Record<string, unknown>>({
    path: 'misc/turn-round',
    since: '1.0.0',
    summary: 'Turn a document round',
    accepts: ['pdf'],
    files: 'each',
    returns: { kind: 'pdf', name: '{base}' },
    writes: 'rewrite',
    params: (joi) => joi.object(fields),
    errors: [],
    examples: [example({})],
    run: async () => [],
    ...members,
  });
  return presentationFaults(operation, Joi.object(fields));
}

function example(params: Readonly<Record<string, unknown>>, parts: Readonly<Record<string, string>> = {}) {
  return { title: 'turns', files: ['a.pdf'], parts, params, expect: { pages: [1] } };
}

const text = Joi.string().description('Text');
const mode = Joi.string().valid('a', 'b').default('a').description('Mode');

describe('The check of how people see an operation', () => {
  it('finds nothing wrong with fields whose labels, choices and conditions fit', () => {
    const fields = { mode, text: shown(text, { when: { mode: 'b' }, requiredWhen: { mode: 'b' } }) };
    const examples: Examples = [example({}), { ...example({ mode: 'b', text: 'x' }), title: 'with text' }];
    expect(faultsOf(fields, { examples })).to.deep.equal([]);
  });

  it('reports a derived title and a derived label that are too long', () => {
    const path = 'misc/turn-the-pages-of-a-document-round';
    const summary = 'Turn the pages of a document round by an angle';
    const [title, label] = faultsOf({ theAngleByWhichThePagesOfTheDocumentAreTurned: text }, { path, summary });
    expect(title).to.match(/^its title "Turn the pages of a document round" has 34 characters/);
    expect(label).to.match(/^the label "The angle by which/);
  });

  it('reports labels that two fields share, file fields included', () => {
    const parts = [{ field: 'logo', label: 'Text', description: 'l', kinds: ['png'] }] as const;
    const doubled = 'two of its fields have the label "Text".';
    expect(faultsOf({ text }, { parts })).to.deep.equal([doubled]);
    expect(faultsOf({ text, words: shown(text, { label: 'Text' }) })).to.deep.equal([doubled]);
  });

  it('reports choices without values, and values with the same label', () => {
    expect(faultsOf({ text: shown(text, { widget: 'choice' }) })[0]).to.match(/^the field text is shown as a choice/);
    expect(faultsOf({ text: shown(text, { widget: 'choice', element: 'my-choice' }) })).to.deep.equal([]);
    const same = shown(mode, { options: { a: 'Yes', b: 'Yes' } });
    expect(faultsOf({ mode: same })).to.deep.equal(['two values of the field mode have the same label.']);
  });

  it('reports a group without a field', () => {
    expect(faultsOf({ text }, { groups: [{ id: 'more', title: 'More' }] })).to.deep.equal([
      'no field is in the group more.',
    ]);
  });

  it('reports required fields that are not shown whenever they are required', () => {
    expect(faultsOf({ mode, text: shown(text.required(), { when: { mode: 'a' } }) })).to.include(
      'the field text is required, but not always shown.',
    );
    const apart = shown(text, { when: { mode: 'a' }, requiredWhen: { mode: ['a', 'b'] } });
    expect(faultsOf({ mode, text: apart })).to.deep.equal([
      'the field text is required when {"mode":["a","b"]}, but shown when {"mode":"a"}.',
    ]);
  });

  it('reports examples that send what is not shown then', () => {
    const fields = {
      mode,
      text: shown(text, { when: { mode: 'b' } }),
      old: shown(text, { label: 'Old', hidden: true }),
    };
    const parts = [{ field: 'logo', description: 'l', kinds: ['png'], requiredWhen: { mode: 'b' } }] as const;
    const faults = (examples: Examples): string[] => faultsOf(fields, { parts, examples });
    expect(faults([example({ text: 'x' })])).to.deep.equal([
      'the example "turns" sends text, which is shown only when {"mode":"b"}.',
    ]);
    expect(faults([example({ old: 'x' })])).to.deep.equal(['the example "turns" sends old, which people cannot see.']);
    expect(faults([example({}, { logo: 'a.png' })])).to.deep.equal([
      'the example "turns" sends the part logo, which is not shown then.',
    ]);
    expect(faults([{ ...example({ text: 'x' }), expect: { refused: 'INPUT_INVALID' } }])).to.deep.equal([]);
  });

  it('reports examples with values that are not among the choices', () => {
    const few = Joi.number()
      .description('Angle')
      .meta({ offered: { values: [0, 90] } });
    const examples: Examples = [example({ angle: 45 })];
    expect(faultsOf({ angle: shown(few, { widget: 'choice' }) }, { examples })).to.deep.equal([
      'the example "turns" sends angle=45, which is not among the choices.',
    ]);
  });
});

import {
  booleanField,
  choiceField,
  clamped,
  colourField,
  comparatorField,
  integerField,
  jsonField,
  languagesField,
  listField,
  mapField,
  numberField,
  offering,
  opacityField,
  pageNumbersField,
  shown,
  type ShownField,
} from '@quire/registry';
import { expect } from 'chai';
import Joi from 'joi';
import { showFields } from './index.js';

/** The fields of a form as people see them, by name. */
function fieldsOf(fields: Joi.SchemaMap, change = (form: Joi.ObjectSchema): Joi.ObjectSchema => form) {
  const list = showFields({}, change(Joi.object(fields)));
  return Object.fromEntries(list.map((field) => [field.name, field])) as Record<string, ShownField>;
}

describe('A field as people see it', () => {
  it('has a label, help, type, widget and limits from its schema', () => {
    const { fileName, copies, dashed, size, code } = fieldsOf({
      fileName: Joi.string().min(2).max(20).required().description('Name of the file').example('a.pdf'),
      copies: integerField(Joi, 'Number of copies.').min(1).max(9).default(2),
      dashed: booleanField(Joi, 'Whether lines are dashed?'),
      size: numberField(Joi, 'Size').greater(0).less(10),
      code: Joi.string()
        .pattern(/^[a-z]+$/)
        .description('Code'),
    });
    expect(fileName).to.deep.equal({
      name: 'fileName',
      label: 'File name',
      help: 'Name of the file.',
      widget: 'text',
      type: 'text',
      required: true,
      example: 'a.pdf',
      shortest: 2,
      longest: 20,
    });
    expect(copies).to.deep.equal({
      name: 'copies',
      label: 'Copies',
      help: 'Number of copies.',
      widget: 'number',
      type: 'integer',
      required: false,
      default: 2,
      minimum: 1,
      maximum: 9,
    });
    expect(dashed).to.include({ widget: 'switch', type: 'boolean', default: false, help: 'Whether lines are dashed?' });
    expect(size).to.include({ type: 'number', minimum: 0, above: true, maximum: 10, below: true });
    expect(code?.pattern).to.equal('^[a-z]+$');
  });

  it('leaves out patterns that a browser would read otherwise, defaults that are computed, and empty values', () => {
    const { code, day, word } = fieldsOf({
      code: Joi.string()
        .pattern(/^[a-z]+$/i)
        .description('Code'),
      day: Joi.string()
        .default(() => 'today')
        .description('Day'),
      word: Joi.string().valid('', 'A', null).description('Word'),
    });
    expect(code).not.to.include.keys('pattern');
    expect(day).not.to.include.keys('default');
    expect(word?.values).to.deep.equal([{ value: 'A', label: 'A' }]);
  });

  it('has the values that its schema allows, with labels', () => {
    const { direction, level } = fieldsOf({
      direction: shown(Joi.string().valid('LTR', 'RIGHT_TO_LEFT').description('d'), {
        options: { LTR: 'Left to right' },
      }),
      level: Joi.number().valid(1, 2).description('l'),
    });
    expect(direction).to.include({ widget: 'choice', type: 'text' });
    expect(direction?.values).to.deep.equal([
      { value: 'LTR', label: 'Left to right' },
      { value: 'RIGHT_TO_LEFT', label: 'Right to left' },
    ]);
    expect(level?.values?.map(({ value }) => value)).to.deep.equal([1, 2]);
  });

  it('gets the widget of a shared field', () => {
    const shared = fieldsOf({
      pages: pageNumbersField(Joi),
      colour: colourField(Joi, 'Colour', { fallback: '#000000' }),
      opacity: opacityField(Joi, 0.5),
      languages: languagesField(Joi, 'Languages', true),
      comparator: comparatorField(Joi),
      fit: choiceField(Joi, ['whole', 'half'], { description: 'Fit' }),
      level: clamped(integerField(Joi, 'Level'), 1, 9),
      names: listField(Joi, Joi.string(), 'Names'),
      entries: mapField(Joi, 'Entries'),
      edits: jsonField(Joi, Joi.array(), { what: 'a list', longest: 100 }).description('Edits'),
      ownerPassword: Joi.string().description('Password'),
    });
    const widgets = Object.fromEntries(Object.entries(shared).map(([name, { widget }]) => [name, widget]));
    expect(widgets).to.deep.equal({
      pages: 'pages',
      colour: 'colour',
      opacity: 'opacity',
      languages: 'language',
      comparator: 'choice',
      fit: 'choice',
      level: 'number',
      names: 'list',
      entries: 'map',
      edits: 'json',
      ownerPassword: 'secret',
    });
    expect(shared['fit']?.values?.map(({ label }) => label)).to.deep.equal(['Whole', 'Half']);
    expect(shared['level']).to.include({ minimum: 1, maximum: 9 });
    expect(shared['opacity']).to.include({ minimum: 0, maximum: 1 });
  });

  it('has what it declares, the last declaration first', () => {
    const { pages, angle } = fieldsOf({
      pages: shown(pageNumbersField(Joi), { label: 'Pages to delete', help: '', order: 1 }),
      angle: shown(offering(integerField(Joi, 'Angle'), { values: [90, 180] }), {
        widget: 'choice',
        unit: '°',
        group: 'turn',
        advanced: true,
        element: 'my-dial',
        when: { pages: 'all' },
      }),
    });
    expect(pages).to.include({ label: 'Pages to delete', widget: 'pages' }).and.not.to.include.keys('help');
    expect(angle).to.deep.include({
      widget: 'choice',
      unit: '°',
      group: 'turn',
      advanced: true,
      element: 'my-dial',
      when: { pages: 'all' },
      values: [
        { value: 90, label: '90' },
        { value: 180, label: '180' },
      ],
    });
  });

  it('is sorted by its order, and left out when it is hidden', () => {
    const names = showFields(
      {},
      Joi.object({
        last: shown(Joi.string().description('l'), { order: 2 }),
        one: Joi.string().description('o'),
        ignored: shown(Joi.string().description('i'), { hidden: true }),
        two: Joi.string().description('t'),
        first: shown(Joi.string().description('f'), { order: -1 }),
      }),
    ).map(({ name }) => name);
    expect(names).to.deep.equal(['first', 'one', 'two', 'last']);
  });

  it('is secret when the operation names it as a password', () => {
    const [field] = showFields(
      { passwords: { input: 'opener' } },
      Joi.object({ opener: Joi.string().description('o') }),
    );
    expect(field?.widget).to.equal('secret');
  });
});

describe('A condition of a schema', () => {
  const mode = Joi.string().valid('a', 'b', 'c').default('a').description('Mode');
  const text = Joi.string().description('Text');

  it('of the whole form says when a field is required', () => {
    const { text: shownText } = fieldsOf({ mode, text }, (form) =>
      form.when(Joi.object({ mode: Joi.valid('a', 'b').required() }).unknown(), {
        then: Joi.object({ text: Joi.required() }),
      }),
    );
    expect(shownText).to.deep.include({ required: false, requiredWhen: { mode: ['a', 'b'] } });
  });

  it('is turned round for what is required otherwise, also with the limits of that branch', () => {
    const auto = Joi.boolean().default(false).description('Auto');
    const { width } = fieldsOf({ auto, width: Joi.number().max(9).description('Width') }, (form) =>
      form.when(Joi.object({ auto: Joi.valid(true).required() }).unknown(), {
        otherwise: Joi.object({ width: Joi.number().greater(0).required() }),
      }),
    );
    expect(width).to.deep.include({ requiredWhen: { auto: false }, minimum: 0, above: true, maximum: 9 });
    const { text: other } = fieldsOf({ mode, text }, (form) =>
      form.when(Joi.object({ mode: Joi.valid('a').required() }).unknown(), {
        otherwise: Joi.object({ text: Joi.required() }),
      }),
    );
    expect(other?.requiredWhen).to.deep.equal({ mode: ['b', 'c'] });
  });

  it('of a field says when it is required, and when it is shown', () => {
    const { text: shownText } = fieldsOf({
      mode,
      text: text.when('mode', { is: 'b', then: Joi.required(), otherwise: Joi.forbidden() }),
    });
    expect(shownText).to.deep.include({ requiredWhen: { mode: 'b' }, when: { mode: 'b' } });
  });

  it('that is more than equal values is left out', () => {
    const { text: shownText } = fieldsOf({
      count: Joi.number().description('Count'),
      text: text.when('count', { is: Joi.number().min(3), then: Joi.required() }),
    });
    expect(shownText).not.to.include.keys('requiredWhen', 'when');
  });
});

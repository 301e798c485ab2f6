import { expect } from 'chai';
import { inputSchema, shortened } from './input-schema.js';

const field = { label: 'Angle', widget: 'number', required: false } as const;
const part = { label: 'PDF', kinds: ['pdf'], extensions: ['.pdf'], many: false } as const;

describe('The arguments of a tool', () => {
  it('have the limits, the defaults and the unit of each field', () => {
    const { properties, required } = inputSchema({
      parts: [{ ...part, field: 'fileInput', required: true }],
      fields: [
        { ...field, name: 'angle', type: 'integer', unit: '°', minimum: 0, above: true, maximum: 90, default: 45 },
        { ...field, name: 'mode', type: 'text', required: true, values: [{ value: 'a', label: 'A' }], longest: 5 },
      ],
    });
    expect(properties).to.deep.equal({
      fileInput: { type: ['string', 'array'], items: { type: 'string' }, description: 'fileId of the document (.pdf)' },
      angle: { type: 'integer', exclusiveMinimum: 0, maximum: 90, description: 'Angle. Unit: °', default: 45 },
      mode: { type: 'string', enum: ['a'], description: 'Angle' },
    });
    expect(required).to.deep.equal(['fileInput', 'mode']);
  });

  it('say when they are required where a schema cannot', () => {
    const { properties } = inputSchema({
      parts: [{ ...part, field: 'image', required: false, help: 'The image', requiredWhen: { kind: ['png', 'jpg'] } }],
      fields: [{ ...field, name: 'text', type: 'text', help: 'The text.', requiredWhen: { kind: 'text', on: true } }],
    });
    expect(properties).to.deep.equal({
      image: { type: 'string', description: 'fileId: The image (.pdf). Required when kind is png or jpg' },
      text: { type: 'string', description: 'The text. Required when kind is text and on is true' },
    });
  });

  it('are described by whole sentences as far as they fit', () => {
    expect(shortened('One `code`. Two words. Three', 22)).to.equal('One code. Two words.');
    expect(shortened('a long sentence without an end', 12)).to.equal('a long …');
  });
});

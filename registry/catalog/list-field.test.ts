import { expect } from 'chai';
import Joi from 'joi';
import { listField } from '@quire/registry';

const read = (counts: unknown): unknown => {
  const { value, error } = Joi.object({ counts: listField(Joi as never, Joi.number().integer(), 'numbers') }).validate({
    counts,
  });
  return error === undefined ? (value as { counts?: unknown }).counts : 'refused';
};

describe('a list in a form', () => {
  it('is a repeated field or one value with commas', () => {
    for (const sent of ['1,2,3', ' 1, 2 ,3', ['1', '2', '3'], ['1,2', '3'], [1, 2, 3]])
      expect(read(sent), JSON.stringify(sent)).to.deep.equal([1, 2, 3]);
    expect(read('7')).to.deep.equal([7]);
    expect(read(7)).to.deep.equal([7]);
  });

  it('counts as absent when it is empty', () => {
    expect(read('')).to.equal(undefined);
    expect(read(undefined)).to.equal(undefined);
  });

  it('is refused for invalid items', () => {
    for (const sent of ['1,x', '1,,2', ['1', 'x'], { a: 1 }])
      expect(read(sent), JSON.stringify(sent)).to.equal('refused');
  });
});

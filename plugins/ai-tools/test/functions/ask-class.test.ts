import { expect } from 'chai';
import { askClass } from '../../src/functions/classify/ask-class.js';

describe('the kind of a document', () => {
  it('is not asked for if the limits leave no space for its text', async () => {
    let asked = 0;
    const ask = async () => {
      asked++;
      return { id: 'other', confidence: 1 };
    };
    const pages = [{ page: 1, text: 'Invoice 17'.repeat(50) }];
    const failure: unknown = await askClass(pages, { pages: 5, characters: 500 }, ask).catch((error: unknown) => error);
    expect(failure).to.have.property('code', 'INPUT_TEXT_TOO_LONG');
    expect(asked).to.equal(0);
    expect(await askClass(pages, { pages: 5, characters: 5000 }, ask)).to.include({ id: 'other' });
  });
});

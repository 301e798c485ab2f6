import { expect } from 'chai';
import { documentPage } from '../../src/functions/create/document-page.js';

describe('the HTML of a structured document', () => {
  it('is refused where few letters ask for very many cells', () => {
    const columns = Array.from({ length: 40 }, () => 'a');
    const rows = Array.from({ length: 10_000 }, () => []);
    expect(documentPage({ sections: [{ columns, rows }] })).to.contain('<table');
    expect(() =>
      documentPage({
        sections: [
          { columns, rows },
          { columns, rows },
        ],
      }),
    )
      .to.throw()
      .with.property('code', 'INPUT_TOO_COMPLEX');
  });

  it('handles a cell of blanks, which is not an amount, quickly', () => {
    const html = documentPage({
      sections: [{ rows: [[`1${' '.repeat(1_000_000)}x`], [' 12.50 EUR '], ['3.00'], ['4.00']] }],
    });
    expect(html).to.contain('class="number');
  });
});

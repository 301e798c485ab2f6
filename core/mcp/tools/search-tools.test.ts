import { expect } from 'chai';
import { searchTools } from './search-tools.js';

const tool = (name: string, summary: string, keywords: readonly string[] = []) => ({
  name,
  title: summary,
  summary,
  keywords,
  path: `general/${name}`,
});
const tools = [
  tool('rotate_pdf', 'Rotate all pages', ['turn', 'landscape']),
  tool('split_pages', 'Split into pages'),
  tool('remove_pages', 'Remove pages', ['delete']),
  tool('compress_pdf', 'Reduce the size', ['shrink']),
];
const found = (query: string, limit = 10) => searchTools(tools, query, limit).map(({ name }) => name);

describe('The search for tools', () => {
  it('prefers words that fit few tools', () => {
    expect(found('turn the pages')[0]).to.equal('rotate_pdf');
    expect(found('delete some pages')[0]).to.equal('remove_pages');
    expect(found('pages', 2)).to.have.length(2);
  });

  it('finds other forms of a word, and nothing where no word fits', () => {
    expect(found('rotation')).to.deep.equal(['rotate_pdf']);
    expect(found('compressing')).to.deep.equal(['compress_pdf']);
    expect(found('weather')).to.deep.equal([]);
    expect(found('')).to.deep.equal([]);
  });
});

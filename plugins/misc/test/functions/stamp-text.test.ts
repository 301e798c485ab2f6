import { expect } from 'chai';
import { type StampFacts, differsByPage, stampLines, withoutExtension } from '../../src/functions/stamp-text.js';

let calls = 0;
const facts: StampFacts = {
  now: new Date('2026-03-06T12:05:09Z'),
  zone: 'UTC',
  fileName: 'a.b.pdf',
  pageCount: 12,
  author: 'Ada @title',
  title: 'Report\\nII',
  subject: '',
  uuid: () => `0000000${calls++}`,
};
const lines = (template: string, page = 3): string[] =>
  stampLines(template, facts, page).map((pieces) => pieces.map(({ text }) => text).join(''));

describe('stamp text', () => {
  it('has dates and times in every form', () => {
    expect(lines('@date{dd.MM.yy}|@datetime|@date|@time|@year|@month|@day')).to.deep.equal([
      '06.03.26|2026-03-06 12:05:09|2026-03-06|12:05:09|2026|03|06',
    ]);
  });

  it('reports an invalid date pattern in its place', () => {
    expect(lines('@date{nope} @date{} @date{yyyy')).to.deep.equal([
      '[invalid format] [invalid format] 2026-03-06{yyyy',
    ]);
  });

  it('has page numbers, counts and names', () => {
    expect(lines('@page_number @page of @page_count=@total_pages')).to.deep.equal(['3 3 of 12=12']);
    expect(lines('@filename_full @filename')).to.deep.equal(['a.b.pdf a.b']);
    expect(lines('[@author] [@subject]')).to.deep.equal(['[Ada @title] []']);
  });

  it('turns two @ into a literal @, whatever follows', () => {
    expect(lines('me@@page.org @@@page @@date')).to.deep.equal(['me@page.org @3 @date']);
  });

  it('does not break lines inside inserted values', () => {
    expect(lines('One\\n@title\r\nThree\nFour')).to.deep.equal(['One', 'Report\\nII', 'Three', 'Four']);
  });

  it('has a new id each time', () => {
    const [first] = lines('@uuid');
    const [second] = lines('@uuid');
    expect(first)
      .to.match(/^\w{8}$/)
      .and.not.equal(second);
  });

  it('is recognised as equal on every page, or not', () => {
    for (const same of ['Draft', '@date @total_pages', '@page_count', '@@page', '@@uuid'])
      expect(differsByPage(same), same).to.equal(false);
    for (const other of ['@page', '@page_number', '@uuid', '@@@page'])
      expect(differsByPage(other), other).to.equal(true);
  });

  it('cuts names at the last dot, unless it is the first or last character', () => {
    expect(['a.b.pdf', '.pdf', 'a.', 'noext'].map(withoutExtension)).to.deep.equal(['a.b', '.pdf', 'a.', 'noext']);
  });
});

import { expect } from 'chai';
import type { PlacedBookmark } from '../../src/functions/bookmarks.js';
import { partNames, planChapters } from '../../src/functions/chapters.js';

const mark = (title: string, page: number | undefined, ...children: PlacedBookmark[]): PlacedBookmark => ({
  title,
  page: page === undefined ? undefined : page - 1,
  children,
});
/** Parts as `title first-last`, pages from 1. */
const plan = (bookmarks: readonly PlacedBookmark[], pages = 10, level = 0, duplicates = false): string[] =>
  planChapters(bookmarks, pages, level, duplicates).map(
    ({ title, first, last }) => `${title} ${first + 1}-${last + 1}`,
  );

describe('planning chapters', () => {
  it('runs each from its bookmark to the page before the next, the last to the end', () => {
    expect(plan([mark('a', 1), mark('b', 4), mark('c', 8)])).to.deep.equal(['a 1-3', 'b 4-7', 'c 8-10']);
  });

  it('leaves pages before the first bookmark out', () => {
    expect(plan([mark('a', 3)])).to.deep.equal(['a 3-10']);
  });

  it('looks for the next bookmark on the same page or a later one if they are not in order', () => {
    expect(plan([mark('a', 5), mark('b', 3), mark('c', 8)])).to.deep.equal(['a 5-7', 'b 3-7', 'c 8-10']);
    expect(plan([mark('a', 8), mark('b', 3)])).to.deep.equal(['a 8-10', 'b 3-10']);
  });

  it('includes the requested levels, depth first', () => {
    const tree = [mark('a', 1, mark('a.1', 2, mark('a.1.1', 3)), mark('a.2', 5)), mark('b', 7)];
    expect(plan(tree)).to.deep.equal(['a 1-6', 'b 7-10']);
    expect(plan(tree, 10, 1)).to.deep.equal(['a 1-1', 'a.1 2-4', 'a.2 5-6', 'b 7-10']);
    expect(plan(tree, 10, 2)).to.deep.equal(['a 1-1', 'a.1 2-2', 'a.1.1 3-4', 'a.2 5-6', 'b 7-10']);
    expect(plan(tree, 10, 99)).to.have.length(5);
  });

  it('skips bookmarks without a page, with all their children', () => {
    expect(plan([mark('x', undefined, mark('x.1', 2)), mark('b', 7)], 10, 5)).to.deep.equal(['b 7-10']);
    expect(plan([mark('x', undefined)])).to.deep.equal([]);
  });

  it('merges bookmarks on one page into the next one that is kept, titles included', () => {
    expect(plan([mark('a', 2), mark('b', 2), mark('c', 2), mark('d', 5)])).to.deep.equal(['a b c 2-4', 'd 5-10']);
    expect(plan([mark('a', 2, mark('a.1', 2)), mark('d', 5)], 10, 1)).to.deep.equal(['a a.1 2-4', 'd 5-10']);
  });

  it('keeps them as parts of that page when duplicates are allowed', () => {
    expect(plan([mark('a', 2), mark('b', 2), mark('d', 5)], 10, 0, true)).to.deep.equal(['a 2-2', 'b 2-4', 'd 5-10']);
  });

  it('cuts joined titles beyond 255 characters to 253 and an ellipsis', () => {
    const [joined] = planChapters([mark('x'.repeat(200), 1), mark('y'.repeat(200), 1)], 1, 0, false);
    expect(joined?.title).to.equal(`${'x'.repeat(200)} ${'y'.repeat(52)}...`);
    const [whole] = planChapters([mark('x'.repeat(200), 1), mark('y'.repeat(54), 1)], 1, 0, false);
    expect(whole?.title).to.have.length(255);
    const [pair] = planChapters([mark('x'.repeat(251), 1), mark('😀'.repeat(9), 1)], 1, 0, false);
    expect(pair?.title).to.equal(`${'x'.repeat(251)} ...`);
  });

  it('takes linear time for many bookmarks', () => {
    const many = Array.from({ length: 400_000 }, (_unused, i) => mark('t', 1 + ((i * 7919) % 5000)));
    expect(planChapters(many, 5000, 0, true)).to.have.length(400_000);
  });

  it('numbers the parts from 0 with enough digits, and removes slashes from titles', () => {
    const chapters = (titles: readonly string[]) => titles.map((title) => ({ title, first: 0, last: 0 }));
    expect(partNames(chapters(['Chapter 1', 'in/out\\ward']))).to.deep.equal(['0 Chapter 1', '1 inoutward']);
    expect(partNames(chapters(Array.from({ length: 10 }, () => 'x')))[3]).to.equal('03 x');
    expect(partNames(chapters(Array.from({ length: 9 }, () => 'x')))[3]).to.equal('3 x');
  });
});

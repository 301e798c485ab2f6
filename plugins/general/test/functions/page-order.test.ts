import { isQuireError } from '@quire/registry';
import { expect } from 'chai';
import { type OrderMode, pageOrder } from '../../src/functions/pages/page-order.js';

/** Page numbers from 1 in the order of the preset, or the code of the error. */
function order(mode: OrderMode, pages: number, pageNumbers = 'all', maxPages = 50_000): number[] | string {
  try {
    return pageOrder({ mode, pageNumbers, select: () => [2, 0], maxPages }, pages).map((index) => index + 1);
  } catch (error) {
    if (isQuireError(error)) return error.code;
    throw error;
  }
}

describe('the order of pages', () => {
  it('follows the list of a custom order', () => {
    expect(order('CUSTOM', 5)).to.deep.equal([3, 1]);
  });

  it('can be reversed', () => {
    expect(order('REVERSE_ORDER', 3)).to.deep.equal([3, 2, 1]);
  });

  it('pairs first and last for duplex, the middle page of an odd count last', () => {
    expect(order('DUPLEX_SORT', 6)).to.deep.equal([1, 6, 2, 5, 3, 4]);
    expect(order('DUPLEX_SORT', 5)).to.deep.equal([1, 5, 2, 4, 3]);
    expect(order('DUPLEX_SORT', 1)).to.deep.equal([1]);
  });

  it('pairs first and last for a booklet, without the middle page of an odd count', () => {
    expect(order('BOOKLET_SORT', 4)).to.deep.equal([1, 4, 2, 3]);
    expect(order('BOOKLET_SORT', 5)).to.deep.equal([1, 5, 2, 4]);
    expect(order('BOOKLET_SORT', 1)).to.equal('PAGES_NONE_LEFT');
  });

  it('orders each four as 4, 1, 2, 3 for a side-stitched booklet and fills up with the last page', () => {
    expect(order('SIDE_STITCH_BOOKLET_SORT', 8)).to.deep.equal([4, 1, 2, 3, 8, 5, 6, 7]);
    expect(order('SIDE_STITCH_BOOKLET_SORT', 5)).to.deep.equal([4, 1, 2, 3, 5, 5, 5, 5]);
  });

  it('puts odd pages before even ones', () => {
    expect(order('ODD_EVEN_SPLIT', 5)).to.deep.equal([1, 3, 5, 2, 4]);
  });

  it('removes the first page, the last, or both, and refuses to remove all', () => {
    expect([order('REMOVE_FIRST', 3), order('REMOVE_LAST', 3), order('REMOVE_FIRST_AND_LAST', 3)]).to.deep.equal([
      [2, 3],
      [1, 2],
      [2],
    ]);
    for (const [mode, pages] of [
      ['REMOVE_FIRST', 1],
      ['REMOVE_LAST', 1],
      ['REMOVE_FIRST_AND_LAST', 1],
      ['REMOVE_FIRST_AND_LAST', 2],
    ] as const) {
      expect(order(mode, pages), `${mode} of ${pages}`).to.equal('PAGES_NONE_LEFT');
    }
  });

  it('repeats every page as often as the field says, and twice by default', () => {
    expect(order('DUPLICATE', 2, '3')).to.deep.equal([1, 1, 1, 2, 2, 2]);
    for (const field of ['all', '0', '-4', '2.5', 'x', '1,3', ' +2 '])
      expect(order('DUPLICATE', 2, field), field).to.deep.equal([1, 1, 2, 2]);
  });

  it('refuses more than a hundred copies, three times the pages, or the page limit', () => {
    expect(order('DUPLICATE', 2, '100')).to.have.length(200);
    expect(order('DUPLICATE', 2, '101')).to.equal('INPUT_INVALID');
    expect(order('DUPLICATE', 50, '150')).to.have.length(7500);
    expect(order('DUPLICATE', 50, '151')).to.equal('INPUT_INVALID');
    expect(order('DUPLICATE', 50, '9'.repeat(400))).to.equal('INPUT_INVALID');
    expect(order('DUPLICATE', 10_000, '30000')).to.equal('INPUT_INVALID');
    expect(order('DUPLICATE', 10, '11', 100)).to.equal('INPUT_INVALID');
  });
});

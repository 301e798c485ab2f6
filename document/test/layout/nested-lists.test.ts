import { expect } from 'chai';
import type { Block, List, Paragraph } from '../../layout/index.js';
import { nestedLists } from '../../layout/page/nested-lists.js';

/** A list whose items' text begins at `left`, 15 points apart from `top`. */
function list(left: number, top: number, texts: readonly string[], more: Partial<List> = {}): List {
  const box = (i: number) => ({ left, top: top + 15 * i, right: left + 100, bottom: top + 15 * i + 12 });
  return {
    kind: 'list',
    page: 1,
    box: { ...box(0), bottom: box(texts.length - 1).bottom },
    ordered: false,
    style: 'bullet',
    start: 1,
    direction: 'ltr',
    items: texts.map((text, i) => ({
      marker: '\u2022',
      blocks: [{ kind: 'paragraph', box: box(i), runs: [{ text }] } as unknown as Paragraph],
    })),
    ...more,
  };
}

const shape = (block: Block): unknown =>
  block.kind === 'list'
    ? block.items.map(({ blocks }) => blocks.map(shape))
    : (block as Paragraph).runs.map(({ text }) => text).join('');

describe('Lists that are tagged one after another', () => {
  it('are nested where one is further in, and the outer one goes on behind it', () => {
    const blocks = [
      list(100, 100, ['apple', 'pear']),
      list(118, 130, ['early']),
      list(136, 145, ['small', 'large']),
      list(118, 175, ['late']),
      list(100, 190, ['plum']),
    ];
    expect(nestedLists(blocks).map(shape)).to.deep.equal([
      [['apple'], ['pear', [['early', [['small'], ['large']]], ['late']]], ['plum']],
    ]);
  });

  it('stay apart at the same place, with other numbers, and far below one another', () => {
    for (const blocks of [
      [list(100, 100, ['a']), list(100, 115, ['b'])],
      [list(100, 100, ['a']), list(118, 200, ['b'])],
      [list(118, 100, ['a']), list(100, 115, ['b'])],
    ])
      expect(nestedLists(blocks)).to.deep.equal(blocks);
    const ordered = { ordered: true, style: 'decimal' } as const;
    const [outer, inner, other] = [
      list(100, 100, ['one'], ordered),
      list(118, 115, ['in']),
      list(100, 130, ['one again'], ordered),
    ];
    expect(nestedLists([outer, inner, other]).map(shape)).to.deep.equal([[['one', [['in']]]], [['one again']]]);
  });
});

import { expect } from 'chai';
import { planOverlay } from '../../src/functions/pages/overlay-plan.js';

const plan = (
  mode: 'SequentialOverlay' | 'InterleavedOverlay' | 'FixedRepeatOverlay',
  pageCounts: number[],
  basePages: number,
  counts: number[] = [],
): string[] => {
  const planned = planOverlay(mode, pageCounts, counts);
  return Array.from({ length: basePages }, (_unused, i) => planned(i)).map((one) =>
    one === undefined ? '-' : `${one.file + 1}:${one.page + 1}`,
  );
};

describe('the plan of an overlay', () => {
  it('uses all pages of the first file, then of the next, and starts over', () => {
    expect(plan('SequentialOverlay', [2, 1], 7)).to.deep.equal(['1:1', '1:2', '2:1', '1:1', '1:2', '2:1', '1:1']);
    expect(plan('SequentialOverlay', [3], 2)).to.deep.equal(['1:1', '1:2']);
  });

  it('uses the first pages of the files in turn', () => {
    expect(plan('InterleavedOverlay', [2, 5, 1], 5)).to.deep.equal(['1:1', '2:1', '3:1', '1:1', '2:1']);
  });

  it('repeats each file as often as requested times its pages, and leaves the rest without', () => {
    expect(plan('FixedRepeatOverlay', [2, 1], 9, [2, 3])).to.deep.equal([
      '1:1',
      '1:1',
      '1:1',
      '1:1',
      '2:1',
      '2:1',
      '2:1',
      '-',
      '-',
    ]);
    expect(plan('FixedRepeatOverlay', [1, 1], 3, [0, 2])).to.deep.equal(['2:1', '2:1', '-']);
  });
});

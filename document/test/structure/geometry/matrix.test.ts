import { expect } from 'chai';
import { PDFDocument, PDFName, PDFNumber } from 'pdf-lib';
import {
  applyToBox,
  applyToPoint,
  fitting,
  invert,
  type Matrix,
  multiply,
  overlap,
  scaleOf,
  scaling,
  translation,
  turnOf,
  turns,
  uprightPage,
} from '../../../structure/geometry/index.js';
import { decimal, matrixOperands, precise } from '../../../content/drawing/index.js';
import { walkPages } from '../../../structure/pages/index.js';

const close = (actual: readonly number[], wanted: readonly number[]): void =>
  actual.forEach((value, i) => expect(value).to.be.closeTo(wanted[i] ?? NaN, 1e-9));

describe('matrices', () => {
  it('multiplies and inverts', () => {
    const both = multiply(scaling(2), translation(10, 0));
    close(applyToPoint(both, [1, 1]), [12, 2]);
    const turned: Matrix = multiply([0, 1, -1, 0, 5, 6], both);
    close(applyToPoint(multiply(turned, invert(turned) ?? turned), [3, 4]), [3, 4]);
    expect(invert([1, 2, 2, 4, 0, 0])).to.equal(undefined);
  });

  it('transforms boxes to upright boxes and fits one box into the middle of another', () => {
    close(applyToBox([0, -1, 1, 0, 0, 0], [0, 0, 10, 20]), [0, -10, 20, 0]);
    close(applyToBox(fitting([10, 10, 20, 30], [0, 0, 100, 100]), [10, 10, 20, 30]), [25, 0, 75, 100]);
    expect(fitting([5, 5, 5, 5], [0, 0, 100, 50]).every(Number.isFinite)).to.equal(true);
    expect(overlap([0, 0, 1, 1], [1, 0, 2, 1])).to.equal(undefined);
    expect(overlap([0, 0, 2, 2], [1, 1, 3, 3])).to.deep.equal([1, 1, 2, 2]);
  });

  it('detects rotations and returns the scale', () => {
    expect([scaling(3), translation(1, 2)].map(turns)).to.deep.equal([false, false]);
    expect(
      [
        [0, 1, -1, 0, 0, 0],
        [-1, 0, 0, -1, 0, 0],
        [1, 0, 0, -1, 0, 0],
      ].map((matrix) => turns(matrix as unknown as Matrix)),
    ).to.deep.equal([true, true, true]);
    expect(scaleOf([0, 2, -2, 0, 9, 9])).to.equal(2);
    close(turnOf([0, 2, -2, 0, 9, 9]), [0, 1, -1, 0, 0, 0]);
  });

  it('writes numbers without exponents', () => {
    expect([decimal(1e-9), decimal(1.23456), precise(0.00000123), decimal(1e30), decimal(-0)]).to.deep.equal([
      '0',
      '1.235',
      '0.000001',
      '1000000000000000',
      '0',
    ]);
    expect(matrixOperands([0.5, 0, 0, 0.5, 1 / 3, 2])).to.equal('0.5 0 0 0.5 0.333 2');
  });
});

describe('uprightPage', () => {
  it('moves the visible area of a page to the origin, rotated and in points', async () => {
    for (const [rotate, unit, size, upperLeft] of [
      [0, 1, [100, 50], [10, 70]],
      [90, 1, [50, 100], [10, 20]],
      [180, 2, [200, 100], [110, 20]],
      [-90, 3, [150, 300], [110, 70]],
    ] as const) {
      const document = await PDFDocument.create();
      const page = document.addPage([200, 200]);
      page.node.set(PDFName.of('CropBox'), document.context.obj([10, 20, 110, 70]));
      page.node.set(PDFName.of('Rotate'), PDFNumber.of(rotate));
      page.node.set(PDFName.of('UserUnit'), PDFNumber.of(unit));
      const [entry] = walkPages(document.context);
      const seen = uprightPage(document.context, entry!);
      expect([seen.width, seen.height], `${rotate}`).to.deep.equal(size);
      close(applyToPoint(seen.matrix, upperLeft), [0, seen.height]);
      close(applyToBox(seen.matrix, [10, 20, 110, 70]), [0, 0, seen.width, seen.height]);
    }
  });
});

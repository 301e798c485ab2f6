import { expect } from 'chai';
import { PDFDocument, type PDFObject } from 'pdf-lib';
import { type Matrix, movedMeasure, movedViewports } from '../../../structure/geometry/index.js';

const text = (value: PDFObject | undefined): string => String(value).replaceAll(/\s+/g, ' ');

describe('movedMeasure and movedViewports', () => {
  it('measure the same lengths on a smaller drawing', async () => {
    const { context } = await PDFDocument.create();
    const measure = context.obj({
      Subtype: 'RL',
      O: [10, 20],
      X: [{ C: 0.5, U: 'mi' }, { C: 5280 }],
      D: [{ C: 1 }],
    } as never);
    expect(text(movedMeasure(context, measure, [0.5, 0, 0, 0.5, 100, 0]))).to.equal(
      '<< /Subtype /RL /O [ 105 10 ] /X [ << /C 1 /U /mi >> << /C 5280 >> ] /D [ << /C 1 >> ] >>',
    );
    expect(text(measure)).to.contain('/C 0.5');
  });

  it('swap the axes if the page is rotated upright', async () => {
    const { context } = await PDFDocument.create();
    const turned: Matrix = [0, -1, 1, 0, 0, 100];
    expect(text(movedMeasure(context, context.obj({ X: [{ C: 2 }], Y: [{ C: 3 }] } as never), turned))).to.equal(
      '<< /X [ << /C 3 >> ] /Y [ << /C 2 >> ] >>',
    );
    expect(text(movedMeasure(context, context.obj({ X: [{ C: 2 }] } as never), turned))).to.equal(
      '<< /X [ << /C 2 >> ] >>',
    );
  });

  it('move viewports with the page and rotate their maps', async () => {
    const { context } = await PDFDocument.create();
    const viewports = context.obj([
      { BBox: [0, 0, 100, 50], Measure: { Subtype: 'GEO', LPTS: [0, 0, 1, 0.5] } },
      { Name: 'none' },
    ] as never);
    expect(movedViewports(context, viewports, [0, -1, 1, 0, 0, 100]).map(text)).to.deep.equal([
      '<< /BBox [ 0 0 50 100 ] /Measure << /Subtype /GEO /LPTS [ 0 1 0.5 0 ] >> >>',
    ]);
    expect(movedViewports(context, viewports, [2, 0, 0, 2, 5, 5]).map(text)).to.deep.equal([
      '<< /BBox [ 5 5 205 105 ] /Measure << /Subtype /GEO /LPTS [ 0 0 1 0.5 ] >> >>',
    ]);
  });
});

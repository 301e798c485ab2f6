import { expect } from 'chai';
import {
  after,
  boundsAfter,
  cornerAt,
  gridPlace,
  isWithin,
  marginFactor,
  movedInto,
  pageFrame,
  parseColour,
  turned,
} from '@quire/document/content/drawing';
import { walkPages } from '@quire/document/structure/pages';
import { PDFDocument, PDFName, PDFNumber, degrees } from 'pdf-lib';

/** Zero is zero, whatever side it was reached from. */
const withoutSign = (value: number): number => value + 0;
const area = { left: 10, bottom: 20, width: 100, height: 200 };

describe('The places of a page', () => {
  it('are numbered from the top left; codes outside are cut', () => {
    expect([1, 5, 9, 0, 12].map(gridPlace)).to.deep.equal([
      { column: 'left', row: 'top' },
      { column: 'centre', row: 'middle' },
      { column: 'right', row: 'bottom' },
      { column: 'left', row: 'top' },
      { column: 'right', row: 'bottom' },
    ]);
  });

  it('put a block at margins or in the middle of an area that is not at the origin', () => {
    const at = (position: number) => cornerAt(gridPlace(position), area, { width: 20, height: 10 }, { x: 5, y: 7 });
    expect([at(1), at(5), at(9)]).to.deep.equal([
      { x: 15, y: 203 },
      { x: 50, y: 115 },
      { x: 85, y: 27 },
    ]);
  });

  it('know margins by name in any case, medium for another', () => {
    expect(['small', ' Medium', 'LARGE', 'x-large', 'tiny'].map(marginFactor)).to.deep.equal([
      0.02, 0.035, 0.05, 0.075, 0.035,
    ]);
  });

  it('move what sticks out back in, as little as needed', () => {
    expect(movedInto({ left: 0, bottom: 215, width: 20, height: 10 }, area)).to.deep.equal({ dx: 10, dy: -5 });
    expect(movedInto({ left: 30, bottom: 30, width: 20, height: 10 }, area)).to.deep.equal({ dx: 0, dy: 0 });
    expect(movedInto({ left: 30, bottom: 30, width: 200, height: 10 }, area)).to.deep.equal({ dx: -20, dy: 0 });
  });
});

describe('The frame of a page', () => {
  it('has its origin at the lower left as shown, whatever the rotation, box and unit', async () => {
    const document = await PDFDocument.create();
    for (const angle of [0, 90, 180, 270, -90]) {
      const page = document.addPage([300, 200]);
      page.setMediaBox(-50, 40, 300, 200);
      page.setCropBox(-40, 60, 100, 100);
      page.setRotation(degrees(angle));
    }
    document.getPage(4).node.set(PDFName.of('UserUnit'), PDFNumber.of(2));
    const frames = walkPages(document.context).map((page) => pageFrame(document.context, page));
    expect(
      frames.map(({ media }) => [media.left, media.bottom, media.width, media.height].map(withoutSign)),
    ).to.deep.equal([
      [0, 0, 300, 200],
      [0, 0, 200, 300],
      [0, 0, 300, 200],
      [0, 0, 200, 300],
      [0, 0, 400, 600],
    ]);
    expect(
      frames.map(({ shown }) => [shown.left, shown.bottom, shown.width, shown.height].map(withoutSign)),
    ).to.deep.equal([
      [10, 20, 100, 100],
      [20, 190, 100, 100],
      [190, 80, 100, 100],
      [80, 10, 100, 100],
      [160, 20, 200, 200],
    ]);
    expect(frames.map(({ matrix }) => matrix.slice(4))).to.deep.equal([
      [-50, 40],
      [250, 40],
      [250, 240],
      [-50, 240],
      [-50, 240],
    ]);
  });

  it('turns and moves areas by matrices', () => {
    const bounds = boundsAfter(
      { left: 0, bottom: 0, width: 20, height: 10 },
      after(turned(90, 5, 6), [2, 0, 0, 2, 1, 1]),
    );
    expect(Object.values(bounds).map(Math.round)).to.deep.equal([-9, 13, 20, 40]);
    expect([
      isWithin(area, area),
      isWithin({ ...area, width: 101 }, area),
      isWithin({ ...area, left: 9 }, area),
    ]).to.deep.equal([true, false, false]);
  });
});

describe('parseColour', () => {
  it('reads a sign, 0x and decimal', () => {
    const red = { red: 1, green: 0, blue: 0 };
    for (const text of ['#ff0000', 'FF0000', ' #f00 ', '0xff0000', '0XFF0000', '16711680'])
      expect(parseColour(text), text).to.deep.equal(red);
    expect(parseColour('0')).to.deep.equal({ red: 0, green: 0, blue: 0 });
  });

  it('reads nothing else', () => {
    for (const text of ['', 'red', '16777216', '0x1000000', '-1', '#ff00', '1.5'])
      expect(parseColour(text), text).to.equal(undefined);
  });
});

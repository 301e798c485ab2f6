import { expect } from 'chai';
import { inkBox } from '../../src/functions/pages/ink-box.js';

/** A white image with these pixels in a colour. */
function picture(
  width: number,
  height: number,
  dots: readonly (readonly [number, number])[],
  colour: readonly [number, number, number] = [0, 0, 0],
): Uint8Array {
  const pixels = new Uint8Array(width * height * 4).fill(255);
  for (const [x, y] of dots) pixels.set(colour, (y * width + x) * 4);
  return pixels;
}

describe('the box around the content of an image', () => {
  it('reaches from the first to the last inked pixel', () => {
    expect(
      inkBox(
        picture(10, 8, [
          [2, 3],
          [7, 5],
          [4, 1],
        ]),
        10,
        8,
      ),
    ).to.deep.equal({ left: 2, top: 1, right: 8, bottom: 6 });
    expect(
      inkBox(
        picture(10, 8, [
          [0, 0],
          [9, 7],
        ]),
        10,
        8,
      ),
    ).to.deep.equal({ left: 0, top: 0, right: 10, bottom: 8 });
    expect(inkBox(picture(10, 8, [[9, 0]]), 10, 8)).to.deep.equal({ left: 9, top: 0, right: 10, bottom: 1 });
  });

  it('does not exist for a white image, nearly white counting as white', () => {
    expect(inkBox(picture(5, 5, []), 5, 5)).to.equal(undefined);
    expect(inkBox(picture(5, 5, [[2, 2]], [250, 250, 250]), 5, 5)).to.equal(undefined);
    for (const colour of [
      [249, 255, 255],
      [255, 249, 255],
      [255, 255, 249],
    ] as const)
      expect(inkBox(picture(5, 5, [[2, 2]], colour), 5, 5)).to.deep.equal({ left: 2, top: 2, right: 3, bottom: 3 });
  });
});

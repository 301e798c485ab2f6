import { expect } from 'chai';
import { sheetIn } from '../../console/src/screens/scan/phone/quad.js';

const WIDTH = 320;
const HEIGHT = 240;

/** A grey picture, by the brightness at each pixel. */
function picture(level: (x: number, y: number) => number): Uint8Array {
  return Uint8Array.from({ length: WIDTH * HEIGHT }, (_, i) => level(i % WIDTH, Math.floor(i / WIDTH)));
}

/** Whether a point is on a sheet whose edges lean. */
function onSheet(x: number, y: number): boolean {
  const corners = [
    [60, 40],
    [250, 50],
    [270, 210],
    [40, 200],
  ] as const;
  return corners.every(([ax, ay], i) => {
    const [bx, by] = corners[(i + 1) % 4]!;
    return (bx - ax) * (y - ay) - (by - ay) * (x - ax) >= 0;
  });
}

describe('The search for a sheet in a picture', () => {
  it('finds the corners of a page that lies askew, with lines of text on it', () => {
    const quad = sheetIn(
      picture((x, y) => (!onSheet(x, y) ? 70 : x > 90 && x < 220 && y > 70 && y < 180 && y % 8 < 2 ? 30 : 235)),
      WIDTH,
    );
    const wanted = [
      [60, 40],
      [250, 50],
      [270, 210],
      [40, 200],
    ] as const;
    expect(quad).to.have.length(4);
    quad!.forEach(({ x, y }, i) => {
      expect(Math.hypot(x * WIDTH - wanted[i]![0], y * HEIGHT - wanted[i]![1]), `corner ${i}`).to.be.lessThan(5);
    });
  });

  it('finds none in an even picture, in one without contrast, and in a page that fills it', () => {
    expect(
      sheetIn(
        picture(() => 200),
        WIDTH,
      ),
    ).to.equal(undefined);
    expect(
      sheetIn(
        picture((x, y) => (onSheet(x, y) ? 130 : 110)),
        WIDTH,
      ),
    ).to.equal(undefined);
    expect(
      sheetIn(
        picture((x) => (x < 2 ? 60 : 230)),
        WIDTH,
      ),
    ).to.equal(undefined);
  });

  it('finds none in bright patches that are too small or have another shape', () => {
    expect(
      sheetIn(
        picture((x, y) => (Math.hypot(x - 100, y - 100) < 30 ? 240 : 60)),
        WIDTH,
      ),
    ).to.equal(undefined);
    const ring = (x: number, y: number): boolean => Math.abs(Math.hypot(x - 160, y - 120) - 90) < 20;
    expect(
      sheetIn(
        picture((x, y) => (ring(x, y) ? 240 : 60)),
        WIDTH,
      ),
    ).to.equal(undefined);
  });
});

import { expect } from 'chai';
import { rehearseDrawing } from './rehearsal.js';

describe('The rehearsal of a waiting worker', () => {
  it('draws a word above a line', async () => {
    const pixels = await rehearseDrawing();
    const darkIn = (from: number, to: number): number => {
      let dark = 0;
      for (let at = from * 60 * 4; at < to * 60 * 4; at += 4) if ((pixels[at] ?? 255) < 200) dark++;
      return dark;
    };
    expect(pixels).to.have.length(60 * 80 * 4);
    expect(darkIn(28, 42), 'the word').to.be.greaterThan(20);
    expect(darkIn(43, 46), 'the line').to.be.greaterThan(20);
    expect(darkIn(0, 20)).to.equal(0);
  });
});

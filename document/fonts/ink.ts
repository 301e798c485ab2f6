import type { ShapedLine } from './shape.js';

/** What a line's outlines cover, in thousandths of the font size from the line's origin. */
export interface Ink {
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
  readonly top: number;
}

/**
 * Measures the outlines themselves: accents and stacked marks reach above a font's ascent, and some letters out of
 * their advance.
 */
export function inkOf(line: ShapedLine): Ink {
  let [left, bottom, right, top] = [0, 0, line.width, 0];
  let pen = 0;
  for (const glyph of line.glyphs) {
    for (const { face, id, x, y } of glyph.parts) {
      const box = face.font.getGlyph(id).bbox;
      // A blank's box is inside out.
      if (!(box.maxX > box.minX)) continue;
      const [originX, originY] = [pen + glyph.xOffset + x, glyph.yOffset + y];
      left = Math.min(left, originX + box.minX * face.scale);
      right = Math.max(right, originX + box.maxX * face.scale);
      bottom = Math.min(bottom, originY + box.minY * face.scale);
      top = Math.max(top, originY + box.maxY * face.scale);
    }
    pen += glyph.advance;
  }
  return { left, bottom, right, top };
}

import type { ShapedLine } from './shape.js';

/** The bounding box of a line's outlines, in thousandths of the font size from the line's origin. */
export interface Ink {
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
  readonly top: number;
}

/**
 * Measures the outlines themselves: accents and stacked marks exceed a font's ascent, and some letters exceed their
 * advance.
 */
export function inkOf(line: ShapedLine): Ink {
  let [left, bottom, right, top] = [0, 0, line.width, 0];
  let pen = 0;
  for (const glyph of line.glyphs) {
    for (const { face, id, x, y } of glyph.parts) {
      const box = face.font.getGlyph(id).bbox;
      // A blank's bounding box is inverted.
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

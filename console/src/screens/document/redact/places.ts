import { displaySize, rectToFrame, type PageArea, type PageBox, type PageRect } from '../../../viewer/engine/index.ts';
import { tenth } from '../../../viewer/picker/rectangle.ts';

/** Points; letters next to a selection must not be touched. */
const INSET = 0.4;

/** The area, rounded, of a rectangle in points from the upper left of the page as displayed. */
export function areaOf(box: PageBox, rect: PageRect): PageArea {
  const { left, bottom, right, top } = rectToFrame(box, 'page', rect);
  return { left: tenth(left), bottom: tenth(bottom), right: tenth(right), top: tenth(top) };
}

/** A quarter of the page's width and a tenth of its height, in its middle. */
export function middleOf(box: PageBox): PageArea {
  const { width, height } = displaySize(box);
  return areaOf(box, { x: width * 0.375, y: height * 0.45, width: width / 4, height: height / 10 });
}

/** The areas of selected text, one for each line. */
export function areasOfSelection(
  selection: Selection | null,
  sheet: HTMLElement | null,
  box: PageBox,
  scale: number,
): PageArea[] {
  if (selection === null || sheet === null || selection.rangeCount === 0) return [];
  const edge = sheet.getBoundingClientRect();
  const rects: PageRect[] = [];
  for (const { left, top, width, height } of selection.getRangeAt(0).getClientRects()) {
    if (width < 1 || height < 1) continue;
    const rect = {
      x: (left - edge.left) / scale,
      y: (top - edge.top) / scale,
      width: width / scale,
      height: height / scale,
    };
    const last = rects.at(-1);
    if (last !== undefined && isSameLine(last, rect)) rects[rects.length - 1] = joined(last, rect);
    else rects.push(rect);
  }
  return rects.map(({ x, y, width, height }) => {
    const inset = Math.min(INSET, width / 4);
    return areaOf(box, { x: x + inset, y, width: width - 2 * inset, height });
  });
}

function isSameLine(a: PageRect, b: PageRect): boolean {
  const near = Math.max(a.height, b.height);
  const middle = Math.abs(a.y + a.height / 2 - b.y - b.height / 2);
  return middle < near / 3 && b.x - (a.x + a.width) < near && a.x - (b.x + b.width) < near;
}

function joined(a: PageRect, b: PageRect): PageRect {
  const [x, y] = [Math.min(a.x, b.x), Math.min(a.y, b.y)];
  return {
    x,
    y,
    width: Math.max(a.x + a.width, b.x + b.width) - x,
    height: Math.max(a.y + a.height, b.y + b.height) - y,
  };
}

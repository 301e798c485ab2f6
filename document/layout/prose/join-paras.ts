import type { DocumentStyle } from '../whole/document-style.js';
import { lineText } from './line.js';
import { ENDS, type Para } from './paragraphs.js';

/**
 * True where a paragraph at the end of a column or page goes on with the one at the beginning of the next: it ends in
 * the middle of a sentence at the end of a line.
 */
export function goesOn(before: Para, after: Para, { fonts }: DocumentStyle): boolean {
  const last = before.lines.at(-1)!;
  if (
    before.keepsLines ||
    after.keepsLines ||
    before.direction !== after.direction ||
    before.monospace ||
    after.monospace ||
    after.marker !== undefined
  )
    return false;
  if (
    Math.abs(before.size - after.size) > 0.06 * before.size ||
    before.bold !== after.bold ||
    before.size > 1.13 * fonts.bodySize
  )
    return false;
  // Only what is not directly below it: that was parted for a reason.
  if (overlap(before, after) > 0.5 && after.box.top > last.box.bottom - 1) return false;
  const divided = last.words.at(-1)?.divided === true;
  if (!divided && ENDS.test(lineText(last))) return false;
  const room = before.direction === 'ltr' ? before.right - last.box.right : last.box.left - before.left;
  if (!divided && room > 0.25 * (before.right - before.left)) return false;
  const first = lineText(after.lines[0]!);
  if (divided || /^[\p{Ll}\p{N}(,;]/u.test(first)) return true;
  // A capital may start a name; an indented line starts a new paragraph.
  return after.indent.first < 0.5 * after.size && before.lines.length > 1 && room < 1.5 * before.size;
}

function overlap(a: Para, b: Para): number {
  return (
    (Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left)) /
    Math.max(1, Math.min(a.box.right - a.box.left, b.box.right - b.box.left))
  );
}

/** Both as one; the place stays that of the first. */
export function joinedPara(before: Para, after: Para): Para {
  const count = before.lines.length;
  return {
    ...before,
    lines: [...before.lines, ...after.lines],
    joins: [
      ...(before.joins ?? []),
      { line: count, box: after.box },
      ...(after.joins ?? []).map(({ line, box }) => ({ line: line + count, box })),
    ],
    leading: before.leading || after.leading,
    align: before.lines.length > 1 ? before.align : after.align,
    indent: before.lines.length > 1 ? before.indent : after.indent,
  };
}

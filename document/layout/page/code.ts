import type { Line } from '../prose/line.js';

/** Characters of indentation that are kept. */
const MOST_INDENT = 200;

/**
 * Lines of one letter's width as text: indentation and gaps by where words stand, blank lines where the leading says
 * so.
 */
export function codeText(lines: readonly Line[]): string {
  const left = Math.min(...lines.map(({ box }) => box.left));
  const advance = advanceOf(lines);
  const leading = Math.min(
    ...lines
      .slice(1)
      .map((line, i) => line.baseline - lines[i]!.baseline)
      .filter((one) => one > 1),
  );
  let text = '';
  for (const [i, line] of lines.entries()) {
    if (i > 0)
      text += '\n'.repeat(
        Math.min(4, Math.max(1, Math.round((line.baseline - lines[i - 1]!.baseline) / leading) || 1)),
      );
    let row = '';
    for (const word of line.words) {
      const column = Math.min(row.length + MOST_INDENT, Math.round((word.box.left - left) / advance));
      if (column > row.length) row = row.padEnd(column);
      else if (row !== '' && word.spaced) row += ' ';
      row += word.divided ? `${word.text}-` : word.text;
    }
    text += row;
  }
  return text;
}

function advanceOf(lines: readonly Line[]): number {
  let [width, letters] = [0, 0];
  for (const { words } of lines) {
    for (const { box, text } of words) {
      width += box.right - box.left;
      letters += text.length;
    }
  }
  return letters === 0 || width <= 0 ? 6 : width / letters;
}

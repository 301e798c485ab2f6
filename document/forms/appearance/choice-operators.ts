import { decimal } from '../../content/drawing/index.js';
import type { DefaultAppearance } from './default-appearance.js';
import type { FieldFont } from './field-fonts.js';
import { leadingOf, placed, textAreaOf } from './text-operators.js';
import type { WidgetLook } from './widget-look.js';

export interface ListBox {
  readonly options: readonly string[];
  readonly selected: ReadonlySet<number>;
  /** Index of the first visible option (ISO 32000-1, table 231, TI). */
  readonly top: number;
}

const AUTO_SIZE = 12;
/** Background of selected options: the light blue that viewers use. */
const SELECTED = '0.6 0.75686 0.8549 rg';

/** Returns the index of the first option to show so that a selected one is visible: the current one where possible. */
export function topOption(
  look: WidgetLook,
  { options, selected, top }: ListBox,
  style: DefaultAppearance,
  font: FieldFont,
): number {
  const rows = Math.max(
    1,
    Math.floor(((look.height - look.inset * 2) * 1000) / (leadingOf(font) * (style.size || AUTO_SIZE))),
  );
  if (selected.size === 0 || [...selected].some((index) => index >= top && index < top + rows)) return top;
  return Math.max(0, Math.min(Math.min(...selected), options.length - rows));
}

/**
 * Returns the operators that draw the options of a list box, as many as fit, selected ones on blue. The font is /F of
 * the resources.
 */
export async function listOperators(
  look: WidgetLook,
  { options, selected, top }: ListBox,
  style: DefaultAppearance,
  font: FieldFont,
): Promise<string> {
  const area = textAreaOf(look);
  if (area.width <= 0 || area.height <= 0) return '';
  const size = style.size || AUTO_SIZE;
  const row = (leadingOf(font) * size) / 1000;
  const { inset } = look;
  const bars: string[] = [];
  const texts: string[] = [];
  for (let i = top, y = look.height - inset - row; i < options.length && y + row > inset; i++, y -= row) {
    const line = await font.line(options[i] ?? '');
    if (selected.has(i))
      bars.push(`${SELECTED} ${[inset, y, look.width - inset * 2, row].map(decimal).join(' ')} re f`);
    if (line.width > 0)
      texts.push(
        placed(
          line,
          area.left,
          y + (row - ((font.ascent - font.descent) * size) / 1000) / 2 - (font.descent * size) / 1000,
          size,
        ),
      );
  }
  const clip = [inset, inset, look.width - inset * 2, look.height - inset * 2].map(decimal).join(' ');
  return [`q ${clip} re W n`, ...bars, `BT\n${style.colour}\n/F ${decimal(size)} Tf`, ...texts, 'ET Q'].join('\n');
}

import { fontOperator, type Insertion, numberText, type PaintedText } from '../../index.js';
import { alphabetOfText, drawableText, shapeLine, type TextFont } from '../../../fonts/index.js';

/** Width of a blank in a font without one, as part of the font size. */
const BLANK = 0.3;
/** Scripts whose letters change with their neighbours, or stack: their codes alone do not make text. */
const shaped =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Tamil}\p{Script=Thai}\p{M}]/u;

/** Text in the run's own font, as it is set there; undefined when the font cannot show it. */
export function inOwnFont(text: string, run: PaintedText): Insertion | undefined {
  const {
    font,
    state: {
      text: { size, scale },
    },
  } = run;
  if (shaped.test(text) || (font.vertical && text.includes(' ') && font.encode(text) === undefined)) return undefined;
  const whole = font.encode(text);
  // Fonts of typesetting programs have no blank: a gap is one.
  const words = whole === undefined ? text.split(' ').map((word) => font.encode(word)) : [whole];
  const codes: (Uint8Array | number)[] = [];
  let width = 0;
  for (const [i, word] of words.entries()) {
    if (word === undefined) return undefined;
    if (i > 0) {
      codes.push(BLANK * size * font.em * scale);
      width += BLANK * size * font.em * scale;
    }
    codes.push(word);
    width += widthOfCodes(word, run);
  }
  return { codes, width };
}

/** How far codes move the pen of a run, in text space. */
export function widthOfCodes(
  codes: Uint8Array,
  {
    font,
    state: {
      text: { size, scale, charSpacing, wordSpacing },
    },
  }: PaintedText,
): number {
  let width = 0;
  for (const glyph of font.decode(codes)) {
    const step = (font.vertical ? (glyph.height ?? -1000) : glyph.width) / 1000;
    width += (step * size + charSpacing + (glyph.blank ? wordSpacing : 0)) * (font.vertical ? 1 : scale);
  }
  return width;
}

/**
 * Text in a font of ours, at the run's size; the text state is as it was afterwards, but for the pen. Errors:
 * INPUT_INVALID naming `field` for characters that no font has; `anyway` draws question marks for them.
 */
export async function inOurFont(
  text: string,
  run: PaintedText,
  font: TextFont,
  field: string,
  anyway = false,
): Promise<Insertion> {
  const { size, scale, charSpacing, rise } = run.state.text;
  const own = size * run.font.em;
  const alphabet = alphabetOfText(text);
  const line = await shapeLine(anyway ? await drawableText(text, alphabet, font.own) : text, alphabet, field, font.own);
  const name = run.frame.resourceName('Font', font.ref, 'Quire');
  const shown = font.show(line, own);
  // The rise of our glyphs is relative to the line; afterwards the run's rise applies again.
  const operators = [
    `/${name} ${numberText(own)} Tf`,
    shown,
    ...(shown.includes(' Ts') && rise !== 0 ? [`${numberText(rise)} Ts`] : []),
    fontOperator(run),
  ];
  return {
    operators: operators.join('\n'),
    width: ((line.width / 1000) * own + line.glyphs.length * charSpacing) * scale,
  };
}

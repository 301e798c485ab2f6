import { PDFDict, PDFHexString } from 'pdf-lib';
import { asText, entry, setEntry } from '../file/objects/index.js';
import { ContentName, type Operand } from './operands.js';
import type { MarkedContent } from './state.js';
import { comparable, type TextUnit } from './text-unit.js';
import { operatorText } from './writer.js';

/** The innermost marked content that says what it reads as (ISO 32000-1, 14.9.4), with that text. */
export function actualTextOf(
  marked: MarkedContent | undefined,
): { readonly marked: MarkedContent; readonly text: string } | undefined {
  for (let one = marked; one !== undefined; one = one.above) {
    const { properties } = one;
    const text =
      properties instanceof PDFDict
        ? asText(properties.context, entry(properties, 'ActualText'))
        : decoded(properties?.get('ActualText'));
    if (text !== undefined) return { marked: one, text };
  }
  return undefined;
}

/** Sets the replacement text of marked content. */
export function writeActualText({ properties, operator, frame, tag }: MarkedContent, text: string): void {
  const value = PDFHexString.fromText(text);
  if (properties instanceof PDFDict) setEntry(properties, 'ActualText', value);
  else if (properties !== undefined)
    frame.replace(
      operator,
      operatorText(
        'BDC',
        new ContentName(tag),
        new Map<string, Operand>([...properties, ['ActualText', value.asBytes()]]),
      ),
    );
}

/** Applies replacement text: where glyphs do not spell the text themselves, the first of them gets all of it. */
export function withActualText(units: readonly TextUnit[]): TextUnit[] {
  const read: TextUnit[] = [];
  for (let at = 0; at < units.length;) {
    const actual = units[at]?.actual;
    let end = at + 1;
    if (actual === undefined) {
      read.push(units[at]!);
      at = end;
      continue;
    }
    for (let i = end; i < units.length && (units[i]!.actual === actual || units[i]!.run === undefined); i++)
      if (units[i]!.actual === actual) end = i + 1;
    const stretch = units.slice(at, end);
    const text = comparable(actualTextOf(actual)?.text ?? '');
    const spelt = stretch.map((unit) => unit.text).join('');
    if (spelt.replaceAll(/\s/g, '') === text.replaceAll(' ', '')) for (const unit of stretch) read.push(unit);
    else
      stretch
        .filter((unit) => unit.run !== undefined)
        .map((unit, i) => (i === 0 ? { ...unit, text } : { ...unit, text: '', carried: true }))
        .forEach((unit) => read.push(unit));
    at = end;
  }
  return read;
}

/** A text string (ISO 32000-1, 7.9.2.2) written in content. */
function decoded(value: Operand | undefined): string | undefined {
  return value instanceof Uint8Array ? PDFHexString.of(Buffer.from(value).toString('hex')).decodeText() : undefined;
}

import type { PDFContext, PDFDict, PDFRef } from 'pdf-lib';
import type { ShapedLine, TextFont } from '../../fonts/index.js';
import type { Colour } from './colour.js';
import type { Area } from './frame.js';
import { decimal } from './numbers.js';
import { deflate } from '../../file/zlib/index.js';

/** The operator that sets the colour of text and fills. */
export function fillColour({ red, green, blue }: Colour): string {
  return `${decimal(red)} ${decimal(green)} ${decimal(blue)} rg`;
}

/**
 * Operators that write lines below each other, each at x = 0, the first one's baseline at y = 0. The font's name in
 * resources is /F.
 */
export function linesOfText(font: TextFont, lines: readonly ShapedLine[], size: number, lineHeight: number): string {
  const shown = lines.map((line, i) => `1 0 0 1 0 ${decimal(-i * lineHeight)} Tm\n${font.show(line, size)}`);
  return `BT\n/F ${decimal(size)} Tf\n${shown.join('\n')}\nET`;
}

export interface FormParts {
  readonly content: string;
  /** Its bounding box, in its own coordinates; the rest is clipped. */
  readonly area: Area;
  readonly resources: Readonly<Record<string, Readonly<Record<string, PDFRef>>>> | PDFDict;
  /** 0 to 1: it is painted as one piece, so that what overlaps within it does not show through twice. Default 1. */
  readonly opacity?: number;
}

/** Writes a form XObject (ISO 32000-1, 8.10). */
export function formOf(context: PDFContext, { content, area, resources, opacity = 1 }: FormParts): PDFRef {
  const shape = {
    Type: 'XObject',
    Subtype: 'Form',
    BBox: [area.left, area.bottom, area.left + area.width, area.bottom + area.height].map(rounded),
  };
  if (opacity >= 1) return packed(context, content, { ...shape, Resources: resources as PDFDict });
  // ISO 32000-1, 11.6.6: a group is composited as a whole before the opacity outside applies.
  const group = packed(context, content, {
    ...shape,
    Resources: resources as PDFDict,
    Group: { Type: 'Group', S: 'Transparency' },
  });
  const state = context.register(context.obj({ Type: 'ExtGState', ca: opacity, CA: opacity }));
  return context.register(
    context.stream('/G gs /T Do', { ...shape, Resources: { ExtGState: { G: state }, XObject: { T: group } } }),
  );
}

/** Shorter streams do not get smaller by compression. */
const PACKED_FROM = 150;

/** By zlib itself: a page number on each of ten thousand pages is as many streams. */
function packed(context: PDFContext, content: string, dict: Readonly<Record<string, unknown>>): PDFRef {
  const entries = dict as Parameters<PDFContext['stream']>[1];
  if (content.length < PACKED_FROM) return context.register(context.stream(content, entries));
  return context.register(
    context.stream(deflate(Buffer.from(content, 'latin1')), { ...entries, Filter: 'FlateDecode' }),
  );
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}

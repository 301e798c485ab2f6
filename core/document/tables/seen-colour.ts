import { PDFArray, type PDFContext } from 'pdf-lib';
import type { ContentColour, Painting } from '../content/index.js';
import { asDict, asName, entry, resolve } from '../objects/index.js';

/** What stands for a colour whose numbers say nothing by themselves (patterns, palettes). */
const SOME = '#808080';
/** A colour all of whose parts are at least this is white to the eye. */
const FAINT = 250;

/** A colour as #rrggbb, as near as its numbers say without profiles. */
export function seenColour(context: PDFContext, { frame }: Pick<Painting, 'frame'>, { space, values, pattern }: ContentColour): string {
  if (pattern !== undefined) return SOME;
  const [a = 0, b = 0, c = 0, d = 0] = values;
  const kind = space.startsWith('Device') ? space : kindOf(context, frame.resources, space);
  if (values.length === 0) return kind === 'Separation' || kind === undefined ? SOME : '#000000';
  if (values.length === 4 && kind !== 'DeviceN') return hex((1 - a) * (1 - d), (1 - b) * (1 - d), (1 - c) * (1 - d));
  switch (kind) {
    case 'Separation': case 'DeviceN': {
      const ink = 1 - Math.max(...values);
      return hex(ink, ink, ink);
    }
    case 'ICCBased': case 'CalRGB': case 'CalGray': case 'DeviceRGB': case 'DeviceGray': return values.length === 3 ? hex(a, b, c) : hex(a, a, a);
    default: return SOME;
  }
}

/** True for what nobody sees on white paper. */
export function isWhite(colour: string): boolean {
  return [1, 3, 5].every((at) => Number.parseInt(colour.slice(at, at + 2), 16) >= FAINT);
}

/** Family of a colour space that the resources name (ISO 32000-1, 8.6). */
function kindOf(context: PDFContext, resources: Painting['frame']['resources'], name: string): string | undefined {
  const spaces = resources === undefined ? undefined : asDict(context, entry(resources, 'ColorSpace'));
  const value = spaces === undefined ? undefined : resolve(context, entry(spaces, name));
  return asName(context, value instanceof PDFArray ? value.get(0) : value);
}

function hex(...parts: readonly number[]): string {
  return `#${parts.map((part) => Math.round(Math.min(1, Math.max(0, part)) * 255).toString(16).padStart(2, '0')).join('')}`;
}

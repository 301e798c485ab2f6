import type { PDFContext, PDFObject } from 'pdf-lib';
import type { ContentColour } from '@quire/document/content';
import type { Colour } from '@quire/document/content/drawing';
import { asArray, asDict, asName, asNumber, entry } from '@quire/document/file/objects';

/** Minimum contrast of WCAG 2.2 (1.4.11) for graphics that must be distinguishable. */
export const MIN_CONTRAST = 3;

/** Returns the contrast ratio of two colours (WCAG 2.2), from 1 to 21. */
export function contrast(a: Colour, b: Colour): number {
  const [low = 0, high = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

function luminance({ red, green, blue }: Colour): number {
  const linear = (part: number): number => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

/** Approximates a colour of one, three or four components as RGB, for comparison; undefined for any other number. */
export function asRgb(parts: readonly number[]): Colour | undefined {
  const [a, b, c, k] = parts.map((part) => Math.min(1, Math.max(0, part)));
  if (a === undefined) return undefined;
  if (parts.length === 1) return { red: a, green: a, blue: a };
  if (b === undefined || c === undefined) return undefined;
  if (k === undefined) return { red: a, green: b, blue: c };
  return { red: (1 - a) * (1 - k), green: (1 - b) * (1 - k), blue: (1 - c) * (1 - k) };
}

/** How to interpret the values of a colour space. */
export interface SpaceKind {
  readonly parts: number;
  /** Additive colours (grey and RGB), inks, or a single named ink. */
  readonly of: 'light' | 'inks' | 'tint';
}

/**
 * Determines how to interpret the values of a colour space; `named` looks up a resource. Undefined for patterns,
 * indexed and other colour spaces.
 */
export function spaceKind(
  context: PDFContext,
  space: string,
  named: (space: string) => PDFObject | undefined,
): SpaceKind | undefined {
  const value = /^Device(?:Gray|RGB|CMYK)$/.test(space) ? undefined : named(space);
  const array = asArray(context, value);
  const family =
    value === undefined ? space : array === undefined ? asName(context, value) : asName(context, array.get(0));
  if (family === 'DeviceGray' || family === 'CalGray') return { parts: 1, of: 'light' };
  if (family === 'DeviceRGB' || family === 'CalRGB') return { parts: 3, of: 'light' };
  if (family === 'DeviceCMYK') return { parts: 4, of: 'inks' };
  if (family === 'Separation') return { parts: 1, of: 'tint' };
  const profile = family === 'ICCBased' ? asDict(context, array?.get(1)) : undefined;
  const parts = profile === undefined ? undefined : asNumber(context, entry(profile, 'N'));
  return parts === 1 || parts === 3 ? { parts, of: 'light' } : parts === 4 ? { parts, of: 'inks' } : undefined;
}

/**
 * Approximates a colour that content sets as RGB, for comparison; undefined for patterns and if `spaceKind` returns
 * undefined.
 */
export function contentRgb(
  context: PDFContext,
  { space, values, pattern }: ContentColour,
  named: (space: string) => PDFObject | undefined,
): Colour | undefined {
  const kind = pattern === undefined ? spaceKind(context, space, named) : undefined;
  if (kind === undefined) return undefined;
  if (kind.of === 'tint') return asRgb([1 - (values[0] ?? 1)]);
  // The initial colour of a space is black (ISO 32000-1, 8.6.8).
  const parts = values.length > 0 ? values : kind.of === 'inks' ? [0, 0, 0, 1] : Array<number>(kind.parts).fill(0);
  return asRgb(parts);
}

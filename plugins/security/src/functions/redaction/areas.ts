import type { PDFDict } from 'pdf-lib';
import { InputError } from '@quire/registry/errors';
import { intersect } from '@quire/document/content';
import type { OpenedPdf } from '@quire/document/file/open';
import { pageBox } from '@quire/document/structure/pages';
import { quadOfBox, redactionColour } from './boxes.js';
import type { PlannedArea } from './plan.js';

/** An area of the field `redactions`: points from the top left corner of the crop box, before /Rotate. */
export interface NamedArea {
  /** 1-based. */
  readonly page: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly color: string | undefined;
}

const MAX_AREAS = 10_000;

/**
 * Parses the field `redactions` (`docs/interface/security.yml`, redact): a JSON list or one object; empty text means
 * none. Skips areas without a page or a size. Returns an error text that starts with the position if the field is
 * invalid.
 */
function parseRedactions(text: string): NamedArea[] | string {
  if (text.trim() === '') return [];
  const list = parseList(text, '{"page", "x", "y", "width", "height", "color"}');
  if (typeof list === 'string') return list;
  const areas: NamedArea[] = [];
  for (const [i, one] of list.entries()) {
    if (typeof one !== 'object' || one === null || Array.isArray(one)) return `/${i} must be an object`;
    const numbers: Record<string, number | undefined> = {};
    for (const key of ['page', 'x', 'y', 'width', 'height']) {
      const value = numberOf((one as Record<string, unknown>)[key]);
      if (value === null) return `/${i}/${key} must be a number`;
      numbers[key] = value;
    }
    const { page, x, y, width, height } = numbers;
    if (page !== undefined && !Number.isInteger(page)) return `/${i}/page must be a whole number`;
    if (page === undefined || page < 1 || !(width !== undefined && width > 0) || !(height !== undefined && height > 0))
      continue;
    if (x === undefined || y === undefined) return `/${i}/${x === undefined ? 'x' : 'y'} is missing`;
    const { color } = one as { readonly color?: unknown };
    areas.push({ page, x, y, width, height, color: typeof color === 'string' ? color : undefined });
  }
  return areas;
}

/** Returns the areas of the field. Throws INPUT_INVALID naming the invalid item. */
export function readAreas(text: string): NamedArea[] {
  const read = parseRedactions(text);
  if (typeof read === 'string') throw fieldFault('redactions', read);
  return read;
}

/** The error for an invalid field; `fault` starts with a slash if it names a position inside the field. */
export function fieldFault(field: string, fault: string): InputError {
  const [, place = '', detail = fault] = /^(\/\S+) (.*)$/s.exec(fault) ?? [];
  return new InputError('INPUT_INVALID', { detail: `${field}${place} ${detail}` }, [
    { pointer: `/${field}${place}`, detail },
  ]);
}

/**
 * Parses a JSON list, or one value as a list of one; null means an empty list. Returns an error text if it is invalid.
 */
export function parseList(text: string, shape: string): unknown[] | string {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    return `must be JSON: a list of ${shape}`;
  }
  if (data === null) return [];
  const list: unknown[] = Array.isArray(data) ? data : [data];
  return list.length > MAX_AREAS ? `may have at most ${MAX_AREAS} items` : list;
}

/** A number, also if written as text; undefined if absent, null if it is not a number. */
export function numberOf(value: unknown): number | undefined | null {
  if (value === undefined || value === null || value === '') return undefined;
  const number =
    typeof value === 'string' && /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}

/**
 * Places the areas on the pages of a document, limited to the crop box; skips those on missing pages and outside the
 * page.
 */
export function placeAreas(
  { document: { context }, pages }: OpenedPdf,
  areas: readonly NamedArea[],
): Map<PDFDict, PlannedArea[]> {
  const placed = new Map<PDFDict, PlannedArea[]>();
  for (const { page: number, x, y, width, height, color } of areas) {
    const page = pages[number - 1];
    if (page === undefined) continue;
    const crop = pageBox(context, page);
    const box = intersect(crop, [crop[0] + x, crop[3] - y - height, crop[0] + x + width, crop[3] - y]);
    if (box[0] >= box[2] || box[1] >= box[3]) continue;
    const colour = redactionColour(color);
    const quad = quadOfBox(box);
    listIn(placed, page.dict).push({
      quad,
      colour: [colour.red, colour.green, colour.blue],
      boxes: [{ quad, colour, upright: true }],
    });
  }
  return placed;
}

/** Returns the list of a key, and creates it if it does not exist. */
export function listIn<K, V>(lists: Map<K, V[]>, key: K): V[] {
  const known = lists.get(key);
  if (known !== undefined) return known;
  const list: V[] = [];
  lists.set(key, list);
  return list;
}

import { operationOf } from '../../../api/index.ts';
import type { PageArea } from '../../../viewer/engine/index.ts';

export const PREVIEW = 'security/redact-preview';
export const REDACT = 'security/redact-execute';

/** Corners of a quadrilateral in points of the page's own coordinates. */
export type Quad = readonly [number, number, number, number, number, number, number, number];

/** A match that redaction would remove. */
export interface Match {
  readonly id: string;
  /** From 1. */
  readonly page: number;
  readonly terms: readonly number[];
  readonly before: string;
  readonly text: string;
  readonly after: string;
  readonly letters: readonly Quad[];
  readonly boxes: readonly Quad[];
}

/** The answer of the preview. */
export interface Preview {
  readonly pages: number;
  readonly matches: readonly Match[];
  readonly elsewhere: Readonly<Record<string, number>>;
  readonly unreadable: number;
  readonly unreadableFonts: readonly string[];
}

/** What is searched for, as people enter it. */
export interface Query {
  /** One term on each line. */
  readonly lines: string;
  readonly regex: boolean;
  readonly wholeWord: boolean;
  readonly matchCase: boolean;
  readonly presets: readonly string[];
}

export const emptyQuery: Query = { lines: '', regex: false, wholeWord: false, matchCase: false, presets: [] };

export interface Look {
  readonly colour: string;
  readonly caption: string;
  readonly pictures: boolean;
  readonly verify: string;
  readonly languages: readonly string[];
}

export const plainLook: Look = { colour: '#000000', caption: '', pictures: false, verify: 'text', languages: [] };

/** An area drawn by hand. */
export interface Area extends PageArea {
  readonly id: number;
  /** 0-based. */
  readonly page: number;
}

/** Lines with a term, with their numbers from 1. */
function termsIn(lines: string): { readonly text: string; readonly line: number }[] {
  return lines
    .split('\n')
    .map((text, i) => ({ text: text.trim(), line: i + 1 }))
    .filter(({ text }) => text !== '');
}

export function isEmpty({ lines, presets }: Query): boolean {
  return presets.length === 0 && termsIn(lines).length === 0;
}

/** The fields that both operations have. */
export function fieldsOf({ lines, regex, wholeWord, matchCase, presets }: Query): Record<string, string> {
  const terms = termsIn(lines).map(({ text }) => ({
    text,
    ...(regex ? { regex } : {}),
    ...(wholeWord ? { wholeWord } : {}),
    ...(matchCase ? { matchCase } : {}),
  }));
  return {
    ...(terms.length === 0 ? {} : { terms: JSON.stringify(terms) }),
    ...(presets.length === 0 ? {} : { presets: presets.join(',') }),
  };
}

export function isSame(one: Query, other: Query | undefined): boolean {
  return other !== undefined && JSON.stringify(fieldsOf(one)) === JSON.stringify(fieldsOf(other));
}

/** The line of a term that a fault names (`/terms/2/text`); undefined if it names none. */
export function lineOfFault(pointer: string, { lines }: Query): number | undefined {
  const number = /^\/terms\/(\d+)/.exec(pointer)?.[1];
  return number === undefined ? undefined : termsIn(lines)[Number(number)]?.line;
}

/** Everything that one call removes. */
export interface Job {
  /** Undefined if nothing is searched for. */
  readonly query: Query | undefined;
  /** Ids of matches that stay. */
  readonly keep: readonly string[];
  readonly areas: readonly Area[];
  /** 0-based. */
  readonly pages: readonly number[];
  readonly look: Look;
}

export function fieldsOfJob({ query, keep, areas, pages, look }: Job): Record<string, string> {
  const boxes = areas.map(({ page, left, bottom, right, top }) => ({
    pageIndex: page,
    x1: left,
    y1: bottom,
    x2: right,
    y2: top,
  }));
  const style = {
    color: look.colour,
    ...(look.caption.trim() === '' ? {} : { caption: look.caption.trim() }),
    ...(look.pictures ? { convertToImage: true } : {}),
  };
  return {
    ...(query === undefined ? {} : fieldsOf(query)),
    ...(query === undefined || keep.length === 0 ? {} : { keep: keep.join(',') }),
    ...(boxes.length === 0 ? {} : { imageBoxes: JSON.stringify(boxes) }),
    ...(pages.length === 0 ? {} : { wipePages: pages.map((page) => page + 1).join(',') }),
    style: JSON.stringify(style),
    ...(look.verify === 'text' ? {} : { verify: look.verify }),
    ...(look.verify === 'text' || look.languages.length === 0 ? {} : { languages: look.languages.join(',') }),
  };
}

/** What the server's declaration offers for a field. */
export function fieldOf(operation: string, name: string) {
  return operationOf(operation)?.fields.find((field) => field.name === name);
}

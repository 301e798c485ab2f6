import { type BookEntry, bookLimits } from '../book.js';
import type { MobiHeader } from './headers.js';
import type { MobiIndex } from './index-records.js';

/** A line of a contents as the index has it. */
export interface MobiContents {
  readonly title: string;
  readonly level: number;
  /** Where it leads: a position in the text, or in KF8 a fragment and an offset in it. */
  readonly position: readonly number[];
}

/** Reads the lines of the contents index (NCX). */
export function readContents({ entries, texts }: MobiIndex, header: MobiHeader): MobiContents[] {
  return entries.slice(0, bookLimits.entries).flatMap(({ tags }) => {
    const label = texts.get(tags.get(3)?.[0] ?? -1);
    const title = label === undefined ? '' : header.decode(label).replace(/\s+/g, ' ').trim().slice(0, 500);
    return title === ''
      ? []
      : [{ title, level: tags.get(4)?.[0] ?? 0, position: tags.get(6) ?? tags.get(1)?.slice(0, 1) ?? [] }];
  });
}

/**
 * Arranges lines in a tree by their levels. The index has all of one level behind all of the one above, so places
 * in the text decide on the parent.
 */
export function nestContents(
  contents: readonly MobiContents[],
  order: (position: readonly number[]) => number,
  target: (position: readonly number[]) => string | undefined,
): BookEntry[] {
  interface Open {
    title: string;
    target?: string;
    children: Open[];
  }
  const roots: Open[] = [];
  const open: Open[] = [];
  const sorted = contents
    .map((line) => ({ line, at: order(line.position) }))
    .sort((a, b) => a.at - b.at || a.line.level - b.line.level);
  for (const { line } of sorted) {
    const place = target(line.position);
    const entry: Open = { title: line.title, ...(place === undefined ? {} : { target: place }), children: [] };
    const depth = Math.min(line.level, open.length, bookLimits.depth);
    (depth === 0 ? roots : open[depth - 1]!.children).push(entry);
    open.splice(depth, open.length, entry);
  }
  return roots;
}

import type { PDFDict } from 'pdf-lib';
import type { OpenedPdf } from '@quire/document/file/open';
import { readingText } from '@quire/document/redaction/search';
import { fieldFault } from './areas.js';
import { redactionColour } from './boxes.js';
import { boxesOfContent, placeImageBoxes, placeImages, readImageBoxes } from './images.js';
import { parseRanges, placeRanges } from './ranges.js';
import { noTargets, pageIndexes, type RedactionStyle, readStyle } from './style.js';
import { namedTerms, type TermFields } from './named-terms.js';
import { listedTerms, searchFor } from './terms.js';
import type { PlannedArea, RedactionPlan } from './plan.js';

/** The fields of redact-execute as they were sent. */
export interface RedactionTargets extends TermFields {
  readonly textValues: readonly (string | number)[];
  readonly regexPatterns: readonly (string | number)[];
  readonly wipePages: readonly (string | number)[];
  readonly ranges: string;
  readonly imageBoxes: string;
  /** Undefined if not sent; empty means all pages. */
  readonly redactImagePages: readonly (string | number)[] | undefined;
  readonly style: string;
  /** Ids of matches that stay. */
  readonly keep: readonly (string | number)[];
}

/** A plan built from the fields of redact-execute, and values for the report. */
export interface TargetedPlan {
  readonly plan: RedactionPlan;
  readonly style: RedactionStyle;
  /** Number of ranges whose phrases were not found; known after the run. */
  readonly skipped: () => number;
}

/** Builds the plan. Throws INPUT_INVALID for fields that are invalid, and for a call without targets. */
export function planTargets(targets: RedactionTargets, signal: AbortSignal): TargetedPlan {
  const style = readStyle(targets.style);
  const colour = redactionColour(style.color);
  const ranges = targets.ranges.trim() === '' ? [] : parseRanges(targets.ranges);
  if (typeof ranges === 'string') throw fieldFault('ranges', ranges);
  const boxes = targets.imageBoxes.trim() === '' ? [] : readImageBoxes(targets.imageBoxes);
  const wipes = pageIndexes(targets.wipePages);
  const search = searchFor([
    ...listedTerms(targets.textValues, 'textValues', false),
    ...listedTerms(targets.regexPatterns, 'regexPatterns', true),
    ...namedTerms(targets),
  ]);
  const images = targets.redactImagePages === undefined ? undefined : pageIndexes(targets.redactImagePages);
  const allImages = targets.redactImagePages?.every((value) => String(value).trim() === '') === true;
  if (
    search === undefined &&
    ranges.length === 0 &&
    boxes.length === 0 &&
    wipes.length === 0 &&
    (images === undefined || (images.length === 0 && !allImages))
  )
    throw noTargets();
  if (style.caption !== undefined && search !== undefined && search.find(readingText(style.caption)).length > 0)
    throw fieldFault('style', '/caption contains one of the terms, which would be in the file again');
  let skipped = 0;
  const areas = (opened: OpenedPdf): Map<PDFDict, readonly PlannedArea[]> => {
    const all = new Map<PDFDict, readonly PlannedArea[]>();
    const add = (some: ReadonlyMap<PDFDict, readonly PlannedArea[]>): void =>
      some.forEach((own, dict) => all.set(dict, [...(all.get(dict) ?? []), ...own]));
    if (ranges.length > 0) {
      const placed = placeRanges(opened, ranges, colour, style.padding, signal);
      skipped = placed.skipped;
      add(placed.areas);
    }
    add(placeImageBoxes(opened, boxes, colour));
    if (images !== undefined) add(placeImages(opened, allImages ? [...opened.pages.keys()] : images, colour, signal));
    return all;
  };
  const wiped: RedactionPlan['wiped'] = (opened) =>
    new Map(
      wipes.flatMap((index) => {
        const page = opened.pages[index];
        return page === undefined ? [] : [[page.dict, boxesOfContent(opened, index, colour)] as const];
      }),
    );
  return {
    plan: {
      ...(style.caption === undefined ? {} : { caption: style.caption }),
      ...(search === undefined ? {} : { search, keep: idsOf(targets.keep) }),
      areas,
      wiped,
      colour,
      padding: style.padding,
    },
    style,
    skipped: () => skipped,
  };
}

/** The ids of a list field: one for each value, or several joined by commas. */
function idsOf(values: readonly (string | number)[]): ReadonlySet<string> {
  return new Set(values.flatMap((value) => String(value).split(/[\s,]+/)).filter((id) => id !== ''));
}

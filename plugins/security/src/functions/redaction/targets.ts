import type { PDFDict } from 'pdf-lib';
import type { OpenedPdf } from '@quire/document/file/open';
import { fieldFault } from './areas.js';
import { redactionColour } from './boxes.js';
import { boxesOfContent, placeImageBoxes, placeImages, readImageBoxes } from './images.js';
import { parseRanges, placeRanges } from './ranges.js';
import { noTargets, pageIndexes, type RedactionStyle, readStyle } from './style.js';
import { listedTerms, searchFor } from './terms.js';
import type { PlannedArea, RedactionPlan } from './plan.js';

/** The fields of redact-execute as they were sent. */
export interface RedactionTargets {
  readonly textValues: readonly (string | number)[];
  readonly regexPatterns: readonly (string | number)[];
  readonly wipePages: readonly (string | number)[];
  readonly ranges: string;
  readonly imageBoxes: string;
  /** Undefined if not sent; empty means all pages. */
  readonly redactImagePages: readonly (string | number)[] | undefined;
  readonly style: string;
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
    plan: { ...(search === undefined ? {} : { search }), areas, wiped, colour, padding: style.padding },
    style,
    skipped: () => skipped,
  };
}

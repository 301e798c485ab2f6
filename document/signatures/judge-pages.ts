import { type PDFDict, type PDFObject, PDFRef } from 'pdf-lib';
import { asName, elements, entry, resolve } from '../file/objects/index.js';
import { type PageEntry, walkPages } from '../structure/pages/index.js';
import { judgeAnnotation } from './judge-annotation.js';
import type { Holding, Judgement } from './judgement.js';
import { differingKeys } from './same-object.js';

/**
 * Judges the pages: nothing of them may change but their annotations, of which `fresh` are those of signature fields
 * that were rightly added.
 */
export function judgePages(judgement: Judgement, fresh: ReadonlySet<PDFDict>): void {
  const { then, now, changed } = judgement.pair;
  const [before, after] = [walkPages(then.context), walkPages(now.context)];
  if (before.length !== after.length)
    return judgement.refuse(`the document had ${before.length} page(s) and has ${after.length}`);
  const changeable = judgement.rules.level === 3;
  for (const [i, page] of before.entries()) {
    const other = after[i];
    if (other === undefined || page.ref !== other.ref) {
      judgement.refuse(`page ${i + 1} was exchanged`);
      continue;
    }
    const annotations = entry(page.dict, 'Annots');
    // Most pages are what they were.
    if (!changed.has(page.ref.objectNumber) && !judgement.isChanged(annotations) && !changeable) continue;
    judgePage(judgement, page, other, i + 1, fresh);
  }
}

function judgePage(
  judgement: Judgement,
  before: PageEntry,
  after: PageEntry,
  number: number,
  fresh: ReadonlySet<PDFDict>,
): void {
  const { then, now, changed } = judgement.pair;
  const holder = before.ref.objectNumber;
  judgement.judged.add(holder);
  const wrong = differingKeys(before.dict, after.dict).filter(
    (key) => key !== 'Annots' && !(key === 'Tabs' && entry(before.dict, key) === undefined),
  );
  if (changed.has(holder) && wrong.length > 0) judgement.refuse(`/${wrong.join(', /')} of page ${number} was changed`);
  const [had, has] = [entry(before.dict, 'Annots'), entry(after.dict, 'Annots')];
  const [list, rest] = [elements(then.context, had), new Map<string, PDFObject>()];
  for (const [i, value] of elements(now.context, has).entries()) rest.set(keyOf(value, i), value);
  const at: Holding = { holder, key: 'Annots' };
  if (had instanceof PDFRef) judgement.explainOne(had, at);
  for (const [i, value] of list.entries()) {
    const other = rest.get(keyOf(value, i));
    rest.delete(keyOf(value, i));
    const annotation = resolve(then.context, value);
    if (annotation === undefined) continue;
    if (other === undefined) judgeGone(judgement, value, number);
    else if (judgement.isChanged(value) || !(value instanceof PDFRef)) judgeChanged(judgement, value, other, number);
  }
  for (const value of rest.values()) {
    const annotation = resolve(now.context, value);
    if (annotation === undefined || fresh.has(annotation as PDFDict)) continue;
    judgeAnnotation(judgement, annotation, `an annotation was added to page ${number}`);
  }
}

function judgeGone(judgement: Judgement, value: PDFObject, number: number): void {
  const { then } = judgement.pair;
  const annotation = resolve(then.context, value);
  const subtype = asName(then.context, entry(annotation as PDFDict, 'Subtype'));
  if (judgement.rules.level === 3 && subtype !== 'Widget' && subtype !== 'Link')
    judgement.allow(`an annotation of page ${number} was removed`);
  else judgement.refuse(`an annotation of page ${number} was removed`);
}

/** Widgets that changed were judged as fields; what is left is annotations. */
function judgeChanged(judgement: Judgement, value: PDFObject, other: PDFObject, number: number): void {
  const { then, now } = judgement.pair;
  if (value instanceof PDFRef && judgement.judged.has(value.objectNumber)) return;
  const [before, after] = [resolve(then.context, value), resolve(now.context, other)];
  if (!(value instanceof PDFRef) && String(before) === String(after)) return;
  const subtype = asName(then.context, entry(before as PDFDict, 'Subtype'));
  if (subtype === 'Widget' || subtype === 'Link')
    return judgement.refuse(`an annotation of page ${number} was changed`);
  const allowed = judgeAnnotation(judgement, after, `an annotation of page ${number} was changed`);
  if (allowed && value instanceof PDFRef) judgement.judged.add(value.objectNumber);
}

function keyOf(value: PDFObject, position: number): string {
  return value instanceof PDFRef ? value.tag : `at ${position}`;
}

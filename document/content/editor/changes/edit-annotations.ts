import {
  PDFArray,
  type PDFContext,
  PDFDict,
  PDFHexString,
  PDFName,
  PDFNumber,
  type PDFObject,
  PDFRef,
  PDFString,
} from 'pdf-lib';
import { applyTo } from '../../index.js';
import { arrayOf, asNumber, dictOf, elements, entry, keyName, resolve, setEntry } from '../../../file/objects/index.js';
import type { PageEntry } from '../../../structure/pages/index.js';
import { dropAnnotations } from '../../../structure/annotations/index.js';
import { localPdfDate } from '../../../structure/metadata/index.js';
import { matchElements } from '../match-elements.js';
import type { JsonAnnotation } from '../model.js';
import type { PageSpace } from '../page-space.js';
import type { RawReader } from '../raw-reader.js';
import type { AnnotationTeller, ReadAnnotation } from '../reading/read-annotations.js';

/** Subtypes that make sense without more than a rectangle (ISO 32000-1, table 169). */
const MADE: ReadonlySet<string> = new Set(['Text', 'Link', 'FreeText', 'Square', 'Circle', 'Stamp']);
/** Entries with points, which move with the rectangle. */
const POINTS = ['QuadPoints', 'L', 'Vertices', 'CL', 'InkList'] as const;
/** ISO 32000-1, table 165: it is printed. */
const PRINT = 4;

export interface AnnotationEditing {
  readonly context: PDFContext;
  readonly teller: AnnotationTeller;
  readonly raw: RawReader;
  readonly pages: readonly PDFRef[];
}

/**
 * Gives a page the annotations of its JSON. With `fresh` the page has none yet: all are created from their trees, or
 * from their members. Otherwise existing ones are changed where their members differ, and removed if they are not in
 * the list. A missing list changes nothing.
 */
export function editAnnotations(
  editing: AnnotationEditing,
  page: PageEntry,
  annotations: readonly JsonAnnotation[] | undefined,
  space: PageSpace,
  fresh: boolean,
): void {
  if (annotations === undefined) return;
  const { context, teller } = editing;
  if (fresh) {
    const made = annotations.flatMap((json) => {
      const value = annotationOf(editing, json, space, page);
      return value === undefined ? [] : [{ json, value }];
    });
    setEntry(
      page.dict,
      'Annots',
      made.length === 0
        ? undefined
        : arrayOf(
            context,
            made.map(({ value }) => value),
          ),
    );
    // Told again, so that what was changed beside the tree is seen.
    for (const [i, { dict, element }] of teller.tell(page.dict, space).entries())
      if (made[i] !== undefined) change(editing, dict, element, made[i].json, space);
    return;
  }
  const told = teller.tell(page.dict, space).map((read, zOrder) => ({ ...read, element: { ...read.element, zOrder } }));
  const now = annotations.map((json, zOrder) => ({ ...json, zOrder }));
  const { kept, removed, added } = matchElements(
    told,
    now,
    ({ subtype, rect, contents }) => JSON.stringify([subtype, rect?.map((side) => Math.round(side * 20)), contents]),
    (was, is) => was.subtype === is.subtype,
  );
  for (const [read, json] of kept) change(editing, read.dict, read.element, json, space);
  const gone = new Set(removed.map(({ dict }) => dict));
  // Fields are the form's: a widget that is not in the list stays.
  dropAnnotations(context, page.dict, ({ dict, kind }) => gone.has(dict) && kind !== 'Widget');
  const fresher = added.flatMap((json) => annotationOf(editing, json, space, page) ?? []);
  if (fresher.length > 0)
    setEntry(page.dict, 'Annots', arrayOf(context, [...elements(context, entry(page.dict, 'Annots')), ...fresher]));
}

function annotationOf(
  editing: AnnotationEditing,
  json: JsonAnnotation,
  space: PageSpace,
  page: PageEntry,
): PDFObject | undefined {
  const { context, raw } = editing;
  if (json.rawData !== undefined) {
    const value = raw.value(json.rawData);
    raw.settle();
    const dict = resolve(context, value);
    if (!(dict instanceof PDFDict)) return undefined;
    setEntry(dict, 'P', page.ref);
    return value instanceof PDFRef ? value : context.register(dict);
  }
  const { subtype = 'Text' } = json;
  if (!MADE.has(subtype) || json.rect === undefined) return undefined;
  const dict = dictOf(context, {
    Type: PDFName.of('Annot'),
    Subtype: PDFName.of(subtype),
    P: page.ref,
    F: PDFNumber.of(json.flags ?? PRINT),
  });
  if (subtype === 'Link')
    setEntry(
      dict,
      'Border',
      arrayOf(
        context,
        [0, 0, 0].map((width) => PDFNumber.of(width)),
      ),
    );
  if (subtype === 'FreeText') setEntry(dict, 'DA', PDFString.of('/Helv 12 Tf 0 g'));
  change(editing, dict, {}, json, space);
  return context.register(dict);
}

/** Writes the members that differ. */
function change(
  { context, pages }: AnnotationEditing,
  dict: PDFDict,
  was: ReadAnnotation['element'],
  now: JsonAnnotation,
  space: PageSpace,
): void {
  const differs = (key: keyof JsonAnnotation): boolean =>
    now[key] !== undefined && JSON.stringify(now[key]) !== JSON.stringify(was[key]);
  const set = (key: string, value: PDFObject): void => void dict.set(keyName(key), value);
  const text = (value: string): PDFObject => PDFHexString.fromText(value);
  if (differs('contents')) {
    set('Contents', text(now.contents!));
    // Its appearance and its rich text show the old words.
    if (was.subtype === 'FreeText') for (const key of ['AP', 'RC']) setEntry(dict, key, undefined);
  }
  if (differs('rect')) move(context, dict, now.rect!, space);
  if (differs('appearanceState')) set('AS', PDFName.of(now.appearanceState!.replaceAll('#', '#23')));
  if (differs('color'))
    set(
      'C',
      arrayOf(
        context,
        now.color!.map((value) => PDFNumber.of(Math.min(1, Math.max(0, value)))),
      ),
    );
  if (differs('flags')) set('F', PDFNumber.of(now.flags!));
  if (differs('iconName')) set('Name', PDFName.of(now.iconName!.replaceAll('#', '#23')));
  if (differs('subject')) set('Subj', text(now.subject!));
  if (differs('author')) set('T', text(now.author!));
  for (const [member, key] of [
    ['creationDate', 'CreationDate'],
    ['modificationDate', 'M'],
  ] as const) {
    const time = differs(member) ? new Date(now[member]!) : undefined;
    if (time !== undefined && Number.isFinite(time.getTime())) set(key, PDFString.of(localPdfDate(time)));
  }
  if (differs('destination') && (was.subtype ?? now.subtype) === 'Link') {
    const index = Number(/^#page=(\d{1,7})$/.exec(now.destination!)?.[1] ?? 0) - 1;
    const page = pages[index];
    setEntry(dict, 'Dest', page === undefined ? undefined : arrayOf(context, [page, PDFName.of('Fit')]));
    setEntry(
      dict,
      'A',
      page !== undefined
        ? undefined
        : dictOf(context, { S: PDFName.of('URI'), URI: PDFString.of(uriText(now.destination!)) }),
    );
  }
}

/** An address is ASCII (ISO 32000-1, table 206), and its brackets must not end the string. */
function uriText(address: string): string {
  return encodeURI(address)
    .replaceAll('%25', '%')
    .replaceAll(/[()\\]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** Puts an annotation into another rectangle, and the points it is made of with it. */
function move(context: PDFContext, dict: PDFDict, rect: readonly number[], { user }: PageSpace): void {
  const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = rect;
  const [a, b] = [applyTo(user, x0, y0), applyTo(user, x1, y1)];
  const next = [Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.max(a[0], b[0]), Math.max(a[1], b[1])] as const;
  const [l = 0, d = 0, r = 0, u = 0] = elements(context, entry(dict, 'Rect')).map(
    (side) => asNumber(context, side) ?? 0,
  );
  const old = [Math.min(l, r), Math.min(d, u), Math.max(l, r), Math.max(d, u)] as const;
  const across = old[2] === old[0] ? 1 : (next[2] - next[0]) / (old[2] - old[0]);
  const up = old[3] === old[1] ? 1 : (next[3] - next[1]) / (old[3] - old[1]);
  const moved = (value: PDFObject, depth: number): PDFObject => {
    const list = resolve(context, value);
    if (!(list instanceof PDFArray)) return value;
    const items = list.asArray();
    if (depth < 2 && items.some((item) => resolve(context, item) instanceof PDFArray))
      return arrayOf(
        context,
        items.map((item) => moved(item, depth + 1)),
      );
    return arrayOf(
      context,
      items.map((item, i) => {
        const number = asNumber(context, item);
        if (number === undefined) return item;
        return PDFNumber.of(i % 2 === 0 ? next[0] + (number - old[0]) * across : next[1] + (number - old[1]) * up);
      }),
    );
  };
  for (const key of POINTS) {
    const value = entry(dict, key);
    if (value !== undefined) dict.set(keyName(key), moved(value, 0));
  }
  dict.set(
    keyName('Rect'),
    arrayOf(
      context,
      next.map((side) => PDFNumber.of(side)),
    ),
  );
}

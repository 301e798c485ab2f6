import { type PDFContext, PDFDict, PDFName, PDFRef } from 'pdf-lib';
import { DocumentError } from '../../errors.js';
import {
  arrayOf,
  asDict,
  asName,
  asNumber,
  copyOver,
  elements,
  entry,
  resolve,
  setEntry,
} from '../../file/objects/index.js';
import type { PageEntry } from './walk.js';
import { readAnnotations } from '../annotations/annotations.js';
import { FieldRepeats } from '../../forms/fields/repeat-fields.js';
import { type RepeatedContent, StructureRepeats } from '../tags/repeat-structure.js';

/** Most objects that all page copies together may need; shared page content is not counted. */
const MAX_OBJECTS = 400_000;
/** Entries that are not copied: the position in the tree, article beads, private data of applications. */
const NOT_REPEATED: ReadonlySet<string> = new Set([
  'Parent',
  'Annots',
  'StructParents',
  'B',
  'DPart',
  'PieceInfo',
  'SeparationInfo',
]);
const FIELD_PARENT: ReadonlySet<string> = new Set(['StructParent']);

/**
 * Duplicates pages within one document, in place. A copy is a separate page that shares content and resources, with its
 * own annotations; form fields are not duplicated but get additional widgets, and tagged content is tagged for each
 * copy (ISO 32000-1, 7.7.3.3, 12.5, 12.7.3, 14.7).
 */
export class PageRepeats {
  private readonly fields: FieldRepeats;
  private readonly structure: StructureRepeats;
  private objects = 0;

  constructor(private readonly context: PDFContext) {
    this.fields = new FieldRepeats(context);
    this.structure = new StructureRepeats(context, (objects) => this.spend(objects));
  }

  /**
   * Creates a copy of a page and returns its reference; it is not in the page tree yet. Throws INPUT_TOO_COMPLEX if all
   * copies together need too many objects.
   */
  repeat(page: PageEntry): PDFRef {
    const { context } = this;
    for (const key of ['Resources', 'Contents']) this.share(page.dict, key);
    const place = context.nextRef();
    const renamed = new Map<PDFRef, PDFRef>([[page.ref, place]]);
    const originals = this.annotationsApart(page);
    this.spend(1 + originals.length);
    for (const original of originals) renamed.set(original, context.nextRef());
    const copy = copyOver(context, page.dict, renamed, NOT_REPEATED);
    for (const [key, value] of page.inherited) setEntry(copy, key, value);
    setEntry(copy, 'Type', PDFName.of('Page'));
    context.assign(place, copy);
    const keys: Map<number, { owner: PDFDict; entry: 'StructParents' | 'StructParent' }> = new Map();
    const own = asNumber(context, entry(page.dict, 'StructParents'));
    if (own !== undefined) keys.set(own, { owner: copy, entry: 'StructParents' });
    const annotations = originals.flatMap((original) => {
      const dict = asDict(context, original);
      const at = renamed.get(original);
      if (dict === undefined || at === undefined) return [];
      const annotation = copyOver(context, dict, renamed, FIELD_PARENT);
      // /P is optional, but must be correct if it is present.
      if (entry(annotation, 'P') !== undefined) setEntry(annotation, 'P', place);
      if (asName(context, entry(dict, 'Subtype')) === 'Widget') this.fields.join(original, annotation, at);
      context.assign(at, annotation);
      const key = asNumber(context, entry(dict, 'StructParent'));
      if (key !== undefined) keys.set(key, { owner: annotation, entry: 'StructParent' });
      return [at];
    });
    if (annotations.length > 0) setEntry(copy, 'Annots', arrayOf(context, annotations));
    const content: RepeatedContent = { page: page.ref, renamed, keys };
    this.structure.repeat(content);
    return place;
  }

  /** Writes the changes that concern all copies. Call once, after the last one. */
  finish(): void {
    this.structure.write();
  }

  /**
   * Returns a page's annotations by reference; widgets are split from their fields first if both are one dictionary.
   */
  private annotationsApart(page: PageEntry): PDFRef[] {
    const { context } = this;
    const annotations = readAnnotations(context, page.dict);
    if (annotations.length === 0) return [];
    const refs = annotations.map(({ value, dict, kind }) => {
      const ref = value instanceof PDFRef ? value : context.register(dict);
      if (kind !== 'Widget' || !(value instanceof PDFRef)) return ref;
      const apart = this.fields.apart(ref);
      if (apart !== ref) this.renameTagged(apart, ref);
      return apart;
    });
    setEntry(page.dict, 'Annots', arrayOf(context, refs));
    return [...new Set(refs)];
  }

  /** Updates the structure element of a widget to its new reference. */
  private renameTagged(widget: PDFRef, field: PDFRef): void {
    const key = asNumber(
      this.context,
      entry(asDict(this.context, widget) ?? PDFDict.withContext(this.context), 'StructParent'),
    );
    const element = key === undefined ? undefined : this.structure.elementOf(key);
    const kids = element === undefined ? undefined : entry(element, 'K');
    for (const kid of [
      resolve(this.context, kids),
      ...elements(this.context, kids).map((item) => resolve(this.context, item)),
    ]) {
      if (kid instanceof PDFDict && entry(kid, 'Obj') === field) setEntry(kid, 'Obj', widget);
    }
  }

  /** Makes a value indirect, so that all copies share it. */
  private share(page: PDFDict, key: string): void {
    const value = entry(page, key);
    if (value !== undefined && !(value instanceof PDFRef)) setEntry(page, key, this.context.register(value));
  }

  private spend(objects: number): void {
    this.objects += objects;
    if (this.objects > MAX_OBJECTS)
      throw new DocumentError('INPUT_TOO_COMPLEX', { resource: 'objects for its repeated pages', limit: MAX_OBJECTS });
  }
}

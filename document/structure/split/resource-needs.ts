import { type PDFContext, PDFDict, type PDFName, type PDFObject, PDFRawStream, PDFRef } from 'pdf-lib';
import { asDict, asName, dictOf, entry, nameText, type ObjectCopier, resolve } from '../../file/objects/index.js';
import { decodeBeginning } from '../../file/reader/decode-stream.js';
import { contentStreams, decodedContent, pageAttribute, type PageEntry } from '../pages/index.js';
import { collectNames, plainName } from './content-names.js';

/** Categories of named resources (ISO 32000-1, table 33). */
const KINDS = ['XObject', 'Font', 'Pattern', 'Properties', 'ExtGState', 'ColorSpace', 'Shading'] as const;
/** Resources that are used without being named in the content (ISO 32000-1, 8.6.5.6). */
const ALWAYS = new Set(['DefaultGray', 'DefaultRGB', 'DefaultCMYK']);
/** In bytes: most pages name their few resources here. */
const BEGINNING_BYTES = 2048;

/** Names in a content stream: all of them, or those of its beginning. */
interface FoundNames {
  readonly names: ReadonlySet<string>;
  readonly all: boolean;
}

/**
 * Determines which resources several pages share. Writers give all pages one dictionary, or equal ones to each page; an
 * extracted page would then contain the images and forms of all others.
 */
export class ResourceNeeds {
  private readonly uses = new Map<PDFRef, number>();
  private readonly named = new Map<PDFRawStream, FoundNames | undefined>();

  constructor(
    private readonly context: PDFContext,
    pages: Iterable<PageEntry>,
  ) {
    const counted = new Set<PDFDict>();
    for (const page of pages) {
      if (counted.has(page.dict)) continue;
      counted.add(page.dict);
      this.countPage(pageAttribute(page, 'Resources'));
    }
  }

  /** Returns true if another page has the same dictionary, one of its categories, or an object in it. */
  isShared(value: PDFObject): boolean {
    if (this.isRepeated(value)) return true;
    const resources = asDict(this.context, value);
    return (
      resources !== undefined &&
      KINDS.some((kind) => {
        const entries = entry(resources, kind);
        return (
          this.isRepeated(entries) ||
          (asDict(this.context, entries)
            ?.values()
            .some((object) => this.isRepeated(object)) ??
            false)
        );
      })
    );
  }

  /** Copies only those resources that the owner's content names; all of them if the content cannot be read. */
  copyNeeded(
    owner: PDFDict,
    body: PDFRawStream | undefined,
    value: PDFObject,
    copier: ObjectCopier,
  ): PDFObject | undefined {
    const resources = asDict(this.context, value);
    if (resources === undefined) return undefined;
    const names = this.namesOf(owner, body, resources);
    if (names === undefined) return copier.copy(value);
    const kept = dictOf(copier.target, {});
    for (const [kind, entries] of resources.entries()) {
      const dict = (KINDS as readonly string[]).includes(nameText(kind)) ? asDict(this.context, entries) : undefined;
      const copy = dict === undefined ? copier.copy(entries) : this.filtered(dict, names, copier);
      if (copy !== undefined) kept.set(kind, copy);
    }
    return kept;
  }

  private filtered(dict: PDFDict, names: ReadonlySet<string>, copier: ObjectCopier): PDFDict | undefined {
    const kept = new Map<PDFName, PDFObject>();
    for (const [name, value] of dict.entries()) {
      if (!names.has(plainName(nameText(name))) && !ALWAYS.has(nameText(name))) continue;
      const copy = copier.copy(value);
      if (copy !== undefined) kept.set(name, copy);
    }
    return kept.size > 0 ? PDFDict.fromMapWithContext(kept, copier.target) : undefined;
  }

  /**
   * Returns the names of these resources that are in the owner's content, and in forms that it uses which have no
   * resources and so inherit these (ISO 32000-1, 7.8.3), among others.
   */
  private namesOf(owner: PDFDict, body: PDFRawStream | undefined, resources: PDFDict): Set<string> | undefined {
    const names = new Set<string>();
    const wanted = this.namesOfAll(resources);
    const read = new Set<PDFRawStream>();
    const waiting =
      body === undefined ? [...contentStreams(this.context, entry(owner, 'Contents')), ...this.glyphs(owner)] : [body];
    for (let stream = waiting.pop(); stream !== undefined; stream = waiting.pop()) {
      if (read.has(stream)) continue;
      read.add(stream);
      const found = this.namesIn(
        stream,
        wanted.filter((name) => !names.has(name)),
      );
      if (found === undefined) return undefined;
      const before = names.size;
      for (const name of found) names.add(name);
      if (names.size > before) waiting.push(...this.dependents(resources, names).filter((next) => !read.has(next)));
    }
    return names;
  }

  private namesOfAll(resources: PDFDict): readonly string[] {
    return KINDS.flatMap((kind) =>
      (asDict(this.context, entry(resources, kind))?.keys() ?? []).map((name) => plainName(nameText(name))),
    );
  }

  /** The names in a stream; its beginning is enough where all `wanted` ones are in it. */
  private namesIn(stream: PDFRawStream, wanted: readonly string[]): ReadonlySet<string> | undefined {
    const before = this.named.get(stream);
    if (before === undefined ? this.named.has(stream) : isEnough(before, wanted)) return before?.names;
    const beginning = before === undefined ? namesAtBeginning(stream) : undefined;
    const found = beginning !== undefined && isEnough(beginning, wanted) ? beginning : this.allNames(stream);
    this.named.set(stream, found);
    return found?.names;
  }

  private allNames(stream: PDFRawStream): FoundNames | undefined {
    const bytes = decodedContent(this.context, stream);
    if (bytes === undefined) return undefined;
    const names = new Set<string>();
    collectNames(bytes, names);
    return { names, all: true };
  }

  private dependents(resources: PDFDict, names: ReadonlySet<string>): PDFRawStream[] {
    const found: PDFRawStream[] = [];
    for (const kind of ['XObject', 'Pattern', 'Font']) {
      for (const [name, value] of asDict(this.context, entry(resources, kind))?.entries() ?? []) {
        if (!names.has(plainName(nameText(name)))) continue;
        const object = resolve(this.context, value);
        const dict = asDict(this.context, object);
        if (dict === undefined || entry(dict, 'Resources') !== undefined) continue;
        if (object instanceof PDFRawStream && asName(this.context, entry(dict, 'Subtype')) !== 'Image')
          found.push(object);
        found.push(...this.glyphs(dict));
      }
    }
    return found;
  }

  private glyphs(font: PDFDict): PDFRawStream[] {
    const glyphs =
      asDict(this.context, entry(font, 'CharProcs'))
        ?.values()
        .map((value) => resolve(this.context, value)) ?? [];
    return glyphs.filter((glyph): glyph is PDFRawStream => glyph instanceof PDFRawStream);
  }

  private isRepeated(value: PDFObject | undefined): boolean {
    return value instanceof PDFRef && (this.uses.get(value) ?? 0) > 1;
  }

  /** Entries of a dictionary that was counted before are counted again with it. */
  private countPage(value: PDFObject | undefined): void {
    if (value === undefined || this.count(value) > 1) return;
    const resources = asDict(this.context, value);
    if (resources === undefined) return;
    for (const kind of KINDS) {
      const entries = entry(resources, kind);
      if (entries === undefined || this.count(entries) > 1) continue;
      for (const object of asDict(this.context, entries)?.values() ?? []) this.count(object);
    }
  }

  private count(value: PDFObject): number {
    if (!(value instanceof PDFRef)) return 1;
    const times = (this.uses.get(value) ?? 0) + 1;
    this.uses.set(value, times);
    return times;
  }
}

const isEnough = ({ names, all }: FoundNames, wanted: readonly string[]): boolean =>
  all || wanted.every((name) => names.has(name));

function namesAtBeginning(stream: PDFRawStream): FoundNames | undefined {
  const bytes = decodeBeginning(stream, BEGINNING_BYTES);
  if (bytes === undefined) return undefined;
  const names = new Set<string>();
  collectNames(bytes, names, true);
  return { names, all: false };
}

import { type PDFContext, PDFDict, type PDFName, type PDFObject, PDFRawStream, PDFRef, PDFStream } from 'pdf-lib';
import { asDict, asName, dictOf, entry, type ObjectCopier, resolve } from '../objects/index.js';
import { collectNames, contentStreams, decodedContent } from './content-names.js';

/** Named resources by kind (ISO 32000-1, table 33). */
const KINDS = ['XObject', 'Font', 'Pattern', 'Properties', 'ExtGState', 'ColorSpace', 'Shading'] as const;
/** Used without being named in the content (ISO 32000-1, 8.6.5.6). */
const ALWAYS = new Set(['DefaultGray', 'DefaultRGB', 'DefaultCMYK']);

/**
 * Knows which resource dictionaries of a document are shared by several owners. Writers often give all pages one dictionary; a page taken
 * out with it would carry the pictures and forms of every other page.
 */
export class ResourceNeeds {
  private readonly uses = new Map<PDFRef, number>();

  constructor(private readonly context: PDFContext) {
    for (const [, object] of context.enumerateIndirectObjects()) {
      const owner = object instanceof PDFStream ? object.dict : object;
      if (!(owner instanceof PDFDict)) continue;
      const value = entry(owner, 'Resources');
      if (value === undefined) continue;
      this.count(value);
      const resources = value instanceof PDFRef ? undefined : asDict(context, value);
      if (resources !== undefined) for (const kind of KINDS) this.count(entry(resources, kind));
    }
  }

  /** True when other owners may use the same dictionary or one of its parts. */
  isShared(value: PDFObject): boolean {
    if (value instanceof PDFRef) return (this.uses.get(value) ?? 0) > 1 || this.hasSharedKind(asDict(this.context, value));
    return this.hasSharedKind(asDict(this.context, value));
  }

  /** Copies of a resource dictionary only what the owner's content names; everything when the content cannot be read. */
  copyNeeded(owner: PDFDict, body: PDFRawStream | undefined, value: PDFObject, copier: ObjectCopier): PDFObject | undefined {
    const resources = asDict(this.context, value);
    if (resources === undefined) return undefined;
    const names = this.namesOf(owner, body, resources);
    if (names === undefined) return copier.copy(value);
    const kept = dictOf(copier.target, {});
    for (const [kind, entries] of resources.entries()) {
      const dict = (KINDS as readonly string[]).includes(kind.decodeText()) ? asDict(this.context, entries) : undefined;
      const copy = dict === undefined ? copier.copy(entries) : this.filtered(dict, names, copier);
      if (copy !== undefined) kept.set(kind, copy);
    }
    return kept;
  }

  private filtered(dict: PDFDict, names: ReadonlySet<string>, copier: ObjectCopier): PDFDict | undefined {
    const kept = new Map<PDFName, PDFObject>();
    for (const [name, value] of dict.entries()) {
      if (!names.has(name.decodeText()) && !ALWAYS.has(name.decodeText())) continue;
      const copy = copier.copy(value);
      if (copy !== undefined) kept.set(name, copy);
    }
    return kept.size > 0 ? PDFDict.fromMapWithContext(kept, copier.target) : undefined;
  }

  /** Names in the owner's content, and in what it uses that has no resources of its own and so falls back to these (ISO 32000-1, 7.8.3). */
  private namesOf(owner: PDFDict, body: PDFRawStream | undefined, resources: PDFDict): Set<string> | undefined {
    const names = new Set<string>();
    const read = new Set<PDFRawStream>();
    const waiting = body === undefined ? [...contentStreams(this.context, entry(owner, 'Contents')), ...this.glyphs(owner)] : [body];
    for (let stream = waiting.pop(); stream !== undefined; stream = waiting.pop()) {
      if (read.has(stream)) continue;
      read.add(stream);
      const bytes = decodedContent(this.context, stream);
      if (bytes === undefined) return undefined;
      const before = names.size;
      collectNames(bytes, names);
      if (names.size > before) waiting.push(...this.dependents(resources, names).filter((next) => !read.has(next)));
    }
    return names;
  }

  private dependents(resources: PDFDict, names: ReadonlySet<string>): PDFRawStream[] {
    const found: PDFRawStream[] = [];
    for (const kind of ['XObject', 'Pattern', 'Font']) {
      for (const [name, value] of asDict(this.context, entry(resources, kind))?.entries() ?? []) {
        if (!names.has(name.decodeText())) continue;
        const object = resolve(this.context, value);
        const dict = asDict(this.context, object);
        if (dict === undefined || entry(dict, 'Resources') !== undefined) continue;
        if (object instanceof PDFRawStream && asName(this.context, entry(dict, 'Subtype')) !== 'Image') found.push(object);
        found.push(...this.glyphs(dict));
      }
    }
    return found;
  }

  private glyphs(font: PDFDict): PDFRawStream[] {
    const glyphs = asDict(this.context, entry(font, 'CharProcs'))?.values().map((value) => resolve(this.context, value)) ?? [];
    return glyphs.filter((glyph): glyph is PDFRawStream => glyph instanceof PDFRawStream);
  }

  private hasSharedKind(resources: PDFDict | undefined): boolean {
    return resources !== undefined && KINDS.some((kind) => {
      const value = entry(resources, kind);
      return value instanceof PDFRef && (this.uses.get(value) ?? 0) > 1;
    });
  }

  private count(value: PDFObject | undefined): void {
    if (value instanceof PDFRef) this.uses.set(value, (this.uses.get(value) ?? 0) + 1);
  }
}

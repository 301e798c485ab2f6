import { createHash } from 'node:crypto';
import { PDFDict, type PDFObject, type PDFRawStream, type PDFRef } from 'pdf-lib';
import { asDict, dictOf, entry, keyName, resolve, setEntry } from '../file/objects/index.js';
import type { PageEntry } from '../structure/pages/index.js';
import { collectForms } from './collect-forms.js';
import type { ContentReader } from './content-reader.js';
import type { Frame } from './frame.js';
import { ceasedNames } from './named-resources.js';
import { ContentName, type Operator } from './operands.js';
import { packedStream, writePageContent } from './page-content.js';
import { operandText, type Splice, splice } from './writer.js';

/** Entries of a form that duplicate or describe its content: the source page, private data, metadata. */
const COPIES = ['Ref', 'OPI', 'PieceInfo', 'LastModified', 'Metadata', 'AF', 'Measure', 'PtData'] as const;

/** A page whose resources were replaced by a copy, and what they were. */
interface CopiedResources {
  readonly page: PageEntry;
  readonly own: PDFObject | undefined;
  readonly rebound: ReadonlyMap<string, PDFRef>;
  readonly pure: boolean;
}

interface FrameResult {
  readonly bytes: Uint8Array;
  readonly resources: PDFObject | undefined;
  readonly rebound: ReadonlyMap<string, PDFRef>;
  /** True when forms under their old names are all that changed in the resources. */
  readonly pure: boolean;
}

/**
 * Writes what was noted on frames (`Frame.replace`, `Frame.resourceName`). A form that is drawn in several places is
 * copied where they come to differ; resources that others use as well are copied. Call `commit` for every page that was
 * walked, changed or not, then `finish` once: a form that nothing draws as it was is overwritten itself, so that
 * nothing of its old content is left in a rewritten file.
 */
export class ContentEditor {
  readonly #variants = new Map<PDFRawStream, Map<string, PDFRef>>();
  readonly #refs = new Map<PDFRawStream, PDFRef>();
  readonly #kept = new Set<PDFRawStream>();
  readonly #walked = new Set<PDFDict>();
  readonly #copies: CopiedResources[] = [];
  readonly #bindings: { readonly dict: PDFDict; readonly name: string; readonly ref: PDFRef }[] = [];
  readonly #shared = new Map<PDFDict, Map<string, PDFRef>>();

  /** With `prune`, resources that changed content no longer names leave its resources; else they stay. */
  constructor(
    private readonly reader: ContentReader,
    private readonly options: { readonly prune?: boolean } = {},
  ) {}

  /**
   * Writes content that was walked by itself (`ContentReader.stream`) as a copy of its stream; undefined when nothing
   * changed.
   */
  copy(frame: Frame, stream: PDFRawStream): PDFRef | undefined {
    const result = this.#write(frame);
    return result === undefined ? undefined : this.#variant(stream, result);
  }

  /** Forms that were changed somewhere, as they were. */
  changedForms(): Iterable<PDFRawStream> {
    return this.#variants.keys();
  }

  /** Writes a page and its forms; true when anything changed. RangeError when replaced stretches overlap. */
  commit(page: PageEntry, frame: Frame): boolean {
    this.#walked.add(page.dict);
    const result = this.#write(frame);
    if (result === undefined) return false;
    if (result.bytes !== frame.bytes) writePageContent(this.reader.context, page, result.bytes);
    if (result.resources !== undefined) {
      this.#copies.push({ page, own: entry(page.dict, 'Resources'), rebound: result.rebound, pure: result.pure });
      setEntry(page.dict, 'Resources', result.resources);
    }
    return true;
  }

  /**
   * Overwrites forms that nothing draws any more as they were. `pages` are all pages of the document; forms in `beside`
   * (`besideContent`) are drawn by something else as well and stay; it is asked for only when forms changed.
   */
  finish(pages: readonly PageEntry[], beside: () => ReadonlySet<PDFObject> = () => new Set()): void {
    const { context } = this.reader;
    if (this.#variants.size === 0) return;
    const others = beside();
    const elsewhere = collectForms(
      context,
      pages.filter(({ dict }) => !this.#walked.has(dict)),
    );
    const back = new Map<PDFRef, PDFRef>();
    for (const [stream, variants] of this.#variants) {
      const ref = this.#refs.get(stream);
      const [first] = variants.values();
      if (
        ref === undefined ||
        first === undefined ||
        this.#kept.has(stream) ||
        elsewhere.has(stream) ||
        others.has(stream)
      )
        continue;
      const written = context.lookup(first);
      if (written === undefined) continue;
      context.assign(ref, written);
      context.delete(first);
      back.set(first, ref);
    }
    for (const { dict, name, ref } of this.#bindings) {
      const old = back.get(ref);
      if (old !== undefined) dict.set(keyName(name), old);
    }
    // Resources in which every form came back under its own name are what they were.
    for (const { page, own, rebound, pure } of this.#copies)
      if (pure && [...rebound.values()].every((ref) => back.has(ref))) setEntry(page.dict, 'Resources', own);
  }

  #write(frame: Frame): FrameResult | undefined {
    const changed: { readonly child: Frame; readonly ref: PDFRef }[] = [];
    const same: Frame[] = [];
    const replaced = [...frame.splices].sort((a, b) => a.start - b.start);
    for (const child of frame.children) {
      if (child.use === undefined || isWithin(replaced, child.use.operator)) continue;
      const ref = this.#writeForm(child);
      if (ref === undefined) same.push(child);
      else changed.push({ child, ref });
    }
    if (changed.length === 0 && frame.splices.length === 0 && frame.additions.length === 0) return undefined;
    const { splices, bound, gone: forms, pure } = this.#bind(frame, changed, same);
    const all = [...frame.splices, ...splices];
    const bytes = splice(frame.bytes, all);
    const gone = new Map([['XObject', forms]]);
    if (this.options.prune === true)
      for (const [kind, names] of ceasedNames(frame, all, bytes))
        gone.set(
          kind,
          new Set([...(gone.get(kind) ?? []), ...names].filter((name) => kind !== 'XObject' || !bound.has(name))),
        );
    const isGone = [...gone.values()].some((names) => names.size > 0);
    const resources =
      bound.size === 0 && frame.additions.length === 0 && !isGone ? undefined : this.#copyResources(frame, bound, gone);
    return { bytes, resources, rebound: bound, pure: pure && frame.additions.length === 0 && !isGone };
  }

  /** Finds names for changed forms: the old one where all that it drew became the same, else new ones. */
  #bind(frame: Frame, changed: readonly { readonly child: Frame; readonly ref: PDFRef }[], same: readonly Frame[]) {
    const splices: Splice[] = [];
    const bound = new Map<string, PDFRef>();
    const gone = new Set<string>();
    const still = new Set(same.map((child) => child.use!.name));
    let pure = true;
    const byName = new Map<string, { readonly child: Frame; readonly ref: PDFRef }[]>();
    for (const one of changed) {
      const { name } = one.child.use!;
      const uses = byName.get(name);
      if (uses === undefined) byName.set(name, [one]);
      else uses.push(one);
    }
    for (const [name, uses] of byName) {
      const [first] = uses;
      if (first !== undefined && !still.has(name) && uses.every(({ ref }) => ref === first.ref)) {
        bound.set(name, first.ref);
        continue;
      }
      pure = false;
      if (!still.has(name)) gone.add(name);
      const names = new Map<PDFRef, string>();
      for (const { child, ref } of uses) {
        const fresh = names.get(ref) ?? this.#freshName(frame, bound, names.size);
        names.set(ref, fresh);
        bound.set(fresh, ref);
        const { operator } = child.use!;
        splices.push({ start: operator.start, end: operator.end, with: `${operandText(new ContentName(fresh))} Do` });
      }
    }
    return { splices, bound, gone, pure };
  }

  #freshName(frame: Frame, bound: ReadonlyMap<string, PDFRef>, from: number): string {
    for (let number = from + 1; ; number++) {
      const name = `Form${number}`;
      if (!bound.has(name) && this.reader.resource(frame, 'XObject', name) === undefined) return name;
    }
  }

  /** The form as it was changed where this frame draws it; undefined when it was not. */
  #writeForm(frame: Frame): PDFRef | undefined {
    const { stream, ref } = frame.use!;
    const result = this.#write(frame);
    if (result === undefined) {
      this.#kept.add(stream);
      return undefined;
    }
    if (ref !== undefined) this.#refs.set(stream, ref);
    return this.#variant(stream, result, this.#variants);
  }

  /** The stream with other content, the same one for the same content. */
  #variant(
    stream: PDFRawStream,
    result: FrameResult,
    among: Map<PDFRawStream, Map<string, PDFRef>> = new Map(),
  ): PDFRef {
    const key = createHash('sha256')
      .update(result.bytes)
      .update(result.resources?.toString() ?? '')
      .digest('base64');
    const variants = among.get(stream) ?? new Map<string, PDFRef>();
    among.set(stream, variants);
    const known = variants.get(key);
    if (known !== undefined) return known;
    const { context } = this.reader;
    const dict = PDFDict.fromMapWithContext(new Map(stream.dict.entries()), context);
    for (const name of COPIES) setEntry(dict, name, undefined);
    if (result.resources !== undefined) setEntry(dict, 'Resources', result.resources);
    const written = packedStream(context, dict, result.bytes);
    variants.set(key, written);
    return written;
  }

  /**
   * A copy of a frame's resources with forms under other names, and what new content needs. The same copy serves all
   * that change alike.
   */
  #copyResources(
    frame: Frame,
    bound: ReadonlyMap<string, PDFRef>,
    gone: ReadonlyMap<string, ReadonlySet<string>>,
  ): PDFRef {
    const { context } = this.reader;
    const original = frame.resources ?? dictOf(context, {});
    const key = JSON.stringify([
      [...bound].map(([name, ref]) => [name, ref.toString()]),
      [...gone].map(([kind, names]) => [kind, ...names]),
      frame.additions.map(({ kind, name, value }) => [kind, name, value.toString()]),
    ]);
    const copies = this.#shared.get(original) ?? new Map<string, PDFRef>();
    this.#shared.set(original, copies);
    const known = copies.get(key);
    if (known !== undefined) return known;
    const copy = PDFDict.fromMapWithContext(new Map(original.entries()), context);
    const kindOf = (kind: string): PDFDict => {
      const own = asDict(context, entry(original, kind));
      const dict =
        entry(copy, kind) === entry(original, kind)
          ? PDFDict.fromMapWithContext(new Map(own?.entries() ?? []), context)
          : (resolve(context, entry(copy, kind)) as PDFDict);
      setEntry(copy, kind, dict);
      return dict;
    };
    for (const [kind, names] of gone) {
      if (names.size === 0) continue;
      const dict = kindOf(kind);
      for (const name of names) dict.delete(keyName(name));
    }
    if (bound.size > 0) {
      const forms = kindOf('XObject');
      for (const [name, ref] of bound) {
        forms.set(keyName(name), ref);
        this.#bindings.push({ dict: forms, name, ref });
      }
    }
    for (const { kind, name, value } of frame.additions) kindOf(kind).set(keyName(name), value);
    const ref = context.register(copy);
    copies.set(key, ref);
    return ref;
  }
}

/** True when one of these stretches, in order and apart from each other, holds the operator. */
function isWithin(stretches: readonly Splice[], { start, end }: Operator): boolean {
  let [low, high] = [0, stretches.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (stretches[middle]!.start <= start) low = middle + 1;
    else high = middle;
  }
  return (stretches[low - 1]?.end ?? -1) >= end;
}

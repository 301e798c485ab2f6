import { type PDFContext, PDFDict, type PDFObject } from 'pdf-lib';
import {
  arrayOf,
  asArray,
  asDict,
  asName,
  catalogOf,
  dictOf,
  elements,
  entry,
  nameText,
  readNameTree,
  resolve,
  setEntry,
  writeNameTree,
} from '../../file/objects/index.js';
import { everyObject } from '../../file/objects/every-object.js';

/** An action as it hangs in a document. */
export interface HungAction {
  readonly dict: PDFDict;
  /** Its kind as /S has it (ISO 32000-1, table 198). */
  readonly kind: string;
  /** True on link annotations. */
  readonly link: boolean;
}

/** Actions that follow one another; what lies beyond goes, since nobody would look at it. */
const MAX_CHAIN = 500;
/**
 * Where one action may hang: on opening, on activation, and what capturing from the web put aside (ISO 32000-1, tables
 * 28, 173 and 153).
 */
const KEYS = ['OpenAction', 'A', 'PA'] as const;
/** Kinds of actions (ISO 32000-2, table 201), and those of its extensions. Other dictionaries with /S are none. */
const KINDS: ReadonlySet<string> = new Set([
  'GoTo',
  'GoToR',
  'GoToE',
  'GoToDp',
  'Launch',
  'Thread',
  'URI',
  'Sound',
  'Movie',
  'Hide',
  'Named',
  'SubmitForm',
  'ResetForm',
  'ImportData',
  'JavaScript',
  'SetOCGState',
  'Rendition',
  'Trans',
  'GoTo3DView',
  'RichMediaExecute',
  'SetState',
  'NoOp',
]);

/** Gives the kind of an action, or undefined for what is none. A script without a kind is one. */
export function actionKind(context: PDFContext, value: PDFObject | undefined): string | undefined {
  const dict = resolve(context, value);
  if (!(dict instanceof PDFDict)) return undefined;
  // The kind of a structure element stands under the same key.
  if (asName(context, entry(dict, 'Type')) === 'StructElem') return undefined;
  const kind = asName(context, entry(dict, 'S')) ?? (entry(dict, 'JS') === undefined ? undefined : 'JavaScript');
  return kind !== undefined && KINDS.has(kind) ? kind : undefined;
}

/**
 * Takes actions out of a document in place, wherever they hang on what its catalog leads to: on opening, on activation,
 * on triggers (/AA), in the list of scripts, behind others (/Next; what follows one that goes moves up to its place;
 * ISO 32000-1, 12.6). One that is reached in any other way is emptied. Gives how many went.
 */
export function pruneActions(context: PDFContext, drops: (action: HungAction) => boolean): number {
  return new Pruning(context, drops).run();
}

class Pruning {
  readonly #gone = new Set<PDFDict>();
  /** What stays of an action and those behind it, on links and elsewhere. */
  readonly #kept = [new Map<PDFDict, readonly PDFObject[]>(), new Map<PDFDict, readonly PDFObject[]>()] as const;

  constructor(
    private readonly context: PDFContext,
    private readonly drops: (action: HungAction) => boolean,
  ) {}

  run(): number {
    for (const object of everyObject(this.context)) {
      if (!(object instanceof PDFDict)) continue;
      const link = asName(this.context, entry(object, 'Subtype')) === 'Link';
      for (const key of KEYS) this.#put(object, key, link);
      this.#triggers(object, link);
    }
    this.#scripts();
    for (const object of everyObject(this.context)) {
      if (object instanceof PDFDict && this.#goes(object, false)) for (const key of object.keys()) object.delete(key);
    }
    return this.#gone.size;
  }

  #triggers(owner: PDFDict, link: boolean): void {
    const triggers = resolve(this.context, entry(owner, 'AA'));
    if (!(triggers instanceof PDFDict)) return;
    for (const key of triggers.keys()) this.#put(triggers, nameText(key), link);
    if (triggers.keys().length === 0) setEntry(owner, 'AA', undefined);
  }

  #scripts(): void {
    const catalog = catalogOf(this.context);
    const names = asDict(this.context, catalog === undefined ? undefined : entry(catalog, 'Names'));
    const scripts = readNameTree(this.context, names === undefined ? undefined : entry(names, 'JavaScript'));
    const kept = scripts.filter(([, value]) => !this.#goes(resolve(this.context, value), false));
    if (names !== undefined && kept.length < scripts.length)
      setEntry(names, 'JavaScript', kept.length === 0 ? undefined : writeNameTree(this.context, kept));
  }

  #put(holder: PDFDict, key: string, link: boolean): void {
    const value = entry(holder, key);
    if (value === undefined || actionKind(this.context, value) === undefined) return;
    const [first, ...others] = this.#keptOf(value, link, 0);
    if (first !== value || others.length > 0) setEntry(holder, key, this.#chain(first, others));
  }

  /** What stays of a value of /Next, or of any other place of an action. */
  #keptOf(value: PDFObject | undefined, link: boolean, depth: number): readonly PDFObject[] {
    if (value === undefined || depth > MAX_CHAIN) return [];
    if (asArray(this.context, value) !== undefined)
      return elements(this.context, value)
        .slice(0, MAX_CHAIN)
        .flatMap((one) => (asArray(this.context, one) === undefined ? this.#keptOf(one, link, depth + 1) : []));
    const dict = resolve(this.context, value);
    if (!(dict instanceof PDFDict)) return [];
    const kept = this.#kept[link ? 1 : 0];
    const known = kept.get(dict);
    if (known !== undefined) return known;
    const goes = this.#goes(dict, link);
    // What follows itself is taken once.
    kept.set(dict, goes ? [] : [value]);
    const next = entry(dict, 'Next');
    const following = this.#keptOf(next, link, depth + 1);
    if (goes) kept.set(dict, following.slice(0, MAX_CHAIN));
    else if (next !== undefined && !this.#same(next, following))
      setEntry(dict, 'Next', following.length < 2 ? following[0] : arrayOf(this.context, following));
    return kept.get(dict) ?? [];
  }

  #same(next: PDFObject, following: readonly PDFObject[]): boolean {
    const before = asArray(this.context, next)?.asArray() ?? [next];
    return before.length === following.length && before.every((one, i) => one === following[i]);
  }

  /** Makes one action of several: a copy of the first, with the others behind it. */
  #chain(first: PDFObject | undefined, others: readonly PDFObject[]): PDFObject | undefined {
    const head = resolve(this.context, first);
    if (others.length === 0 || !(head instanceof PDFDict)) return first;
    const copy = dictOf(this.context, Object.fromEntries(head.entries().map(([key, value]) => [nameText(key), value])));
    const next = entry(head, 'Next');
    const own = next === undefined ? [] : (asArray(this.context, next)?.asArray() ?? [next]);
    setEntry(copy, 'Next', arrayOf(this.context, [...own, ...others]));
    return this.context.register(copy);
  }

  #goes(dict: PDFObject | undefined, link: boolean): boolean {
    const kind = actionKind(this.context, dict);
    if (kind === undefined || !(dict instanceof PDFDict)) return false;
    const goes = this.drops({ dict, kind, link });
    if (goes) this.#gone.add(dict);
    return goes;
  }
}

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

/** An action and where it was found. */
export interface FoundAction {
  readonly dict: PDFDict;
  /** Its type from /S (ISO 32000-1, table 198). */
  readonly kind: string;
  /** True for actions of link annotations. */
  readonly link: boolean;
}

/** Most actions in a chain; the rest of the chain is removed because it is not inspected. */
const MAX_CHAIN = 500;
/**
 * Entries with a single action: on opening, on activation, and those that web capture replaced (ISO 32000-1, tables 28,
 * 173 and 153).
 */
const KEYS = ['OpenAction', 'A', 'PA'] as const;
/** Action types (ISO 32000-2, table 201), including extensions. Other dictionaries with /S are not actions. */
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

/** Returns the type of an action, or undefined if the value is not an action. A script without a type counts as one. */
export function actionKind(context: PDFContext, value: PDFObject | undefined): string | undefined {
  const dict = resolve(context, value);
  if (!(dict instanceof PDFDict)) return undefined;
  // Structure elements use the same key for their type.
  if (asName(context, entry(dict, 'Type')) === 'StructElem') return undefined;
  const kind = asName(context, entry(dict, 'S')) ?? (entry(dict, 'JS') === undefined ? undefined : 'JavaScript');
  return kind !== undefined && KINDS.has(kind) ? kind : undefined;
}

/**
 * Removes actions from a document, in place, wherever they are reachable from its catalog: on opening, on activation,
 * on triggers (/AA), in the list of scripts, and in chains (/Next, where the following action takes the place of a
 * removed one; ISO 32000-1, 12.6). An action that is reachable in any other way is emptied. Returns the number of
 * removed actions.
 */
export function pruneActions(context: PDFContext, drops: (action: FoundAction) => boolean): number {
  return new Pruning(context, drops).run();
}

class Pruning {
  readonly #gone = new Set<PDFDict>();
  /** The remaining part of each action chain, for links and for other places. */
  readonly #kept = [new Map<PDFDict, readonly PDFObject[]>(), new Map<PDFDict, readonly PDFObject[]>()] as const;

  constructor(
    private readonly context: PDFContext,
    private readonly drops: (action: FoundAction) => boolean,
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

  /** Returns the remaining part of a /Next value, or of any other place of an action. */
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
    // Guards against chains that contain themselves.
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

  /** Joins several actions to one: a copy of the first, followed by the others. */
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

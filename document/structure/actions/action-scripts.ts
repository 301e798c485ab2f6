import { type PDFContext, PDFDict, type PDFObject } from 'pdf-lib';
import { asArray, asDict, catalogOf, elements, entry, nameText, resolve } from '../../file/objects/index.js';
import type { PageEntry } from '../pages/index.js';
import { readAnnotations } from '../annotations/annotations.js';
import { allFieldNodes, fullName, readFields } from '../../forms/fields/fields.js';
import { outlineTitle, readOutlines, type OutlineNode } from '../outlines/outlines.js';
import { readDocumentScripts, readScript } from './scripts.js';

/** A script and the event that runs it. */
export interface PlacedScript {
  /** The script's name in the document's list, else a description of the event that runs it. */
  readonly place: string;
  readonly script: string;
}

/** Limits for hostile documents: number of scripts, total length in UTF-16 code units, and actions in a chain. */
const MAX_SCRIPTS = 20_000;
const MAX_LETTERS = 64 * 1024 * 1024;
const MAX_CHAIN = 1000;

/** Descriptions of the events that trigger actions (ISO 32000-1, tables 194 to 197). */
const TRIGGERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  document: {
    WC: 'before closing',
    WS: 'before saving',
    DS: 'after saving',
    WP: 'before printing',
    DP: 'after printing',
  },
  page: { O: 'on opening', C: 'on closing' },
  annotation: {
    E: 'on entering',
    X: 'on leaving',
    D: 'on pressing',
    U: 'on releasing',
    Fo: 'on focus',
    Bl: 'on losing focus',
    PO: 'on opening its page',
    PC: 'on closing its page',
    PV: 'when its page is seen',
    PI: 'when its page is no longer seen',
  },
  field: { K: 'on typing', F: 'format', V: 'validate', C: 'calculate' },
};

/**
 * Reads all scripts of a document: first those of its own list in the order in which they run, then those of actions:
 * of the document, its pages, fields, annotations and bookmarks. Each action is read once. Reading stops at the limits.
 */
export function readAllScripts(context: PDFContext, pages: readonly PageEntry[]): PlacedScript[] {
  const walk = new ScriptWalk(context);
  for (const { name, action, script } of readDocumentScripts(context)) walk.add(name, action, script);
  const catalog = catalogOf(context);
  if (catalog === undefined) return walk.found;
  walk.action('document, when it is opened', entry(catalog, 'OpenAction'));
  walk.triggers('document', catalog, 'document');
  for (const [i, { dict }] of pages.entries()) walk.triggers(`page ${i + 1}`, dict, 'page');
  for (const node of allFieldNodes(readFields(context))) {
    // Full names are computed only for fields with actions: a thousand fields may share a name of a megabyte.
    if (entry(node.dict, 'A') === undefined && entry(node.dict, 'AA') === undefined) continue;
    const name = `field ${fullName(context, node)}`;
    walk.action(`${name}, on activation`, entry(node.dict, 'A'));
    walk.triggers(name, node.dict, 'field', 'annotation');
  }
  for (const [i, { dict }] of pages.entries()) {
    for (const annotation of readAnnotations(context, dict)) {
      const name = `${annotation.kind === '' ? 'annotation' : annotation.kind} on page ${i + 1}`;
      walk.action(`${name}, on activation`, entry(annotation.dict, 'A'));
      walk.triggers(name, annotation.dict, 'annotation', 'field');
    }
  }
  for (const node of flat(readOutlines(context)))
    if (entry(node.dict, 'A') !== undefined)
      walk.action(`bookmark ${outlineTitle(context, node)}`, entry(node.dict, 'A'));
  return walk.found;
}

class ScriptWalk {
  readonly found: PlacedScript[] = [];
  readonly #seen = new Set<PDFDict>();
  #letters = 0;

  constructor(private readonly context: PDFContext) {}

  add(place: string, action: PDFDict, script: string): void {
    if (this.#seen.has(action) || this.found.length >= MAX_SCRIPTS || this.#letters >= MAX_LETTERS) return;
    this.#seen.add(action);
    this.#letters += script.length;
    this.found.push({ place, script });
  }

  /** Adds the scripts of an action and of those that follow it (ISO 32000-1, 12.6.2). */
  action(place: string, value: PDFObject | undefined): void {
    const waiting: (PDFObject | undefined)[] = [value];
    for (let steps = 0; waiting.length > 0 && steps < MAX_CHAIN && this.#letters < MAX_LETTERS; steps++) {
      const action = resolve(this.context, waiting.pop());
      if (!(action instanceof PDFDict) || this.#seen.has(action)) continue;
      const script = entry(action, 'JS') === undefined ? undefined : readScript(this.context, action);
      if (script === undefined) this.#seen.add(action);
      else this.add(place, action, script);
      const next = entry(action, 'Next');
      waiting.push(
        ...(asArray(this.context, next) === undefined
          ? [next]
          : elements(this.context, next).slice(0, MAX_CHAIN).reverse()),
      );
    }
  }

  /** Adds the scripts of an object's additional actions. */
  triggers(place: string, owner: PDFDict, ...kinds: readonly (keyof typeof TRIGGERS)[]): void {
    for (const [key, value] of asDict(this.context, entry(owner, 'AA'))?.entries() ?? []) {
      const trigger = nameText(key);
      const words = kinds.map((kind) => TRIGGERS[kind]?.[trigger]).find((each) => each !== undefined);
      this.action(`${place}, ${words ?? 'on the trigger'} (${trigger})`, value);
    }
  }
}

function* flat(nodes: readonly OutlineNode[]): Generator<OutlineNode> {
  for (const node of nodes) {
    yield node;
    yield* flat(node.children);
  }
}

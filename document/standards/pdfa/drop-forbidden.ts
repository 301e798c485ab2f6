import { type PDFContext, PDFDict, type PDFObject } from 'pdf-lib';
import {
  asArray,
  asDict,
  asName,
  asNumber,
  catalogOf,
  elements,
  entry,
  resolve,
  setEntry,
} from '../../file/objects/index.js';
import type { PageEntry } from '../../structure/pages/index.js';
import { dropAnnotations, type Annotation, readAnnotations } from '../../structure/annotations/index.js';
import { readOutlines, type OutlineNode } from '../../structure/outlines/index.js';

/** Allowed action types (ISO 19005-3, 6.5.1). */
const ACTIONS: ReadonlySet<string> = new Set(['GoTo', 'GoToR', 'GoToE', 'Thread', 'URI', 'SubmitForm', 'Named']);
const NAMED: ReadonlySet<string> = new Set(['NextPage', 'PrevPage', 'FirstPage', 'LastPage']);
/** Annotations that need no appearance (ISO 19005-3, 6.3.3). */
const WITHOUT_APPEARANCE: ReadonlySet<string> = new Set(['Popup', 'Link']);
const MAX_CHAIN = 100;

/**
 * Removes content that PDF/A forbids and converters leave behind: annotations without an appearance, and actions that
 * do more than navigate. Returns how many annotations were removed.
 */
export function dropForbidden(context: PDFContext, pages: readonly PageEntry[]): number {
  const catalog = catalogOf(context);
  if (catalog === undefined) return 0;
  let dropped = 0;
  tidyActions(context, catalog, 'OpenAction');
  for (const { dict } of pages) {
    setEntry(dict, 'AA', undefined);
    dropped += dropAnnotations(context, dict, (annotation) => !isShown(context, annotation));
    for (const annotation of readAnnotations(context, dict)) tidyActions(context, annotation.dict, 'A');
  }
  for (const node of flat(readOutlines(context))) tidyActions(context, node.dict, 'A');
  return dropped;
}

function isShown(context: PDFContext, { dict, kind }: Annotation): boolean {
  if (WITHOUT_APPEARANCE.has(kind)) return true;
  const [left, bottom, right, top] = elements(context, entry(dict, 'Rect')).map((value) => asNumber(context, value));
  const appearances = asDict(context, entry(dict, 'AP'));
  return (
    (left === right && bottom === top) ||
    (appearances !== undefined && asDict(context, entry(appearances, 'N')) !== undefined)
  );
}

function tidyActions(context: PDFContext, owner: PDFDict, key: string): void {
  setEntry(owner, 'AA', undefined);
  const action = resolve(context, entry(owner, key));
  if (action instanceof PDFDict && !isAllowed(context, action)) setEntry(owner, key, undefined);
}

/** True when an action and all that follow it are allowed. */
function isAllowed(context: PDFContext, first: PDFDict): boolean {
  const seen = new Set<PDFDict>();
  const waiting: (PDFObject | undefined)[] = [first];
  while (waiting.length > 0) {
    const action = resolve(context, waiting.pop());
    if (!(action instanceof PDFDict) || seen.has(action)) continue;
    if (seen.size >= MAX_CHAIN) return false;
    seen.add(action);
    const kind = asName(context, entry(action, 'S')) ?? '';
    if (!ACTIONS.has(kind) || (kind === 'Named' && !NAMED.has(asName(context, entry(action, 'N')) ?? ''))) return false;
    const next = entry(action, 'Next');
    waiting.push(...(asArray(context, next) === undefined ? [next] : elements(context, next).slice(0, MAX_CHAIN)));
  }
  return true;
}

function* flat(nodes: readonly OutlineNode[]): Generator<OutlineNode> {
  for (const node of nodes) {
    yield node;
    yield* flat(node.children);
  }
}

import { type PDFContext, PDFDict, type PDFObject } from 'pdf-lib';
import { asArray, asName, asText, elements, entry, resolve } from '../../file/objects/index.js';
import type { Annotation } from '../annotations/index.js';

/** Most actions of a chain that are inspected. */
const MAX_CHAIN = 100;
/** Actions that leave the document (ISO 32000-1, table 198). */
const OUTSIDE: ReadonlySet<string> = new Set(['URI', 'Launch', 'GoToR', 'GoToE', 'SubmitForm', 'ImportData']);

/** Returns the addresses that the links among these annotations lead to, each once, in the order of the page. */
export function linkTargets(context: PDFContext, annotations: readonly Annotation[]): string[] {
  const found = new Set<string>();
  for (const { dict, kind } of annotations) {
    if (kind !== 'Link') continue;
    for (const action of actionsOf(context, entry(dict, 'A'))) {
      const uri = asName(context, entry(action, 'S')) === 'URI' ? asText(context, entry(action, 'URI')) : undefined;
      if (uri !== undefined) found.add(uri);
    }
  }
  return [...found];
}

/**
 * Returns true if activating the annotation leaves the document: for an address, a program, another file, or a form
 * that is submitted.
 */
export function leadsOutside(context: PDFContext, { dict }: Annotation): boolean {
  for (const action of actionsOf(context, entry(dict, 'A')))
    if (OUTSIDE.has(asName(context, entry(action, 'S')) ?? '')) return true;
  return false;
}

/** Yields an action and those that follow it (ISO 32000-1, 12.6.2), each once. */
function* actionsOf(context: PDFContext, first: PDFObject | undefined): Generator<PDFDict> {
  const waiting: (PDFObject | undefined)[] = [first];
  const seen = new Set<PDFDict>();
  for (let steps = 0; waiting.length > 0 && steps < MAX_CHAIN; steps++) {
    const action = resolve(context, waiting.shift());
    if (!(action instanceof PDFDict) || seen.has(action)) continue;
    seen.add(action);
    yield action;
    const next = entry(action, 'Next');
    if (next !== undefined)
      waiting.push(...(asArray(context, next) === undefined ? [next] : elements(context, next).slice(0, MAX_CHAIN)));
  }
}

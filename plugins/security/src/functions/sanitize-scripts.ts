import { arrayOf, asDict, asName, catalogOf, elements, entry, setEntry } from '@quire/document/file/objects';
import { acroFormOf, editXfa } from '@quire/document/forms/fields';
import { dictOfHolder, everyObject } from '@quire/document/file/objects';
import { withoutElements } from '@quire/document/structure/metadata';
import { PDFArray, type PDFContext } from 'pdf-lib';

/** The elements of XFA forms that are scripts (XFA 3.3), without their prefix. */
const SCRIPTS: ReadonlySet<string> = new Set(['script', 'execute']);
/** Elements that submit the form or fetch data for it. */
const LINKS: ReadonlySet<string> = new Set(['submit', 'connectionSet']);
/** Elements with metadata of an XFA form. */
const METADATA: ReadonlySet<string> = new Set(['xmpmeta']);

/**
 * Removes the remaining scripts from a document without actions, in place: the emptied name tree, the calculation
 * order, scripts of 3D artwork and XFA forms, and requirements for JavaScript. Returns the number of these that held a
 * script.
 */
export function dropScripts(context: PDFContext): number {
  const catalog = catalogOf(context);
  const names = asDict(context, catalog === undefined ? undefined : entry(catalog, 'Names'));
  let count = 0;
  // Entries that are not scripts have no use here either.
  if (names !== undefined) setEntry(names, 'JavaScript', undefined);
  const form = acroFormOf(context);
  if (form !== undefined) setEntry(form, 'CO', undefined);
  if (dropElements(context, SCRIPTS)) count++;
  if (catalog !== undefined && entry(catalog, 'Requirements') !== undefined) {
    const kept = elements(context, entry(catalog, 'Requirements')).filter(
      (one) => asName(context, entry(asDict(context, one) ?? catalog, 'S')) !== 'EnableJavaScripts',
    );
    setEntry(catalog, 'Requirements', kept.length === 0 ? undefined : arrayOf(context, kept));
  }
  for (const holder of everyObject(context)) {
    const dict = holder instanceof PDFArray ? undefined : dictOfHolder(holder);
    if (dict === undefined) continue;
    for (const key of ['OnInstantiate', 'JS']) {
      if (entry(dict, key) === undefined) continue;
      setEntry(dict, key, undefined);
      count++;
    }
  }
  return count;
}

/** Removes submissions and connections from an XFA form, in place. Returns true if there were any. */
export function dropXfaLinks(context: PDFContext): boolean {
  return dropElements(context, LINKS);
}

/** Removes XMP metadata from an XFA form, in place. Returns true if there was any. */
export function dropXfaMetadata(context: PDFContext): boolean {
  return dropElements(context, METADATA);
}

/** If an element cannot be cut out reliably, the whole XFA form is removed. */
function dropElements(context: PDFContext, names: ReadonlySet<string>): boolean {
  const fits = (name: string): boolean => names.has(name.slice(name.indexOf(':') + 1));
  const left = new RegExp(`<(?:[\\w-]+:)?(?:${[...names].join('|')})[\\s/>]`);
  return editXfa(context, (xml) => {
    const now = withoutElements(xml, fits);
    return left.test(now) ? undefined : now;
  });
}

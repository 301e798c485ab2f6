import { arrayOf, asDict, asName, catalogOf, elements, entry, setEntry } from '@quire/document/file/objects';
import { acroFormOf, editXfa } from '@quire/document/forms/fields';
import { dictOfHolder, everyObject } from '@quire/document/file/objects';
import { withoutElements } from '@quire/document/structure/metadata';
import { PDFArray, type PDFContext } from 'pdf-lib';

/** The elements of XFA forms that are scripts (XFA 3.3), without their prefix. */
const SCRIPTS: ReadonlySet<string> = new Set(['script', 'execute']);
/** Those that send the form, or fetch something for it. */
const LINKS: ReadonlySet<string> = new Set(['submit', 'connectionSet']);
/** What an XFA form says of itself. */
const METADATA: ReadonlySet<string> = new Set(['xmpmeta']);

/**
 * Takes what is left of scripts out of a document whose actions are gone, in place: the emptied list, the order of
 * calculations, scripts of 3D artwork and XFA forms, and what asks viewers for scripts. Gives how many of these held
 * one.
 */
export function dropScripts(context: PDFContext): number {
  const catalog = catalogOf(context);
  const names = asDict(context, catalog === undefined ? undefined : entry(catalog, 'Names'));
  let count = 0;
  // What is no script is of no use here either.
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

/** Takes what an XFA form sends and fetches out of it, in place. Gives whether there was any. */
export function dropXfaLinks(context: PDFContext): boolean {
  return dropElements(context, LINKS);
}

/** Takes XMP out of an XFA form, in place. Gives whether there was any. */
export function dropXfaMetadata(context: PDFContext): boolean {
  return dropElements(context, METADATA);
}

/** Where an element could not be cut out for sure, the whole XFA form goes. */
function dropElements(context: PDFContext, names: ReadonlySet<string>): boolean {
  const fits = (name: string): boolean => names.has(name.slice(name.indexOf(':') + 1));
  const left = new RegExp(`<(?:[\\w-]+:)?(?:${[...names].join('|')})[\\s/>]`);
  return editXfa(context, (xml) => {
    const now = withoutElements(xml, fits);
    return left.test(now) ? undefined : now;
  });
}

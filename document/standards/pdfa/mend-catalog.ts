import { type PDFContext, PDFDict, PDFHeader, PDFName, type PDFObject, type PDFRef, PDFString } from 'pdf-lib';
import {
  arrayOf,
  asArray,
  asDict,
  asName,
  asText,
  catalogOf,
  dictOf,
  elements,
  entry,
  resolve,
  setEntry,
} from '../../file/objects/index.js';
import type { OpenedPdf } from '../../file/open/index.js';
import { acroFormOf, dropXfa } from '../../forms/fields/index.js';
import { actionKind, pruneActions } from '../../structure/actions/index.js';
import { dropPermissions } from '../../signatures/fields/index.js';
import { everyObject } from '../../file/objects/index.js';
import { readLayers } from '../../structure/layers/index.js';

/** What an action may do (ISO 19005-1, 6.6.1; -2 and -3, 6.5.1). */
const ACTIONS: ReadonlySet<string> = new Set(['GoTo', 'GoToR', 'GoToE', 'Thread', 'URI', 'SubmitForm', 'Named']);
const NAMED: ReadonlySet<string> = new Set(['NextPage', 'PrevPage', 'FirstPage', 'LastPage']);

/**
 * Takes out what does something on its own, in place: scripts, programs, sounds, films, changes of layers, and
 * everything that runs on a trigger. Gives how many actions went.
 */
export function mendActions({ document: { context } }: OpenedPdf, part: number): number {
  const dropped = pruneActions(
    context,
    ({ dict, kind }) =>
      !ACTIONS.has(kind) ||
      (part === 1 && kind === 'GoToE') ||
      (kind === 'Named' && !NAMED.has(asName(context, entry(dict, 'N')) ?? '')),
  );
  let triggers = 0;
  for (const object of everyObject(context)) {
    if (!(object instanceof PDFDict)) continue;
    for (const key of ['A', 'OpenAction', 'PA'])
      if (isUnknown(context, entry(object, key))) setEntry(object, key, undefined);
    if (entry(object, 'AA') === undefined) continue;
    triggers +=
      asDict(context, entry(object, 'AA'))
        ?.values()
        .filter((action) => actionKind(context, action) !== undefined).length ?? 0;
    setEntry(object, 'AA', undefined);
  }
  return dropped + triggers;
}

/** An action of a kind that nobody knows; structure elements keep their attributes under the same key. */
function isUnknown(context: PDFContext, value: PDFObject | undefined): boolean {
  const dict = resolve(context, value);
  if (!(dict instanceof PDFDict)) return false;
  const kind = asName(context, entry(dict, 'S'));
  return (
    (kind !== undefined || asName(context, entry(dict, 'Type')) === 'Action') &&
    !ACTIONS.has(kind ?? '') &&
    entry(dict, 'O') === undefined
  );
}

/**
 * What the catalog and its forms must not say (ISO 19005-1, 6.6 and 6.9; -2, 6.4.2, 6.10 and 6.11), put right in place.
 */
export function mendCatalog({ document: { context }, pages }: OpenedPdf, part: number): void {
  const catalog = catalogOf(context);
  if (catalog === undefined) return;
  for (const key of ['Version', 'Extensions', 'Requirements', 'NeedsRendering', 'SpiderInfo', 'Legal'])
    setEntry(catalog, key, undefined);
  dropPermissions(context);
  dropXfa(context);
  const form = acroFormOf(context);
  if (form !== undefined) for (const key of ['NeedAppearances', 'XFA']) setEntry(form, key, undefined);
  const names = asDict(context, entry(catalog, 'Names'));
  if (names !== undefined) for (const key of ['JavaScript', 'AlternatePresentations']) setEntry(names, key, undefined);
  for (const { dict } of pages) setEntry(dict, 'PresSteps', undefined);
  const own = /%PDF-(\d)\.(\d)/.exec(context.header.toString()) ?? [];
  if (part === 1) context.header = PDFHeader.forVersion(1, 4);
  else if (Number(own[1] ?? 1) > 1) context.header = PDFHeader.forVersion(1, 7);
}

/**
 * Puts layers right in place: every configuration has a name of its own and lists all layers, none changes by itself
 * (ISO 19005-2, 6.9). PDF/A-1 knows no layers (ISO 19005-1, 6.1.13): where all are shown they go, and their content
 * stays. Gives false where one that is hidden would be seen.
 */
export function mendLayers(context: PDFContext, part: number): boolean {
  const catalog = catalogOf(context);
  const properties = asDict(context, catalog === undefined ? undefined : entry(catalog, 'OCProperties'));
  if (catalog === undefined || properties === undefined) return true;
  const layers = readLayers(context);
  if (part === 1) {
    if (layers.some(({ shown }) => !shown)) return false;
    setEntry(catalog, 'OCProperties', undefined);
    return true;
  }
  const configurations = [
    asDict(context, entry(properties, 'D')),
    ...elements(context, entry(properties, 'Configs')).map((one) => asDict(context, one)),
  ].filter((one) => one !== undefined);
  const taken = new Set<string>();
  configurations.forEach((configuration, i) => {
    let name = asText(context, entry(configuration, 'Name')) ?? '';
    if (name === '' || taken.has(name)) setEntry(configuration, 'Name', PDFString.of((name = `Layers ${i + 1}`)));
    taken.add(name);
    setEntry(configuration, 'AS', undefined);
    if (asArray(context, entry(configuration, 'Order')) !== undefined)
      completeOrder(
        context,
        configuration,
        layers.map(({ ref }) => ref),
      );
  });
  return true;
}

function completeOrder(context: PDFContext, configuration: PDFDict, refs: readonly PDFRef[]): void {
  const order = asArray(context, entry(configuration, 'Order'));
  if (order === undefined) return;
  const listed = new Set<unknown>();
  const waiting = [order];
  for (let next = waiting.pop(); next !== undefined && listed.size < 100_000; next = waiting.pop()) {
    for (const value of next.asArray()) {
      const inner = asArray(context, value);
      if (inner !== undefined && !listed.has(inner)) waiting.push(inner);
      listed.add(inner ?? resolve(context, value));
    }
  }
  const missing = refs.filter((ref) => !listed.has(resolve(context, ref)));
  if (missing.length > 0) setEntry(configuration, 'Order', arrayOf(context, [...order.asArray(), ...missing]));
}

/**
 * Gives the document its output intent (ISO 19005-1, 6.2.2), in place: one that it has already and that carries a
 * profile serves, also that of PDF/X, which says how the document's inks look; else the profile that is given, sRGB.
 */
export function mendIntents(context: PDFContext, profile: Uint8Array): void {
  const catalog = catalogOf(context);
  if (catalog === undefined) return;
  const intents = elements(context, entry(catalog, 'OutputIntents'))
    .map((value) => asDict(context, value))
    .filter((intent) => intent !== undefined);
  const carried = intents.filter((intent) => asDict(context, entry(intent, 'DestOutputProfile')) !== undefined);
  const own =
    carried.find((intent) => asName(context, entry(intent, 'S')) === 'GTS_PDFA1') ??
    carried.find((intent) => asName(context, entry(intent, 'S')) === 'GTS_PDFX');
  const base =
    own ??
    dictOf(context, {
      Type: PDFName.of('OutputIntent'),
      OutputConditionIdentifier: PDFString.of('sRGB'),
      Info: PDFString.of('sRGB IEC61966-2.1'),
      RegistryName: PDFString.of('http://www.color.org'),
      DestOutputProfile: context.register(context.flateStream(profile, { N: 3 })),
    });
  const intent = PDFDict.fromMapWithContext(new Map(base.entries()), context);
  setEntry(intent, 'S', PDFName.of('GTS_PDFA1'));
  setEntry(intent, 'DestOutputProfileRef', undefined);
  setEntry(catalog, 'OutputIntents', arrayOf(context, [context.register(intent)]));
  // Intents of single pages are known from part 4 on.
}

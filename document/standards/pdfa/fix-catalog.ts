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

/** Allowed action types (ISO 19005-1, 6.6.1; -2 and -3, 6.5.1). */
const ACTIONS: ReadonlySet<string> = new Set(['GoTo', 'GoToR', 'GoToE', 'Thread', 'URI', 'SubmitForm', 'Named']);
const NAMED: ReadonlySet<string> = new Set(['NextPage', 'PrevPage', 'FirstPage', 'LastPage']);

/**
 * Removes automatic and active behaviour, in place: scripts, programs, sounds, films, layer changes, and every
 * triggered action. Returns how many actions were removed.
 */
export function fixActions({ document: { context } }: OpenedPdf, part: number): number {
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

/** True for an action of unknown type; structure elements keep their attributes under the same key. */
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
 * Removes entries of the catalog and its forms that PDF/A forbids (ISO 19005-1, 6.6 and 6.9; -2, 6.4.2, 6.10 and 6.11),
 * in place.
 */
export function fixCatalog({ document: { context }, pages }: OpenedPdf, part: number): void {
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
 * Fixes layers in place: every configuration gets a unique name and lists all layers, and none changes automatically
 * (ISO 19005-2, 6.9). PDF/A-1 does not allow layers (ISO 19005-1, 6.1.13): where all are visible they are removed, and
 * their content stays. Returns false where a hidden layer would become visible.
 */
export function fixLayers(context: PDFContext, part: number): boolean {
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
 * Sets the document's output intent (ISO 19005-1, 6.2.2), in place: an existing one with a profile is used, also that
 * of PDF/X, which defines the document's inks; otherwise the given sRGB profile.
 */
export function setOutputIntent(context: PDFContext, profile: Uint8Array): void {
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
  // Output intents of single pages exist from part 4 on.
}

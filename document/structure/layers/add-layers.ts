import { type PDFContext, type PDFDict, PDFName, type PDFObject } from 'pdf-lib';
import {
  arrayOf,
  asArray,
  asDict,
  asName,
  catalogOf,
  dictOf,
  elements,
  entry,
  setEntry,
} from '../../file/objects/index.js';

/** Lists of a configuration that are concatenated (ISO 32000-1, table 101). */
const CHAINED = ['ON', 'OFF', 'Order', 'RBGroups', 'Locked', 'AS'] as const;

/**
 * Adds layers to a document in place: optional content properties (ISO 32000-1, 8.11.4) made of the document's objects,
 * as returned by `keepLayers`. Existing layers stay as they are; added ones keep their default visibility, whatever the
 * document's base state is.
 */
export function addLayers(context: PDFContext, added: PDFDict): void {
  const catalog = catalogOf(context);
  if (catalog === undefined) return;
  const own = asDict(context, entry(catalog, 'OCProperties'));
  if (own === undefined) return setEntry(catalog, 'OCProperties', added);
  const groups = elements(context, entry(added, 'OCGs'));
  chain(context, own, 'OCGs', groups);
  const from = asDict(context, entry(added, 'D')) ?? dictOf(context, {});
  let into = asDict(context, entry(own, 'D'));
  if (into === undefined) setEntry(own, 'D', (into = dictOf(context, {})));
  const lists = new Map<string, PDFObject[]>(CHAINED.map((key) => [key, elements(context, entry(from, key))]));
  const [off, ownOff] = [from, into].map((config) => asName(context, entry(config, 'BaseState')) === 'OFF');
  if (off !== ownOff) {
    // Groups that relied on their own base state are listed explicitly if the other base state applies.
    const named = new Set(lists.get(off ? 'ON' : 'OFF'));
    lists.set(
      off ? 'OFF' : 'ON',
      groups.filter((group) => !named.has(group)),
    );
  }
  for (const [key, values] of lists) chain(context, into, key, values);
  takeIntents(context, from, into);
}

function chain(context: PDFContext, owner: PDFDict, key: string, values: readonly PDFObject[]): void {
  if (values.length > 0) setEntry(owner, key, arrayOf(context, [...elements(context, entry(owner, key)), ...values]));
}

/** A configuration only applies to groups of its intents, by default View (ISO 32000-1, 8.11.2.3). */
function takeIntents(context: PDFContext, from: PDFDict, into: PDFDict): void {
  const own = intentsOf(context, into);
  const all = new Set([...own, ...intentsOf(context, from)]);
  if (all.size > own.length)
    setEntry(
      into,
      'Intent',
      arrayOf(
        context,
        [...all].map((name) => PDFName.of(name)),
      ),
    );
}

function intentsOf(context: PDFContext, config: PDFDict): string[] {
  const value = entry(config, 'Intent');
  const names = (asArray(context, value)?.asArray() ?? [value]).flatMap((item) => asName(context, item) ?? []);
  return names.length > 0 ? [...new Set(names)] : ['View'];
}

import { type PDFContext, PDFDict, PDFName, PDFNumber, type PDFObject, PDFRef } from 'pdf-lib';
import {
  arrayOf,
  asArray,
  asDict,
  asName,
  asNumber,
  copyOver,
  dictOf,
  elements,
  entry,
  nameText,
  resolve,
  setEntry,
} from '../../file/objects/index.js';
import { allFieldNodes, fieldAttribute, type FieldNode, readFields } from './fields.js';

/**
 * Entries of a field. In a dictionary that is both a field and its widget, all others belong to the widget (ISO
 * 32000-1, tables 220, 222, 228 to 232).
 */
const OF_FIELD: ReadonlySet<string> = new Set([
  'FT',
  'Parent',
  'Kids',
  'T',
  'TU',
  'TM',
  'Ff',
  'V',
  'DV',
  'DA',
  'Q',
  'DS',
  'RV',
  'MaxLen',
  'Opt',
  'TI',
  'I',
  'Lock',
  'SV',
]);
/** Triggers of a field; the same dictionary may contain those of its widget (ISO 32000-1, table 196). */
const FIELD_TRIGGERS: ReadonlySet<string> = new Set(['K', 'F', 'V', 'C']);
/** Button flag (ISO 32000-1, table 226). */
const RADIO = 1 << 15;
const IN_UNISON = 1 << 25;
/** Annotation flags: read only and locked (ISO 32000-1, table 165). */
const FIXED = (1 << 6) | (1 << 7);

/** Adds widgets to fields, in place. Each stays one field with one value (ISO 32000-1, 12.7.3.1). */
export class FieldRepeats {
  private readonly nodes: ReadonlyMap<PDFDict, FieldNode>;
  /** References of widgets that were split from their fields, by the references of these fields. */
  private readonly split = new Map<PDFRef, PDFRef>();

  constructor(private readonly context: PDFContext) {
    this.nodes = new Map([...allFieldNodes(readFields(context))].map((node) => [node.dict, node]));
  }

  /**
   * Returns the reference of a widget as an annotation. If the widget and its field are one dictionary, they are split
   * first: the widget becomes a kid of its field under a new reference.
   */
  apart(ref: PDFRef): PDFRef {
    const known = this.split.get(ref);
    if (known !== undefined) return known;
    const node = this.nodeOf(ref);
    if (node === undefined || !isWhole(node) || this.isSignature(node)) return ref;
    const { dict } = node;
    const widget = copyOver(this.context, dict, new Map(), OF_FIELD);
    setEntry(widget, 'Parent', ref);
    for (const key of dict.keys()) if (!OF_FIELD.has(nameText(key)) && nameText(key) !== 'AA') dict.delete(key);
    this.splitTriggers(dict, widget);
    const place = this.context.register(widget);
    setEntry(dict, 'Kids', arrayOf(this.context, [place]));
    this.split.set(ref, place);
    return place;
  }

  /**
   * Adds a copy of a widget to its field. A signature field can have only one widget, so its copy only looks like it.
   */
  join(original: PDFRef, copy: PDFDict, place: PDFRef): void {
    const node = this.nodeOf(original) ?? this.nodeOfWidget(original);
    if (node === undefined) return;
    if (this.isSignature(node)) return asPicture(copy);
    const field = isKid(node) ? node.parent : node;
    if (field?.ref === undefined) return;
    if (!isKid(node)) for (const key of OF_FIELD) copy.delete(PDFName.of(key));
    setEntry(copy, 'Parent', field.ref);
    const kids = asArray(this.context, entry(field.dict, 'Kids'));
    const at = kids?.asArray().findIndex((kid) => resolve(this.context, kid) === resolve(this.context, original)) ?? -1;
    if (kids === undefined) setEntry(field.dict, 'Kids', arrayOf(this.context, [place]));
    else kids.push(place);
    this.followOptions(field.dict, kids?.size() ?? 1, at);
    const flags = asNumber(this.context, fieldAttribute(field, 'Ff')) ?? 0;
    if (asName(this.context, fieldAttribute(field, 'FT')) === 'Btn' && (flags & RADIO) !== 0)
      setEntry(field.dict, 'Ff', PDFNumber.of(flags | IN_UNISON));
  }

  /** The export values of a button are in the order of its widgets (ISO 32000-1, table 227). */
  private followOptions(field: PDFDict, kids: number, at: number): void {
    const options = elements(this.context, entry(field, 'Opt'));
    const value = options[at];
    if (value !== undefined && options.length === kids - 1 && asName(this.context, entry(field, 'FT')) === 'Btn')
      setEntry(field, 'Opt', arrayOf(this.context, [...options, value]));
  }

  private splitTriggers(field: PDFDict, widget: PDFDict): void {
    const triggers = asDict(this.context, entry(field, 'AA'));
    if (triggers === undefined) return;
    const some = (wanted: boolean): PDFDict | undefined => {
      const entries = triggers
        .entries()
        .filter(([key]) => FIELD_TRIGGERS.has(nameText(key)) === wanted)
        .map(([key, value]): [string, PDFObject] => [nameText(key), value]);
      return entries.length === 0 ? undefined : dictOf(this.context, Object.fromEntries(entries));
    };
    setEntry(field, 'AA', some(true));
    setEntry(widget, 'AA', some(false));
  }

  private nodeOf(ref: PDFRef): FieldNode | undefined {
    const dict = resolve(this.context, ref);
    return dict instanceof PDFDict ? this.nodes.get(dict) : undefined;
  }

  /** Returns the field of a widget that was split from it. */
  private nodeOfWidget(ref: PDFRef): FieldNode | undefined {
    const parent = entry(asDict(this.context, ref) ?? dictOf(this.context, {}), 'Parent');
    return parent instanceof PDFRef && this.split.get(parent) === ref ? this.nodeOf(parent) : undefined;
  }

  private isSignature(node: FieldNode): boolean {
    return asName(this.context, fieldAttribute(node, 'FT')) === 'Sig';
  }
}

/** Returns true for a dictionary that is a field and its only widget. */
function isWhole(node: FieldNode): boolean {
  return node.ref !== undefined && !isKid(node) && entry(node.dict, 'Kids') === undefined;
}

/** Returns true for a widget that is only an appearance of its parent. */
function isKid(node: FieldNode): boolean {
  return node.parent !== undefined && entry(node.dict, 'T') === undefined;
}

function asPicture(copy: PDFDict): void {
  for (const key of [...OF_FIELD, 'AA', 'MK', 'A']) copy.delete(PDFName.of(key));
  setEntry(copy, 'Subtype', PDFName.of('Stamp'));
  const flags = entry(copy, 'F');
  setEntry(copy, 'F', PDFNumber.of((flags instanceof PDFNumber ? flags.asNumber() : 0) | FIXED));
}

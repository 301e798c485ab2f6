import { PDFArray, PDFDict, PDFNumber, type PDFObject, PDFRef } from 'pdf-lib';
import { asDict, asName, asNumber, catalogOf, elements, entry, resolve } from '../file/objects/index.js';
import {
  acroFormOf,
  allFieldNodes,
  type FieldNode,
  fieldAttribute,
  fullName,
  isField,
  isSignatureField,
  readFields,
} from '../forms/fields/index.js';
import type { Holding, Judgement } from './judgement.js';
import { differingKeys, sameObject } from './same-object.js';

/** Entries of a field and of its widgets that filling in changes (ISO 32000-2, 12.7). */
const VALUE_KEYS: ReadonlySet<string> = new Set(['V', 'AP', 'AS', 'I', 'TI', 'RV', 'M']);
/** Entries that signing an empty signature field changes. */
const SIGNING_KEYS: ReadonlySet<string> = new Set(['V', 'AP', 'AS', 'M', 'F']);
/** Entries that say nothing of what a field shows or means, where they were not there before. */
const HARMLESS_NEW: ReadonlySet<string> = new Set(['P', 'Type', 'StructParent', 'NM']);
/** Flags that are not written. */
const NONE = PDFNumber.of(0);
const HIDDEN = 2;
const NO_VIEW = 32;

/** Judges the form, and gives the signature fields that were rightly added: what pages may have got as annotations. */
export function judgeForm(judgement: Judgement): ReadonlySet<PDFDict> {
  const { then, now } = judgement.pair;
  const [before, after] = [acroFormOf(then.context), acroFormOf(now.context)];
  const fresh = new Set<PDFDict>();
  const root = entry(then.trailer, 'Root');
  if (before === undefined && after === undefined) return fresh;
  if (after === undefined || !(root instanceof PDFRef)) {
    judgement.refuse('the form was removed');
    return fresh;
  }
  const catalog = catalogOf(then.context);
  const value = catalog === undefined ? undefined : entry(catalog, 'AcroForm');
  const at: Holding =
    value instanceof PDFRef ? { holder: value.objectNumber, key: '' } : { holder: root.objectNumber, key: 'AcroForm' };
  if (value instanceof PDFRef) judgement.judged.add(value.objectNumber);
  if (before !== undefined) judgeFormEntries(judgement, before, after, at);
  judgeList(judgement, readFields(then.context), readFields(now.context), undefined, fresh);
  if (before !== undefined) explainArray(judgement, entry(before, 'Fields'), under(at, 'Fields'));
  return fresh;
}

function judgeFormEntries(judgement: Judgement, before: PDFDict, after: PDFDict, at: Holding): void {
  const { then, now } = judgement.pair;
  for (const key of differingKeys(before, after)) {
    const had = entry(before, key);
    if (key === 'Fields' || key === 'SigFlags') continue;
    if (key === 'DA' && had === undefined) continue;
    if (key === 'NeedAppearances' && judgement.rules.level !== 1) continue;
    if (key === 'DR' && addsOnly(judgement, had, entry(after, key), 0)) continue;
    judgement.refuse(`/${key} of the form was ${had === undefined ? 'added' : 'changed'}`);
  }
  const resources = entry(before, 'DR');
  // Its lists may be objects of their own.
  if (resolve(then.context, resources) !== undefined && addsOnly(judgement, resources, entry(after, 'DR'), 0))
    judgement.explain(resources, under(at, 'DR'));
  if (
    resolve(then.context, entry(before, 'XFA')) !== undefined &&
    resolve(now.context, entry(after, 'XFA')) === undefined
  )
    judgement.refuse('the XFA form was removed');
}

/** True when resources only got more names: no name means something else than before. */
function addsOnly(
  judgement: Judgement,
  before: PDFObject | undefined,
  after: PDFObject | undefined,
  depth: number,
): boolean {
  const { then, now } = judgement.pair;
  const [a, b] = [resolve(then.context, before), resolve(now.context, after)];
  if (a === undefined) return true;
  if (!(a instanceof PDFDict) || !(b instanceof PDFDict) || depth > 1)
    return sameObject(before, after) && !judgement.hasChangedWithin(before);
  return a.entries().every(([key, value]) => {
    const other = b.get(key);
    return (
      other !== undefined &&
      ((sameObject(value, other) && !judgement.hasChangedWithin(value)) || addsOnly(judgement, value, other, depth + 1))
    );
  });
}

/** Fields by what names them: their reference, or the place in their list. */
function judgeList(
  judgement: Judgement,
  before: readonly FieldNode[],
  after: readonly FieldNode[],
  parent: FieldNode | undefined,
  fresh: Set<PDFDict>,
): void {
  const rest = new Map(after.map((node, i) => [keyOf(node, i), node]));
  for (const [i, node] of before.entries()) {
    const key = keyOf(node, i);
    const other = rest.get(key);
    rest.delete(key);
    if (other === undefined) judgement.refuse(`the field ${quoted(judgement, node, true)} was removed`);
    else judgePair(judgement, node, other, fresh);
  }
  for (const node of rest.values()) judgeAdded(judgement, node, parent, fresh);
}

function keyOf(node: FieldNode, position: number): string {
  return node.ref?.tag ?? `at ${position}`;
}

function judgePair(judgement: Judgement, before: FieldNode, after: FieldNode, fresh: Set<PDFDict>): void {
  const { then, now } = judgement.pair;
  const { level, locks, holding } = judgement.rules;
  const signs = isSignatureField(then.context, before);
  const unsigned = asDict(then.context, fieldAttribute(before, 'V')) === undefined;
  const locked = locks(fullName(then.context, before));
  const mayFill = !locked && (signs ? unsigned && level !== 1 : level !== 1);
  const keys = !mayFill ? new Set<string>() : signs ? SIGNING_KEYS : VALUE_KEYS;
  const differing = differingKeys(before.dict, after.dict).filter(
    (key) =>
      key !== 'Ff' ||
      asNumber(then.context, entry(before.dict, key) ?? NONE) !== asNumber(now.context, entry(after.dict, key) ?? NONE),
  );
  const wrong = differing.filter(
    (key) => !keys.has(key) && key !== 'Kids' && !(HARMLESS_NEW.has(key) && entry(before.dict, key) === undefined),
  );
  if (wrong.length > 0)
    judgement.refuse(
      `/${wrong.join(', /')} of the field ${quoted(judgement, before, true)} was ` +
        `changed${locked ? ', which is locked' : ''}`,
    );
  const at: Holding | undefined = before.ref === undefined ? undefined : { holder: before.ref.objectNumber, key: '' };
  if (before.ref !== undefined) judgement.judged.add(before.ref.objectNumber);
  // Of what is refused already, nothing more need be said.
  if (at !== undefined)
    for (const key of wrong.length > 0 ? VALUE_KEYS : keys) judgement.explain(entry(before.dict, key), under(at, key));
  if (at !== undefined) explainArray(judgement, entry(before.dict, 'Kids'), under(at, 'Kids'));
  // Objects that a field refers to are judged separately.
  const looksChanged = differing.includes('AP') || judgement.hasChangedWithin(entry(before.dict, 'AP'));
  const filled =
    looksChanged || differing.some((key) => keys.has(key)) || judgement.hasChangedWithin(entry(before.dict, 'V'));
  if (filled && signs) {
    const value = asDict(now.context, fieldAttribute(after, 'V'));
    if (value === undefined || !holding.has(value))
      judgement.refuse(
        `the signature field ${quoted(judgement, before, true)} was filled without a signature that holds`,
      );
    else judgement.allow(`the signature field ${quoted(judgement, before, true)} was signed`);
  } else if (looksChanged && showsAnother(judgement, before, after))
    judgement.refuse(`the field ${quoted(judgement, before, true)} looks different although its value is the same`);
  else if (filled) judgement.allow(`the field ${quoted(judgement, before, true)} was filled in`);
  judgeList(judgement, before.children, after.children, after, fresh);
}

/**
 * A field looks as its value and its state say: where only the appearance is another, something was put over the page
 * (shadow attack).
 */
function showsAnother({ pair: { then, now } }: Judgement, before: FieldNode, after: FieldNode): boolean {
  if (entry(before.dict, 'AP') === undefined) return false;
  return ['V', 'AS'].every((key) =>
    sameObject(resolve(then.context, fieldAttribute(before, key)), resolve(now.context, fieldAttribute(after, key))),
  );
}

/** A field that was not there: only signature fields are added by signing. */
function judgeAdded(judgement: Judgement, node: FieldNode, parent: FieldNode | undefined, fresh: Set<PDFDict>): void {
  const { now } = judgement.pair;
  const { level, holding } = judgement.rules;
  const name = quoted(judgement, node, false);
  const family = [...allFieldNodes([node])];
  if (
    !family.every((each) => isSignatureField(now.context, each) || each.children.length > 0) ||
    (parent !== undefined && !isField(node))
  )
    return judgement.refuse(`the field ${name} was added`);
  for (const each of family) {
    const value = asDict(now.context, fieldAttribute(each, 'V'));
    const holds = value !== undefined && holding.has(value);
    const isStamp = holds && asName(now.context, entry(value, 'SubFilter')) === 'ETSI.RFC3161';
    const visible = isVisible(judgement, each);
    if (entry(each.dict, 'A') !== undefined || entry(each.dict, 'AA') !== undefined)
      judgement.refuse(`the signature field ${name} was added with an action`);
    if (level === 1 && !isStamp)
      judgement.refuse(`the signature field ${name} was added although the certification allows no change`);
    else if (level !== undefined && visible)
      judgement.refuse(`the visible signature field ${name} was added to a certified document`);
    else if (visible && !holds)
      judgement.refuse(`the visible signature field ${name} was added without a signature that holds`);
    else fresh.add(each.dict);
  }
  judgement.allow(`the signature field ${name} was added`);
}

function isVisible({ pair: { now } }: Judgement, { dict }: FieldNode): boolean {
  const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = elements(now.context, entry(dict, 'Rect')).map(
    (value) => asNumber(now.context, value) ?? 0,
  );
  const flags = asNumber(now.context, entry(dict, 'F')) ?? 0;
  return (
    x0 !== x1 && y0 !== y1 && (flags & (HIDDEN | NO_VIEW)) === 0 && asDict(now.context, entry(dict, 'AP')) !== undefined
  );
}

/** Allows that a list that is an object of its own is another now: its members are judged one by one. */
function explainArray(judgement: Judgement, value: PDFObject | undefined, at: Holding): void {
  if (value instanceof PDFRef && resolve(judgement.pair.then.context, value) instanceof PDFArray)
    judgement.explainOne(value, at);
}

function under({ holder, key }: Holding, inner: string): Holding {
  return key === '' ? { holder, key: inner } : { holder, key };
}

function quoted({ pair: { then, now } }: Judgement, node: FieldNode, before: boolean): string {
  const name = fullName((before ? then : now).context, node).slice(0, 100);
  return name === '' ? 'without a name' : `"${name}"`;
}

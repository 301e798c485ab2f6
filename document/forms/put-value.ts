import { PDFArray, type PDFContext, PDFDict, PDFHexString, type PDFObject, PDFRawStream, PDFString } from 'pdf-lib';
import { DocumentError } from '../errors.js';
import { arrayOf, asDict, asText, entry, keyName, resolve, setEntry } from '../file/objects/index.js';
import { acroFormOf, fieldAttribute } from './fields/index.js';
import { refreshAppearance, stateName } from './appearance/field-appearance.js';
import type { FieldFonts } from './appearance/field-fonts.js';
import type { ValuePlan } from './field-values.js';
import type { FormField, FormWidget } from './form-model.js';
import { OFF } from './read-field.js';

/** Default appearance of fields that have none. */
const TEXT_STYLE = '/Helv 12 Tf 0 g';

/**
 * Writes a planned value into a field, in place, without updating its appearance. Contradicting entries are removed:
 * rich text, and values of the field's widgets.
 */
export function putValue({ node, widgets }: FormField, plan: ValuePlan): void {
  if (plan.kind === 'keep' || plan.kind === 'fault') return;
  setEntry(node.dict, 'V', plan.kind === 'state' ? stateName(plan.state) : plan.value);
  // Rich text of the old value (ISO 32000-1, 12.7.3.4).
  setEntry(node.dict, 'RV', undefined);
  if (plan.kind === 'choice') setEntry(node.dict, 'I', plan.indices);
  // Without an own value, the field would inherit one.
  if (plan.kind !== 'state' && plan.value === undefined && fieldAttribute(node, 'V') !== undefined)
    setEntry(node.dict, 'V', PDFString.of(''));
  for (const { node: widget } of widgets) {
    if (widget === node) continue;
    for (const key of ['V', 'RV', 'I']) setEntry(widget.dict, key, undefined);
  }
}

/**
 * Updates the appearances of a field's widgets to its planned value. Existing appearances of button states are kept.
 * Throws INPUT_INVALID for characters that no font has, if `fonts` refuses them.
 */
export async function showValue(
  context: PDFContext,
  { widgets }: FormField,
  plan: ValuePlan,
  fonts: FieldFonts,
): Promise<void> {
  if (plan.kind === 'keep' || plan.kind === 'fault') return;
  for (const widget of widgets) {
    if (plan.kind === 'state') await showState(context, widget, plan.stateOf(widget), plan.chosen.has(widget), fonts);
    else await refreshAppearance(context, widget.node, fonts, { scrolls: true });
  }
}

/** Calls `draw`, and adds the field's name to its error about characters that cannot be drawn. */
export async function withFieldName({ name }: FormField, pointer: string, draw: () => Promise<void>): Promise<void> {
  try {
    await draw();
  } catch (error) {
    if (!(error instanceof DocumentError) || error.code !== 'INPUT_INVALID') throw error;
    const detail = String(error.data['detail'] ?? '').replace('"text"', () => `the field "${name}"`);
    throw new DocumentError('INPUT_INVALID', { detail }, [{ pointer, detail }], { cause: error });
  }
}

/** Returns true if the field already has the planned value and an appearance. */
export function hasPlannedValue(context: PDFContext, { node, widgets }: FormField, plan: ValuePlan): boolean {
  if (plan.kind === 'keep' || plan.kind === 'fault') return true;
  if (widgets.some(({ node: { dict } }) => entry(dict, 'AP') === undefined)) return false;
  const now = resolve(context, fieldAttribute(node, 'V'));
  if (plan.kind === 'state') {
    return (
      now === stateName(plan.state) &&
      widgets.every(
        (widget) =>
          resolve(context, entry(widget.node.dict, 'AS')) ===
          stateName(plan.chosen.has(widget) ? plan.stateOf(widget) : OFF),
      )
    );
  }
  const [had, wanted] = [textsOf(context, now), textsOf(context, plan.value)];
  return had.length === wanted.length && had.every((text, i) => text === wanted[i]);
}

function textsOf(context: PDFContext, value: PDFObject | undefined): (string | undefined)[] {
  if (value === undefined) return [];
  return value instanceof PDFArray ? value.asArray().map((one) => asText(context, one)) : [asText(context, value)];
}

async function showState(
  context: PDFContext,
  { node }: FormWidget,
  on: string,
  chosen: boolean,
  fonts: FieldFonts,
): Promise<void> {
  if (on === OFF) return setEntry(node.dict, 'AS', keyName(OFF));
  const appearances = asDict(context, entry(node.dict, 'AP'));
  const states = resolve(context, appearances === undefined ? undefined : entry(appearances, 'N'));
  if (!(states instanceof PDFDict) || !(resolve(context, states.get(stateName(on))) instanceof PDFRawStream))
    return refreshAppearance(context, node, fonts, { state: { on, chosen } });
  setEntry(node.dict, 'AS', chosen ? stateName(on) : keyName(OFF));
}

/** Creates a list of options whose stored values equal their labels; returns undefined for an empty list. */
export function optionList(context: PDFContext, options: readonly string[]): PDFArray | undefined {
  return options.length === 0
    ? undefined
    : arrayOf(
        context,
        options.map((option) => PDFHexString.fromText(option)),
      );
}

/**
 * Adds a default text style to the form for fields without one: 12 point Helvetica (`docs/interface/form.yml`, fill;
 * ISO 32000-1, table 218). With `named`, adds the font even if all fields have a style, for those that refer to it.
 */
export function completeFormStyle(context: PDFContext, fields: Iterable<FormField>, named = false): void {
  const form = acroFormOf(context);
  if (form === undefined) return;
  const silent =
    asText(context, entry(form, 'DA')) === undefined &&
    [...fields].some(({ node, widgets }) =>
      [node, ...widgets.map((widget) => widget.node)].every(
        (one) => asText(context, fieldAttribute(one, 'DA')) === undefined,
      ),
    );
  if (silent) setEntry(form, 'DA', PDFString.of(TEXT_STYLE));
  if (!silent && !named) return;
  const resources = asDict(context, entry(form, 'DR')) ?? PDFDict.withContext(context);
  const fonts = asDict(context, entry(resources, 'Font')) ?? PDFDict.withContext(context);
  if (entry(fonts, 'Helv') === undefined)
    setEntry(
      fonts,
      'Helv',
      context.register(
        context.obj({ Type: 'Font', Subtype: 'Type1', BaseFont: 'Helvetica', Encoding: 'WinAnsiEncoding' }),
      ),
    );
  if (entry(resources, 'Font') === undefined) setEntry(resources, 'Font', fonts);
  if (entry(form, 'DR') === undefined) setEntry(form, 'DR', resources);
}

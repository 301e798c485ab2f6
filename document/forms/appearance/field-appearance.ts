import { type PDFContext, PDFDict, PDFName, PDFNumber, type PDFObject, PDFRawStream, type PDFRef } from 'pdf-lib';
import { normalAppearance } from '../../content/drawing/index.js';
import {
  asDict,
  asName,
  asNumber,
  asText,
  dictOf,
  elements,
  entry,
  nameText,
  resolve,
  setEntry,
} from '../../file/objects/index.js';
import { acroFormOf, fieldAttribute, type FieldNode, isField } from '../fields/index.js';
import { streamText } from '../../file/objects/text-streams.js';
import { markOperators } from './button-marks.js';
import { type ListBox, listOperators, topOption } from './choice-operators.js';
import { parseDefaultAppearance } from './default-appearance.js';
import { frameOperators } from './draw-frame.js';
import { fieldFlags } from '../field-flags.js';
import type { FieldFont, FieldFonts } from './field-fonts.js';
import { textOperators } from './text-operators.js';
import { readWidgetLook, type WidgetLook } from './widget-look.js';

/** Characters. No field can show more readable text than this. */
const MAX_TEXT = 100_000;
/** Bytes. Compressing shorter content saves nothing and takes longer than drawing a small field. */
const PACKED = 600;

/** The appearance of a widget. */
export interface FieldAppearance {
  /** Value of /AP /N: one form XObject, or one for each state of a button. */
  readonly normal: PDFRef | PDFDict;
  /** Value of /AS of a check box or radio button. */
  readonly state?: string;
  /** Value of /TI of a list box: its first visible option (ISO 32000-1, table 231). */
  readonly top?: number;
}

/** State of a check box or radio button: the name of its selected state, and whether it is selected. */
export interface ButtonState {
  readonly on: string;
  readonly chosen: boolean;
}

/** Facts about a widget that its document does not state. */
export interface AppearanceHints {
  /** For a button whose state follows neither from its value nor from its appearances. */
  readonly state?: ButtonState;
  /** True to scroll a list box to its selected option. */
  readonly scrolls?: boolean;
}

/**
 * Creates the appearance of a widget from its field's current value (ISO 32000-1, 12.7.3.3, 12.7.4 and table 189): text
 * of one or several lines, comb cells, list and combo boxes, check boxes, radio buttons and captions, with background
 * and border. It adds objects to the document but changes none. `widget` is a node from `readFields` whose dictionary
 * is a widget. Returns undefined for signature fields and for widgets without a size. Throws INPUT_INVALID for
 * characters that no font has, if `fonts` refuses them.
 */
export async function fieldAppearance(
  context: PDFContext,
  widget: FieldNode,
  fonts: FieldFonts,
  { state, scrolls = false }: AppearanceHints = {},
): Promise<FieldAppearance | undefined> {
  const look = readWidgetLook(context, widget.dict);
  if (look === undefined) return undefined;
  switch (asName(context, fieldAttribute(widget, 'FT'))) {
    case 'Tx':
      return { normal: await textField(context, widget, look, fonts) };
    case 'Ch':
      return choiceField(context, widget, look, fonts, scrolls);
    case 'Btn':
      return button(context, widget, look, fonts, state);
    default:
      return undefined;
  }
}

/**
 * Sets the appearance that `fieldAppearance` creates, in place. The appearances for pressing and hovering are removed
 * because they show the old value.
 */
export async function refreshAppearance(
  context: PDFContext,
  widget: FieldNode,
  fonts: FieldFonts,
  hints: AppearanceHints = {},
): Promise<void> {
  const made = await fieldAppearance(context, widget, fonts, hints);
  if (made === undefined) return;
  setEntry(widget.dict, 'AP', dictOf(context, { N: made.normal }));
  if (made.state !== undefined) setEntry(widget.dict, 'AS', stateName(made.state));
  if (made.top === undefined || made.top === (asNumber(context, fieldAttribute(widget, 'TI')) ?? 0)) return;
  setEntry((isField(widget) ? widget : (widget.parent ?? widget)).dict, 'TI', PDFNumber.of(made.top));
}

async function textField(context: PDFContext, widget: FieldNode, look: WidgetLook, fonts: FieldFonts): Promise<PDFRef> {
  const set = flagsOfField(context, widget);
  const value = textOf(context, fieldAttribute(widget, 'V'));
  const text = (set & fieldFlags.password) !== 0 ? '*'.repeat([...value].length) : value;
  const multiline = (set & fieldFlags.multiline) !== 0;
  const comb = combCells(context, widget);
  return written(context, widget, look, fonts, text, (style, font) =>
    textOperators(
      look,
      { text, alignment: alignmentOf(context, widget), multiline, ...(comb === undefined ? {} : { comb }) },
      style,
      font,
    ),
  );
}

async function choiceField(
  context: PDFContext,
  widget: FieldNode,
  look: WidgetLook,
  fonts: FieldFonts,
  scrolls: boolean,
): Promise<FieldAppearance> {
  const options = elements(context, fieldAttribute(widget, 'Opt')).map((option) => {
    const [value, shown] = resolve(context, option) instanceof PDFDict ? [] : elements(context, option);
    const text = textOf(context, value ?? option);
    return { value: text, shown: shown === undefined ? text : textOf(context, shown) };
  });
  const value = fieldAttribute(widget, 'V');
  const several = elements(context, value);
  const values = several.length > 0 ? several.map((one) => textOf(context, one)) : [textOf(context, value)];
  if ((flagsOfField(context, widget) & fieldFlags.combo) !== 0) {
    const text = options.find((option) => option.value === values[0])?.shown ?? values[0] ?? '';
    return {
      normal: await written(context, widget, look, fonts, text, (style, font) =>
        textOperators(look, { text, alignment: alignmentOf(context, widget), multiline: false }, style, font),
      ),
    };
  }
  const indices = elements(context, fieldAttribute(widget, 'I')).map((index) => asNumber(context, index) ?? -1);
  // If /I and /V contradict each other, /V wins (ISO 32000-1, table 231).
  const fits = indices.length === values.length && indices.every((index, i) => options[index]?.value === values[i]);
  const selected = new Set(
    fits ? indices : options.flatMap((option, i) => (value !== undefined && values.includes(option.value) ? [i] : [])),
  );
  const list: ListBox = {
    options: options.map(({ shown }) => shown),
    selected,
    top: Math.max(0, Math.trunc(asNumber(context, fieldAttribute(widget, 'TI')) ?? 0)),
  };
  let { top } = list;
  const normal = await written(context, widget, look, fonts, list.options.join(''), (style, font) => {
    if (scrolls) top = topOption(look, list, style, font);
    return listOperators(look, { ...list, top }, style, font);
  });
  return { normal, top };
}

async function button(
  context: PDFContext,
  widget: FieldNode,
  look: WidgetLook,
  fonts: FieldFonts,
  state: ButtonState | undefined,
): Promise<FieldAppearance> {
  const set = flagsOfField(context, widget);
  if ((set & fieldFlags.pushButton) !== 0) {
    return {
      normal: await written(context, widget, look, fonts, look.caption, (style, font) =>
        textOperators(look, { text: look.caption, alignment: 1, multiline: false }, style, font),
      ),
    };
  }
  const radio = (set & fieldFlags.radio) !== 0;
  const mark = look.caption === '' ? (radio ? 'l' : '4') : look.caption;
  const round = radio && mark === 'l';
  const { size, colour } = parseDefaultAppearance(styleOf(context, widget));
  const frame = frameOperators(look, round);
  const { on, chosen } = state ?? stateOf(context, widget);
  const normal = dictOf(context, {});
  normal.set(stateName(on), formObject(context, look, `${frame}\n${markOperators(look, mark, size, colour)}`, {}));
  normal.set(PDFName.of('Off'), formObject(context, look, frame, {}));
  return { normal, state: chosen ? on : 'Off' };
}

/** Creates the name object of a state. pdf-lib would read a number sign as the start of an escape code. */
export function stateName(state: string): PDFName {
  return PDFName.of(state.replaceAll('#', '#23'));
}

/**
 * Determines the name of a button's selected state, and whether it is selected. The field's value takes precedence over
 * the widget's state.
 */
function stateOf(context: PDFContext, widget: FieldNode): ButtonState {
  const appearances = asDict(context, entry(widget.dict, 'AP'));
  const states = ['N', 'D'].flatMap((key) => {
    const dict = appearances === undefined ? undefined : resolve(context, entry(appearances, key));
    return dict instanceof PDFDict ? dict.keys().map(nameText) : [];
  });
  const state = asName(context, entry(widget.dict, 'AS'));
  const value = asName(context, fieldAttribute(widget, 'V'));
  const own = [...states, state ?? 'Off'].find((name) => name !== 'Off');
  const on = own ?? (value === undefined || value === 'Off' ? 'Yes' : value);
  return { on, chosen: value === undefined ? state === on : value === on };
}

/** Creates a form XObject with the frame and the text on top, in a suitable font. */
async function written(
  context: PDFContext,
  widget: FieldNode,
  look: WidgetLook,
  fonts: FieldFonts,
  text: string,
  operators: (style: ReturnType<typeof parseDefaultAppearance>, font: FieldFont) => Promise<string>,
): Promise<PDFRef> {
  const style = parseDefaultAppearance(styleOf(context, widget));
  const font = fonts.choose(text, fontNamed(context, widget, style.font));
  const body = text === '' ? '' : await operators(style, font);
  return formObject(
    context,
    look,
    [frameOperators(look), `/Tx BMC\n${body}\nEMC`].filter((part) => part !== '').join('\n'),
    body === '' ? {} : { Font: dictOf(context, { F: font.font }) },
  );
}

function formObject(
  context: PDFContext,
  look: WidgetLook,
  content: string,
  resources: Readonly<Record<string, PDFObject>>,
): PDFRef {
  const entries = {
    Type: 'XObject',
    Subtype: 'Form',
    BBox: [0, 0, look.width, look.height],
    Resources: dictOf(context, resources),
    ...(look.matrix === undefined ? {} : { Matrix: [...look.matrix] }),
  };
  return context.register(
    content.length < PACKED ? context.stream(content, entries) : context.flateStream(content, entries),
  );
}

/** Returns the default appearance string of the widget, else of its fields, else of the form. */
function styleOf(context: PDFContext, widget: FieldNode): string {
  const form = acroFormOf(context);
  return (
    asText(context, fieldAttribute(widget, 'DA')) ??
    (form === undefined ? undefined : asText(context, entry(form, 'DA'))) ??
    ''
  );
}

/** Finds a font in the resources of the field, of its current appearance, or of the form. */
function fontNamed(context: PDFContext, widget: FieldNode, name: string): PDFObject | undefined {
  if (name === '') return undefined;
  const form = acroFormOf(context);
  const appearance = asDict(context, normalAppearance(context, widget.dict));
  for (const resources of [
    fieldAttribute(widget, 'DR'),
    form === undefined ? undefined : entry(form, 'DR'),
    appearance === undefined ? undefined : entry(appearance, 'Resources'),
  ]) {
    const dict = asDict(context, resources);
    const named = asDict(context, dict === undefined ? undefined : entry(dict, 'Font'));
    const font = named === undefined ? undefined : entry(named, name);
    if (asDict(context, font) !== undefined) return font;
  }
  return undefined;
}

/** Returns the cells into which a text field is divided, one for each character; undefined for other fields. */
export function combCells(context: PDFContext, widget: FieldNode): number | undefined {
  const set = flagsOfField(context, widget);
  const cells = asNumber(context, fieldAttribute(widget, 'MaxLen')) ?? 0;
  return (set & fieldFlags.comb) !== 0 &&
    (set & (fieldFlags.multiline | fieldFlags.password | fieldFlags.fileSelect)) === 0 &&
    Number.isInteger(cells) &&
    cells > 0
    ? cells
    : undefined;
}

/** Returns how the text of a widget is aligned: left, centred or right (ISO 32000-1, 12.7.3.3, Q). */
export function alignmentOf(context: PDFContext, widget: FieldNode): 0 | 1 | 2 {
  const form = acroFormOf(context);
  const value =
    asNumber(context, fieldAttribute(widget, 'Q')) ??
    (form === undefined ? undefined : asNumber(context, entry(form, 'Q')));
  return value === 1 || value === 2 ? value : 0;
}

function flagsOfField(context: PDFContext, widget: FieldNode): number {
  return asNumber(context, fieldAttribute(widget, 'Ff')) ?? 0;
}

/** Returns a value as text: a string or text stream, or a name or number where a string is expected. */
function textOf(context: PDFContext, value: PDFObject | undefined): string {
  const object = resolve(context, value);
  const text =
    object instanceof PDFRawStream
      ? streamText(context, object)
      : object instanceof PDFNumber
        ? String(object.asNumber())
        : (asText(context, object) ?? asName(context, object));
  return (text ?? '').slice(0, MAX_TEXT).replace(/[\ud800-\udbff]$/, '');
}

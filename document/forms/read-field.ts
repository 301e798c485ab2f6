import { PDFArray, type PDFContext, PDFDict, PDFNumber, type PDFObject, PDFRawStream } from 'pdf-lib';
import {
  asArray,
  asDict,
  asName,
  asNumber,
  asText,
  elements,
  entry,
  nameText,
  resolve,
} from '../file/objects/index.js';
import { boxOf } from '../structure/pages/index.js';
import { acroFormOf, fieldAttribute, type FieldNode } from './fields/index.js';
import { streamText } from '../file/objects/index.js';
import { parseDefaultAppearance } from './appearance/default-appearance.js';
import { fieldFlags } from './field-flags.js';
import type { FieldKind, FieldOption, FormField, FormWidget } from './form-model.js';
import type { ValuedNode } from './form-nodes.js';

/** Name of the state of a button that is not selected (ISO 32000-1, 12.7.4.2.3). */
export const OFF = 'Off';

/**
 * Reads the fields of one document. Data that several fields share (long values, lists of options) is read only once.
 */
export class FieldReader {
  readonly #options = new Map<PDFArray, readonly FieldOption[]>();
  readonly #streams = new Map<PDFRawStream, string>();
  readonly #styles = new Map<string, number>();
  readonly #formStyle: string;

  constructor(
    private readonly context: PDFContext,
    private readonly pageOf: (widget: PDFDict) => number,
  ) {
    const form = acroFormOf(context);
    this.#formStyle = (form === undefined ? undefined : asText(context, entry(form, 'DA'))) ?? '';
  }

  /** Returns a field of the tree; undefined if its type is not defined by the specification. */
  read({ node, widgets: places, unlisted }: ValuedNode, name: string, partialName: string): FormField | undefined {
    const { context } = this;
    // Some writers set the field type only in the widgets.
    const attribute = (key: string): PDFObject | undefined =>
      fieldAttribute(node, key) ?? (places[0] === undefined ? undefined : fieldAttribute(places[0], key));
    const flags = Math.trunc(asNumber(context, attribute('Ff')) ?? 0);
    const kind = kindOf(asName(context, attribute('FT')), flags);
    if (kind === undefined) return undefined;
    const stated = kind === 'checkbox' || kind === 'radio';
    const exports = stated ? elements(context, fieldAttribute(node, 'Opt')).map((value) => this.text(value)) : [];
    const widgets = places.map((widget, i) => this.#widget(widget, kind, stated, exports[i]));
    const options =
      kind === 'combobox' || kind === 'listbox' ? this.#optionsOf(asArray(context, fieldAttribute(node, 'Opt'))) : [];
    return {
      node,
      name,
      partialName,
      kind,
      flags,
      values: this.#values(node, kind, widgets, exports),
      options,
      alternateName: blankless(asText(context, entry(node.dict, 'TU'))),
      widgets,
      unlisted,
    };
  }

  /**
   * Returns a value as text: a string or text stream, or a name or number where a string is expected; undefined for
   * anything else.
   */
  text(value: PDFObject | undefined): string | undefined {
    const object = resolve(this.context, value);
    if (object instanceof PDFRawStream) return this.#streamed(object);
    if (object instanceof PDFNumber) return String(object.asNumber());
    return asText(this.context, object) ?? asName(this.context, object);
  }

  #streamed(stream: PDFRawStream): string | undefined {
    const known = this.#streams.get(stream);
    if (known !== undefined) return known;
    const text = streamText(this.context, stream);
    if (text !== undefined) this.#streams.set(stream, text);
    return text;
  }

  #optionsOf(list: PDFArray | undefined): readonly FieldOption[] {
    if (list === undefined) return [];
    const known = this.#options.get(list);
    if (known !== undefined) return known;
    const options = list.asArray().flatMap((option, place): FieldOption[] => {
      const pair = asArray(this.context, option);
      const value = this.text(pair === undefined ? option : pair.asArray()[0]);
      return value === undefined
        ? []
        : [{ value, shown: (pair === undefined ? undefined : this.text(pair.asArray()[1])) ?? value, place }];
    });
    this.#options.set(list, options);
    return options;
  }

  #widget(node: FieldNode, kind: FieldKind, stated: boolean, exported: string | undefined): FormWidget {
    const { context } = this;
    const onState = stated ? onStateOf(context, node.dict) : undefined;
    const style =
      asText(context, fieldAttribute(node, 'DA')) ??
      (kind === 'text' || kind === 'combobox' || kind === 'listbox' ? this.#formStyle : '');
    return {
      node,
      pageIndex: this.pageOf(node.dict),
      box: boxOf(context, entry(node.dict, 'Rect')),
      onState,
      exportValue: stated ? (exported ?? onState) : undefined,
      tooltip: blankless(asText(context, entry(node.dict, 'TU'))),
      fontSize: this.#fontSize(style),
    };
  }

  #fontSize(style: string): number {
    const known = this.#styles.get(style);
    if (known !== undefined) return known;
    const { size } = parseDefaultAppearance(style);
    if (this.#styles.size < 1000) this.#styles.set(style, size);
    return size;
  }

  #values(
    node: FieldNode,
    kind: FieldKind,
    widgets: readonly FormWidget[],
    exports: readonly (string | undefined)[],
  ): readonly string[] | undefined {
    const value = resolve(this.context, fieldAttribute(node, 'V'));
    if (kind === 'button') return undefined;
    if (kind === 'signature')
      return listed(value instanceof PDFDict ? asText(this.context, entry(value, 'Name')) : undefined);
    if (kind === 'checkbox' || kind === 'radio') return this.#state(value, kind, widgets, exports);
    if (kind === 'text') return listed(this.text(value));
    const chosen = (value instanceof PDFArray ? value.asArray() : [value]).flatMap((one) => this.text(one) ?? []);
    return chosen.length > 0 ? chosen : undefined;
  }

  /** The field's value takes precedence; without one, the states of its widgets count. */
  #state(
    value: PDFObject | undefined,
    kind: FieldKind,
    widgets: readonly FormWidget[],
    exports: readonly (string | undefined)[],
  ): readonly string[] | undefined {
    const state =
      this.text(value) ??
      widgets
        .map(({ node }) => asName(this.context, entry(node.dict, 'AS')))
        .find((name) => name !== undefined && name !== OFF) ??
      OFF;
    if (state === OFF) return kind === 'checkbox' ? [OFF] : undefined;
    const chosen = widgets.find(({ onState }) => onState === state);
    // If /Opt lists the choices, states are indices into it (ISO 32000-1, table 227).
    return [chosen?.exportValue ?? (/^\d{1,9}$/.test(state) ? exports[Number(state)] : undefined) ?? state];
  }
}

function kindOf(type: string | undefined, flags: number): FieldKind | undefined {
  switch (type) {
    case 'Tx':
      return 'text';
    case 'Ch':
      return (flags & fieldFlags.combo) !== 0 ? 'combobox' : 'listbox';
    case 'Btn':
      return (flags & fieldFlags.pushButton) !== 0 ? 'button' : (flags & fieldFlags.radio) !== 0 ? 'radio' : 'checkbox';
    case 'Sig':
      return 'signature';
    default:
      return undefined;
  }
}

/** Returns the state of a button that is not Off, from its normal appearances, else from those for pressing. */
export function onStateOf(context: PDFContext, widget: PDFDict): string | undefined {
  const appearances = asDict(context, entry(widget, 'AP'));
  for (const key of ['N', 'D']) {
    const states = appearances === undefined ? undefined : resolve(context, entry(appearances, key));
    const on =
      states instanceof PDFDict
        ? states
            .keys()
            .map(nameText)
            .find((name) => name !== OFF)
        : undefined;
    if (on !== undefined) return on;
  }
  const state = asName(context, entry(widget, 'AS'));
  return state === OFF ? undefined : state;
}

function listed(text: string | undefined): readonly string[] | undefined {
  return text === undefined ? undefined : [text];
}

function blankless(text: string | undefined): string | undefined {
  return text === undefined || text.trim() === '' ? undefined : text;
}

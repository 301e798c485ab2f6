import type { FieldNode } from './fields/index.js';

/** Field types as users know them (ISO 32000-1, 12.7.4). */
export type FieldKind = 'text' | 'checkbox' | 'combobox' | 'listbox' | 'radio' | 'button' | 'signature';

/** One option of a choice field (ISO 32000-1, table 231, Opt): the stored value and the displayed label. */
export interface FieldOption {
  readonly value: string;
  readonly shown: string;
  /** 0-based index in /Opt, which /I refers to (ISO 32000-1, 12.7.4.4); invalid entries are counted too. */
  readonly place: number;
}

/** A widget of a field on a page (ISO 32000-1, 12.5.6.19). */
export interface FormWidget {
  /** Its dictionary with the field above it; the field's node if both are one dictionary. */
  readonly node: FieldNode;
  /** 0-based page whose annotation list contains it first, else the page in its /P entry; -1 if neither is known. */
  readonly pageIndex: number;
  /** Left, bottom, right, top in the page's default user space; undefined if the widget has no rectangle. */
  readonly box: readonly [number, number, number, number] | undefined;
  /** Name of the state that is not Off, for a check box or radio button; undefined if it is not known. */
  readonly onState: string | undefined;
  /** The value that selecting it gives: its entry in the field's /Opt (ISO 32000-1, 12.7.4.2.3), else its state. */
  readonly exportValue: string | undefined;
  /** /TU of the widget's own dictionary; undefined if missing or blank. */
  readonly tooltip: string | undefined;
  /** Text size of the default appearance in points; 0 for an automatic size and if none is set. */
  readonly fontSize: number;
}

/** A field that can hold a value. */
export interface FormField {
  /** Its dictionary in the tree, where /V belongs. Attributes may be inherited: use `fieldAttribute`. */
  readonly node: FieldNode;
  /** Full name: partial names from the root, joined by periods. Never empty. Several fields may share one name. */
  readonly name: string;
  readonly partialName: string;
  readonly kind: FieldKind;
  /** /Ff, which may be inherited (ISO 32000-1, tables 221, 226, 228 and 230). */
  readonly flags: number;
  /**
   * Current value as text: one text; the stored values of choices in order; the export value of the selected button, or
   * `Off` for an unchecked check box; the signer's name of a signature. Undefined for no value.
   */
  readonly values: readonly string[] | undefined;
  /** Options of a choice field, in order. */
  readonly options: readonly FieldOption[];
  /** /TU of the field itself; undefined if missing or blank. */
  readonly alternateName: string | undefined;
  /** In the order of /Kids; empty if the field is on no page. */
  readonly widgets: readonly FormWidget[];
  /** True if a page shows the field but the form does not list it. */
  readonly unlisted: boolean;
}

/** A document's form as its users know it. */
export interface FormModel {
  /** In the order of the tree, followed by fields that only pages list. */
  readonly fields: readonly FormField[];
  /** Number of fields that were skipped because they have no name or no known type. */
  readonly leftOut: number;
  /**
   * `hybrid`: an XFA form beside these fields; `dynamic`: XFA without other fields than signatures (ISO 32000-1,
   * 12.7.8).
   */
  readonly xfa: 'hybrid' | 'dynamic' | undefined;
}

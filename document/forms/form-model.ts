import type { PDFContext, PDFDict } from 'pdf-lib';
import { entry, resolve } from '../file/objects/index.js';
import type { OpenedPdf } from '../file/open/index.js';
import { acroFormOf, type FieldNode, fullName, partialName } from './fields/index.js';
import { formNodes, valuedNodes } from './form-nodes.js';
import { FieldReader } from './read-field.js';

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

/**
 * Reads a document's form: every field that can hold a value, with its widgets on the pages. Each dictionary is visited
 * once, so cycles and shared kids are harmless. Like viewers do, it includes widgets that a page lists and the form
 * does not. Returns undefined for a document without a form.
 */
export function readForm({ document, pages }: Pick<OpenedPdf, 'document' | 'pages'>): FormModel | undefined {
  const { context } = document;
  const form = acroFormOf(context);
  if (form === undefined) return undefined;
  const nodes = formNodes(context, pages);
  const reader = new FieldReader(context, nodes.pageOf);
  const fields: FormField[] = [];
  let leftOut = 0;
  for (const valued of valuedNodes(context, nodes)) {
    const name = fullName(context, valued.node);
    const field = name === '' ? undefined : reader.read(valued, name, partialName(context, valued.node.dict));
    if (field === undefined) leftOut++;
    else fields.push(field);
  }
  return { fields, leftOut, xfa: xfaOf(context, form, fields) };
}

function xfaOf(context: PDFContext, form: PDFDict, fields: readonly FormField[]): FormModel['xfa'] {
  if (resolve(context, entry(form, 'XFA')) === undefined) return undefined;
  return fields.some(({ kind }) => kind !== 'signature') ? 'hybrid' : 'dynamic';
}

import type { PDFContext, PDFDict } from 'pdf-lib';
import { entry, resolve } from '../file/objects/index.js';
import type { OpenedPdf } from '../file/open/index.js';
import { acroFormOf, type FieldNode, fullName, partialName } from './fields/index.js';
import { formNodes, valuedNodes } from './form-nodes.js';
import { FieldReader } from './read-field.js';

/** What a field is for its user (ISO 32000-1, 12.7.4). */
export type FieldKind = 'text' | 'checkbox' | 'combobox' | 'listbox' | 'radio' | 'button' | 'signature';

/** One option of a choice field (ISO 32000-1, table 231, Opt): what is stored, and what is shown of it. */
export interface FieldOption {
  readonly value: string;
  readonly shown: string;
  /**
   * 0-based place in /Opt, by which /I counts (ISO 32000-1, 12.7.4.4): entries that are no options are counted, too.
   */
  readonly place: number;
}

/** A place where a field is shown (ISO 32000-1, 12.5.6.19). */
export interface FormWidget {
  /** Its dictionary, with the field above it; the field's own node where both are one dictionary. */
  readonly node: FieldNode;
  /**
   * 0-based page whose list of annotations names it first, else the page that it names itself; -1 where neither says.
   */
  readonly pageIndex: number;
  /** Left, bottom, right, top in the page's default user space; undefined where it says none. */
  readonly box: readonly [number, number, number, number] | undefined;
  /** Of a check box or radio button: the name of its state that is not Off; undefined where nothing tells. */
  readonly onState: string | undefined;
  /** What choosing it stands for: its entry of the field's /Opt (ISO 32000-1, 12.7.4.2.3), else its state. */
  readonly exportValue: string | undefined;
  /** /TU of the widget's own dictionary; undefined for none or a blank one. */
  readonly tooltip: string | undefined;
  /** Text size of the default appearance in points; 0 for one that follows from the room, and where nothing says. */
  readonly fontSize: number;
}

/** A field that holds a value. */
export interface FormField {
  /** Its dictionary in the tree: /V belongs there. Attributes may be inherited: ask `fieldAttribute`. */
  readonly node: FieldNode;
  /** Partial names from the top, joined by periods. Never empty. Several fields may have one name. */
  readonly name: string;
  readonly partialName: string;
  readonly kind: FieldKind;
  /** /Ff, inherited (ISO 32000-1, tables 221, 226, 228 and 230). */
  readonly flags: number;
  /**
   * What it holds, as text: of texts one; of choices the stored values, in order; of buttons with states the export
   * value of the chosen one, and `Off` of a check box that is not; of signatures the signer's name. Undefined for none.
   */
  readonly values: readonly string[] | undefined;
  /** Of choice fields, in order. */
  readonly options: readonly FieldOption[];
  /** /TU of the field itself; undefined for none or a blank one. */
  readonly alternateName: string | undefined;
  /** In the order of /Kids; empty for one that no page shows. */
  readonly widgets: readonly FormWidget[];
  /** True for one that a page shows and the form does not name. */
  readonly loose: boolean;
}

/** A document's form as its users know it. */
export interface FormModel {
  /** In the order of the tree; what only pages name comes behind. */
  readonly fields: readonly FormField[];
  /** Fields that are left out: without a name, or of no type. */
  readonly leftOut: number;
  /**
   * `hybrid`: an XFA form beside these fields; `dynamic`: XFA alone (ISO 32000-1, 12.7.8), since there are no fields,
   * or only signatures.
   */
  readonly xfa: 'hybrid' | 'dynamic' | undefined;
}

/**
 * Reads a document's form: every field that holds a value, with its widgets on the pages. Each dictionary is taken
 * once, so cyclic trees and shared kids end; widgets that a page lists and the form does not name are read too, as
 * viewers do. Gives undefined for a document without a form.
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

import type { PDFContext, PDFDict } from 'pdf-lib';
import { entry, resolve } from '../file/objects/index.js';
import type { OpenedPdf } from '../file/open/index.js';
import { acroFormOf, fullName, partialName } from './fields/index.js';
import type { FormField, FormModel } from './form-model.js';
import { formNodes, valuedNodes } from './form-nodes.js';
import { FieldReader } from './read-field.js';

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

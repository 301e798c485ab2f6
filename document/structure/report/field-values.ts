import { PDFArray, type PDFContext, PDFDict, PDFName, type PDFObject, PDFRawStream } from 'pdf-lib';
import { asText, entry, isString, nameText, resolve } from '../../file/objects/index.js';
import {
  allFieldNodes,
  fieldAttribute,
  type FieldNode,
  fullName,
  isField,
  isSignatureField,
  readFields,
} from '../../forms/fields/index.js';
import { streamText } from '../../file/objects/index.js';

/**
 * Yields the fields of a document that can hold values, with full names and values as text: the entered or selected
 * text (several choices joined by commas), the state of a button, or the signer. Empty for a field without a value.
 * Fields that only group others are left out.
 */
export function* fieldValues(context: PDFContext): Generator<[name: string, value: string]> {
  for (const node of allFieldNodes(readFields(context))) {
    if (!isField(node) || node.children.some(isField)) continue;
    yield [fullName(context, node), valueText(context, node)];
  }
}

function valueText(context: PDFContext, node: FieldNode): string {
  const value = resolve(context, fieldAttribute(node, 'V'));
  if (isSignatureField(context, node))
    return value instanceof PDFDict ? (asText(context, entry(value, 'Name')) ?? '') : '';
  if (value instanceof PDFArray)
    return value
      .asArray()
      .map((item) => simple(context, resolve(context, item)))
      .join(', ');
  return simple(context, value);
}

function simple(context: PDFContext, value: PDFObject | undefined): string {
  if (isString(value)) return value.decodeText();
  if (value instanceof PDFName) return nameText(value);
  return value instanceof PDFRawStream ? (streamText(context, value) ?? '') : '';
}

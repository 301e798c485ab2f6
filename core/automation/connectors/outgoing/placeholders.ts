import { fillTemplates, needsInvoice, templateFaults } from '../../../operations/pipelines/index.js';
import type { InvoiceTexts } from '../../../operations/runner/index.js';

/** What placeholders stand for. */
export interface Facts {
  /** Name of the file that is delivered. */
  readonly file: string;
  readonly at: Date;
  readonly automation: string;
  readonly input: string | null;
  /** Of the file; needed by texts for which `namesInvoice` is true. */
  readonly invoice?: InvoiceTexts;
}

const OWN = ['automation', 'input'] as const;

/**
 * Fills `{{automation}}`, `{{input}}` and the placeholders of pipelines (`{{file.name}}`, `{{date}}`,
 * `{{invoice.number}}`).
 */
export function fillText(text: string, { file, at, automation, input, invoice }: Facts): string {
  const values = { automation, input: input ?? '' };
  const named = { name: file, ...(invoice === undefined ? {} : { invoice }) };
  return String(fillTemplates(asInputs(text), { file: named, at, values, isText: true }) ?? '');
}

/** Whether a text says something of the invoice that is delivered. */
export function namesInvoice(text: string): boolean {
  return needsInvoice(text, []);
}

/** Says which placeholder of a text stands for nothing; undefined if there is none. */
export function unknownPlaceholder(text: string): string | undefined {
  const values = Object.fromEntries(OWN.map((name) => [name, '']));
  const [fault] = templateFaults(asInputs(text), '', values);
  return fault === undefined ? undefined : fault.detail.replaceAll(/input\.(automation|input)\b/g, '$1');
}

/** Pipelines have their own values under `input.`. */
function asInputs(text: string): string {
  return text.replaceAll(/\{\{\s*(automation|input)\s*\}\}/g, '{{input.$1}}');
}

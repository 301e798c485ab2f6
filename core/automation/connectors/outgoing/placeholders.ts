import { fillTemplates, templateFaults } from '../../../operations/pipelines/index.js';

/** What placeholders stand for. */
export interface Facts {
  /** Name of the file that is delivered. */
  readonly file: string;
  readonly at: Date;
  readonly automation: string;
  readonly input: string | null;
}

const OWN = ['automation', 'input'] as const;

/** Fills `{{automation}}`, `{{input}}` and the placeholders of pipelines (`{{file.name}}`, `{{date}}`). */
export function fillText(text: string, { file, at, automation, input }: Facts): string {
  const values = { automation, input: input ?? '' };
  return String(fillTemplates(asInputs(text), { file: { name: file }, at, values }) ?? '');
}

/** Says which placeholder of a text stands for nothing; undefined if there is none. */
export function unknownPlaceholder(text: string): string | undefined {
  const values = Object.fromEntries(OWN.map((name) => [name, '']));
  const [fault] = templateFaults(asInputs(text), '', values, { invoices: false });
  return fault === undefined ? undefined : fault.detail.replaceAll(/input\.(automation|input)\b/g, '$1');
}

/** Pipelines have their own values under `input.`. */
function asInputs(text: string): string {
  return text.replaceAll(/\{\{\s*(automation|input)\s*\}\}/g, '{{input.$1}}');
}

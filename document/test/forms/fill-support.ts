import { type PDFDocument } from 'pdf-lib';
import {
  type FieldInput,
  type FieldValue,
  fillForm,
  type FillReport,
  type FormField,
  readForm,
} from '../../forms/index.js';
import { asDict, asName, elements, entry } from '../../file/objects/index.js';
import { editBytes, openPdf } from '../../file/open/index.js';
import { acroFormOf } from '../../forms/fields/index.js';
import { formOf, name, text } from './forms-support.js';

export const valuesOf = (values: Readonly<Record<string, FieldInput>>): FieldValue[] =>
  Object.entries(values).map(([field, value]) => ({ name: field, value, pointer: `/data/${field}` }));

/** Fills in a form and returns its bytes, its fields, and the report. */
export async function filled(
  source: PDFDocument | Uint8Array,
  values: Readonly<Record<string, FieldInput>>,
): Promise<{ bytes: Uint8Array; report: FillReport; fields: Map<string, FormField>; document: PDFDocument }> {
  let report: FillReport | undefined;
  const bytes = await editBytes(source instanceof Uint8Array ? source : await source.save(), {}, async (opened) => {
    report = await fillForm(opened, valuesOf(values));
  });
  const opened = await openPdf(bytes);
  return {
    bytes,
    report: report!,
    fields: new Map(readForm(opened)!.fields.map((field) => [field.name, field])),
    document: opened.document,
  };
}
export const held = (fields: ReadonlyMap<string, FormField>): Record<string, readonly string[] | undefined> =>
  Object.fromEntries([...fields].map(([key, { values }]) => [key, values]));
export const refusal = (
  work: Promise<unknown>,
): Promise<{ code: string; errors: { pointer: string; detail: string }[] }> =>
  work.then(
    () => {
      throw new Error('was not refused');
    },
    (error: unknown) => error as { code: string; errors: { pointer: string; detail: string }[] },
  );
export const rect = [50, 200, 250, 230] as const;
export const at = (i: number): readonly [number, number, number, number] => [20, 260 - i * 40, 140, 290 - i * 40];
export const options = [
  ['de', 'Germany'],
  ['fr', 'France'],
  ['it', 'Italy, Rome'],
].map((pair) => pair.map(text));
/** Creates the states of a button with different appearances. */
const states = (document: PDFDocument, ...names: readonly string[]): object => ({
  N: Object.fromEntries(
    [...names, 'Off'].map((one) => [
      one,
      document.context.register(
        document.context.stream(one === 'Off' ? '' : '0 g 0 0 20 20 re f', { BBox: [0, 0, 20, 20] }),
      ),
    ]),
  ),
});

/** Creates the buttons of one field with appearances for these states. */
export async function group(
  kind: 'radio' | 'checkbox',
  names: readonly string[],
  more: object = {},
): Promise<PDFDocument> {
  const document = await formOf(
    names.map((_name, i) => ({ rect: [20 + i * 40, 20, 40 + i * 40, 40] as const, AS: name('Off') })),
  );
  const { context } = document;
  const widgets = elements(context, document.getPage(0).node.get(name('Annots')));
  const field = context.register(
    context.obj({ FT: 'Btn', Ff: kind === 'radio' ? 1 << 15 : 0, T: text('group'), Kids: widgets, ...more } as never),
  );
  widgets.forEach((widget, i) => {
    const dict = asDict(context, widget)!;
    dict.delete(name('T'));
    dict.set(name('Parent'), field);
    dict.set(name('AP'), context.obj(states(document, names[i]!) as never));
  });
  acroFormOf(context)!.set(name('Fields'), context.obj([field]));
  return document;
}
export const shown = ({ document: { context }, fields }: Awaited<ReturnType<typeof filled>>): string[] =>
  fields.get('group')!.widgets.map(({ node }) => asName(context, entry(node.dict, 'AS')) ?? '');
export const valueOf = ({ document: { context }, fields }: Awaited<ReturnType<typeof filled>>): string | undefined =>
  asName(context, entry(fields.get('group')!.node.dict, 'V'));

import { type PDFDict, type PDFDocument, PDFString } from 'pdf-lib';
import {
  deleteFields,
  type DeletionReport,
  type FieldUpdate,
  type FormField,
  modifyFields,
  type ModificationReport,
  readForm,
} from '../../forms/index.js';
import { asDict, elements, entry } from '../../file/objects/index.js';
import { editBytes, type OpenedPdf, openPdf } from '../../file/open/index.js';
import { acroFormOf } from '../../forms/fields/index.js';
import { formOf, name, text } from './forms-support.js';

export interface Changed<R> {
  readonly report: R;
  readonly bytes: Uint8Array;
  readonly opened: OpenedPdf;
  readonly fields: ReadonlyMap<string, FormField>;
}

async function changed<R>(
  source: PDFDocument | Uint8Array,
  change: (opened: OpenedPdf) => R | Promise<R>,
): Promise<Changed<R>> {
  let report: R | undefined;
  const bytes = await editBytes(
    source instanceof Uint8Array ? source : await source.save(),
    { mode: 'rewrite' },
    async (opened) => {
      report = await change(opened);
    },
  );
  const opened = await openPdf(bytes);
  return {
    report: report!,
    bytes,
    opened,
    fields: new Map((readForm(opened)?.fields ?? []).map((field) => [field.name, field])),
  };
}
export const modified = (
  source: PDFDocument | Uint8Array,
  ...updates: readonly Omit<FieldUpdate, 'pointer'>[]
): Promise<Changed<ModificationReport>> =>
  changed(source, (opened) =>
    modifyFields(
      opened,
      updates.map((update, i) => ({ ...update, pointer: `/updates/${i}` })),
    ),
  );
export const deleted = (
  source: PDFDocument | Uint8Array,
  ...names: readonly string[]
): Promise<Changed<DeletionReport>> => changed(source, (opened) => deleteFields(opened, names));
export const fault = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'not refused',
    (error: unknown) => (error as { errors: unknown }).errors,
  );

export const at = (i: number): readonly [number, number, number, number] => [20, 260 - i * 40, 140, 290 - i * 40];
export const opt = (...values: readonly string[]): unknown => values.map(text);
export const dictOf = ({ fields }: Changed<unknown>, field: string): PDFDict => fields.get(field)!.node.dict;
export const annotationsOf = ({
  opened: {
    document: { context },
    pages,
  },
}: Changed<unknown>): PDFDict[] =>
  elements(context, entry(pages[0]!.dict, 'Annots')).map((value) => asDict(context, value)!);

/**
 * Creates a tagged form: a group of two fields, one of them with two widgets, calculated, and named by scripts and
 * actions.
 */
export async function tagged(): Promise<PDFDocument> {
  const document = await formOf([
    { rect: at(0), FT: 'Tx', V: text('Ada'), StructParent: 0 },
    { rect: at(1), StructParent: 1 },
    { rect: at(2), StructParent: 2 },
    { rect: at(3), FT: 'Tx', V: text('stays'), T: text('other'), StructParent: 3 },
  ]);
  const { context } = document;
  const page = document.getPage(0);
  const widgets = elements(context, page.node.get(name('Annots')));
  const sum = context.register(
    context.obj({
      FT: 'Tx',
      T: text('sum'),
      V: text('geheim 42'),
      Kids: widgets.slice(1, 3),
      AA: {
        C: {
          S: 'JavaScript',
          JS: PDFString.of('event.value = this.getField("person.name").value + this.getField("other").value'),
        },
      },
    } as never),
  );
  for (const widget of widgets.slice(1, 3)) {
    asDict(context, widget)!.delete(name('T'));
    asDict(context, widget)!.set(name('Parent'), sum);
  }
  const person = context.register(context.obj({ T: text('person'), Kids: [widgets[0]!, sum] } as never));
  asDict(context, widgets[0])!.set(name('T'), text('name'));
  for (const ref of [widgets[0]!, sum]) asDict(context, ref)!.set(name('Parent'), person);
  const reset = context.register(
    context.obj({
      S: 'ResetForm',
      Fields: [sum, text('person.name'), text('other')],
      Flags: 0,
      Next: { S: 'Hide', T: widgets[1]! },
    } as never),
  );
  const form = acroFormOf(context)!;
  form.set(name('Fields'), context.obj([person, widgets[3]!]));
  form.set(name('CO'), context.obj([sum]));
  document.catalog.set(name('OpenAction'), reset);
  const root = context.nextRef();
  const elementsOf = widgets.map((widget) =>
    context.register(
      context.obj({ Type: 'StructElem', S: 'Form', P: root, K: { Type: 'OBJR', Obj: widget, Pg: page.ref } }),
    ),
  );
  context.assign(
    root,
    context.obj({
      Type: 'StructTreeRoot',
      K: elementsOf,
      ParentTree: { Nums: elementsOf.flatMap((one, i) => [i, one] as never) },
      ParentTreeNextKey: 4,
    } as never),
  );
  document.catalog.set(name('StructTreeRoot'), root);
  return document;
}

import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import type { Call } from './calls';
import type { FormEntry, SentFile } from './multipart';

const DOCUMENTS = 'fileInput';

/** A file of an item. */
export interface Source {
  readonly item: number;
  readonly field: string;
}

/** Returns the form of a call: its documents, and fields and second files as they are set for an item. */
export async function formOf(
  context: IExecuteFunctions,
  item: number,
  call: Call,
  documents: readonly Source[],
): Promise<FormEntry[]> {
  const files = await Promise.all(documents.map((source) => fileOf(context, source)));
  const values = valuesOf(context, item, call);
  const texts = Object.entries(call.fields).flatMap(([name, type]) =>
    textsOf(values[name], type).map((text): FormEntry => [name, text]),
  );
  const parts = await Promise.all(
    call.parts.flatMap((name) =>
      fieldNames(String(values[name] ?? '')).map(async (field): Promise<FormEntry> => [
        name,
        await fileOf(context, { item, field }),
      ]),
    ),
  );
  return [...files.map((file): FormEntry => [DOCUMENTS, file]), ...texts, ...parts];
}

/** Names of binary fields, separated by commas. */
export function fieldNames(text: string): string[] {
  return text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

/** What is set for an item: properties of the node that are shown, and its options. */
function valuesOf(context: IExecuteFunctions, item: number, { fields, parts }: Call): IDataObject {
  const options = context.getNodeParameter('options', item, {}) as IDataObject;
  const top = [...Object.keys(fields), ...parts].map((name) => [name, context.getNodeParameter(name, item, '')]);
  return { ...Object.fromEntries(top.filter(([, value]) => value !== '')), ...options };
}

async function fileOf(context: IExecuteFunctions, { item, field }: Source): Promise<SentFile> {
  const { fileName, mimeType, fileExtension } = context.helpers.assertBinaryData(item, field);
  const bytes = await context.helpers.getBinaryDataBuffer(item, field);
  const ending = fileExtension === undefined ? '' : `.${fileExtension}`;
  return { name: fileName ?? `${field}${ending}`, mediaType: mimeType, bytes };
}

/** A value as form fields: one for each item of a list, any other structure as JSON. */
function textsOf(value: unknown, type: string): string[] {
  if (value === undefined || value === null || value === '') return [];
  if (type === 'list') return Array.isArray(value) ? value.map(String) : fieldNames(String(value));
  return [typeof value === 'object' ? JSON.stringify(value) : String(value)];
}

import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { request, type Answer } from './request';

/** A result file of a job, as the server lists it. */
export interface ResultFile {
  readonly fileId: string;
  readonly fileName: string;
  readonly contentType: string;
}

/** Where results go. */
export interface Output {
  /** Of the items that the call was made of. */
  readonly items: readonly number[];
  /** Binary field of a file. */
  readonly field: string;
}

/** Returns the item for an answer: its JSON, or its file with what the server reported about it. */
export async function answerItem(
  context: IExecuteFunctions,
  { headers, body, status }: Answer,
  { items, field }: Output,
): Promise<INodeExecutionData> {
  const facts = factsIn(headers);
  const pairedItem = items.map((item) => ({ item }));
  if (status === 204) return { json: { ...facts, dropped: true }, pairedItem };
  const mediaType = headers['content-type'] ?? 'application/octet-stream';
  const isFile = headers['content-disposition'] !== undefined;
  if (!isFile && /^application\/json\b/.test(mediaType))
    return { json: { ...objectOf(JSON.parse(body.toString('utf8'))), ...facts }, pairedItem };
  const name = nameIn(headers['content-disposition'] ?? '');
  return {
    json: { fileName: name, mediaType, bytes: body.length, ...facts },
    binary: { [field]: await context.helpers.prepareBinaryData(body, name, mediaType) },
    pairedItem,
  };
}

/** Returns the files of a job: one item for each, or one item with a binary field for each. */
export async function fileItems(
  context: IExecuteFunctions,
  files: readonly ResultFile[],
  { items, field }: Output,
  as: 'items' | 'fields',
): Promise<INodeExecutionData[]> {
  const item = items[0] ?? 0;
  const pairedItem = items.map((each) => ({ item: each }));
  const all = [];
  for (const { fileId, fileName, contentType } of files) {
    const { body } = await request(context, item, { method: 'GET', path: `general/files/${fileId}` });
    const data = await context.helpers.prepareBinaryData(body, fileName, contentType);
    all.push({ json: { fileName, mediaType: contentType, bytes: body.length }, data });
  }
  if (as === 'items') return all.map(({ json, data }) => ({ json, binary: { [field]: data }, pairedItem }));
  const binary = Object.fromEntries(all.map(({ data }, at) => [at === 0 ? field : `${field}${at}`, data]));
  return [{ json: { files: all.map(({ json }) => json) }, binary, pairedItem }];
}

/** A JSON answer as n8n needs it: an object. */
function objectOf(value: unknown): IDataObject {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? (value as IDataObject) : { result: value as IDataObject };
}

/** What the server reports beside a result. */
function factsIn(headers: Answer['headers']): IDataObject {
  const texts = { warnings: 'x-warnings', effects: 'x-effects', ignoredFields: 'x-ignored-fields' };
  const facts = Object.entries(texts).flatMap(([name, header]) => {
    const text = headers[header];
    return text === undefined ? [] : [[name, unescaped(text)] as const];
  });
  const report = headers['x-tool-report'];
  return { ...Object.fromEntries(facts), ...(report === undefined ? {} : { report: reportIn(report) }) };
}

/** The report is JSON, unless it was too long for a header. */
function reportIn(text: string): IDataObject | string {
  try {
    return JSON.parse(text) as IDataObject;
  } catch {
    return text;
  }
}

function unescaped(text: string): string {
  return text.replace(/\\u([0-9a-f]{4})/g, (_, code: string) => String.fromCharCode(parseInt(code, 16)));
}

/** The file name of a Content-Disposition header (RFC 8187). */
function nameIn(disposition: string): string {
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1];
  return encoded === undefined ? (/filename="([^"]*)"/.exec(disposition)?.[1] ?? 'file') : decodeURIComponent(encoded);
}

import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { type Call, calls } from './calls';
import { fieldNames, formOf, type Source } from './form';
import { finishedJob, jobFiles, jobResult } from './job';
import type { FormEntry } from './multipart';
import { request } from './request';
import { answerItem, fileItems, type Output } from './results';

/** Files of one call, and the items that they come from. */
interface Batch {
  readonly items: readonly [number, ...number[]];
  readonly documents: readonly Source[];
}

/** Returns how an operation is called; undefined for one that this version does not know. */
export function callOf(operation: string): Call | undefined {
  return Object.hasOwn(calls, operation) ? calls[operation] : undefined;
}

/** True if the operation processes the files of all items in one call. */
export function takesAllItems(context: IExecuteFunctions, call: Call): boolean {
  return call.documents === 'all' && (context.getNodeParameter('together', 0, true) as boolean);
}

/** Runs an operation with the files of these items. The fields are those of the first. */
export async function runOperation(
  context: IExecuteFunctions,
  items: readonly [number, ...number[]],
  call: Call,
): Promise<INodeExecutionData[]> {
  const results = [];
  for (const batch of batchesOf(context, items, call)) results.push(...(await runBatch(context, batch, call)));
  return results;
}

function batchesOf(context: IExecuteFunctions, items: readonly [number, ...number[]], { documents }: Call): Batch[] {
  if (documents === 'none') return [{ items, documents: [] }];
  const sources = items.flatMap((item) =>
    fieldNames(context.getNodeParameter('inputField', item, 'data') as string).map((field) => ({ item, field })),
  );
  if (documents === 'all') return [{ items, documents: sources }];
  return sources.map((source) => ({ items: [source.item], documents: [source] }));
}

async function runBatch(context: IExecuteFunctions, batch: Batch, call: Call): Promise<INodeExecutionData[]> {
  const [item] = batch.items;
  const form = await formOf(context, item, call, batch.documents);
  const output = { items: batch.items, field: context.getNodeParameter('outputField', item, 'data') as string };
  const runAs = context.getNodeParameter('runAs', item, 'call') as string;
  const as = context.getNodeParameter('severalFiles', item, 'zip') as 'zip' | 'items' | 'fields';
  const minutes = context.getNodeParameter('waitMinutes', item, 30) as number;
  if (runAs === 'start') return [await startedJob(context, output, call, [...form, ...callbackOf(context, item)])];
  if (runAs === 'job' || as !== 'zip') return finished(context, output, call, form, { as, minutes });
  const answer = await request(context, item, { method: 'POST', path: call.path, form, timeoutMs: minutes * 60_000 });
  return [await answerItem(context, answer, output)];
}

async function startedJob(
  context: IExecuteFunctions,
  output: Output,
  { path }: Call,
  form: readonly FormEntry[],
): Promise<INodeExecutionData & { json: { jobId: string } }> {
  const { body } = await request(context, output.items[0] ?? 0, {
    method: 'POST',
    path,
    form: [...form, ['async', 'true']],
  });
  const { jobId } = JSON.parse(body.toString('utf8')) as { jobId: string };
  return { json: { jobId }, pairedItem: output.items.map((item) => ({ item })) };
}

async function finished(
  context: IExecuteFunctions,
  output: Output,
  call: Call,
  form: readonly FormEntry[],
  { as, minutes }: { readonly as: 'zip' | 'items' | 'fields'; readonly minutes: number },
): Promise<INodeExecutionData[]> {
  const item = output.items[0] ?? 0;
  const { jobId } = (await startedJob(context, output, call, form)).json;
  const { status } = await finishedJob(context, item, jobId, minutes);
  const files = as !== 'zip' && status === 'succeeded' ? await jobFiles(context, item, jobId) : [];
  // Also for a job that failed: the server then answers with the reason.
  if (as === 'zip' || files.length === 0) return [await jobResult(context, jobId, output)];
  return fileItems(context, files, output, as);
}

function callbackOf(context: IExecuteFunctions, item: number): FormEntry[] {
  const values: IDataObject = {
    callbackUrl: context.getNodeParameter('callbackUrl', item, ''),
    callbackSecret: context.getNodeParameter('callbackSecret', item, ''),
  };
  return Object.entries(values)
    .filter(([, value]) => value !== '')
    .map(([name, value]): FormEntry => [name, String(value)]);
}

import { NodeOperationError } from 'n8n-workflow';
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { request } from './request';
import { answerItem, type Output, type ResultFile } from './results';

/** Seconds of one request that waits for a change of a job; the server allows 60. */
const WAIT_SECONDS = 20;

/** A job as the server describes it. */
export interface Job extends IDataObject {
  readonly jobId: string;
  readonly complete: boolean;
  readonly status: string;
}

function jobPath(jobId: string): string {
  return `general/job/${encodeURIComponent(jobId)}`;
}

/** Waits until a job has finished, at most `minutes`. */
export async function finishedJob(
  context: IExecuteFunctions,
  item: number,
  jobId: string,
  minutes: number,
): Promise<Job> {
  const end = Date.now() + minutes * 60_000;
  for (;;) {
    const headers = { Prefer: `wait=${WAIT_SECONDS}` };
    const { body } = await request(context, item, { method: 'GET', path: jobPath(jobId), headers });
    const job = JSON.parse(body.toString('utf8')) as Job;
    if (job.complete) return job;
    if (Date.now() >= end)
      throw new NodeOperationError(context.getNode(), `Job ${jobId} has not finished within ${minutes} minutes`, {
        description: 'Raise "Wait at Most", or get the result later with the resource "Job".',
        itemIndex: item,
      });
  }
}

/** Returns the answer that the call would have had without a job. */
export async function jobResult(
  context: IExecuteFunctions,
  jobId: string,
  output: Output,
): Promise<INodeExecutionData> {
  const answer = await request(context, output.items[0] ?? 0, { method: 'GET', path: `${jobPath(jobId)}/result` });
  return answerItem(context, answer, output);
}

/** Returns the list of a job's result files; empty for a result in JSON. */
export async function jobFiles(context: IExecuteFunctions, item: number, jobId: string): Promise<ResultFile[]> {
  const { body } = await request(context, item, { method: 'GET', path: `${jobPath(jobId)}/result/files` });
  return (JSON.parse(body.toString('utf8')) as { files: ResultFile[] }).files;
}

/** Runs an operation of the resource "Job". */
export async function jobOperation(
  context: IExecuteFunctions,
  item: number,
  operation: string,
): Promise<INodeExecutionData> {
  const jobId = context.getNodeParameter('jobId', item) as string;
  const field = context.getNodeParameter('outputField', item, 'data') as string;
  if (operation === 'getResult') return jobResult(context, jobId, { items: [item], field });
  const method = operation === 'delete' ? 'DELETE' : 'GET';
  const { body } = await request(context, item, { method, path: jobPath(jobId) });
  return { json: JSON.parse(body.toString('utf8')) as IDataObject, pairedItem: [{ item }] };
}

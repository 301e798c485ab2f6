import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { PDFDocument } from 'pdf-lib';
import { freePort } from '../corpus/built-server.js';
import { TRIGGER } from './workflows.js';

/** Seconds for n8n to start and activate its workflows; the first start creates its database. */
const START_SECONDS = 300;
const DELIVERY_SECONDS = 60;

interface TriggerCheck {
  /** n8n's program, and its settings. */
  readonly program: string;
  readonly env: NodeJS.ProcessEnv;
  /** Address of the Quire server. */
  readonly url: string;
  /** Folder with a.pdf, to which the workflow writes. */
  readonly files: string;
}

/**
 * Starts n8n with a published workflow that begins with the trigger, starts a job whose call-back is the trigger, and
 * waits for the file that the workflow writes. Returns what is wrong.
 */
export async function checkTrigger(check: TriggerCheck): Promise<string | undefined> {
  const port = await freePort();
  const env = { ...check.env, N8N_PORT: String(port), N8N_LISTEN_ADDRESS: '127.0.0.1' };
  const n8n = spawn(process.execPath, [check.program, 'start'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const printed: Buffer[] = [];
  for (const stream of [n8n.stdout, n8n.stderr]) stream.on('data', (chunk: Buffer) => printed.push(chunk));
  const gone = new Promise((resolve) => n8n.once('close', resolve));
  try {
    const webhook = `http://127.0.0.1:${port}/webhook/${TRIGGER.webhookId}/webhook`;
    const fault = (await refusesStrangers(webhook)) ?? (await runsAfterJob(check, webhook));
    return fault === undefined ? undefined : `${fault}\n${Buffer.concat(printed).toString('utf8')}`;
  } finally {
    n8n.kill('SIGTERM');
    const patience = setTimeout(() => n8n.kill('SIGKILL'), 20_000);
    await gone;
    clearTimeout(patience);
  }
}

/** Waits until n8n serves the webhook; it answers calls without a signature with 401. */
async function refusesStrangers(webhook: string): Promise<string | undefined> {
  const call = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"type":"job.succeeded"}' };
  let last = 'n8n did not answer';
  for (let second = 0; second < START_SECONDS; second++) {
    const answer = await fetch(webhook, call).catch(() => undefined);
    if (answer?.status === 401) return undefined;
    if (answer !== undefined) last = `a call without a signature got ${answer.status}: ${await answer.text()}`;
    await pause(1000);
  }
  return last;
}

async function runsAfterJob({ url, files }: TriggerCheck, webhook: string): Promise<string | undefined> {
  const jobId = await startJob(url, join(files, 'a.pdf'), webhook);
  const written = join(files, 'triggered.pdf');
  for (let second = 0; second < DELIVERY_SECONDS && !existsSync(written); second++) await pause(1000);
  const callbacks = await (await fetch(`${url}/api/v1/general/job/${jobId}/callbacks`)).text();
  if (!existsSync(written)) return `the workflow wrote no file; call-backs: ${callbacks}`;
  if (!callbacks.includes('"delivered"')) return `the call-back was not accepted: ${callbacks}`;
  const { angle } = (await PDFDocument.load(readFileSync(written))).getPage(0).getRotation();
  return angle === 90 ? undefined : `triggered.pdf is rotated by ${angle}`;
}

/** Starts a job that rotates a PDF by 90 degrees and calls back; returns its id. */
async function startJob(url: string, pdf: string, callbackUrl: string): Promise<string> {
  const form = new FormData();
  form.append('fileInput', new Blob([readFileSync(pdf)], { type: 'application/pdf' }), 'a.pdf');
  form.append('angle', '90');
  form.append('callbackUrl', callbackUrl);
  form.append('callbackSecret', TRIGGER.secret);
  const headers = { prefer: 'respond-async' };
  const answer = await fetch(`${url}/api/v1/general/rotate-pdf`, { method: 'POST', headers, body: form });
  const text = await answer.text();
  if (answer.status !== 202) throw new Error(`the job was not started: ${answer.status} ${text}`);
  return (JSON.parse(text) as { jobId: string }).jobId;
}

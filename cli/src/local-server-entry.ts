import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { serve } from '@quire/server';

/** The server that the command line starts for itself. It stops when nobody has called for a while. */
const IDLE_MS = Math.max(1, Number(process.env['QUIRE_LOCAL_IDLE_SECONDS'] ?? 300) || 300) * 1000;
const LOOK_MS = Math.min(5000, IDLE_MS / 4);
const JOBS = '/api/v1/general/jobs?limit=50';

// An import would load more of Node than the server needs (core/http/node-http.ts).
const { request } = process.getBuiltinModule('node:http');

let running = 0;
let lastCall = Date.now();
let asking = false;

// Node reports every request of an HTTP server of this process here.
subscribe('http.server.request.start', (message) => {
  const { response } = message as { response: { once(event: 'close', done: () => void): void } };
  if (asking) return;
  running += 1;
  lastCall = Date.now();
  response.once('close', () => {
    running -= 1;
    lastCall = Date.now();
  });
});

await serve();
// A slow start is not idleness.
lastCall = Date.now();

setInterval(() => void stopWhenIdle(), LOOK_MS);

async function stopWhenIdle(): Promise<void> {
  if (asking || running > 0 || Date.now() - lastCall < IDLE_MS) return;
  asking = true;
  const busy = await hasJobs().catch(() => false);
  asking = false;
  if (busy) lastCall = Date.now();
  else process.kill(process.pid, 'SIGTERM');
}

/** Whether jobs wait or run: they go on without a connection. */
async function hasJobs(): Promise<boolean> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = request({ socketPath: process.env['SERVER_SOCKET'] ?? '', path: JOBS, agent: false }, resolve);
    sent.once('error', reject);
    sent.end();
  });
  let text = '';
  for await (const chunk of response) text += String(chunk);
  const { jobs } = JSON.parse(text) as { jobs: { status: string }[] };
  return jobs.some(({ status }) => status === 'queued' || status === 'running');
}

// npm run check:key-timing -- [--requests 5000] [--rounds 3]
//
// Measures whether the time of a 401 reveals how much of an API key was right. Sends, in random order, wrong keys that
// share all but the last four characters with a valid one, and wrong keys that share nothing. Welch's t of their times
// must stay below 4.5, the usual bound for timing leaks. The slowest tenth of each kind is ignored as noise of the
// machine. Exits with 1 when a round is above the bound.
import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { parseArgs } from 'node:util';
import { createTestServer } from '@quire/core';

const { values } = parseArgs({
  options: { requests: { type: 'string', default: '5000' }, rounds: { type: 'string', default: '3' } },
});
const BOUND = 4.5;
const password = randomUUID();
const server = await createTestServer({
  settings: {
    security: { enableLogin: true, customGlobalAPIKey: randomUUID(), initialLogin: { username: 'boss', password } },
  },
  plugins: [],
});
const url = await server.start();
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

/** Returns the nanoseconds until the answer to a key, and its status. */
function ask(key: string): Promise<{ nanoseconds: number; status: number }> {
  return new Promise((resolve, reject) => {
    const started = process.hrtime.bigint();
    const call = request(`${url}/api/v1/info/uptime`, { agent, headers: { 'x-api-key': key } }, (response) => {
      const nanoseconds = Number(process.hrtime.bigint() - started);
      response.resume().once('end', () => resolve({ nanoseconds, status: response.statusCode ?? 0 }));
    });
    call.once('error', reject).end();
  });
}

function welch(a: readonly number[], b: readonly number[]): number {
  const mean = (list: readonly number[]): number => list.reduce((sum, x) => sum + x, 0) / list.length;
  const [meanA, meanB] = [mean(a), mean(b)];
  const variance = (list: readonly number[], m: number): number =>
    list.reduce((sum, x) => sum + (x - m) ** 2, 0) / (list.length - 1);
  return (meanA - meanB) / Math.sqrt(variance(a, meanA) / a.length + variance(b, meanB) / b.length);
}

const fastest = (list: readonly number[]): number[] =>
  [...list].sort((a, b) => a - b).slice(0, Math.floor(list.length * 0.9));

const login = (await (
  await fetch(`${url}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'boss', password }),
  })
).json()) as { session: { access_token: string } };
const { apiKey } = (await (
  await fetch(`${url}/api/v1/user/get-api-key`, {
    method: 'POST',
    headers: { authorization: `Bearer ${login.session.access_token}` },
  })
).json()) as { apiKey: string };
if ((await ask(apiKey)).status !== 200) throw new Error('the valid key was rejected');
/**
 * Builds both kinds of wrong key in the same way: all characters but the last four come from the valid key, or from
 * another random one.
 */
const wrongKey = (kind: 'near' | 'far'): string => {
  const made = randomUUID();
  const text = `${(kind === 'near' ? apiKey : made).slice(0, -4)}${made.slice(-4)}`;
  return text === apiKey ? wrongKey(kind) : text;
};
for (let i = 0; i < 500; i += 1) await ask(randomUUID());

let leaks = 0;
for (let round = 1; round <= Number(values.rounds); round += 1) {
  const times: Record<'near' | 'far', number[]> = { near: [], far: [] };
  for (let i = 0; i < Number(values.requests) * 2; i += 1) {
    const kind = Math.random() < 0.5 ? 'near' : 'far';
    const { nanoseconds, status } = await ask(wrongKey(kind));
    if (status !== 401 && status !== 429) throw new Error(`a wrong key was answered ${status}`);
    times[kind].push(nanoseconds);
  }
  const t = welch(fastest(times.near), fastest(times.far));
  if (Math.abs(t) >= BOUND) leaks += 1;
  const median = (list: readonly number[]): string =>
    `${((fastest(list)[Math.floor(list.length * 0.45)] ?? 0) / 1000).toFixed(0)} µs`;
  console.log(
    `round ${round}: ${times.near.length} near keys, median ${median(times.near)}; ${times.far.length} far ` +
      `keys, median ${median(times.far)}; t = ${t.toFixed(2)}`,
  );
}
agent.destroy();
await server.stop();
console.log(leaks === 0 ? `no difference: |t| < ${BOUND} in every round` : `${leaks} round(s) with |t| >= ${BOUND}`);
process.exit(leaks === 0 ? 0 : 1);

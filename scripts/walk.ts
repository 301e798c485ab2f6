// npm run walk -- [--match convert/,misc/ocr] [--out table.csv] [--login] [--press 10 [--pictures folder]] [--url http://127.0.0.1:8080]
// Calls everything that the served API documentation has an example of, with nothing but what it shows, as Swagger UI sends it. With --login on a server
// with login and storage on, as its administrator; with --press that many operations in a browser, by the buttons of Swagger UI;
// with --url on a server that runs already.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { BuiltServer } from './corpus/built-server.js';
import { readDocument } from './walk/api-document.js';
import { makeCall, type WalkRow } from './walk/make-call.js';
import { plannedCalls } from './walk/planned-calls.js';
import { pressExamples } from './walk/press-examples.js';

const { values } = parseArgs({ options: { match: { type: 'string' }, out: { type: 'string' }, login: { type: 'boolean', default: false }, press: { type: 'string' }, pictures: { type: 'string' }, url: { type: 'string' } } });
/** That of the document's own example of logging in. */
const PASSWORD = 'the password';
const folder = await mkdtemp(join(tmpdir(), 'quire-walk-'));
const env = { SYSTEM_ENABLEURLTOPDF: 'true', ...(values.login ? { SECURITY_ENABLELOGIN: 'true', STORAGE_ENABLED: 'true', SECURITY_INITIALLOGIN_USERNAME: 'admin', SECURITY_INITIALLOGIN_PASSWORD: PASSWORD } : {}) };
const server = values.url !== undefined ? undefined : await BuiltServer.start({ base: join(folder, 'base'), logFile: join(folder, 'server.log'), env });
const url = values.url ?? server?.url ?? '';
const rows: WalkRow[] = [];
try {
  const headers = values.login ? { authorization: `Bearer ${await signIn(url)}` } : {};
  const calls = plannedCalls(await readDocument(url)).filter(({ name }) => values.match === undefined || values.match.split(',').some((part) => name.includes(part)));
  if (values.press === undefined) for (const call of calls) {
    const row = await makeCall(url, call, headers);
    rows.push(row);
    if (row.verdict === 'fault') process.stdout.write(`  ${row.method} ${row.name} ${row.example === '' ? '' : `"${row.example}" `}${row.status}: ${row.note}\n`);
  } else rows.push(...await pressExamples(url, sample(calls, Number(values.press)), values.pictures));
} finally {
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
}
if (values.out !== undefined) await writeFile(values.out, ['method,path,example,status,code,ms,verdict,note', ...rows.map((row) => [row.method, row.name, row.example, row.status, row.code, row.ms, row.verdict, row.note].map((cell) => `"${String(cell).replaceAll('"', '""')}"`).join(','))].join('\n'));
print();

/** The table: one line for each call of the document, and what its examples came to. */
function print(): void {
  const calls = new Map<string, WalkRow[]>();
  for (const row of rows) calls.set(`${row.method} ${row.name}`, [...(calls.get(`${row.method} ${row.name}`) ?? []), row]);
  for (const [name, made] of calls) {
    const worst = (['fault', 'lacking', 'refused', 'well'] as const).find((verdict) => made.some((row) => row.verdict === verdict)) ?? 'well';
    const statuses = [...new Set(made.map(({ status, code }) => `${status === 0 ? '-' : status}${code === '' ? '' : ` ${code}`}`))].join(', ');
    process.stdout.write(`${worst.padEnd(8)} ${String(made.length).padStart(2)} ${String(Math.max(...made.map(({ ms }) => ms))).padStart(6)} ms  ${name}  ${statuses}${worst === 'lacking' ? `  lacks ${made.find(({ verdict }) => verdict === 'lacking')?.note ?? ''}` : ''}\n`);
  }
  const count = (verdict: WalkRow['verdict']): number => rows.filter((row) => row.verdict === verdict).length;
  process.stdout.write(`${rows.length} calls of ${calls.size}: ${count('well')} well, ${count('refused')} refused for want of something, ${count('lacking')} that the document gives no example of, ${count('fault')} faults\n`);
  if (count('fault') > 0) process.exitCode = 1;
}

/** As many operations of different shapes as are wanted: every nth of those with a form. */
function sample(calls: ReturnType<typeof plannedCalls>, count: number): ReturnType<typeof plannedCalls> {
  const first = calls.filter(({ example, lacks }, i) => example !== '' && lacks === undefined && calls.findIndex(({ name }) => name === calls[i]?.name) === i);
  return first.filter((_, i) => i % Math.max(1, Math.floor(first.length / count)) === 0).slice(0, count);
}

async function signIn(url: string): Promise<string> {
  const answer = await fetch(`${url}/api/v1/auth/login`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ username: 'admin', password: PASSWORD }) });
  const { session } = (await answer.json()) as { session?: { access_token: string } };
  if (session === undefined) throw new Error(`the administrator could not sign in: ${answer.status}`);
  return session.access_token;
}

// npm run walk -- [--match convert/,misc/ocr] [--out table.csv] [--login] [--press 10 [--screenshots folder]] [--url
// http://127.0.0.1:8080]
//
// Makes every call of the served API documentation using only its content: its examples, sent as Swagger UI sends them,
// and the links from an answer to other calls (an upload to its download). Calls that cannot be made from it are listed
// with the reason. --login uses a server with login and storage, as its administrator; --press runs that many
// operations in a browser with the buttons of Swagger UI, and --screenshots saves their results as images; --url uses a
// running server.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { BuiltServer } from '../corpus/built-server.js';
import { readDocument } from './api-document.js';
import { makeCall, type WalkRow } from './make-call.js';
import { plannedCalls, type PlannedCall } from './planned-calls.js';
import { pressExamples } from './press-examples.js';
import { walkThrough } from './walk-through.js';

const { values } = parseArgs({
  options: {
    match: { type: 'string' },
    out: { type: 'string' },
    login: { type: 'boolean', default: false },
    press: { type: 'string' },
    screenshots: { type: 'string' },
    url: { type: 'string' },
  },
});
/** The credentials in the document's examples of logging in and of changing the password. */
const who = { username: 'admin', password: 'the password' };
const folder = await mkdtemp(join(tmpdir(), 'quire-walk-'));
const login = {
  SECURITY_ENABLELOGIN: 'true',
  SECURITY_INITIALLOGIN_USERNAME: who.username,
  SECURITY_INITIALLOGIN_PASSWORD: who.password,
  STORAGE_ENABLED: 'true',
  STORAGE_SHARING_ENABLED: 'true',
  STORAGE_SHARING_LINKENABLED: 'true',
  SYSTEM_FRONTENDURL: 'http://localhost:8080',
  MAIL_ENABLEINVITES: 'true',
};
const env = { SYSTEM_ENABLEURLTOPDF: 'true', ...(values.login ? login : {}) };
const server =
  values.url !== undefined
    ? undefined
    : await BuiltServer.start({ base: join(folder, 'base'), logFile: join(folder, 'server.log'), env });
const url = values.url ?? server?.url ?? '';
const rows: WalkRow[] = [];
try {
  const document = await readDocument(url);
  const wanted = ({ name }: PlannedCall): boolean =>
    values.match === undefined || values.match.split(',').some((part) => name.includes(part));
  if (values.press !== undefined)
    rows.push(
      ...(await pressExamples(
        url,
        sample(plannedCalls(document).filter(wanted), Number(values.press)),
        values.screenshots,
      )),
    );
  else {
    let token = values.login ? await signIn(url) : '';
    rows.push(
      ...(await walkThrough(document, wanted, async (call) => {
        const row = await makeCall(url, call, token === '' ? {} : { authorization: `Bearer ${token}` });
        if (row.verdict === 'fault')
          process.stdout.write(
            `  ${row.method} ${row.name} ${row.example === '' ? '' : `"${row.example}" `}${row.status}: ${row.note}\n`,
          );
        // These calls end the session.
        if (token !== '' && row.status === 200 && /\/(?:user\/change-\w+|auth\/logout)/.test(row.name)) {
          who.username = String(call.fields?.['newUsername'] ?? who.username);
          who.password = String(call.fields?.['newPassword'] ?? who.password);
          token = await signIn(url);
        }
        return row;
      })),
    );
  }
} finally {
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
}
if (values.out !== undefined)
  await writeFile(
    values.out,
    [
      'method,path,example,status,code,ms,verdict,note',
      ...rows.map((row) =>
        [row.method, row.name, row.example, row.status, row.code, row.ms, row.verdict, row.note]
          .map((cell) => `"${String(cell).replaceAll('"', '""')}"`)
          .join(','),
      ),
    ].join('\n'),
  );
print();

/** Prints the table: one line for each call of the document with the results of its examples. */
function print(): void {
  const calls = new Map<string, WalkRow[]>();
  for (const row of rows)
    calls.set(`${row.method} ${row.name}`, [...(calls.get(`${row.method} ${row.name}`) ?? []), row]);
  for (const [name, made] of calls) {
    const worst =
      (['fault', 'lacking', 'refused', 'well'] as const).find((verdict) =>
        made.some((row) => row.verdict === verdict),
      ) ?? 'well';
    const statuses = [
      ...new Set(made.map(({ status, code }) => `${status === 0 ? '-' : status}${code === '' ? '' : ` ${code}`}`)),
    ].join(', ');
    const note = made.find(({ verdict }) => verdict === worst)?.note ?? '';
    process.stdout.write(
      `${worst.padEnd(8)} ${String(made.length).padStart(2)} ` +
        `${String(Math.max(...made.map(({ ms }) => ms))).padStart(6)} ms  ${name}  ` +
        `${statuses}${worst === 'well' ? '' : `  ${worst === 'lacking' ? 'needs ' : ''}${note}`}\n`,
    );
  }
  const count = (verdict: WalkRow['verdict']): number => rows.filter((row) => row.verdict === verdict).length;
  process.stdout.write(
    `${rows.length} calls of ${calls.size}: ${count('well')} well, ${count('refused')} refused because ` +
      `something is not set up, ${count('lacking')} not made, ${count('fault')} faults\n`,
  );
  if (count('fault') > 0) process.exitCode = 1;
}

/** Returns operations with different forms: every nth of those with a form. */
function sample(calls: ReturnType<typeof plannedCalls>, count: number): ReturnType<typeof plannedCalls> {
  const first = calls.filter(
    ({ example, lacks }, i) =>
      example !== '' && lacks === undefined && calls.findIndex(({ name }) => name === calls[i]?.name) === i,
  );
  return first.filter((_, i) => i % Math.max(1, Math.floor(first.length / count)) === 0).slice(0, count);
}

async function signIn(url: string): Promise<string> {
  const answer = await fetch(`${url}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(who),
  });
  const { session } = (await answer.json()) as { session?: { access_token: string } };
  if (session === undefined) throw new Error(`the administrator could not sign in: ${answer.status}`);
  return session.access_token;
}

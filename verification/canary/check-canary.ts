// npm run check:canary -- [shared folder, default ../shared] [--port 9999]
//
// Checks that the server never calls internal addresses: makes it call this machine through every feature that callers,
// documents, certificates and other services can use, and fails when a call reaches the listener (`tools/probe.py` in
// the shared folder).
import { createTestServer } from '@quire/core';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { innerHosts } from '../../test/fixtures/inner-addresses.js';
import { Canary } from './canary.js';
import { callingSettings, Guide, OutboundCalls } from './outbound-calls.js';

const {
  values,
  positionals: [shared = '../shared'],
} = parseArgs({ allowPositionals: true, options: { port: { type: 'string', default: '9999' } } });
const probe = resolve(shared, 'tools/probe.py');
/** Work in progress may still call out: call-backs are retried. */
const PATIENCE_MS = 5000;

/**
 * Start of the path that the canary must see for each feature when its address is allowed: proof that the feature
 * really calls out.
 */
const ALLOWED = {
  'url to PDF': '/page',
  'call-back of a job': '/hook',
  'login of a connection': '/login',
  'redirect of a web page': '/on',
  'what a web page shows': '/css',
  'result of a connection': '/result',
  'responder of a certificate': '/ocsp',
  'list of a certificate': '/list.crl',
} as const;

if (!existsSync(probe)) console.log(`skipped: there is no ${probe}`);
else await check();

async function check(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'quire-canary-'));
  // Some samples of probe.py contain addresses with this port.
  const canary = await Canary.start(probe, Number(values.port), join(folder, 'canary.log'));
  const guide = await Guide.start();
  const server = await createTestServer({
    settings: callingSettings(guide.port),
    plugins: [
      '@quire/plugin-convert',
      '@quire/plugin-general',
      '@quire/plugin-integration',
      '@quire/plugin-security',
      '@quire/plugin-signing',
    ],
  });
  try {
    await server.start();
    const calls = new OutboundCalls(server, guide, folder);
    const at = (host: string): string => `http://${host}:${canary.port}`;
    await calls.named(innerHosts.map(at));
    // Only the guide's address is allowed; the canary is called on other addresses of this machine.
    const reachable = ['127.0.0.2', '[::1]', 'localhost', '[::ffff:127.0.0.2]', '2130706434', '127.0.0.2.'].map(at);
    await calls.ledTo(reachable);
    await calls.ofCertificates(reachable.slice(0, 3));
    const samples = join(folder, 'samples');
    execFileSync('python3', [probe, 'gen', samples, '--canary', at('127.0.0.2')], { stdio: 'ignore' });
    await calls.ofDocuments(
      readdirSync(samples)
        .toSorted()
        .map((name) => join(samples, name)),
    );
    await new Promise((done) => {
      setTimeout(done, PATIENCE_MS);
    });
    const heard = canary.heard();
    await canary.prove();
    const silent = await silentWays(new OutboundCalls(server, guide, join(folder, 'control')), canary, at('127.0.0.1'));
    printReport(calls, heard, silent);
  } finally {
    await server.stop();
    guide.stop();
    canary.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Calls an allowed address through the same features and returns those that did not reach the canary. */
async function silentWays(calls: OutboundCalls, canary: Canary, allowed: string): Promise<string[]> {
  await calls.named([allowed]);
  await calls.ledTo([`${allowed}/on`, allowed]);
  await calls.ofCertificates([allowed]);
  await new Promise((done) => {
    setTimeout(done, PATIENCE_MS);
  });
  const paths = canary.heard().map((line) => line.split(' ')[2] ?? '');
  return Object.entries(ALLOWED)
    .filter(([, path]) => !paths.some((one) => one.startsWith(path)))
    .map(([way]) => way);
}

function printReport({ outcomes }: OutboundCalls, heard: readonly string[], silent: readonly string[]): void {
  const ways = grouped(outcomes, ({ way }) => way);
  for (const [way, of] of ways) {
    const answers = grouped(of, ({ status, code }) => `${status} ${code}`.trim());
    console.log(
      `  ${way}: ${of.length} calls; ${[...answers].map(([answer, list]) => `${list.length} × ${answer}`).join(', ')}`,
    );
  }
  const broken = outcomes.filter(({ status }) => status >= 500 && ![502, 503, 504].includes(status));
  for (const { way, target, status, code } of broken) console.log(`  FAULT ${way} ${target}: ${status} ${code}`);
  for (const line of heard) console.log(`  HEARD ${line}`);
  console.log(
    `${outcomes.length} calls through ${ways.size} features; the canary received ${heard.length}; ` +
      `${broken.length} faults. At an allowed address it received calls from ` +
      `${Object.keys(ALLOWED).length - silent.length} of ${Object.keys(ALLOWED).length} ` +
      `features${silent.length === 0 ? '' : `, but not from: ${silent.join(', ')}`}`,
  );
  if (heard.length > 0 || broken.length > 0 || silent.length > 0) process.exitCode = 1;
}

function grouped<T>(list: readonly T[], keyOf: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const one of list) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one]);
  return groups;
}

// `npm run check:agents`: runs the official conformance suite of the Model Context Protocol against a server. Needs the
// npm registry (`npx`).
import { spawn } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestServer } from '@quire/core';
import { foreignFault, type Check } from './foreign-fault.js';

const SUITE = '@modelcontextprotocol/conformance@0.2.0-alpha.12';
const REVISIONS = ['2026-07-28', '2025-11-25'];

/** Runs the scenarios that a revision requires, and returns their checks with the scenario's name. */
async function checksOf(url: string, revision: string): Promise<readonly (Check & { readonly scenario: string })[]> {
  const folder = mkdtempSync(join(tmpdir(), 'quire-conformance-'));
  try {
    const args = ['--yes', SUITE, 'server', '--url', url, '--requirements', revision, '-o', folder];
    await new Promise<void>((resolve, reject) => {
      const suite = spawn('npx', args, { stdio: ['ignore', 'ignore', 'inherit'] });
      suite.once('error', reject);
      // It exits with 1 for faults that are not ours.
      suite.once('exit', () => resolve());
    });
    return globSync(join(folder, '*', 'checks.json')).flatMap((path) =>
      (JSON.parse(readFileSync(path, 'utf8')) as Check[]).map((check) => ({
        ...check,
        scenario: path.split('/').at(-2) ?? '',
      })),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const server = await createTestServer({ settings: { mcp: { enabled: true, auth: { mode: 'apikey' } } } });
let faults = 0;
try {
  const url = `${await server.start()}/mcp`;
  for (const revision of REVISIONS) {
    const checks = await checksOf(url, revision);
    const failed = checks.filter(({ status }) => status === 'FAILURE');
    const own = failed.filter((check) => !foreignFault(check));
    const passed = checks.filter(({ status }) => status === 'SUCCESS').length;
    const skipped = failed.length - own.length;
    process.stdout.write(`${revision}: ${passed} passed, ${own.length} failed, ${skipped} need what Quire lacks\n`);
    for (const { scenario, id, errorMessage = '' } of own)
      process.stdout.write(`  ${scenario} ${id}: ${errorMessage}\n`);
    faults += own.length + (passed === 0 ? 1 : 0);
  }
} finally {
  await server.stop();
}
process.exitCode = faults === 0 ? 0 : 1;

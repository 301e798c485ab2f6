// npm run check:scim
//
// Runs scim2-tester, an independent client and validator of SCIM, against a server of its own.
import { spawn } from 'node:child_process';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { scimToken, startWithScim } from '../../test/http/support/scim.js';

const folder = join(homedir(), '.cache', 'quire-scim');
const own = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const run = (program: string, ...options: readonly string[]): Promise<number> =>
  new Promise((resolve, reject) => {
    const child = spawn(program, options, { stdio: 'inherit' });
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });

if ((await run('sh', own('install-scim-tester.sh'), folder)) !== 0) throw new Error('scim2-tester is not installed');
const server = await startWithScim();
try {
  const verbose = process.argv.slice(2).includes('--verbose') ? ['--verbose'] : [];
  process.exitCode = await run(
    join(folder, 'bin', 'python'),
    own('check_scim.py'),
    `${server.url}/scim/v2`,
    scimToken,
    ...verbose,
  );
} finally {
  await server.stop();
}

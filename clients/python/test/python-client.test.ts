import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { productRoot, unrulyPlugin } from '../../../test/http/support/server.js';
import { serverForTests } from '../../../test/kit/server-for-tests.js';
import { isNightly } from '../../../test/suites/nightly.js';
import { findPython, preparedPython } from './python-environment.js';
import { readResults, type PythonTest } from './pytest-results.js';

const client = join(productRoot, 'clients', 'python');
const files = readdirSync(join(client, 'tests')).filter((name) => /^test_.*\.py$/.test(name));
const plugins = ['general', 'misc', 'filter', 'analysis', 'security', 'convert', 'form'];
const SECURED_KEY = 'the-global-key-of-the-python-client';

interface Ended {
  readonly status: number | null;
  readonly output: string;
}

/** Runs a program without blocking the server in this process. */
function run(command: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = {}): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1', ...env } });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString('utf8');
      });
    child.once('error', reject);
    child.once('close', (status) => resolve({ status, output }));
  });
}

describe('the Python client (skipped where Python 3.10 with venv is missing)', function () {
  this.timeout(600_000);
  const server = serverForTests({
    settings: { security: { isolation: ['limits'] }, outbound: { allowed: ['127.0.0.1'] } },
    plugins: [...plugins.map((name) => `@quire/plugin-${name}`), unrulyPlugin],
  });
  const secured = serverForTests({
    settings: {
      security: {
        enableLogin: true,
        customGlobalAPIKey: SECURED_KEY,
        initialLogin: { username: 'admin', password: 'a long enough password' },
      },
    },
    plugins: ['@quire/plugin-general'],
  });
  let folder = '';
  let python = '';
  let packed: readonly string[] = [];
  let results: readonly PythonTest[] = [];
  let output = '';

  before(async function () {
    const found = findPython();
    if (found === undefined) return this.skip();
    python = await preparedPython(found, client, join(productRoot, '.cache'));
    folder = mkdtempSync(join(tmpdir(), 'quire-python-'));
    if (isNightly) await install();
    await runTests();
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  /**
   * Builds the packages and installs the wheel into a folder of its own: in the nightly run, the tests run what a user
   * gets, and else the sources.
   */
  async function install(): Promise<void> {
    const dist = join(folder, 'dist');
    const built = await run(python, ['-m', 'build', '--no-isolation', '--outdir', dist, '.'], client);
    expect(built.status, built.output).to.equal(0);
    packed = readdirSync(dist).sort();
    const wheel = packed.find((name) => name.endsWith('.whl')) ?? 'no wheel';
    const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-deps'];
    const site = join(folder, 'site');
    const installed = await run(python, [...pip, '--target', site, join(dist, wheel)], folder);
    expect(installed.status, installed.output).to.equal(0);
  }

  async function runTests(): Promise<void> {
    const report = join(folder, 'results.xml');
    const work = join(folder, 'work');
    mkdirSync(work);
    const ended = await run(
      python,
      ['-m', 'pytest', '-q', '--tb=short', '--rootdir', client, `--junitxml=${report}`, join(client, 'tests')],
      work,
      {
        PYTHONPATH: isNightly ? join(folder, 'site') : join(client, 'src'),
        QUIRE_URL: server.url,
        QUIRE_API_KEY: '',
        QUIRE_TEST_SECURED_URL: secured.url,
        QUIRE_TEST_SECURED_KEY: SECURED_KEY,
      },
    );
    output = ended.output;
    // Status 1: some tests failed; each is reported below.
    expect(ended.status, output).to.be.oneOf([0, 1]);
    results = readResults(readFileSync(report, 'utf8'));
  }

  for (const file of files)
    it(`passes the Python tests in ${file}`, () => {
      const own = results.filter((each) => each.file === file);
      expect(own.length, output).to.be.greaterThan(0);
      const bad = own.filter(({ outcome }) => outcome !== 'passed');
      if (bad.length > 0) expect.fail(bad.map(({ name, outcome, text }) => `${name} ${outcome}\n${text}`).join('\n\n'));
    });

  const itNightly = isNightly ? it : (): undefined => undefined;
  itNightly('is packed as wheel and source, with its types', async () => {
    expect(packed).to.have.length(2);
    expect(packed[0]).to.match(/^quire_client-[\d.]+-py3-none-any\.whl$/);
    expect(packed[1]).to.match(/^quire_client-[\d.]+\.tar\.gz$/);
    expect(readdirSync(join(folder, 'site', 'quire_client'))).to.include.members(['py.typed', 'operations', 'steps']);
    const version = await run(python, ['-c', 'import quire_client; print(quire_client.__version__)'], folder, {
      PYTHONPATH: join(folder, 'site'),
    });
    expect(packed[1]).to.contain(version.output.trim());
  });

  it('is typed strictly, and follows the rules of its linter and formatter', async () => {
    for (const args of [
      ['mypy', '--cache-dir', join(productRoot, '.cache', 'mypy')],
      ['ruff', 'check', '--no-cache', '.'],
      ['ruff', 'format', '--no-cache', '--check', '.'],
    ]) {
      const { status, output: said } = await run(python, ['-m', ...args], client);
      expect(status, `${args.join(' ')}\n${said}`).to.equal(0);
    }
  });
});

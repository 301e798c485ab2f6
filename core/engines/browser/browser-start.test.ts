import { expect } from 'chai';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { QuireError } from '@quire/registry/errors';
import { ProgramSupervisor } from '../programs/index.js';
import { loadSettings } from '../../settings/index.js';
import { unpackEngine } from './engine-files.js';
import { ChromiumHtmlToPdf, WarmBrowser } from './index.js';

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const never = new AbortController().signal;
const engines = join(tmpdir(), `quire-test-engines-${process.getuid?.() ?? 0}`);

describe('A browser that is killed at its start', function suite() {
  this.timeout(120_000);
  let folder: string;
  let page: string;
  let programs: ProgramSupervisor;
  let printer: ChromiumHtmlToPdf;

  const supervise = (file: string): ProgramSupervisor => {
    // A confined browser could not count its starts in a file of the test.
    const env = { BROWSER_FOLDER: engines, BROWSER_PATH: file, SECURITY_ISOLATION: 'limits' };
    const settings = loadSettings({ env, cwd: folder });
    programs = new ProgramSupervisor(settings, quiet);
    printer = new ChromiumHtmlToPdf(new WarmBrowser({ programs, settings, paths: { tmp: folder }, log: quiet }));
    return programs;
  };
  const print = async (): Promise<string> => {
    const output = join(folder, 'page.pdf');
    await printer.print(page, output, {}, never);
    return readFileSync(output, 'latin1').slice(0, 5);
  };
  const starts = (): number => Number(readFileSync(join(folder, 'starts'), 'utf8'));

  /** Writes a browser that is killed at its first starts. */
  async function killedAtFirst(times: number): Promise<void> {
    const { package: packed, installed = '' } = supervise('').whereabouts('chromium');
    const engine = packed === undefined ? undefined : await unpackEngine(packed, engines);
    const [file, count] = [join(folder, 'chromium'), join(folder, 'starts')];
    writeFileSync(
      file,
      `#!/bin/sh
n=0
[ -e '${count}' ] && read -r n < '${count}'
n=$((n + 1))
echo $n > '${count}'
[ $n -le ${times} ] && kill -9 $$
${engine === undefined ? '' : `export LD_LIBRARY_PATH='${engine.libraries}'`}
exec '${engine?.file ?? installed}' "$@"
`,
      { mode: 0o755 },
    );
    supervise(file);
  }

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'quire-browser-start-'));
    page = join(folder, 'page.html');
    writeFileSync(page, '<p>text</p>');
  });
  afterEach(async () => {
    await programs.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('is started once more', async () => {
    await killedAtFirst(1);
    expect([await print(), starts()]).to.deep.equal(['%PDF-', 2]);
  });

  it('is answered 503 with the reason when it is killed again, and the next document starts another', async () => {
    await killedAtFirst(2);
    const { code, message, row } = await print().then(
      () => expect.fail('it was printed'),
      (error: unknown) => error as QuireError,
    );
    expect([code, message, row.status, row.retryable]).to.deep.equal([
      'PROGRAM_NOT_STARTED',
      'chromium could not be started: it was killed (signal 9, SIGKILL), as happens when it needs more time or ' +
        'memory than allowed.',
      503,
      true,
    ]);
    expect([starts(), existsSync(join(folder, 'page.pdf'))]).to.deep.equal([2, false]);
    expect([await print(), starts()]).to.deep.equal(['%PDF-', 3]);
  });
});

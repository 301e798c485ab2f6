import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const script = fileURLToPath(new URL('install-verapdf.sh', import.meta.url));
const version = /^version=(.*)$/m.exec(readFileSync(script, 'utf8'))?.[1] ?? '';
/** The jar of an installation made by the script on this machine, if any. */
const launcher = (process.env['PATH'] ?? '')
  .split(':')
  .map((folder) => join(folder, 'verapdf'))
  .find((path) => existsSync(path));
const installed =
  launcher === undefined
    ? undefined
    : join(dirname(realpathSync(launcher)), '..', 'share', 'verapdf', `cli-${version}.jar`);
const hasJar = installed !== undefined && existsSync(installed);

describe('deploy/install-verapdf.sh', function suite() {
  this.timeout(120_000);
  let folder: string;
  const jar = (): string => join(folder, 'mirror', 'org', 'verapdf', 'apps', 'cli', version, `cli-${version}.jar`);
  const home = (): string => join(folder, 'here', 'share', 'verapdf');
  const install = (
    prefix = join(folder, 'here'),
  ): { readonly status: number | null; readonly stdout: string; readonly stderr: string } =>
    spawnSync('sh', [script, '--prefix', prefix], {
      env: { ...process.env, MAVEN_CENTRAL_URL: `file://${folder}/mirror/` },
      encoding: 'utf8',
    });

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'quire-install-'));
    mkdirSync(dirname(jar()), { recursive: true });
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('accepts only the expected file, and leaves nothing of another', () => {
    writeFileSync(jar(), 'something else');
    const { status, stderr } = install();
    expect(status).to.equal(1);
    expect(stderr).to.include('is not the expected file');
    expect([readdirSync(home()), readdirSync(join(folder, 'here', 'bin'))]).to.deep.equal([[], []]);
  });

  it('rejects a prefix that a shell would interpret in the launcher', () => {
    const { status, stderr } = install(join(folder, 'a $(b)'));
    expect([status, stderr.includes('the prefix may contain')]).to.deep.equal([2, true]);
  });

  it(
    'resumes an interrupted download, and downloads nothing the second ' +
      `time${hasJar ? '' : ' (skipped: veraPDF was not installed by it here)'}`,
    function needsJar() {
      if (installed === undefined || !hasJar) return this.skip();
      copyFileSync(installed, jar());
      mkdirSync(home(), { recursive: true });
      const [part, whole] = [join(home(), `${basename(jar())}.part`), join(home(), basename(jar()))];
      copyFileSync(installed, part);
      truncateSync(part, 1_000_000);
      const first = install();
      expect([first.status, first.stdout.split('\n')[0]], first.stderr).to.deep.equal([0, `veraPDF ${version}`]);
      expect(existsSync(part)).to.equal(false);
      const [written, archived] = [statSync(whole).mtimeMs, statSync(whole.replace(/jar$/, 'jsa')).mtimeMs];
      rmSync(jar());
      expect(install().status).to.equal(0);
      expect([statSync(whole).mtimeMs, statSync(whole.replace(/jar$/, 'jsa')).mtimeMs]).to.deep.equal([
        written,
        archived,
      ]);
      const { stdout } = spawnSync(join(folder, 'here', 'bin', 'verapdf'), ['--version'], { encoding: 'utf8' });
      expect(stdout).to.match(new RegExp(`^veraPDF ${version.replaceAll('.', '\\.')}\n`));
    },
  );
});

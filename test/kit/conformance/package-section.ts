import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect } from 'chai';
import semver from 'semver';
import { API_VERSION } from '@quire/registry';
import { type Subject, type TestRunner, entryOf } from './subject.js';

const run = promisify(execFile);
const namePattern = /^(@quire\/plugin-[a-z0-9-]+|(@[a-z0-9-~][a-z0-9-._~]*\/)?quire-plugin-[a-z0-9-]+)$/;
const forbidden = [/^joi$/, /^@hapi\//, /^hapi-/, /^tsyringe$/, /^@quire\/(core|catalog)$/];
const installScripts = ['preinstall', 'install', 'postinstall', 'preprepare', 'prepare', 'postprepare'];

/** Tests that the package can be installed and loaded beside a server. */
export function packageSection(subject: Subject, { it }: TestRunner): void {
  const { packageJson } = subject;

  it('has the name and version of a plugin', () => {
    expect(packageJson.name, 'name').to.match(namePattern);
    expect(semver.valid(packageJson.version), `version ${packageJson.version}`).not.to.equal(null);
    expect(packageJson.type, 'type').to.equal('module');
  });

  it('declares a bounded range of the registry API that this one satisfies', () => {
    const { kind, api } = packageJson.quire ?? {};
    expect(kind, 'quire.kind').to.equal('plugin');
    expect(api, 'quire.api').to.be.a('string');
    const range = String(api);
    expect(semver.validRange(range), `quire.api "${range}"`).not.to.equal(null);
    expect(semver.satisfies('999.0.0', range), `quire.api "${range}" has no upper bound`).to.equal(false);
    expect(
      semver.satisfies(API_VERSION, range, { includePrerelease: true }),
      `${API_VERSION} in quire.api "${range}"`,
    ).to.equal(true);
  });

  it('declares the prefixes of its paths', () => {
    const prefixes = packageJson.quire?.prefixes;
    expect(prefixes, 'quire.prefixes').to.be.an('array').that.is.not.empty;
    const known = (prefixes as unknown[]).map(String);
    for (const { path } of subject.operations) {
      expect(
        known.some((prefix) => path.startsWith(`${prefix}/`)),
        `${path} begins with one of ${known.join(', ')}`,
      ).to.equal(true);
    }
  });

  it("uses the server's registry and does not depend on an HTTP or schema library", () => {
    expect(packageJson.peerDependencies ?? {}, 'peerDependencies').to.have.property('@quire/registry');
    const own = Object.keys({ ...packageJson.dependencies, ...packageJson.optionalDependencies });
    expect(
      own.filter((name) => forbidden.some((pattern) => pattern.test(name))),
      'dependencies that the host provides',
    ).to.deep.equal([]);
  });

  it('runs nothing when it is installed', () => {
    expect(Object.keys(packageJson.scripts ?? {}).filter((name) => installScripts.includes(name))).to.deep.equal([]);
  });

  it('has the module that the server imports', () => {
    expect(existsSync(subject.entry), `${subject.entry} exists (build the package first)`).to.equal(true);
  });

  // npm takes longer than most examples; of this repository's packages the tests of releases look at what is packed.
  if (!subject.isSample)
    it('packs the module that the server imports', async () => {
      const { stdout } = await run('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
        cwd: subject.root,
        maxBuffer: 1 << 26,
      });
      const [packed] = JSON.parse(stdout) as [{ files: { path: string }[] }];
      expect(packed.files.map(({ path }) => path)).to.include(entryOf(packageJson).replace(/^\.\//, ''));
    });
}

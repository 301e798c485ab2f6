import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const root = fileURLToPath(new URL('../..', import.meta.url));

interface Bom {
  readonly bomFormat: string;
  readonly specVersion: string;
  readonly serialNumber: string;
  readonly metadata: { readonly component: { readonly 'bom-ref': string } };
  readonly components: readonly {
    readonly 'bom-ref': string;
    readonly type: string;
    readonly name: string;
    readonly version: string;
    readonly hashes: readonly { readonly alg: string; readonly content: string }[];
    readonly licenses: readonly unknown[];
  }[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

describe('npm run sbom', function suite() {
  this.timeout(30_000);
  let folder: string;
  let bom: Bom;
  const write = (name: string): string => {
    const file = join(folder, name);
    const { status, stderr } = spawnSync(process.execPath, ['tools/supply-chain/sbom.mjs', file], {
      cwd: root,
      encoding: 'utf8',
    });
    expect(status, stderr).to.equal(0);
    return readFileSync(file, 'utf8');
  };

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'quire-sbom-'));
    bom = JSON.parse(write('one.json')) as Bom;
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('lists exactly the packages of the third-party notices, and the runtime of each platform', () => {
    const noticed = readFileSync(join(root, 'THIRD_PARTY_NOTICES.md'), 'utf8')
      .split('\n')
      .map((line) => /^\| \[([^\]]+)\]\(\S+\) \| (\S+) \|/.exec(line))
      .filter((row) => row !== null)
      .map(([, name, version]) => `${name}@${version}`);
    const idOf = ({ name, version }: { readonly name: string; readonly version: string }): string =>
      `${name}@${version}`;
    expect(bom.components.filter(({ type }) => type === 'library').map(idOf)).to.have.members(noticed);
    const pins = JSON.parse(readFileSync(join(root, 'tools/runtime/node.json'), 'utf8')) as {
      packages: Record<string, { package: string; version: string }>;
    };
    expect(bom.components.filter(({ type }) => type === 'platform').map(idOf)).to.have.members(
      Object.values(pins.packages).map((pin) => `${pin.package}@${pin.version}`),
    );
  });

  it('contains packages that the tests use too, which npm sbom --omit dev leaves out', () => {
    expect(bom.components.map(({ name }) => name)).to.include.members(['sharp', 'joi', 'pdf-lib']);
  });

  it('identifies each component once, with the digest that npm verifies', () => {
    const refs = bom.components.map((component) => component['bom-ref']);
    expect(new Set(refs).size).to.equal(refs.length);
    for (const { name, hashes } of bom.components) {
      expect(hashes[0]?.alg, name).to.equal('SHA-512');
      expect(hashes[0]?.content, name).to.match(/^[0-9a-f]{128}$/);
    }
  });

  it('connects every required package with the server, and names no unknown one', () => {
    const known = new Set([bom.metadata.component['bom-ref'], ...bom.components.map((each) => each['bom-ref'])]);
    const needs = new Map(bom.dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]));
    const reached = new Set<string>();
    const visit = (ref: string): void => {
      expect(known.has(ref), ref).to.equal(true);
      if (reached.has(ref)) return;
      reached.add(ref);
      needs.get(ref)?.forEach(visit);
    };
    visit(bom.metadata.component['bom-ref']);
    const lost = bom.components.filter((each) => each.type === 'library' && !reached.has(each['bom-ref']));
    expect(lost.map(({ name }) => name)).to.deep.equal([]);
  });

  it('has the same bytes for the same lock file', () => {
    expect(write('two.json')).to.equal(readFileSync(join(folder, 'one.json'), 'utf8'));
    expect([bom.bomFormat, bom.specVersion]).to.deep.equal(['CycloneDX', '1.6']);
    expect(bom.serialNumber).to.match(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });
});

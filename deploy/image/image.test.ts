import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { parse } from 'yaml';
import { imageConfig } from './image-config.mjs';

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');
const dockerfile = read('../Dockerfile');

describe('the image that is built without Docker', () => {
  it('has user, volume, port, command and health check of the Dockerfile', () => {
    const config = imageConfig(dockerfile);
    expect(config).to.deep.include({
      User: '10001:10001',
      WorkingDir: '/quire',
      Volumes: { '/data': {} },
      ExposedPorts: { '8080/tcp': {} },
      Cmd: ['node', '--max-semi-space-size=2', 'core/dist/main.js'],
    });
    expect(config.Env).to.include.members(['QUIRE_BASE_PATH=/data', 'QUIRE_SUPERVISED=1', 'NODE_ENV=production']);
    expect(config.Healthcheck).to.deep.include({ Interval: 10e9, Timeout: 3e9, StartPeriod: 30e9 });
    expect(config.Healthcheck.Test.join(' ')).to.include('/livez');
  });

  it('reports a Dockerfile without the instruction that it needs', () => {
    expect(() => imageConfig(dockerfile.replace(/^USER .*$/m, ''))).to.throw('0 lines USER');
  });

  it('has the files and packages of the Dockerfile, which come from the same two scripts', () => {
    for (const text of [dockerfile, read('build-image.sh')]) {
      expect(text).to.include('tools/release/product.mjs');
      expect(text).to.include('deploy/install-programs.sh');
      expect(text).to.include('--confinement');
      expect(text).not.to.match(/libreoffice|ghostscript|tesseract|bubblewrap/);
    }
  });

  it('is run by compose.yml as the user of the Dockerfile, confined, and with a profile that exists', () => {
    const { services } = parse(read('../compose.yml'), { merge: true }) as {
      readonly services: Readonly<Record<string, { readonly security_opt: readonly string[] }>>;
    };
    for (const name of ['api', 'worker']) {
      expect(services[name], name).to.deep.include({ user: '10001:10001', read_only: true, cap_drop: ['ALL'] });
      const profile = services[name]?.security_opt.find((option) => option.startsWith('seccomp='))?.slice(8) ?? '';
      expect(JSON.parse(read(`../${profile}`)), name).to.have.property('syscalls');
    }
  });

  it('is an OCI layout with one index for each variant, and equal digests for equal layers', () => {
    const folder = mkdtempSync(join(tmpdir(), 'quire-oci-'));
    try {
      const layer = join(folder, 'layer.tar');
      writeFileSync(layer, Buffer.alloc(10_240));
      const write = (layout: string, arch: string): unknown =>
        execFileSync(
          process.execPath,
          [
            fileURLToPath(new URL('write-oci.mjs', import.meta.url)),
            join(folder, layout),
            '--name',
            'slim',
            '--arch',
            arch,
            layer,
          ],
          { env: { ...process.env, SOURCE_DATE_EPOCH: '1700000000' } },
        );
      for (const layout of ['one', 'two']) for (const arch of ['amd64', 'arm64', 'amd64']) write(layout, arch);
      const index = (layout: string): string => readFileSync(join(folder, layout, 'index.json'), 'utf8');
      expect(index('one')).to.equal(index('two'));
      const { manifests } = JSON.parse(index('one')) as {
        readonly manifests: readonly {
          readonly digest: string;
          readonly annotations: Readonly<Record<string, string>>;
        }[];
      };
      const names = manifests.map(({ annotations }) => annotations['org.opencontainers.image.ref.name']);
      expect(names.sort()).to.deep.equal(['slim', 'slim-amd64', 'slim-arm64']);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

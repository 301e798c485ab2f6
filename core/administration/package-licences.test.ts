import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { packageLicences } from './index.js';

describe('licences of packages', () => {
  let root: string;
  const write = (path: string, content: object | string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), typeof content === 'string' ? content : JSON.stringify(content));
  };
  before(() => {
    root = mkdtempSync(join(tmpdir(), 'quire-licences-'));
    write('package.json', {
      name: 'server',
      dependencies: { a: '1', '@own/part': '1', away: '1' },
      optionalDependencies: { native: '1', absent: '1' },
      devDependencies: { tester: '1' },
    });
    write('part/package.json', { name: '@own/part', version: '1.0.0', dependencies: { b: '2' } });
    mkdirSync(join(root, 'node_modules/@own'), { recursive: true });
    symlinkSync(join(root, 'part'), join(root, 'node_modules/@own/part'));
    write('node_modules/a/package.json', {
      name: 'a',
      version: '1.0.0',
      license: 'MIT',
      repository: { type: 'git', url: 'git+ssh://git@example.com/x/a.git' },
      dependencies: { b: '1', a: '1' },
    });
    write('node_modules/a/node_modules/b/package.json', {
      name: 'b',
      version: '1.0.0',
      licenses: [{ type: 'MIT', url: 'https://example.com/mit' }, { type: 'Apache-2.0' }],
      homepage: 'javascript:alert(1)',
    });
    write('node_modules/b/package.json', {
      name: 'b',
      version: '2.0.0',
      license: { type: 'ISC' },
      homepage: 'https://example.com/b',
    });
    write('node_modules/native/package.json', { name: 'native', version: '3.0.0' });
    write('node_modules/native/LICENSE.md', 'text');
    write('node_modules/tester/package.json', { name: 'tester', version: '1.0.0', license: 'MIT' });
    write('node_modules/away/package.json', '{ no json');
  });
  after(() => rmSync(root, { recursive: true, force: true }));

  it('are listed for runtime packages, each version once, also for dependencies of our own packages', async () => {
    expect(await packageLicences([root], ['@own/'])).to.deep.equal([
      {
        moduleName: 'a',
        moduleUrl: 'https://example.com/x/a',
        moduleVersion: '1.0.0',
        moduleLicense: 'MIT',
        moduleLicenseUrl: 'https://spdx.org/licenses/MIT.html',
      },
      {
        moduleName: 'b',
        moduleUrl: '',
        moduleVersion: '1.0.0',
        moduleLicense: 'MIT OR Apache-2.0',
        moduleLicenseUrl: 'https://example.com/mit',
      },
      {
        moduleName: 'b',
        moduleUrl: 'https://example.com/b',
        moduleVersion: '2.0.0',
        moduleLicense: 'ISC',
        moduleLicenseUrl: 'https://spdx.org/licenses/ISC.html',
      },
      {
        moduleName: 'native',
        moduleUrl: '',
        moduleVersion: '3.0.0',
        moduleLicense: 'SEE LICENSE IN LICENSE.md',
        moduleLicenseUrl: '',
      },
    ]);
  });
});

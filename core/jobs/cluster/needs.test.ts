import { expect } from 'chai';
import { isQuireError } from '@quire/registry/errors';
import type { Settings } from '../../settings/index.js';
import { mayRun, needsOf, nodeRole, splitNeed, unmet } from './index.js';

describe('Needs of a job', () => {
  it('list each operation once, with the version of its plugin', () => {
    const needs = needsOf([
      { path: 'misc/b', version: '1.2.0' },
      { path: 'general/a', version: '0.3.1-rc.1' },
      { path: 'misc/b', version: '1.2.0' },
    ]);
    expect(needs).to.deep.equal(['general/a@0.3.1-rc.1', 'misc/b@1.2.0']);
    expect(needs.map(splitNeed)[0]).to.deep.equal({ path: 'general/a', version: '0.3.1-rc.1' });
  });

  it('are met by the same major version that is not older', () => {
    const cases: readonly [string, string, boolean][] = [
      ['1.2.0', '1.2.0', true],
      ['1.2.0', '1.3.0', true],
      ['1.2.0', '1.2.1', true],
      ['1.2.0', '1.1.9', false],
      ['1.2.0', '2.0.0', false],
      ['2.0.0', '1.9.9', false],
      ['0.2.0', '0.3.0', true],
      ['0.3.0', '0.2.9', false],
      ['1.2.0', '1.2.0-rc.1', false],
      ['odd', 'odd', true],
      ['odd', '1.0.0', false],
    ];
    for (const [accepted, present, answer] of cases)
      expect(mayRun(accepted, present), `${accepted} in ${present}`).to.equal(answer);
  });

  it('that are missing or too old are named', () => {
    const abilities = new Map([
      ['general/a', '1.0.0'],
      ['misc/b', '1.1.0'],
    ]);
    expect(unmet(['general/a@1.0.0', 'misc/b@1.2.0', 'convert/c@1.0.0'], abilities)).to.deep.equal([
      'misc/b@1.2.0',
      'convert/c@1.0.0',
    ]);
    expect(unmet([], abilities)).to.deep.equal([]);
  });
});

describe('nodeRole', () => {
  const settings = (role: string, url: string): Settings =>
    ({
      get: (key: string) => (key === 'store.mongodb.url' ? url : role),
      origin: () => 'settings.yml:7',
    }) as unknown as Settings;

  it('accepts second names: all for both, api for web', () => {
    const roles = Object.fromEntries(
      ['both', 'all', 'web', 'api', 'worker'].map((word) => [word, nodeRole(settings(word, 'mongodb://x'))]),
    );
    expect(roles['all']).to.deep.equal(roles['both']).and.to.include({ serves: true, runsJobs: true });
    expect(roles['api']).to.deep.equal(roles['web']).and.to.include({ serves: true, runsJobs: false });
    expect(roles['worker']).to.include({ serves: false, runsJobs: true });
  });

  it('refuses half a server on an embedded store', () => {
    for (const word of ['web', 'api', 'worker']) {
      try {
        nodeRole(settings(word, ''));
        expect.fail(word);
      } catch (error) {
        expect(isQuireError(error) && error.code).to.equal('SETTINGS_INVALID');
        expect((error as Error).message).to.match(
          new RegExp(`settings.yml:7.*cluster.node.role is ${word}.*store.mongodb.url is empty`),
        );
      }
    }
    expect(nodeRole(settings('all', '')).name).to.equal('both');
  });
});

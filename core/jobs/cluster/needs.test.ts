import { expect } from 'chai';
import { isQuireError } from '@quire/registry/errors';
import { loadSettings, type Settings } from '../../settings/index.js';
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
  const settings = (role: string, url: string, env: Readonly<Record<string, string>> = {}): Settings =>
    loadSettings({ env: { CLUSTER_NODE_ROLE: role, STORE_MONGODB_URL: url, ...env }, cwd: '/nowhere' });
  const refusal = (given: Settings): string => {
    try {
      nodeRole(given);
      return 'none';
    } catch (error) {
      return isQuireError(error) && error.code === 'SETTINGS_INVALID' ? error.message : String(error);
    }
  };

  it('accepts second names: all for both, api for web', () => {
    const roles = Object.fromEntries(
      ['both', 'all', 'web', 'api', 'worker'].map((word) => [word, nodeRole(settings(word, 'mongodb://x'))]),
    );
    expect(roles['all']).to.deep.equal(roles['both']).and.to.include({ serves: true, runsJobs: true });
    expect(roles['api']).to.deep.equal(roles['web']).and.to.include({ serves: true, runsJobs: false });
    expect(roles['worker']).to.include({ serves: false, runsJobs: true });
  });

  it('refuses half a server on an embedded store', () => {
    for (const word of ['web', 'api', 'worker'])
      expect(refusal(settings(word, ''))).to.match(
        new RegExp(`environment CLUSTER_NODE_ROLE.*cluster.node.role is ${word}.*store.mongodb.url is empty`),
      );
    expect(nodeRole(settings('all', '')).name).to.equal('both');
  });

  it('refuses a cluster on an embedded store, which a second server could not see', () => {
    expect(refusal(settings('both', '', { CLUSTER_ENABLED: 'true' }))).to.match(
      /^environment CLUSTER_ENABLED: cluster.enabled is true.*Set store.mongodb.url on every node, or set cluster.enabled to false/,
    );
    expect(refusal(settings('both', 'mongodb://x', { CLUSTER_ENABLED: 'true' }))).to.equal('none');
    expect(
      refusal(
        settings('worker', '', {
          CLUSTER_ENABLED: 'true',
          SYSTEM_DATASOURCE_ENABLECUSTOMDATABASE: 'true',
          SYSTEM_DATASOURCE_CUSTOMDATABASEURL: 'mongodb://x/quire',
        }),
      ),
    ).to.equal('none');
  });
});

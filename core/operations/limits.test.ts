import { expect } from 'chai';
import type { CatalogOperation } from '@quire/catalog';
import { loadSettings } from '../settings/index.js';
import { limitsOf } from './limits.js';

describe('time limits of operations', () => {
  const operation = (timeoutMs: number | undefined, overrides: CatalogOperation['overrides'] = { enabled: true }) =>
    ({ operation: { limits: timeoutMs === undefined ? {} : { timeoutMs } }, overrides }) as CatalogOperation;
  const limit = (entry: CatalogOperation, origin: 'route' | 'job', env: Record<string, string> = {}): number =>
    limitsOf(loadSettings({ env, cwd: '/nowhere' }), entry, origin).timeoutMs;

  it('let a direct call work as long as the operation declares, but no longer than the server allows any', () => {
    expect(limit(operation(undefined), 'route')).to.equal(60_000);
    expect(limit(operation(300_000), 'route')).to.equal(300_000);
    const env = { SYSTEM_CONNECTIONTIMEOUTMILLISECONDS: '5000' };
    expect(limit(operation(undefined), 'route', env)).to.equal(5000);
    expect(limit(operation(300_000), 'route', env)).to.equal(5000);
  });

  it('let jobs, and operations with a time of their own in the settings, take longer', () => {
    const env = { SYSTEM_CONNECTIONTIMEOUTMILLISECONDS: '5000' };
    expect(limit(operation(300_000), 'job', env)).to.be.greaterThan(5000);
    expect(limit(operation(300_000, { enabled: true, timeoutMs: 7000 }), 'route', env)).to.equal(7000);
  });
});

import { expect } from 'chai';
import type { LoginRooms } from '../access/index.js';
import type { Settings } from '../settings/index.js';
import type { Store } from '../store/index.js';
import { makeAudit } from './audit.js';

describe('The audit log, switched', () => {
  const on: Readonly<Record<string, unknown>> = { 'premium.enterpriseFeatures.audit.enabled': true, 'premium.enterpriseFeatures.audit.level': 2, 'premium.enterpriseFeatures.audit.retentionDays': 5, 'licence.tier': 'enterprise' };
  const make = ({ changed = {}, loggedIn = true, records = (): unknown => ({}) }: { readonly changed?: object; readonly loggedIn?: boolean; readonly records?: () => unknown }) => makeAudit({
    clock: { now: () => new Date() }, log: { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined },
    // Of settings, store and accounts, only what is asked here.
    login: loggedIn ? ({} as LoginRooms) : undefined, settings: { get: (path: string) => ({ ...on, ...changed })[path] } as unknown as Settings, store: { records } as unknown as Store,
  });

  it('is as the settings say', async () => {
    const log = await make({});
    expect([log?.level, log?.retentionDays]).to.deep.equal([2, 5]);
  });

  it('opens nothing while it is off, at level 0, without login, or below an enterprise licence', async () => {
    const untouched = (): never => expect.fail('a record set was opened');
    for (const changed of [{ 'premium.enterpriseFeatures.audit.enabled': false }, { 'premium.enterpriseFeatures.audit.level': 0 }, { 'licence.tier': 'team' }]) expect(await make({ changed, records: untouched })).to.equal(undefined);
    expect(await make({ loggedIn: false, records: untouched })).to.equal(undefined);
  });
});

import { expect } from 'chai';
import { InputError } from '@quire/registry';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keptLog } from '../../../test/suites/memory-accounts.js';
import { temporaryEmbeddedStore } from '../../../test/suites/temporary-store.js';
import { createMailer } from '../../network/mail/index.js';
import { createOutbound } from '../../network/outbound/index.js';
import { loadSettings } from '../../settings/index.js';
import { destinationKinds, sourceKinds, WebhookSpool, type ConnectorDeps } from './index.js';

describe('The kinds of sources and destinations', () => {
  let base: string;
  let deps: ConnectorDeps;
  let close: () => Promise<void>;
  before(async () => {
    base = await mkdtemp(join(tmpdir(), 'quire-kinds-'));
    const temporary = await temporaryEmbeddedStore();
    const store = await temporary.open();
    const settings = loadSettings({ env: {}, cwd: base });
    const outbound = createOutbound(settings);
    const clock = { now: () => new Date() };
    const [mailer, spool] = [createMailer(settings, keptLog()), new WebhookSpool(store, clock)];
    const connections = () => ({ open: () => Promise.reject(new Error('there are none')) });
    const invoiceOf = () => Promise.reject(new InputError('INVOICE_NONE'));
    deps = {
      settings,
      store,
      storage: undefined,
      outbound,
      connections,
      mailer,
      spool,
      invoiceOf,
      clock,
      log: keptLog(),
    };
    close = async () => {
      await outbound.close();
      await store.close();
      await temporary.remove();
      await rm(base, { recursive: true });
    };
  });
  after(() => close());

  it('have names of their own', () => {
    expect(sourceKinds(deps).map(({ type }) => type)).to.deep.equal([
      'folder',
      'storage-folder',
      's3',
      'webhook',
      'mailbox',
    ]);
    expect(destinationKinds(deps).map(({ type }) => type)).to.deep.equal([
      'folder',
      'storage',
      's3',
      'mail',
      'callback',
    ]);
  });

  it('describe each of their options, and the secret ones are among these', () => {
    for (const { type, options, secrets } of [...sourceKinds(deps), ...destinationKinds(deps)]) {
      const { keys = {} } = options.describe() as {
        readonly keys?: Readonly<Record<string, { readonly flags?: { readonly description?: string } }>>;
      };
      for (const [name, { flags }] of Object.entries(keys))
        expect(flags?.description, `${type}.${name}`).not.to.equal('');
      for (const [name, { flags }] of Object.entries(keys))
        expect(flags, `${type}.${name}`).to.have.property('description');
      expect(Object.keys(keys), type).to.include.members([...secrets]);
    }
  });

  it('refuse options that they do not know', () => {
    for (const { type, options } of [...sourceKinds(deps), ...destinationKinds(deps)])
      expect(options.validate({ unknown: 1 }, { abortEarly: false }).error?.message, type).to.contain('unknown');
  });
});

import { expect } from 'chai';
import { Wire } from '../support/client.js';
import { sessionOf, startWithLogin } from '../support/login.js';
import { until, type TestServer } from '../support/server.js';
import { STORAGE } from '../support/storage.js';

const GB = 1024 ** 3;

describe('Stored files without settings for quotas', () => {
  let server: TestServer;
  before(async () => {
    server = await startWithLogin(
      {},
      { storage: { enabled: true }, system: { fileUploadLimit: '1TB' }, limits: { diskReserve: '0B' } },
    );
  });
  after(() => server.stop());

  /** Announces an upload of so many bytes and returns the answer that comes before its body, or 100. */
  async function announce(bytes: number): Promise<string> {
    const { authorization } = await sessionOf(server);
    const wire = await Wire.open(server.url);
    const lines = [`Authorization: ${authorization}`, `Content-Length: ${bytes}`, 'Expect: 100-continue'];
    wire.head(`${STORAGE}/files`, ...lines);
    await until('the server has answered', () => wire.status !== 0);
    wire.close();
    return wire.text;
  }

  it('may have 10 GiB for each user', async () => {
    const refused = await announce(10 * GB + 1_000_000);
    expect(refused).to.contain('413 ').and.to.contain('STORAGE_QUOTA');
    expect(refused).to.contain('storage.quotas.maxStorageMbPerUser');
    expect(await announce(9 * GB)).to.contain('100 Continue');
  });

  it('are further limited to 100 GiB in all', () => {
    expect(server.settings.get('storage.quotas.maxStorageMbTotal')).to.equal(100 * 1024);
  });
});

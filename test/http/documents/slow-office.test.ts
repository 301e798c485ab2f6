import { expect } from 'chai';
import { createTestServer, type TestServerOptions } from '@quire/core';
import { expectProblem, file, json, post, send, type Answer } from '../support/client.js';
import { quiet, until, type TestServer } from '../support/server.js';

/** Text of thousands of pages; no machine lays it out within the time that a letter takes. */
const long = Buffer.from('word '.repeat(3_000_000));

describe('Office documents beside one that takes very long (skipped where soffice is not on PATH)', function suite() {
  this.timeout(120_000);
  let server: TestServer;

  async function start(limits: Readonly<Record<string, number>>): Promise<void> {
    const settings: TestServerOptions['settings'] = {
      limits: { ...limits, workers: 4, syncTimeoutSeconds: 100 },
      management: {
        endpoints: { web: { exposure: { include: ['health'] } } },
        endpoint: { health: { 'show-details': 'always' } },
      },
    };
    server = await createTestServer({ settings, plugins: ['@quire/plugin-convert'] });
    await server.start();
  }
  const convert = (bytes: Uint8Array, signal?: AbortSignal): Promise<Answer> =>
    post(`${server.url}/api/v1/convert/file/pdf`, [file(bytes, 'letter.txt')], {}, signal);
  const office = async (): Promise<{ found: boolean; running: number; waiting: number }> =>
    json<{
      components: { programs: { details: Record<string, { found: boolean; running: number; waiting: number }> } };
    }>(await send(`${server.url}/actuator/health`)).components.programs.details['libreoffice'] ?? {
      found: false,
      running: 0,
      waiting: 0,
    };
  const working = (): Promise<void> => until('it is being converted', async () => (await office()).running === 1);

  async function needOffice(skip: () => void): Promise<void> {
    if (!(await office()).found) skip();
  }
  afterEach(async () => {
    await quiet(server);
    await server.stop();
  });

  it('are converted by a second LibreOffice', async function second() {
    await start({ officeSlowSeconds: 0 });
    await needOffice(() => this.skip());
    const client = new AbortController();
    let ended = false;
    const slow = convert(long, client.signal).then(
      () => (ended = true),
      () => undefined,
    );
    await working();
    for (let n = 0; n < 2; n++) expect((await convert(Buffer.from('Dear reader'))).status).to.equal(200);
    expect(ended, 'the long one is still being converted').to.equal(false);
    client.abort();
    await slow;
    await until('its place is free', async () => (await office()).running === 0);
    expect((await convert(Buffer.from('Dear reader'))).status).to.equal(200);
  });

  it('are converted after it was ended where memory allows no second LibreOffice', async function noMemory() {
    await start({ officeSlowSeconds: 0, officeMemoryMb: 1_048_576, officeYieldSeconds: 2 });
    await needOffice(() => this.skip());
    const slow = convert(long);
    await working();
    const letter = convert(Buffer.from('Dear reader'));
    expectProblem(await slow, 504, 'TIMEOUT');
    expect((await letter).status).to.equal(200);
  });
});

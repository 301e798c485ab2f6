import { expect } from 'chai';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createTestServer } from '@quire/core';
import { expectProblem, field, file, json, post, send, type Answer, type Part } from '../support/client.js';
import { until, type TestServer } from '../support/server.js';

const API = '/api/v1';
const password = 'a-password-of-these-tests';
const meteredPlugin = fileURLToPath(new URL('../../fixtures/metered-plugin', import.meta.url));
const text = new TextEncoder().encode('text');

interface Usage {
  readonly used: number;
  readonly byUser: readonly {
    readonly id: string;
    readonly name: string;
    readonly units: number;
    readonly keys: readonly { readonly key: string; readonly units: number }[];
  }[];
}

interface Session {
  readonly user: { readonly id: number };
  readonly session: { readonly access_token: string };
}

/** A server with login and its administrator. */
class Office {
  private constructor(
    readonly server: TestServer,
    readonly admin: Readonly<Record<string, string>>,
  ) {}

  static async open(settings: Readonly<Record<string, unknown>>, basePath?: string): Promise<Office> {
    const server = await createTestServer({
      settings: {
        security: { enableLogin: true, initialLogin: { username: 'chief', password } },
        limits: { workers: 2 },
        ...settings,
      },
      plugins: [meteredPlugin],
      ...(basePath === undefined ? {} : { basePath }),
    });
    await server.start();
    return new Office(server, await Office.#logIn(server, 'chief'));
  }

  static async #logIn(server: TestServer, username: string): Promise<Readonly<Record<string, string>>> {
    const answer = await send(`${server.url}${API}/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username, password }),
    });
    expect(answer.status, answer.body.toString()).to.equal(200);
    return { authorization: `Bearer ${json<Session>(answer).session.access_token}` };
  }

  logIn(username: string): Promise<Readonly<Record<string, string>>> {
    return Office.#logIn(this.server, username);
  }

  /** Creates a user with this role. */
  async hire(username: string, role: string): Promise<void> {
    const answer = await this.form('user/admin/saveUser', { username, password, role, authType: 'web' }, this.admin);
    expect(answer.status, answer.body.toString()).to.equal(200);
  }

  async keyOf(session: Readonly<Record<string, string>>): Promise<Readonly<Record<string, string>>> {
    const answer = await send(`${this.server.url}${API}/user/get-api-key`, { method: 'POST', headers: session });
    expect(answer.status, answer.body.toString()).to.equal(200);
    return { 'x-api-key': json<{ apiKey: string }>(answer).apiKey };
  }

  async namedKeyOf(
    session: Readonly<Record<string, string>>,
    name: string,
  ): Promise<{ id: string; headers: Readonly<Record<string, string>> }> {
    const answer = await send(`${this.server.url}${API}/proprietary/ui-data/infrastructure/api-keys`, {
      method: 'POST',
      headers: { ...session, 'content-type': 'application/json' },
      body: JSON.stringify({ name }),
    });
    expect(answer.status, answer.body.toString()).to.equal(200);
    const { key, secret } = json<{ key: { id: string }; secret: string }>(answer);
    return { id: key.id, headers: { 'x-api-key': secret } };
  }

  form(
    path: string,
    fields: Readonly<Record<string, string>>,
    headers: Readonly<Record<string, string>>,
  ): Promise<Answer> {
    return send(`${this.server.url}${API}/${path}`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(fields).toString(),
    });
  }

  call(path: string, headers: Readonly<Record<string, string>>, parts: readonly Part[] = []): Promise<Answer> {
    return post(`${this.server.url}${API}/${path}`, [file(text, 'a.txt'), ...parts], headers);
  }

  async usage(): Promise<Usage> {
    return json<Usage>(await send(`${this.server.url}${API}/admin/usage`, { headers: this.admin }));
  }
}

describe('Metering of people and keys', () => {
  let office: Office;
  before(async () => {
    office = await Office.open({ licence: { allowance: 100 } });
  });
  after(() => office.server.stop());

  it('charges every key of a user, and no browser use', async () => {
    await office.hire('bruno', 'ROLE_USER');
    const browser = await office.logIn('bruno');
    const single = await office.keyOf(browser);
    const named = await office.namedKeyOf(browser, 'build');
    expect((await office.call('misc/metered-five', browser)).status).to.equal(200);
    expect((await office.call('misc/metered-five?async=true', browser)).status).to.equal(200);
    expect((await office.usage()).used).to.equal(0);
    expect((await office.call('misc/metered-five', single)).status).to.equal(200);
    expect((await office.call('misc/metered-one', named.headers)).status).to.equal(200);
    const { jobId } = json<{ jobId: string }>(await office.call('misc/metered-one?async=true', named.headers));
    await until(
      'the job is done',
      async () =>
        json<{ complete: boolean }>(
          await send(`${office.server.url}${API}/general/job/${encodeURIComponent(jobId)}`, { headers: browser }),
        ).complete,
    );
    await until('all jobs are charged', async () => (await office.usage()).byUser[0]?.units === 7);
    const usage = await office.usage();
    expect(usage.used).to.equal(7);
    const user = usage.byUser[0];
    expect(user?.keys).to.have.length(2);
    expect(user?.keys.map(({ units }) => units)).to.deep.equal([5, 2]);
    expect(user?.keys[1]?.key).to.equal(named.id);
    expect(user?.name).to.equal('bruno');
    expect(user?.id).to.equal(
      String(
        json<{ user: { id: number } }>(await send(`${office.server.url}${API}/auth/me`, { headers: browser })).user.id,
      ),
    );
  });

  it('can be reset by an administrator', async () => {
    expect(
      (await send(`${office.server.url}${API}/admin/usage/reset`, { method: 'POST', headers: office.admin })).status,
    ).to.equal(200);
    expect(await office.usage()).to.deep.include({ used: 0, byUser: [] });
  });
});

describe('Daily limits of roles over HTTP', () => {
  const folder = mkdtempSync(join(tmpdir(), 'quire-daily-'));
  let office: Office;
  after(async () => {
    await office.server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('count down in the browser, end in 429 with the time to wait, and ignore GET and other users', async () => {
    office = await Office.open({ rateLimit: true }, folder);
    await office.hire('web-only', 'ROLE_WEB_ONLY_USER');
    const browser = await office.logIn('web-only');
    for (let left = 19; left >= 0; left--) {
      const answer = await office.call('misc/metered-one', browser);
      expect([answer.status, answer.headers['x-rate-limit-remaining']]).to.deep.equal([200, String(left)]);
    }
    const refused = await office.call('misc/metered-one', browser);
    expectProblem(refused, 429, 'DAILY_LIMIT_REACHED');
    const seconds = Number(refused.headers['x-rate-limit-retry-after-seconds']);
    expect(seconds).to.be.within(1, 86_400);
    expect(refused.headers['retry-after']).to.equal(String(seconds));
    const read = await send(`${office.server.url}${API}/auth/me`, { headers: browser });
    expect([read.status, read.headers['x-rate-limit-remaining']]).to.deep.equal([200, undefined]);
    const chief = await office.call('misc/metered-one', office.admin);
    expect([chief.status, chief.headers['x-rate-limit-remaining']]).to.deep.equal([200, undefined]);
  });

  it('survive a restart', async () => {
    await office.server.stop();
    office = await Office.open({ rateLimit: true }, folder);
    expectProblem(await office.call('misc/metered-one', await office.logIn('web-only')), 429, 'DAILY_LIMIT_REACHED');
  });

  it('allow no call to a role without API calls, and count failed calls but not refused ones', async () => {
    await office.hire('demo', 'ROLE_DEMO_USER');
    const demo = await office.logIn('demo');
    expectProblem(await office.call('misc/metered-admin', demo), 403, 'ADMIN_ONLY');
    expect((await office.call('misc/metered-fail', demo, [field('how', 'input')])).status).to.equal(400);
    expect((await office.call('misc/metered-one', demo)).headers['x-rate-limit-remaining']).to.equal('98');
    await office.hire('limited', 'ROLE_EXTRA_LIMITED_API_USER');
    const browser = await office.logIn('limited');
    const single = await office.keyOf(browser);
    expect((await office.call('misc/metered-one', single)).headers['x-rate-limit-remaining']).to.equal('19');
    expect(
      (await office.form('user/admin/changeRole', { username: 'limited', role: 'ROLE_WEB_ONLY_USER' }, office.admin))
        .status,
    ).to.equal(200);
    await until('the key has the new role', async () => (await office.call('misc/metered-one', single)).status === 429);
  });

  it('are off by default', async () => {
    await office.server.stop();
    office = await Office.open({}, folder);
    const answer = await office.call('misc/metered-one', await office.logIn('web-only'));
    expect([answer.status, answer.headers['x-rate-limit-remaining']]).to.deep.equal([200, undefined]);
  });
});

import { expect } from 'chai';
import { fileURLToPath } from 'node:url';
import { createTestServer } from '@quire/core';
import {
  expectProblem,
  field,
  file,
  json,
  pointers,
  post,
  send,
  type Answer,
  type Problem,
} from '../support/client.js';
import type { TestServer } from '../support/server.js';

const API = '/api/v1';
const key = 'global-key-of-these-tests';
const meteredPlugin = fileURLToPath(new URL('../../fixtures/metered-plugin', import.meta.url));
const text = new TextEncoder().encode('text');
const exposed = {
  endpoints: { web: { exposure: { include: ['health', 'info', 'prometheus'] } } },
  prometheus: { metrics: { export: { enabled: true } } },
};

type Tier = 'free' | 'team' | 'enterprise';
interface Product {
  readonly tier: Tier;
  readonly hosting: 'selfHosted' | 'cloud';
}

const products: Product[] = (['free', 'team', 'enterprise'] as const).flatMap((tier) =>
  (['selfHosted', 'cloud'] as const).map((hosting) => ({ tier, hosting })),
);
const rank = { free: 0, team: 1, enterprise: 2 };
const below =
  (needed: Tier) =>
  ({ tier }: Product): boolean =>
    rank[tier] < rank[needed];

/** The answer of each operation to a valid key, by the rules of spec 5, 7 and 8 and `docs/interface/platform.yml`. */
const operations: readonly { readonly path: string; answer(product: Product): readonly [number, string?] }[] = [
  { path: 'misc/metered-one', answer: () => [200] },
  { path: 'misc/metered-login', answer: () => [200] },
  { path: 'misc/metered-admin', answer: () => [403, 'ADMIN_ONLY'] },
  {
    path: 'misc/metered-team',
    answer: (product) =>
      !below('team')(product)
        ? [200]
        : product.hosting === 'cloud'
          ? [402, 'FEATURE_DEGRADED']
          : [404, 'LICENCE_REQUIRED'],
  },
  {
    path: 'misc/metered-team-told',
    answer: (product) =>
      !below('team')(product)
        ? [200]
        : product.hosting === 'cloud'
          ? [402, 'FEATURE_DEGRADED']
          : [403, 'LICENCE_TOO_LOW'],
  },
  {
    path: 'misc/metered-enterprise',
    answer: (product) =>
      !below('enterprise')(product)
        ? [200]
        : product.hosting === 'cloud'
          ? [402, 'FEATURE_DEGRADED']
          : [404, 'LICENCE_REQUIRED'],
  },
  {
    path: 'misc/metered-self-hosted',
    answer: ({ hosting }) => (hosting === 'selfHosted' ? [200] : [404, 'LICENCE_REQUIRED']),
  },
  { path: 'misc/metered-cloud', answer: ({ hosting }) => (hosting === 'cloud' ? [200] : [404, 'LICENCE_REQUIRED']) },
];

for (const product of products) {
  const { tier, hosting } = product;
  describe(`A ${hosting} server with the ${tier} licence`, () => {
    let server: TestServer;
    before(async () => {
      server = await createTestServer({
        settings: {
          security: { enableLogin: true, customGlobalAPIKey: key },
          licence: { tier },
          hosting,
          management: exposed,
          limits: { workers: 2 },
        },
        plugins: [meteredPlugin],
      });
      await server.start();
    });
    after(() => server.stop());

    const call = (path: string, headers: Readonly<Record<string, string>> = { 'x-api-key': key }): Promise<Answer> =>
      post(`${server.url}${API}/${path}`, [file(text, 'a.txt')], headers);
    const validate = (path: string): Promise<Answer> =>
      post(
        `${server.url}${API}/pipeline/validate`,
        [field('json', JSON.stringify({ pipeline: [{ operation: `${API}/${path}`, parameters: {} }] }))],
        { 'x-api-key': key },
      );

    it('answers each operation as its access requires', async () => {
      for (const { path, answer } of operations) {
        const [status, code] = answer(product);
        const given = await call(path);
        expect(given.status, `${path}: ${given.body.toString()}`).to.equal(status);
        if (code !== undefined) expectProblem(given, status, code);
      }
    });

    it('authenticates before it reports anything about the licence', async () => {
      for (const { path } of operations)
        for (const headers of [{}, { 'x-api-key': 'wrong' }] as const)
          expect((await call(path, headers)).status, path).to.equal(401);
      expect((await send(`${server.url}/actuator/prometheus`)).status).to.equal(401);
    });

    it('refuses a pipeline step that its caller may not run directly', async () => {
      for (const { path, answer } of operations) {
        const given = await validate(path);
        if (answer(product)[0] === 200) expect(given.status, path).to.equal(200);
        else
          expect(pointers(expectProblem(given, 400, 'PIPELINE_INVALID')), path).to.deep.equal([
            '/pipeline/0/operation',
          ]);
      }
    });

    it('has actuator endpoints other than health with the Team licence and above', async () => {
      expect((await send(`${server.url}/actuator/health`)).status).to.equal(200);
      for (const path of ['/actuator/prometheus', '/actuator/info']) {
        const given = await send(`${server.url}${path}`, { headers: { 'x-api-key': key } });
        if (tier === 'free') expectProblem(given, 404, 'LICENCE_REQUIRED');
        else expect(given.status, path).to.equal(200);
      }
    });

    if (hosting === 'cloud' && tier === 'free') {
      it("names the missing feature and the account's allowance in the 402", async () => {
        const problem = expectProblem(await call('misc/metered-enterprise'), 402, 'FEATURE_DEGRADED') as Problem &
          Record<string, unknown>;
        expect(problem).to.deep.include({
          error: 'FEATURE_DEGRADED',
          missingGates: ['licence.enterprise'],
          subscribed: false,
          spendUnits: 0,
          capUnits: null,
          periodEnd: null,
          state: 'ACTIVE',
        });
      });
    }
  });
}

describe('Keys of existing settings files on licences', () => {
  it('neither lock nor unlock anything', async () => {
    for (const premium of [{ enabled: false }, { enabled: true, key: '11111111-2222-3333-4444-555555555555' }]) {
      for (const [tier, status] of [
        ['free', 404],
        ['enterprise', 200],
      ] as const) {
        const server = await createTestServer({
          settings: { premium, licence: { tier }, limits: { workers: 1 } },
          plugins: [meteredPlugin],
        });
        await server.start();
        expect(
          (await post(`${server.url}${API}/misc/metered-enterprise`, [file(text, 'a.txt')])).status,
          `${tier} ${JSON.stringify(premium)}`,
        ).to.equal(status);
        await server.stop();
      }
    }
  });

  it('do not change login requirements', async () => {
    const server = await createTestServer({
      settings: { premium: { enabled: true }, limits: { workers: 1 } },
      plugins: [meteredPlugin],
    });
    await server.start();
    expect(json(await post(`${server.url}${API}/misc/metered-login`, [file(text, 'a.txt')]))).to.include({
      code: 'LOGIN_REQUIRED',
      status: 404,
    });
    await server.stop();
  });
});

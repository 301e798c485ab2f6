import { isQuireError, type Access } from '@quire/registry';
import { expect } from 'chai';
import { checkProduct, hasLicence, productFault, tiers, type Product, type Standing } from './licence.js';

type Fault = ReturnType<typeof productFault> | 'none';

/** Every combination of licence, hosting and login. */
const products: Product[] = tiers.flatMap((tier) =>
  (['selfHosted', 'cloud'] as const).flatMap((hosting) =>
    [true, false].map((loginEnabled) => ({ tier, hosting, loginEnabled })),
  ),
);
const accesses: Access[] = [undefined, ...tiers].flatMap((licence) =>
  [undefined, 'any', 'selfHosted', 'cloud'].flatMap((hosting) =>
    [undefined, true].flatMap((needsLogin) =>
      [undefined, 404, 403].map(
        (licenceRefusal) =>
          ({
            ...(licence && { licence }),
            ...(hosting && { hosting }),
            ...(needsLogin && { needsLogin }),
            ...(licenceRefusal && { licenceRefusal }),
          }) as Access,
      ),
    ),
  ),
);
const say = (product: Product, access: Access): string => `${JSON.stringify(product)} and ${JSON.stringify(access)}`;

/** The rules of the specification; the first that applies decides. */
const rules: readonly { readonly when: (product: Product, access: Access) => boolean; readonly then: Fault }[] = [
  // Spec 5, rule 8: needs login.
  { when: ({ loginEnabled }, { needsLogin }) => needsLogin === true && !loginEnabled, then: 'LOGIN_REQUIRED' },
  { when: ({ hosting }, access) => access.hosting === 'selfHosted' && hosting === 'cloud', then: 'LICENCE_REQUIRED' },
  { when: ({ hosting }, access) => access.hosting === 'cloud' && hosting === 'selfHosted', then: 'LICENCE_REQUIRED' },
  // Spec 5: free has neither, team has what needs Team, enterprise has everything.
  {
    when: ({ tier }, { licence }) => tier === 'enterprise' || licence === undefined || licence === 'free',
    then: 'none',
  },
  { when: ({ tier }, { licence }) => tier === 'team' && licence === 'team', then: 'none' },
  // Spec 7: /actuator/* answers 404 on every hosting.
  { when: (_, { licenceRefusal }) => licenceRefusal === 404, then: 'LICENCE_REQUIRED' },
  // Contract, usage allowance answers: on the cloud a missing feature is a question of the plan.
  { when: ({ hosting }) => hosting === 'cloud', then: 'FEATURE_DEGRADED' },
  // Contract, licence tiers: handlers answer 403.
  { when: (_, { licenceRefusal }) => licenceRefusal === 403, then: 'LICENCE_TOO_LOW' },
  { when: () => true, then: 'LICENCE_REQUIRED' },
];

describe('Licence and hosting', () => {
  it('withhold exactly what the rules withhold, for every product and every access', () => {
    const seen = new Set<Fault>();
    for (const product of products) {
      for (const access of accesses) {
        const wanted = rules.find(({ when }) => when(product, access))?.then;
        expect(productFault(product, access) ?? 'none', say(product, access)).to.equal(wanted);
        seen.add(wanted ?? 'none');
      }
    }
    expect([...seen].sort()).to.deep.equal([
      'FEATURE_DEGRADED',
      'LICENCE_REQUIRED',
      'LICENCE_TOO_LOW',
      'LOGIN_REQUIRED',
      'none',
    ]);
  });

  it('withhold nothing that ships for everybody', () => {
    for (const product of products)
      for (const access of [undefined, {}, { role: 'admin' }, { role: 'public', cost: 5 }] as const)
        expect(productFault(product, access)).to.equal(undefined);
  });

  it('answer with the status of the rule', async () => {
    const statusOf = (product: Partial<Product>, access: Access): Promise<number> =>
      checkProduct({ tier: 'free', hosting: 'selfHosted', loginEnabled: true, ...product }, access).then(
        () => 200,
        (error: unknown) => (isQuireError(error) ? error.row.status : 0),
      );
    expect(await statusOf({}, { licence: 'team' })).to.equal(404);
    expect(await statusOf({}, { licence: 'team', licenceRefusal: 403 })).to.equal(403);
    expect(await statusOf({ hosting: 'cloud' }, { licence: 'team' })).to.equal(402);
    expect(await statusOf({ hosting: 'cloud' }, { hosting: 'selfHosted' })).to.equal(404);
    expect(await statusOf({ loginEnabled: false }, { needsLogin: true })).to.equal(404);
    expect(await statusOf({ tier: 'team' }, { licence: 'team' })).to.equal(200);
  });

  it("add the account's numbers to the 402 answer of the cloud, and read them only then", async () => {
    let asked = 0;
    const standing: Standing = { subscribed: true, state: 'ACTIVE', spendUnits: 12, capUnits: 20 };
    const standingOf = async (): Promise<Standing> => ((asked += 1), standing);
    const cloud: Product = { tier: 'team', hosting: 'cloud', loginEnabled: true };
    await checkProduct(cloud, { licence: 'team' }, standingOf);
    expect(asked).to.equal(0);
    const error: unknown = await checkProduct(cloud, { licence: 'enterprise' }, standingOf).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).to.deep.include({ code: 'FEATURE_DEGRADED', data: { ...standing, gates: 'licence.enterprise' } });
  });

  it('rank the licences', () => {
    for (const [have, tier] of tiers.entries())
      for (const [need, needed] of tiers.entries()) expect(hasLicence(tier, needed)).to.equal(have >= need);
    expect(hasLicence('free', undefined)).to.equal(true);
  });
});

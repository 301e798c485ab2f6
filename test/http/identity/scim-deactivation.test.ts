import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { makePdf } from '../../kit/make-pdf.js';
import { mongoTestUrl } from '../../suites/temporary-store.js';
import { CertifiedIssuer, clientId, clientSecret } from '../support/certified-issuer.js';
import { field, file, json, post, send } from '../support/client.js';
import { keyOf, sessionOf, setEnabled } from '../support/login.js';
import { testDatabase, type TestDatabase } from '../support/mongo.js';
import { RedirectBrowser } from '../support/redirect-browser.js';
import { expectScimError, ScimClient, startWithScim, type Resource } from '../support/scim.js';
import { until, type TestServer } from '../support/server.js';

const API = '/api/v1';
type Headers = Readonly<Record<string, string>>;

/** Nodes on one store, and the provider at which the users of SCIM log in. */
class Organisation {
  private constructor(
    readonly issuer: CertifiedIssuer,
    readonly nodes: readonly TestServer[],
    private readonly database: TestDatabase | undefined,
  ) {}

  static async start(url?: string): Promise<Organisation> {
    const issuer = await CertifiedIssuer.listen();
    const database = url === undefined ? undefined : testDatabase(url);
    const store =
      database === undefined
        ? {}
        : { store: { mongodb: { url, database: database.name }, secret: randomBytes(32).toString('hex') } };
    const oauth2 = { enabled: true, client: { keycloak: { issuer: issuer.url, clientId, clientSecret } } };
    const start = () =>
      startWithScim(
        { externalIdIsSubjectOf: 'keycloak' },
        { oauth2 },
        { limits: { workers: 1 }, server: { shutdownSeconds: 2 }, ...store },
      );
    const first = await start();
    const nodes = database === undefined ? [first] : [first, await start()];
    issuer.serve(first.url, 'keycloak');
    return new Organisation(issuer, nodes, database);
  }

  get first(): TestServer {
    return this.nodes[0] as TestServer;
  }

  get last(): TestServer {
    return this.nodes.at(-1) as TestServer;
  }

  /** Logs somebody in at the provider; returns the headers of the session, or the error code. */
  async logIn(sub: string, username: string): Promise<Headers | string> {
    this.issuer.user = { sub, preferred_username: username };
    const { url } = await new RedirectBrowser().visit(`${this.first.url}/oauth2/authorization/keycloak`, (at) =>
      at.pathname.endsWith('/auth/callback'),
    );
    const token = new URLSearchParams(url.hash.slice(1)).get('access_token');
    return token === null ? String(url.searchParams.get('errorOAuth')) : { authorization: `Bearer ${token}` };
  }

  async stop(): Promise<void> {
    for (const node of this.nodes) await node.stop();
    await this.issuer.close();
    await this.database?.drop();
  }
}

function suite(start: () => Promise<Organisation>): void {
  let organisation: Organisation;
  let scim: ScimClient;
  let pdf: Uint8Array;

  before(async () => {
    pdf = await makePdf({ pages: 1 });
    organisation = await start();
    // Changes come in at one node, and the user works at another.
    scim = new ScimClient(organisation.last);
  });
  after(() => organisation.stop());

  const status = async (node: TestServer, headers: Headers): Promise<number> =>
    (await send(`${node.url}${API}/auth/me`, { headers })).status;
  const session = async (sub: string, name: string): Promise<Headers> => {
    const headers = await organisation.logIn(sub, name);
    expect(headers, JSON.stringify(headers)).to.be.an('object');
    return headers as Headers;
  };
  const startJob = async (node: TestServer, headers: Headers): Promise<string> => {
    const answer = await post(
      `${node.url}${API}/misc/unruly-slow`,
      [file(pdf), field('ms', '600000'), field('async', 'true')],
      headers,
    );
    expect(answer.status, answer.body.toString()).to.equal(200);
    return json<{ jobId: string }>(answer).jobId;
  };
  const jobStatus = async (headers: Headers, jobId: string): Promise<string> => {
    const answer = await send(`${organisation.first.url}${API}/general/job/${jobId}`, { headers });
    expect(answer.status, answer.body.toString()).to.equal(200);
    return json<{ status: string }>(answer).status;
  };

  /** Cancelled; or refused because its owner is disabled, if its turn came in the moment of the change. */
  const isStopped = async (headers: Headers, jobId: string): Promise<boolean> => {
    const answer = await send(`${organisation.first.url}${API}/general/job/${jobId}`, { headers });
    const { status } = json<{ status: string }>(answer);
    return status === 'cancelled' || (status === 'failed' && answer.body.includes('ACCOUNT_DISABLED'));
  };

  for (const [what, operation] of [
    ['active false', { op: 'Replace', path: 'active', value: 'False' }],
    ['a change without a path', { op: 'replace', value: { active: false } }],
  ] as const)
    it(`ends sessions, keys and jobs of a user at once, by ${what}`, async function () {
      this.timeout(180_000);
      const { first } = organisation;
      const [sub, name] = [`subject ${what.length}`, `user-${what.length}`];
      const { id } = await scim.createUser(name, { externalId: sub });
      const headers = await session(sub, name);
      const key = { 'x-api-key': await keyOf(first, headers) };
      const jobs = [await startJob(first, headers), await startJob(first, headers), await startJob(first, headers)];
      await until('a job runs', async () => (await jobStatus(headers, jobs[0] ?? '')) === 'running');
      expect(await jobStatus(headers, jobs[2] ?? '')).to.equal('queued');
      for (const node of organisation.nodes)
        expect([await status(node, headers), await status(node, key)]).to.deep.equal([200, 200]);

      expect(await scim.patch(`/Users/${id}`, operation)).to.deep.include({ active: false });

      for (const node of organisation.nodes) expect(await status(node, headers), 'the session').to.equal(403);
      expect(await status(organisation.last, key), 'the key, where it was disabled').to.equal(401);
      // Another node knows a key for five seconds (`core/accounts/keys/key-cache.ts`).
      await until('the key is refused everywhere', async () => (await status(first, key)) === 401);
      expect(await organisation.logIn(sub, name)).to.equal('userIsDisabled');

      expect(await scim.patch(`/Users/${id}`, { op: 'replace', path: 'active', value: true })).to.deep.include({
        active: true,
      });
      expect(await status(first, headers), 'the old session').to.equal(401);
      const again = await session(sub, name);
      await until('the key works again', async () => (await status(first, key)) === 200);
      for (const job of jobs) await until('the job is cancelled', () => isStopped(again, job));
      await until('the place of the job is free', () => freePlace(again));
    });

  /** Other work runs only after the cancelled one has really stopped, since there is one worker on each node. */
  const freePlace = async (headers: Headers): Promise<boolean> => {
    const form = [file(pdf), field('ms', '1')];
    return (await post(`${organisation.first.url}${API}/misc/unruly-slow`, form, headers)).status === 200;
  };

  it('ends everything of a user who is deleted', async function () {
    this.timeout(180_000);
    const { first, last } = organisation;
    const { id } = await scim.createUser('deleted', { externalId: 'subject of deleted' });
    const headers = await session('subject of deleted', 'deleted');
    const key = { 'x-api-key': await keyOf(first, headers) };
    await startJob(first, headers);
    expect(await status(last, key)).to.equal(200);
    expect((await scim.send('DELETE', `/Users/${id}`)).status).to.equal(204);
    for (const node of organisation.nodes) expect(await status(node, headers)).to.equal(401);
    await until('the key is refused', async () => (await status(first, key)) === 401);
    const { id: next } = await scim.createUser('after');
    expect(next, 'ids are never used twice').to.not.equal(id);
  });

  it('cancels jobs of accounts that an administrator disables, too', async function () {
    this.timeout(180_000);
    await scim.createUser('by-hand', { externalId: 'subject by hand' });
    const headers = await session('subject by hand', 'by-hand');
    const job = await startJob(organisation.first, headers);
    const boss = await sessionOf(organisation.last);
    await setEnabled(organisation.last, boss, 'by-hand', false);
    expect((await scim.list('/Users', { filter: 'userName eq "by-hand" and active eq false' })).totalResults).to.equal(
      1,
    );
    await setEnabled(organisation.last, boss, 'by-hand', true);
    const again = await session('subject by hand', 'by-hand');
    await until('the job is cancelled', async () => (await jobStatus(again, job)) === 'cancelled');
  });

  it('loses no member of a group that all nodes change at once', async () => {
    const people: Resource[] = [];
    for (let at = 0; at < 12; at++) people.push(await scim.createUser(`member-${at}`));
    const { id } = await scim.createGroup('crowd of nodes');
    const clients = organisation.nodes.map((node) => new ScimClient(node));
    await Promise.all(
      people.map((person, at) =>
        clients[at % clients.length]?.patch(`/Groups/${id}`, {
          op: 'add',
          path: 'members',
          value: [{ value: person.id }],
        }),
      ),
    );
    expect((await scim.resource('GET', `/Groups/${id}`))['members']).to.have.length(12);
    const additions = people.map((_, at) => ({
      op: 'add',
      path: 'emails',
      value: [{ value: `mail-${at}@example.org` }],
    }));
    const path = `/Users/${people[0]?.id}`;
    await Promise.all(additions.map((operation, at) => clients[at % clients.length]?.patch(path, operation)));
    expect((await scim.resource('GET', path))['emails'], 'nor of a list of a user').to.have.length(12);
  });

  it('keeps the last administrator', async () => {
    const { id } = await scim.createUser('chief', { externalId: 'subject of chief', roles: ['ROLE_ADMIN'] });
    const chief = await session('subject of chief', 'chief');
    const boss = await sessionOf(organisation.first);
    await setEnabled(organisation.first, chief, 'boss', false);
    expect(await status(organisation.last, boss)).to.equal(403);
    for (const [method, body] of [
      ['PATCH', { Operations: [{ op: 'replace', path: 'active', value: false }] }],
      ['PATCH', { Operations: [{ op: 'replace', path: 'roles', value: ['ROLE_USER'] }] }],
      ['PUT', { userName: 'chief', externalId: 'subject of chief', active: false }],
      ['DELETE', undefined],
    ] as const)
      expectScimError(await scim.send(method, `/Users/${id}`, body), 400, 'mutability');
    expect(await status(organisation.first, chief)).to.equal(200);
    await setEnabled(organisation.first, chief, 'boss', true);
  });
}

describe('Deactivation by SCIM, embedded store', () => {
  suite(() => Organisation.start());

  describe('and the login of users of SCIM', () => {
    let organisation: Organisation;
    let scim: ScimClient;
    before(async () => {
      organisation = await Organisation.start();
      scim = new ScimClient(organisation.first);
    });
    after(() => organisation.stop());

    it('belongs to the subject that was sent as externalId, whatever name the provider says', async () => {
      await scim.createUser('linked', { externalId: 'subject-1' });
      expect(await organisation.logIn('subject-1', 'another.name')).to.be.an('object');
      expect(await organisation.logIn('subject-2', 'linked'), 'somebody who calls themselves so').to.equal(
        'userAlreadyExistsWeb',
      );
    });

    it('moves with the externalId, and never to a subject of another account', async () => {
      const { id } = await scim.createUser('moving', { externalId: 'old-subject' });
      await scim.createUser('other', { externalId: 'subject-of-other' });
      await scim.patch(`/Users/${id}`, { op: 'replace', path: 'externalId', value: 'new-subject' });
      expect(await organisation.logIn('new-subject', 'moving')).to.be.an('object');
      expect(await organisation.logIn('old-subject', 'moving')).to.equal('userAlreadyExistsWeb');
      expect(await organisation.logIn('first-come', 'self-made')).to.be.an('object');
      const take = { Operations: [{ op: 'replace', path: 'externalId', value: 'first-come' }] };
      expectScimError(await scim.send('PATCH', `/Users/${id}`, take), 409, 'uniqueness');
      expect(await organisation.logIn('new-subject', 'moving'), 'nothing has moved').to.be.an('object');
    });

    it('also works by name, for accounts without an externalId, once', async () => {
      await scim.createUser('by-name');
      expect(await organisation.logIn('subject-by-name', 'by-name')).to.be.an('object');
      expect(await organisation.logIn('another-subject', 'by-name')).to.equal('userAlreadyExistsWeb');
    });

    it('makes accounts that SCIM finds and deactivates', async () => {
      expect(await organisation.logIn('subject-early', 'early')).to.be.an('object');
      const [user] = (await scim.list('/Users', { filter: 'userName eq "early"' })).Resources;
      await scim.patch(`/Users/${user?.id}`, { op: 'replace', path: 'active', value: false });
      expect(await organisation.logIn('subject-early', 'early')).to.equal('userIsDisabled');
    });
  });
});

describe('Deactivation by SCIM, two nodes on MongoDB', () => {
  let url: string | undefined;
  before(async function () {
    this.timeout(90_000);
    url = await mongoTestUrl();
    if (url === undefined) this.skip();
  });
  suite(() => Organisation.start(url));
});

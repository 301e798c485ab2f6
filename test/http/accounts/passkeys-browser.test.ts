/// <reference lib="dom" />
import { expect } from 'chai';
import type { Browser, CDPSession, Page } from 'puppeteer-core';
import { startBrowser } from '../../../verification/walk/press-examples.js';
import { findChromium } from '../support/chromium.js';
import { json, send } from '../support/client.js';
import { addUser, sessionOf, startWithLogin } from '../support/login.js';
import type { TestServer } from '../support/server.js';

/** An answer of the server as a page sees it. */
interface PageAnswer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A browser of a person, with a device that has passkeys (CDP, WebAuthn domain). */
interface Person {
  readonly page: Page;
  readonly cdp: CDPSession;
  readonly authenticatorId: string;
}

const api = 'api/v1/auth/passkeys';

describe('Passkeys in a browser', function () {
  this.timeout(90_000);
  const executablePath = findChromium();
  let server: TestServer;
  let browser: Browser;
  let site: string;

  before(async function () {
    if (executablePath === undefined) return this.skip();
    server = await startWithLogin();
    site = `http://localhost:${new URL(server.url).port}`;
    browser = await startBrowser(executablePath);
  });
  after(async () => {
    await browser?.close();
    await server?.stop();
  });

  /** Opens a page of the server in a browser of its own, with an empty device. */
  const person = async (at = site): Promise<Person> => {
    const page = await (await browser.createBrowserContext()).newPage();
    await page.goto(`${at}/api/v1/info/status`);
    const cdp = await page.createCDPSession();
    await cdp.send('WebAuthn.enable');
    const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    return { page, cdp, authenticatorId };
  };
  const call = (page: Page, path: string, body: object, token = ''): Promise<PageAnswer> =>
    page.evaluate(
      async (to, sent, bearer) => {
        const headers = { 'content-type': 'application/json', ...(bearer === '' ? {} : { authorization: bearer }) };
        const answer = await fetch(`/${to}`, { method: 'POST', headers, body: JSON.stringify(sent) });
        return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
      },
      path,
      body,
      token,
    );
  /** The credential that the device creates or uses, as JSON, or the name of the browser's refusal. */
  const credential = (page: Page, kind: 'create' | 'get', options: unknown): Promise<unknown> =>
    page.evaluate(
      async (wanted, publicKey) => {
        const { parseCreationOptionsFromJSON: creation, parseRequestOptionsFromJSON: request } =
          PublicKeyCredential as unknown as Record<string, (options: unknown) => never>;
        try {
          const made =
            wanted === 'create'
              ? await navigator.credentials.create({
                  publicKey: creation?.call(PublicKeyCredential, publicKey) as never,
                })
              : await navigator.credentials.get({ publicKey: request?.call(PublicKeyCredential, publicKey) as never });
          return (made as unknown as { toJSON(): unknown }).toJSON();
        } catch (error) {
          return (error as Error).name;
        }
      },
      kind,
      options,
    );
  const begin = async (page: Page, path: string, body: object = {}, token = ''): Promise<Record<string, unknown>> => {
    const answer = await call(page, `${api}/${path}`, body, token);
    expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
    return answer.body;
  };
  const register = async ({ page }: Person, token: string): Promise<PageAnswer> => {
    const { publicKey } = await begin(page, 'registration/begin', {}, token);
    const made = await credential(page, 'create', publicKey);
    expect(made, String(made)).to.be.an('object');
    return call(page, `${api}/registration/finish`, { name: 'Laptop', credential: made }, token);
  };
  const logIn = async ({ page }: Person, body: object = {}): Promise<PageAnswer & { readonly sent: object }> => {
    const { attempt, publicKey } = await begin(page, 'login/begin', body);
    const sent = { attempt, credential: await credential(page, 'get', publicKey) };
    expect(sent.credential, String(sent.credential)).to.be.an('object');
    return { ...(await call(page, `${api}/login/finish`, sent)), sent };
  };
  /** A new user, with the token of a session. */
  const someone = async (username: string): Promise<string> => {
    const { password } = await addUser(server, await sessionOf(server), username);
    return (await sessionOf(server, username, password)).authorization;
  };

  it('are registered and log in without name and password; the same answer works only once', async () => {
    const ann = await person();
    const token = await someone('ann');
    const made = await register(ann, token);
    expect(made.status, JSON.stringify(made.body)).to.equal(201);
    expect(made.body['passkey']).to.include({ name: 'Laptop', rpId: 'localhost', suspect: false, lastUsed: null });
    const first = await logIn(ann);
    expect(first.status, JSON.stringify(first.body)).to.equal(200);
    expect(first.body).to.have.nested.property('user.username', 'ann');
    const bearer = `Bearer ${(first.body as { session: { access_token: string } }).session.access_token}`;
    const me = await send(`${server.url}/api/v1/auth/me`, { headers: { authorization: bearer } });
    expect(json(me)).to.have.nested.property('user.username', 'ann');
    const replayed = await call(ann.page, `${api}/login/finish`, first.sent);
    expect([replayed.status, replayed.body['code']]).to.deep.equal([400, 'PASSKEY_CHALLENGE_INVALID']);
    expect((await logIn(ann, { username: 'ANN' })).status).to.equal(200);
    const other = await logIn(ann, { username: 'boss' });
    expect([other.status, other.body['code']]).to.deep.equal([401, 'PASSKEY_FAILED']);
  });

  it('are not registered twice on one device, nor by a device that does not verify its user', async () => {
    const bob = await person();
    const token = await someone('bob');
    expect((await register(bob, token)).status).to.equal(201);
    const again = await begin(bob.page, 'registration/begin', {}, token);
    expect(await credential(bob.page, 'create', again['publicKey'])).to.equal('InvalidStateError');
    await bob.cdp.send('WebAuthn.setUserVerified', { authenticatorId: bob.authenticatorId, isUserVerified: false });
    const { publicKey } = await begin(bob.page, 'login/begin');
    expect(await credential(bob.page, 'get', publicKey)).to.equal('NotAllowedError');
  });

  it('log in nowhere but on their device; a copy of them is found out by its count', async () => {
    const eve = await person();
    const token = await someone('eve');
    expect((await register(eve, token)).status).to.equal(201);
    const { credentials } = await eve.cdp.send('WebAuthn.getCredentials', { authenticatorId: eve.authenticatorId });
    const [copied] = credentials;
    if (copied === undefined) return expect.fail('the device has no passkey');
    expect((await logIn(eve)).status).to.equal(200);

    const thief = await person();
    const { publicKey } = await begin(thief.page, 'login/begin');
    expect(await credential(thief.page, 'get', publicKey), 'a second browser').to.equal('NotAllowedError');
    await thief.cdp.send('WebAuthn.addCredential', {
      authenticatorId: thief.authenticatorId,
      credential: { ...copied, signCount: 0 },
    });
    const refused = await logIn(thief);
    expect([refused.status, refused.body['code']], JSON.stringify(refused.body)).to.deep.equal([401, 'PASSKEY_COPIED']);
    expect((await logIn(eve)).status, 'the passkey of the owner').to.equal(200);
  });

  it('are refused, with advice, on a page that browsers offer none on', async () => {
    const { page } = await person(server.url);
    const answer = await call(page, `${api}/login/begin`, {});
    expect([answer.status, answer.body['code']]).to.deep.equal([400, 'PASSKEYS_UNUSABLE']);
    expect(answer.body['detail']).to.contain(server.url).and.contain('localhost');
  });
});

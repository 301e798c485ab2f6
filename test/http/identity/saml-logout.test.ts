import { inflateRawSync } from 'node:zlib';
import { SignedXml } from 'xml-crypto';
import { expect } from 'chai';
import { expectProblem, json, send, type Answer } from '../support/client.js';
import { newKeyPair } from '../support/saml-keys.js';
import { SamlSetup } from '../support/saml-login.js';

const strange = newKeyPair('somebody else');

describe('Single logout with SAML', () => {
  const setup = new SamlSetup();
  const post = (fields: Readonly<Record<string, string>>): Promise<Answer> =>
    send(setup.slo, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(fields).toString(),
    });
  const session = (sessionIndex: string, nameId = 'persistent-id-of-ada', username = 'ada') =>
    setup.token({ sessionIndex, nameId, attributes: { username } });
  const logOut = async (token: string): Promise<string | undefined> => {
    const headers = { authorization: `Bearer ${token}` };
    const answer = await send(`${setup.server.url}/api/v1/auth/logout`, { method: 'POST', headers });
    expect(answer.status, answer.body.toString()).to.equal(200);
    return json<{ logoutUrl?: string }>(answer).logoutUrl;
  };

  before(() => setup.start());
  after(() => setup.stop());

  describe('that begins here', () => {
    it('ends the session here, and names the address with a signed request for the one there', async () => {
      const token = await session('one');
      const url = new URL((await logOut(token)) ?? '');
      expect(await setup.isIn(token)).to.equal(false);
      expect(url.origin + url.pathname).to.equal(`${setup.issuer.url}/SingleLogoutService/HTTP-Redirect`);
      expect(url.searchParams.get('Signature')).to.be.a('string');
      const xml = inflateRawSync(Buffer.from(url.searchParams.get('SAMLRequest') ?? '', 'base64')).toString();
      expect(xml)
        .to.include('<samlp:SessionIndex>one</samlp:SessionIndex>')
        .and.include('>persistent-id-of-ada</saml:NameID>');
    });

    it('comes back to the login page with the answer, in either binding, also with a bad one', async () => {
      for (const status of ['Success', 'Responder']) {
        const xml = setup.issuer.logoutResponse(setup.slo, status);
        const redirected = await send(`${setup.slo}?${setup.issuer.query(xml, 'SAMLResponse')}`);
        expect([redirected.status, redirected.headers.location]).to.deep.equal([302, '/login?logout=true']);
      }
      const posted = await post({
        SAMLResponse: setup.issuer.posted(setup.issuer.logoutResponse(setup.slo), 'LogoutResponse'),
      });
      expect([posted.status, posted.headers.location]).to.deep.equal([302, '/login?logout=true']);
    });
  });

  describe('that begins at the identity provider', () => {
    it('ends the sessions of one session there, and answers by redirect, with the relay state', async () => {
      const [mine, also, other] = [await session('two'), await session('two'), await session('three')];
      const query = setup.issuer.query(setup.issuer.logoutRequest(setup.slo, { sessions: ['two'] }), 'SAMLRequest');
      const answer = await send(`${setup.slo}?${query}`);
      expect([await setup.isIn(mine), await setup.isIn(also), await setup.isIn(other)]).to.deep.equal([
        false,
        false,
        true,
      ]);
      const url = new URL(answer.headers.location ?? '');
      expect(url.pathname).to.equal('/SingleLogoutService/HTTP-Redirect');
      expect(url.searchParams.get('RelayState')).to.equal('where it was');
      const xml = inflateRawSync(Buffer.from(url.searchParams.get('SAMLResponse') ?? '', 'base64')).toString();
      expect(xml).to.include('LogoutResponse').and.include('status:Success');
    });

    it('is answered by a page that posts a signed message, where it was posted', async () => {
      const token = await session('four');
      const xml = setup.issuer.logoutRequest(setup.slo, { sessions: ['four'] });
      const answer = await post({ SAMLRequest: setup.issuer.posted(xml, 'LogoutRequest'), RelayState: '"><b>' });
      expect([answer.status, await setup.isIn(token)]).to.deep.equal([200, false]);
      const page = answer.body.toString();
      expect(page).to.include(`action="${setup.issuer.url}/SingleLogoutService/HTTP-POST"`).and.not.include('<b>');
      expect(answer.headers['content-security-policy']).to.include("default-src 'none'; script-src 'sha256-");
      const message = Buffer.from(/name="SAMLResponse" value="([^"]+)"/.exec(page)?.[1] ?? '', 'base64').toString();
      const check = new SignedXml({ publicCert: setup.own.certificate, getCertFromKeyInfo: () => null });
      check.loadSignature(/<Signature[\s\S]*<\/Signature>/.exec(message)?.[0] ?? '');
      expect(check.checkSignature(message)).to.equal(true);
    });

    it('ends all sessions of the user when it names none', async () => {
      const [one, two] = [await session('five'), await session('six')];
      const other = await session('seven', 'id-of-grace', 'grace');
      const xml = setup.issuer.logoutRequest(setup.slo, { sessions: [] });
      await send(`${setup.slo}?${setup.issuer.query(xml, 'SAMLRequest')}`);
      expect([await setup.isIn(one), await setup.isIn(two), await setup.isIn(other)]).to.deep.equal([
        false,
        false,
        true,
      ]);
    });

    it('is refused when it is not signed, of or for somebody else, old, changed, or used before', async () => {
      const token = await session('kept');
      const sessions = ['kept'];
      const request = (change: object = {}, destination = setup.slo): string =>
        setup.issuer.logoutRequest(destination, { sessions, ...change });
      const query = (xml: string, key = setup.issuer.keys): string => setup.issuer.query(xml, 'SAMLRequest', { key });
      const good = query(request());
      const refusedQueries = {
        'no signature': good.replace(/&SigAlg=.*/, ''),
        'a made up signature': good.replace(/&Signature=.*/, '&Signature=AAAA'),
        'strange key': query(request(), strange),
        'another site': query(request({}, 'https://other.example/slo')),
        'another issuer': query(request({ issuer: 'https://other.example' })),
        old: query(request({ issued: -3600 })),
        future: query(request({ issued: 3600 })),
        'another algorithm': good.replace(/SigAlg=[^&]+/, 'SigAlg=rsa-md5'),
        'another relay state': good.replace(/RelayState=[^&]+/, 'RelayState=evil'),
        'two messages': `SAMLRequest=${encodeURIComponent('x')}&${good}`,
        'request and response': `${good}&SAMLResponse=x`,
        'a bomb': query('<a>'.repeat(500_000)),
      };
      for (const [how, search] of Object.entries(refusedQueries)) {
        const answer = await send(`${setup.slo}?${search}`);
        // A parameter that occurs twice is refused before anybody looks at it.
        expect(json(answer), how).to.have.property('code').oneOf(['LOGOUT_MESSAGE_INVALID', 'INPUT_INVALID']);
        expect([answer.status, await setup.isIn(token)], how).to.deep.equal([400, true]);
      }
      const signed = setup.issuer.posted(request(), 'LogoutRequest');
      const changed = Buffer.from(Buffer.from(signed, 'base64').toString().replace('kept', 'more')).toString('base64');
      const unsigned = Buffer.from(request()).toString('base64');
      const foreign = setup.issuer.posted(request(), 'LogoutRequest', strange);
      for (const SAMLRequest of [unsigned, foreign, changed])
        expectProblem(await post({ SAMLRequest }), 400, 'LOGOUT_MESSAGE_INVALID');
      expect(await setup.isIn(token)).to.equal(true);
      expect((await send(`${setup.slo}?${good}`)).status).to.equal(302);
      expect(await setup.isIn(token)).to.equal(false);
      const again = await session('kept');
      expectProblem(await send(`${setup.slo}?${good}`), 400, 'LOGOUT_MESSAGE_INVALID');
      expect(await setup.isIn(again)).to.equal(true);
    });
  });
});

describe('Single logout with an identity provider that takes forms only', () => {
  const setup = new SamlSetup();
  after(() => setup.stop());

  it('opens a page here that posts the request; its address works for nobody who made it up', async () => {
    await setup.start();
    setup.issuer.bindings = ['HTTP-POST'];
    const page = await send(`${setup.server.url}/saml2/authenticate/quire`);
    expect(page.body.toString()).to.include(`action="${setup.issuer.url}/SingleSignOnService/HTTP-POST"`);
    const message = Buffer.from(/name="SAMLRequest" value="([^"]+)"/.exec(page.body.toString())?.[1] ?? '', 'base64');
    expect(message.toString()).to.include('<samlp:AuthnRequest').and.include('SignatureValue');
    const token = await setup.token();
    const headers = { authorization: `Bearer ${token}` };
    const out = await send(`${setup.server.url}/api/v1/auth/logout`, { method: 'POST', headers });
    const { logoutUrl } = json<{ logoutUrl: string }>(out);
    expect(logoutUrl).to.match(/\/saml2\/logout\/quire\?ticket=/);
    const form = (await send(logoutUrl)).body.toString();
    expect(form).to.include(`action="${setup.issuer.url}/SingleLogoutService/HTTP-POST"`);
    const madeUp = await send(`${setup.server.url}/saml2/logout/quire?ticket=bWFkZSB1cA`);
    expect([madeUp.status, madeUp.headers.location]).to.deep.equal([302, '/login?logout=true']);
  });
});

import { expect } from 'chai';
import { send } from '../support/client.js';
import { RedirectBrowser } from '../support/redirect-browser.js';
import { newId, signXml, type Answer, type Change } from '../support/saml-issuer.js';
import { newKeyPair } from '../support/saml-keys.js';
import { SamlSetup, tokenIn } from '../support/saml-login.js';

const SHA1 = {
  signatureAlgorithm: 'http://www.w3.org/2000/09/xmldsig#rsa-sha1',
  digestAlgorithm: 'http://www.w3.org/2000/09/xmldsig#sha1',
};
const ATTACKER = 'persistent-id-of-the-attacker';
const VICTIM = 'persistent-id-of-the-boss';
const strange = newKeyPair('somebody else');
const attacker = { nameId: ATTACKER, attributes: { username: 'mallory' } };

/** The parts of a response that is signed for the attacker. */
interface Parts {
  readonly response: string;
  readonly assertion: string;
  /** Without the signature, of the victim, with another id. */
  readonly forged: string;
  readonly signature: string;
}

function partsOf(response: string): Parts {
  const assertion = /<saml:Assertion[\s\S]*<\/saml:Assertion>/.exec(response)?.[0] ?? '';
  const signature = /<ds:Signature[\s\S]*?<\/ds:Signature>/.exec(assertion)?.[0] ?? '';
  const forged = assertion
    .replace(signature, '')
    .replace(ATTACKER, VICTIM)
    .replace('mallory', 'victim')
    .replace(/ ID="[^"]+"/, ' ID="_forged"');
  return { response, assertion, forged, signature };
}

const inside = (parent: string, child: string): string =>
  parent.replace(/<\/saml:Assertion>$/, `${child}</saml:Assertion>`);
const signedBy = (parent: string, signature: string): string =>
  parent.replace('</saml:Issuer>', `</saml:Issuer>${signature}`);
const withObject = (signature: string, content: string): string =>
  signature.replace('</ds:Signature>', `<ds:Object>${content}</ds:Object></ds:Signature>`);

/** Signature wrapping (Somorovsky and others, "On Breaking SAML", 2012): XSW3 to XSW8 move assertions. */
const wrappings: Readonly<Record<string, (parts: Parts) => string>> = {
  'XSW3: a forged assertion before the signed one': ({ response, assertion, forged }) =>
    response.replace(assertion, forged + assertion),
  'a forged assertion after the signed one': ({ response, assertion, forged }) =>
    response.replace(assertion, assertion + forged),
  'XSW4: the signed assertion inside of the forged one': ({ response, assertion, forged }) =>
    response.replace(assertion, inside(forged, assertion)),
  'XSW5: the signature in the forged assertion, the signed one at the end': ({
    response,
    assertion,
    forged,
    signature,
  }) => response.replace(assertion, signedBy(forged, signature) + assertion.replace(signature, '')),
  'XSW6: the signed assertion in the signature of the forged one': ({ response, assertion, forged, signature }) =>
    response.replace(
      assertion,
      signedBy(forged, signature.replace('</ds:Signature>', `${assertion.replace(signature, '')}</ds:Signature>`)),
    ),
  'XSW7: the forged assertion in extensions': ({ response, assertion, forged }) =>
    response.replace(assertion, `<samlp:Extensions>${forged}</samlp:Extensions>${assertion}`),
  'XSW8: the signed assertion in an object of the signature': ({ response, assertion, forged, signature }) =>
    response.replace(assertion, signedBy(forged, withObject(signature, assertion.replace(signature, '')))),
  'a forged assertion with the id of the signed one': ({ response, assertion, forged }) =>
    response.replace(assertion, forged.replace('_forged', / ID="([^"]+)"/.exec(assertion)?.[1] ?? '') + assertion),
  'a forged assertion of another namespace': ({ response, assertion, forged }) =>
    response.replace(assertion, forged.replaceAll('saml:', 'x:').replace('xmlns:saml', 'xmlns:x') + assertion),
  'a second signature of the same assertion': ({ response, signature }) =>
    response.replace(signature, signature + signature),
  'a signature in the NameID, which verifiers take out': ({ response, signature }) =>
    response.replace(ATTACKER, `${VICTIM}${signature}`),
  'a comment in the NameID': ({ response }) =>
    response.replace(ATTACKER, `${ATTACKER.slice(0, 10)}<!---->${ATTACKER.slice(10)}`),
  'CDATA in the NameID': ({ response }) => response.replace(ATTACKER, `<![CDATA[${ATTACKER}]]>`),
  'a processing instruction in the NameID': ({ response }) => response.replace(ATTACKER, `${ATTACKER}<?x y?>`),
  'a document type with an entity': ({ response }) =>
    `<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]>${response.replace(ATTACKER, '&x;')}`,
  'entities that grow': ({ response }) =>
    `<!DOCTYPE r [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;">]>${response.replace(ATTACKER, '&b;')}`,
  'a name that was changed after it was signed': ({ response }) => response.replace(ATTACKER, VICTIM),
  'no signature any more': ({ response, signature }) => response.replace(signature, ''),
};

/** XSW1 and XSW2 move the whole response. */
const responseWrappings: Readonly<Record<string, (response: string, signature: string) => string>> = {
  'XSW1: the signed response in the signature of the forged one': (response, signature) =>
    forgedResponse(response, signature).replace(
      signature,
      withObject(signature, response.replace(signature, '').replace(/<\?xml[^>]*>/, '')),
    ),
  'XSW2: the signed response before the signature of the forged one': (response, signature) =>
    forgedResponse(response, signature).replace(signature, response.replace(signature, '') + signature),
};

function forgedResponse(response: string, signature: string): string {
  const [head = '', tail = ''] = response.split(signature);
  const forge = (part: string): string =>
    part
      .replace(ATTACKER, VICTIM)
      .replace('mallory', 'victim')
      .replace(/ ID="[^"]+"/g, () => ` ID="${newId()}"`);
  return forge(head) + signature + forge(tail);
}

const wrong: Readonly<Record<string, Change>> = {
  'is not signed': { sign: 'neither' },
  'is signed with a strange key': { key: strange },
  'is signed with a strange key, which is named as that of the provider': {
    key: { key: strange.key, certificate: '' },
  },
  'is signed with SHA-1': SHA1,
  'is signed with a digest of SHA-1': { digestAlgorithm: SHA1.digestAlgorithm },
  'is signed with HMAC': { signatureAlgorithm: 'http://www.w3.org/2000/09/xmldsig#hmac-sha1' },
  'is for another audience': { audience: 'https://other.example/sp' },
  'was sent to another address': { destination: 'https://other.example/acs' },
  'is for another recipient': { recipient: 'https://other.example/acs' },
  'is of another issuer': { issuer: 'https://other.example/idp' },
  'has expired': { notBefore: -600, notOnOrAfter: -300 },
  'is not valid yet': { notBefore: 300, notOnOrAfter: 600 },
  'answers another request': { inResponseTo: '_another' },
  'has a subject that answers another request': { subjectInResponseTo: '_another' },
  'has a subject that answers none': { subjectInResponseTo: undefined },
  'is not confirmed for the bearer': { confirmationMethod: 'urn:oasis:names:tc:SAML:2.0:cm:sender-vouches' },
  'has no audience': {
    assertionXml: (xml) => xml.replace(/<saml:AudienceRestriction>.*?<\/saml:AudienceRestriction>/, ''),
  },
  'has no conditions': { assertionXml: (xml) => xml.replace(/<saml:Conditions.*<\/saml:Conditions>/, '') },
  'has a condition that is not known': {
    assertionXml: (xml) => xml.replace('<saml:AudienceRestriction>', '<saml:Delegation/><saml:AudienceRestriction>'),
  },
  'has a confirmation without an end': {
    assertionXml: (xml) => xml.replace(/(<saml:SubjectConfirmationData) NotOnOrAfter="[^"]+"/, '$1'),
  },
  'has no login': { assertionXml: (xml) => xml.replace(/<saml:AuthnStatement.*<\/saml:AuthnStatement>/, '') },
  'is of a session that has ended': {
    assertionXml: (xml) => xml.replace('SessionIndex=', 'SessionNotOnOrAfter="2020-01-01T00:00:00Z" SessionIndex='),
  },
  'has two subjects': { assertionXml: (xml) => xml.replace(/(<saml:Subject>.*<\/saml:Subject>)/, '$1$1') },
  'has a NameID with elements': { nameId: 'persistent-id<saml:x>-of-</saml:x>ada' },
  'has times that are none': { assertionXml: (xml) => xml.replace(/NotBefore="[^"]+"/, 'NotBefore="yesterday"') },
};

describe('A response of SAML', () => {
  const setup = new SamlSetup();
  const failed = '/login?errorOAuth=saml2AuthenticationError';
  const path = ({ pathname, search, hash }: URL): string => pathname + search + hash;

  before(async () => {
    await setup.start();
    await setup.token({ nameId: VICTIM, attributes: { username: 'victim' } });
  });
  after(() => setup.stop());

  for (const [how, change] of Object.entries(wrong))
    it(`is refused when it ${how}`, async () => {
      expect(path(await setup.logIn(change))).to.equal(failed);
    });

  for (const how of ['is signed with a strange key', 'is not signed', 'is for another audience', 'has expired'])
    it(`is refused when its assertion is encrypted and ${how}`, async () => {
      expect(path(await setup.logIn({ ...wrong[how], encryptFor: setup.own.certificate }))).to.equal(failed);
    });

  it('is refused when what is encrypted is signed with SHA-1, has a comment, or another assertion', async () => {
    const encryptFor = setup.own.certificate;
    expect(path(await setup.logIn({ ...SHA1, encryptFor }))).to.equal(failed);
    for (const assertionXml of [
      (xml: string) => xml.replace('<saml:Issuer>', '<!-- --><saml:Issuer>'),
      (xml: string) => inside(xml, xml.replace(/ ID="[^"]+"/, ` ID="${newId()}"`)),
    ])
      expect(path(await setup.logIn({ assertionXml, encryptFor, sign: 'response' }))).to.equal(failed);
  });

  it('is refused when it is encrypted with algorithms that leak, or for another key', async () => {
    const key = 'http://www.w3.org/2001/04/xmlenc#rsa-1_5';
    const content = 'http://www.w3.org/2001/04/xmlenc#aes128-cbc';
    const encryptFor = setup.own.certificate;
    expect(path(await setup.logIn({ encryptFor, encryption: { content, key } }))).to.equal(failed);
    expect(path(await setup.logIn({ encryptFor: strange.certificate }))).to.equal(failed);
  });

  const send1 = async (make: (answer: Answer) => Promise<string>, change: Change): Promise<URL> => {
    const browser = new RedirectBrowser();
    const asked = await setup.begin(browser);
    const xml = await make(setup.issuer.answerTo(asked, change));
    const { url } = await setup.deliver(browser, Buffer.from(xml).toString('base64'), asked.relayState);
    return url;
  };

  for (const [how, wrap] of Object.entries(wrappings))
    it(`is refused with ${how}`, async () => {
      for (const sign of ['assertion', 'both'] as const) {
        const url = await send1(async (answer) => wrap(partsOf(await setup.issuer.responseXml(answer))), {
          ...attacker,
          sign,
        });
        expect(path(url), sign).to.equal(failed);
      }
    });

  for (const [how, wrap] of Object.entries(responseWrappings))
    it(`is refused with ${how}`, async () => {
      const url = await send1(
        async (answer) => {
          const xml = await setup.issuer.responseXml(answer);
          return wrap(xml, /<ds:Signature[\s\S]*?<\/ds:Signature>/.exec(xml)?.[0] ?? '');
        },
        { ...attacker, sign: 'response' },
      );
      expect(path(url)).to.equal(failed);
    });

  it('is accepted as it was signed, so that the refusals above are for what was changed', async () => {
    tokenIn(await send1((answer) => setup.issuer.responseXml(answer), attacker));
    tokenIn(await send1((answer) => setup.issuer.responseXml(answer), { ...attacker, sign: 'both' }));
  });

  it('is refused when the certificate in its signature is a strange one', async () => {
    const url = await send1(async (answer) => {
      const xml = await setup.issuer.responseXml({ ...answer, sign: 'neither' });
      return signXml(xml, 'Assertion', { ...answer, key: strange });
    }, attacker);
    expect(path(url)).to.equal(failed);
  });

  it('is accepted once, also by another request of the same browser', async () => {
    const browser = new RedirectBrowser();
    const asked = await setup.begin(browser);
    const message = await setup.issuer.respond(asked);
    const form = [message, asked.relayState] as const;
    const cookies = browser.copy();
    tokenIn((await setup.deliver(browser, ...form)).url);
    expect(path((await setup.deliver(browser, ...form)).url)).to.equal('/login?errorOAuth=login_expired');
    // With the cookie that was removed: the assertion itself is remembered.
    expect(path((await setup.deliver(cookies, ...form)).url)).to.equal('/login?errorOAuth=login_expired');
  });

  it('is refused in another browser than the one that began the login', async () => {
    const asked = await setup.begin(new RedirectBrowser());
    const message = await setup.issuer.respond(asked);
    const { url } = await setup.deliver(new RedirectBrowser(), message, asked.relayState);
    expect(path(url)).to.equal('/login?errorOAuth=login_expired');
    const other = new RedirectBrowser();
    const own = await setup.begin(other);
    expect(path((await setup.deliver(other, message, own.relayState)).url)).to.equal(failed);
  });

  it('is refused when nobody asked for it', async () => {
    const own = {
      issuer: `${setup.server.url}/saml2/service-provider-metadata/quire`,
      acs: setup.acs,
      id: '',
      xml: '',
    };
    const message = await setup.issuer.respond({ ...own, relayState: '' }, { inResponseTo: undefined });
    const { url } = await setup.deliver(new RedirectBrowser(), message, 'https://evil.example/');
    expect(url.href).to.equal(`${setup.server.url}/login?errorOAuth=login_not_requested`);
  });

  it('that was made for another site is refused, also when the call says that this is its address', async () => {
    const answer = await send(`${setup.server.url}/saml2/authenticate/quire`, { headers: { host: 'evil.example' } });
    expect(answer.headers.location).to.equal(failed);
    const metadata = await send(`${setup.server.url}/saml2/service-provider-metadata/quire`, {
      headers: { host: 'evil.example' },
    });
    expect(metadata.status).to.equal(400);
    const browser = new RedirectBrowser();
    const asked = await setup.begin(browser);
    const site = 'http://evil.example';
    const change = {
      audience: `${site}/saml2/service-provider-metadata/quire`,
      destination: `${site}/login/saml2/sso/quire`,
      recipient: `${site}/login/saml2/sso/quire`,
    };
    const message = await setup.issuer.respond(asked, change);
    expect(path((await setup.deliver(browser, message, asked.relayState)).url)).to.equal(failed);
  });

  it('that is too large, or no message, is refused', async () => {
    const browser = new RedirectBrowser();
    const { relayState } = await setup.begin(browser);
    const form = (text: string) => setup.deliver(browser, text, relayState);
    expect((await form('A'.repeat(390_000))).url.search).to.equal('?errorOAuth=saml2AuthenticationError');
    expect((await form('A'.repeat(450_000))).answer.status).to.equal(400);
    expect((await form('A'.repeat(2_000_000))).answer.status).to.equal(413);
    for (const text of [
      '!',
      'PHg+',
      Buffer.from('<x/>').toString('base64'),
      Buffer.from([0xff, 0xfe]).toString('base64'),
    ])
      expect((await form(text)).url.search, text).to.equal('?errorOAuth=saml2AuthenticationError');
    const nested = `${'<a>'.repeat(5000)}${'</a>'.repeat(5000)}`;
    const deep = `<p:Response xmlns:p="urn:oasis:names:tc:SAML:2.0:protocol" Version="2.0">${nested}</p:Response>`;
    expect((await form(Buffer.from(deep).toString('base64'))).url.search).to.include('saml2AuthenticationError');
  });

  it('leaves the account of the victim alone', async () => {
    const user = await setup.user(await setup.token({ nameId: VICTIM, attributes: { username: 'victim' } }));
    expect(user).to.include({ username: 'victim' });
  });
});

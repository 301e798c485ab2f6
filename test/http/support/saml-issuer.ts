import { createSign, randomBytes, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { SignedXml } from 'xml-crypto';
import { encrypt } from 'xml-encryption';
import { newKeyPair, type KeyPair } from './saml-keys.js';

const PERSISTENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent';
export const TRANSIENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient';
const RSA_SHA256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256';
const PROTOCOL = 'urn:oasis:names:tc:SAML:2.0:protocol';
const ASSERTION = 'urn:oasis:names:tc:SAML:2.0:assertion';
const SHA256 = 'http://www.w3.org/2001/04/xmlenc#sha256';
const C14N = 'http://www.w3.org/2001/10/xml-exc-c14n#';
const ENVELOPED = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature';

/** What a login was asked for. */
export interface AskedLogin {
  readonly id: string;
  readonly issuer: string;
  readonly acs: string;
  readonly relayState: string;
  readonly xml: string;
}

/** What the issuer says; every member may be wrong. */
export interface Answer {
  inResponseTo: string | undefined;
  subjectInResponseTo: string | undefined;
  destination: string;
  recipient: string;
  audience: string;
  issuer: string;
  nameId: string;
  nameIdFormat: string;
  sessionIndex: string;
  context: string;
  attributes: Readonly<Record<string, string | readonly string[]>>;
  /** Seconds from now. */
  notBefore: number;
  notOnOrAfter: number;
  confirmationMethod: string;
  assertionId: string;
  status: string;
  key: KeyPair;
  signatureAlgorithm: string;
  digestAlgorithm: string;
  sign: 'assertion' | 'response' | 'both' | 'neither';
  encryptFor: string | undefined;
  encryption: { readonly content: string; readonly key: string };
  /** Changes the assertion before it is signed. */
  assertionXml: (xml: string) => string;
}

export type Change = Partial<Answer>;

/** An identity provider of SAML 2.0 that says what a test wants; its signatures are real. */
export class SamlIssuer {
  keys: KeyPair = newKeyPair('the identity provider of the test');
  /** In the metadata. */
  published: readonly string[] = [this.keys.certificate];
  /** Attributes of the root of the metadata. */
  metadataAttributes = '';
  /** Bindings in the metadata. */
  bindings: readonly ('HTTP-Redirect' | 'HTTP-POST')[] = ['HTTP-Redirect', 'HTTP-POST'];
  reads = 0;
  away = false;
  /** What its login page answers to a browser, without asking. */
  says: Change = {};

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async listen(): Promise<SamlIssuer> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const issuer = new SamlIssuer(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    server.on('request', (request, response) => {
      const address = new URL(request.url ?? '', issuer.url);
      if (address.pathname === '/SingleSignOnService/HTTP-Redirect') {
        void issuer.#loginPage(address).then((page) => response.setHeader('content-type', 'text/html').end(page));
        return;
      }
      issuer.reads += request.url === '/metadata' ? 1 : 0;
      const found = request.url === '/metadata' && !issuer.away;
      response.writeHead(found ? 200 : 503).end(found ? issuer.metadata() : '');
    });
    return issuer;
  }

  /** Sends the browser back, by a form that sends itself (SAML bindings, 3.5.4). */
  async #loginPage(address: URL): Promise<string> {
    const asked = askedBy(address);
    const fields = { SAMLResponse: await this.respond(asked, this.says), RelayState: asked.relayState };
    const inputs = Object.entries(fields).map(
      ([name, value]) => `<input type="hidden" name="${name}" value="${value}">`,
    );
    return (
      `<!doctype html><form method="post" action="${asked.acs}">${inputs.join('')}</form>` +
      '<script>document.forms[0].submit()</script>'
    );
  }

  get entityId(): string {
    return `${this.url}/entity`;
  }

  metadata(): string {
    const keys = this.published.map(
      (certificate) =>
        `<md:KeyDescriptor use="signing"><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data>` +
        `<ds:X509Certificate>${bare(certificate)}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>`,
    );
    const services = ['SingleLogoutService', 'SingleSignOnService'].flatMap((name) =>
      this.bindings.map(
        (one) =>
          `<md:${name} Binding="urn:oasis:names:tc:SAML:2.0:bindings:${one}" Location="${this.url}/${name}/${one}"/>`,
      ),
    );
    return (
      `<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${this.entityId}" ` +
      `${this.metadataAttributes}><md:IDPSSODescriptor protocolSupportEnumeration="${PROTOCOL}">` +
      `${keys.join('')}${services.join('')}</md:IDPSSODescriptor></md:EntityDescriptor>`
    );
  }

  /** Answers a login. */
  async respond(asked: AskedLogin, change: Change = {}): Promise<string> {
    return Buffer.from(await this.responseXml(this.answerTo(asked, change))).toString('base64');
  }

  answerTo({ id, issuer, acs }: Pick<AskedLogin, 'id' | 'issuer' | 'acs'>, change: Change = {}): Answer {
    return {
      inResponseTo: id,
      subjectInResponseTo: 'inResponseTo' in change ? change.inResponseTo : id,
      destination: acs,
      recipient: acs,
      audience: issuer,
      issuer: this.entityId,
      nameId: 'persistent-id-of-ada',
      nameIdFormat: PERSISTENT,
      sessionIndex: 'session-of-ada',
      context: 'urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport',
      attributes: { username: 'ada' },
      notBefore: -5,
      notOnOrAfter: 300,
      confirmationMethod: 'urn:oasis:names:tc:SAML:2.0:cm:bearer',
      assertionId: newId(),
      status: 'urn:oasis:names:tc:SAML:2.0:status:Success',
      key: this.keys,
      signatureAlgorithm: RSA_SHA256,
      digestAlgorithm: SHA256,
      sign: 'assertion',
      encryptFor: undefined,
      encryption: {
        content: 'http://www.w3.org/2009/xmlenc11#aes256-gcm',
        key: 'http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p',
      },
      assertionXml: (xml) => xml,
      ...change,
    };
  }

  async responseXml(answer: Answer): Promise<string> {
    const { sign, destination, inResponseTo, issuer, status, encryptFor, encryption } = answer;
    let assertion = answer.assertionXml(assertionXml(answer));
    if (sign === 'assertion' || sign === 'both') assertion = signXml(assertion, 'Assertion', answer);
    if (encryptFor !== undefined)
      assertion =
        `<saml:EncryptedAssertion xmlns:saml="${ASSERTION}">` +
        `${await encrypted(assertion, encryptFor, encryption)}</saml:EncryptedAssertion>`;
    const response =
      `<samlp:Response xmlns:samlp="${PROTOCOL}" xmlns:saml="${ASSERTION}" ID="${newId()}" Version="2.0" ` +
      `IssueInstant="${instant(0)}" Destination="${destination}"${optional('InResponseTo', inResponseTo)}>` +
      `<saml:Issuer>${issuer}</saml:Issuer><samlp:Status><samlp:StatusCode Value="${status}"/></samlp:Status>` +
      `${status.endsWith('Success') ? assertion : ''}</samlp:Response>`;
    return sign === 'response' || sign === 'both' ? signXml(response, 'Response', answer) : response;
  }

  /** A LogoutRequest; members may be wrong. */
  logoutRequest(
    destination: string,
    {
      sessions = ['session-of-ada'],
      nameId = 'persistent-id-of-ada',
      issued = 0,
      issuer = this.entityId,
    }: { sessions?: readonly string[]; nameId?: string; issued?: number; issuer?: string } = {},
  ): string {
    const indexes = sessions.map((one) => `<samlp:SessionIndex>${one}</samlp:SessionIndex>`).join('');
    return (
      `<samlp:LogoutRequest xmlns:samlp="${PROTOCOL}" xmlns:saml="${ASSERTION}" ID="${newId()}" Version="2.0" ` +
      `IssueInstant="${instant(issued)}" Destination="${destination}"><saml:Issuer>${issuer}</saml:Issuer>` +
      `<saml:NameID Format="${PERSISTENT}">${nameId}</saml:NameID>${indexes}</samlp:LogoutRequest>`
    );
  }

  logoutResponse(destination: string, status = 'Success'): string {
    return (
      `<samlp:LogoutResponse xmlns:samlp="${PROTOCOL}" xmlns:saml="${ASSERTION}" ID="${newId()}" Version="2.0" ` +
      `IssueInstant="${instant(0)}" Destination="${destination}" InResponseTo="_any"><saml:Issuer>${this.entityId}` +
      `</saml:Issuer><samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:${status}"/>` +
      `</samlp:Status></samlp:LogoutResponse>`
    );
  }

  /** A message in the POST binding. */
  posted(xml: string, name: string, key = this.keys): string {
    const how = { key, signatureAlgorithm: RSA_SHA256, digestAlgorithm: SHA256 };
    return Buffer.from(signXml(xml, name, how)).toString('base64');
  }

  /** The query of the redirect binding. */
  query(
    xml: string,
    field: 'SAMLRequest' | 'SAMLResponse',
    { key = this.keys, relayState = 'where it was' } = {},
  ): string {
    const parts = { [field]: deflateRawSync(xml).toString('base64'), RelayState: relayState, SigAlg: RSA_SHA256 };
    const signed = Object.entries(parts)
      .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
      .join('&');
    return `${signed}&Signature=${encodeURIComponent(createSign('sha256').update(signed).sign(key.key, 'base64'))}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}

/** Reads a login in the redirect binding. */
export function askedBy({ searchParams }: URL): AskedLogin {
  return askedIn(
    inflateRawSync(Buffer.from(searchParams.get('SAMLRequest') ?? '', 'base64')).toString(),
    searchParams.get('RelayState') ?? '',
  );
}

export function askedIn(xml: string, relayState: string): AskedLogin {
  const found = (pattern: RegExp): string => pattern.exec(xml)?.[1] ?? '';
  return {
    xml,
    relayState,
    id: found(/ ID="([^"]+)"/),
    issuer: found(/<saml:Issuer>([^<]+)</),
    acs: found(/AssertionConsumerServiceURL="([^"]+)"/),
  };
}

/** Signs the one element with this name, after its issuer, or at its end. */
export function signXml(
  xml: string,
  name: string,
  { key, signatureAlgorithm, digestAlgorithm }: Pick<Answer, 'key' | 'signatureAlgorithm' | 'digestAlgorithm'>,
): string {
  const signer = new SignedXml({
    // With HMAC the attacker takes what is public for the key.
    privateKey: signatureAlgorithm.endsWith('hmac-sha1') ? key.certificate : key.key,
    publicCert: key.certificate,
    signatureAlgorithm: signatureAlgorithm as 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    canonicalizationAlgorithm: C14N,
  });
  if (signatureAlgorithm.endsWith('hmac-sha1')) signer.enableHMAC();
  signer.addReference({
    xpath: `//*[local-name()='${name}']`,
    transforms: [ENVELOPED, C14N],
    digestAlgorithm: digestAlgorithm as typeof SHA256,
  });
  signer.computeSignature(xml, {
    location: { reference: `//*[local-name()='${name}']/*[local-name()='Issuer']`, action: 'after' },
    prefix: 'ds',
  });
  return signer.getSignedXml();
}

export function newId(): string {
  return `_${randomBytes(16).toString('hex')}`;
}

function assertionXml(answer: Answer): string {
  const { issuer, nameId, nameIdFormat, recipient, audience, context, sessionIndex, attributes } = answer;
  const [from, to] = [instant(answer.notBefore), instant(answer.notOnOrAfter)];
  const statements = Object.entries(attributes).map(
    ([name, values]) =>
      `<saml:Attribute Name="${name}">${[values]
        .flat()
        .map((value) => `<saml:AttributeValue>${value}</saml:AttributeValue>`)
        .join('')}</saml:Attribute>`,
  );
  return (
    `<saml:Assertion xmlns:saml="${ASSERTION}" ID="${answer.assertionId}" Version="2.0" IssueInstant="${instant(0)}">` +
    `<saml:Issuer>${issuer}</saml:Issuer><saml:Subject><saml:NameID Format="${nameIdFormat}">${nameId}</saml:NameID>` +
    `<saml:SubjectConfirmation Method="${answer.confirmationMethod}"><saml:SubjectConfirmationData ` +
    `NotOnOrAfter="${to}" Recipient="${recipient}"${optional('InResponseTo', answer.subjectInResponseTo)}/>` +
    `</saml:SubjectConfirmation></saml:Subject><saml:Conditions NotBefore="${from}" NotOnOrAfter="${to}">` +
    `<saml:AudienceRestriction><saml:Audience>${audience}</saml:Audience></saml:AudienceRestriction></saml:Conditions>` +
    `<saml:AuthnStatement AuthnInstant="${instant(0)}" SessionIndex="${sessionIndex}"><saml:AuthnContext>` +
    `<saml:AuthnContextClassRef>${context}</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>` +
    `<saml:AttributeStatement>${statements.join('')}</saml:AttributeStatement></saml:Assertion>`
  );
}

function encrypted(xml: string, certificate: string, { content, key }: Answer['encryption']): Promise<string> {
  const options = {
    rsa_pub: String(new X509Certificate(certificate).publicKey.export({ type: 'spki', format: 'pem' })),
    pem: certificate,
    encryptionAlgorithm: content,
    keyEncryptionAlgorithm: key,
    warnInsecureAlgorithm: false,
  };
  return new Promise((resolve, reject) => {
    encrypt(xml, options as Parameters<typeof encrypt>[1], (error, result) =>
      error === null || error === undefined ? resolve(String(result)) : reject(error),
    );
  });
}

function instant(seconds: number): string {
  return new Date(Date.now() + seconds * 1000).toISOString();
}

function optional(name: string, value: string | undefined): string {
  return value === undefined ? '' : ` ${name}="${value}"`;
}

function bare(certificate: string): string {
  return certificate.replace(/-----[A-Z ]+-----|\s+/g, '');
}

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { json, send } from './client.js';
import { startWithLogin } from './login.js';
import { RedirectBrowser, type Visit } from './redirect-browser.js';
import { askedBy, askedIn, SamlIssuer, type AskedLogin, type Change } from './saml-issuer.js';
import { newKeyPair, type KeyPair } from './saml-keys.js';
import type { TestServer } from './server.js';

export interface SamlUser {
  readonly username: string;
  readonly role: string;
  readonly authenticationType: string;
  readonly team?: { readonly name: string };
}

/** A server with SAML, and the identity provider of the test. */
export class SamlSetup {
  issuer!: SamlIssuer;
  server!: TestServer;
  readonly own: KeyPair = newKeyPair('quire');
  readonly folder = mkdtempSync(join(tmpdir(), 'quire-saml-test-'));

  /** `settings`: of `security.saml2`, beside the usual ones. */
  async start(
    settings: Readonly<Record<string, unknown>> = {},
    security: Readonly<Record<string, unknown>> = {},
    more: Readonly<Record<string, unknown>> = {},
  ): Promise<this> {
    this.issuer = await SamlIssuer.listen();
    this.server = await startWithLogin({ saml2: { ...this.settings(), ...settings }, ...security }, more);
    return this;
  }

  settings(): Record<string, unknown> {
    return {
      enabled: true,
      provider: 'Company',
      idpMetadataUri: `${this.issuer.url}/metadata`,
      privateKey: this.file('quire.key', this.own.key),
      spCert: this.file('quire.crt', this.own.certificate),
    };
  }

  file(name: string, content: string): string {
    const path = join(this.folder, name);
    writeFileSync(path, content);
    return path;
  }

  async stop(): Promise<void> {
    await this.server.stop();
    await this.issuer.close();
    rmSync(this.folder, { recursive: true });
  }

  get acs(): string {
    return `${this.server.url}/login/saml2/sso/quire`;
  }

  get slo(): string {
    return `${this.server.url}/logout/saml2/slo/quire`;
  }

  /** Begins a login; returns what the identity provider is asked for. */
  async begin(browser: RedirectBrowser, query = ''): Promise<AskedLogin> {
    const { url, answer } = await browser.visit(
      `${this.server.url}/saml2/authenticate/quire${query}`,
      ({ origin }) => origin === this.issuer.url,
    );
    if (url.origin === this.issuer.url) return askedBy(url);
    const field = (name: string): string =>
      new RegExp(`name="${name}" value="([^"]+)"`).exec(answer.body.toString())?.[1] ?? '';
    return askedIn(Buffer.from(field('SAMLRequest'), 'base64').toString(), field('RelayState'));
  }

  /** Sends a response, as the page of the identity provider does. */
  deliver(browser: RedirectBrowser, message: string, relayState: string): Promise<Visit> {
    return browser.submit(this.acs, { SAMLResponse: message, RelayState: relayState }, isEnd);
  }

  async logIn(change: Change = {}, browser = new RedirectBrowser()): Promise<URL> {
    const asked = await this.begin(browser);
    const { url, answer } = await this.deliver(browser, await this.issuer.respond(asked, change), asked.relayState);
    expect(answer.status, answer.body.toString()).to.equal(302);
    return url;
  }

  async token(change: Change = {}, browser = new RedirectBrowser()): Promise<string> {
    return tokenIn(await this.logIn(change, browser));
  }

  async user(token: string): Promise<SamlUser> {
    const answer = await send(`${this.server.url}/api/v1/auth/me`, { headers: { authorization: `Bearer ${token}` } });
    expect(answer.status, answer.body.toString()).to.equal(200);
    return json<{ user: SamlUser }>(answer).user;
  }

  async isIn(token: string): Promise<boolean> {
    const headers = { authorization: `Bearer ${token}` };
    return (await send(`${this.server.url}/api/v1/auth/me`, { headers })).status === 200;
  }
}

export function tokenIn(url: URL): string {
  const token = new URLSearchParams(url.hash.slice(1)).get('access_token');
  expect(token, url.href).to.be.a('string');
  return token ?? '';
}

function isEnd({ pathname, hash, search }: URL): boolean {
  return hash !== '' || search !== '' || pathname.endsWith('/auth/callback');
}

import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT, type JWK, type JWTPayload } from 'jose';

type KeyPair = Awaited<ReturnType<typeof generateKeyPair>>;

/** A provider that says whatever a test wants: its tokens may be wrong in every way. */
export class ForgingIssuer {
  /** Claims that are added to those of a right ID token; undefined removes one. */
  claims: Readonly<Record<string, unknown>> = {};
  userinfo: Readonly<Record<string, unknown>> = {};
  /** Signs with `none` (RFC 7519, 6). */
  unsigned = false;
  /** Signs with a key that is not among the published ones. */
  foreignKey = false;
  /** Names no key in tokens and among the published ones (RFC 7515, 4.1.4). */
  withoutKeyIds = false;
  /** Other keys that are published before the right one. */
  otherKeys = 0;
  /** Uses a new key for each ID token, right before it is signed. */
  rotatesBeforeSigning = false;
  /** `iss` of the answer to the browser (RFC 9207); undefined sends none. */
  answerIssuer: string | undefined;
  /** Parameters of the last request to the token endpoint. */
  tokenRequest = new URLSearchParams();
  /** `Authorization` of that request. */
  tokenAuthorization = '';
  /** Overrides of the metadata. */
  metadata: Readonly<Record<string, unknown>> = {};
  /** Answers nothing but 503. */
  down = false;
  /** Paths that were asked for. */
  readonly asked: string[] = [];
  #nonce = '';
  #key: KeyPair | undefined;
  #kid = 0;

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async listen(): Promise<ForgingIssuer> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const issuer = new ForgingIssuer(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    server.on('request', (request, response) => void issuer.#answer(request, response));
    await issuer.rotate();
    return issuer;
  }

  /** Uses a new key, and publishes no other. */
  async rotate(): Promise<void> {
    this.#key = await generateKeyPair('RS256', { extractable: true });
    this.#kid += 1;
  }

  reset(): void {
    Object.assign(this, { claims: {}, userinfo: {}, unsigned: false, foreignKey: false, metadata: {} });
    Object.assign(this, { withoutKeyIds: false, otherKeys: 0, rotatesBeforeSigning: false });
    this.answerIssuer = undefined;
  }

  /** Signs a token as this issuer does. */
  async sign(payload: JWTPayload, header: Readonly<Record<string, unknown>> = {}): Promise<string> {
    if (this.unsigned) return new UnsecuredJWT(payload).encode();
    const pair = this.foreignKey ? await generateKeyPair('RS256') : this.#pair;
    return new SignJWT(payload).setProtectedHeader({ alg: 'RS256', ...this.#keyName, ...header }).sign(pair.privateKey);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  get #pair(): KeyPair {
    if (this.#key === undefined) throw new Error('there is no key yet');
    return this.#key;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', this.url);
    this.asked.push(pathname);
    if (this.down) return void response.writeHead(503).end();
    const json = (value: unknown): void =>
      void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    if (pathname === '/.well-known/openid-configuration') return json(this.#metadata());
    if (pathname === '/keys') return json({ keys: await this.#publicKeys() });
    if (pathname === '/userinfo') return json({ sub: 'subject', ...this.userinfo });
    if (pathname === '/authorize') {
      this.#nonce = searchParams.get('nonce') ?? '';
      const back = new URL(searchParams.get('redirect_uri') ?? '');
      back.searchParams.set('code', 'a-code');
      back.searchParams.set('state', searchParams.get('state') ?? '');
      if (this.answerIssuer !== undefined) back.searchParams.set('iss', this.answerIssuer);
      return void response.writeHead(302, { location: back.href }).end();
    }
    if (pathname === '/token') {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      this.tokenRequest = new URLSearchParams(Buffer.concat(chunks).toString());
      this.tokenAuthorization = request.headers.authorization ?? '';
      if (this.rotatesBeforeSigning) await this.rotate();
      return json({
        access_token: 'an-access-token',
        token_type: 'Bearer',
        id_token: await this.sign(this.#payload()),
      });
    }
    response.writeHead(404).end();
  }

  #metadata(): Readonly<Record<string, unknown>> {
    return {
      issuer: this.url,
      authorization_endpoint: `${this.url}/authorize`,
      token_endpoint: `${this.url}/token`,
      userinfo_endpoint: `${this.url}/userinfo`,
      jwks_uri: `${this.url}/keys`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      authorization_response_iss_parameter_supported: this.answerIssuer !== undefined,
      ...this.metadata,
    };
  }

  #payload(): JWTPayload {
    const now = Math.floor(Date.now() / 1000);
    const right = { iss: this.url, sub: 'subject', aud: 'quire', iat: now, exp: now + 300, nonce: this.#nonce };
    const wanted: Record<string, unknown> = { ...right, preferred_username: 'somebody', ...this.claims };
    return Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined));
  }

  get #keyName(): { readonly kid?: string } {
    return this.withoutKeyIds ? {} : { kid: String(this.#kid) };
  }

  async #publicKeys(): Promise<JWK[]> {
    const keys: JWK[] = [];
    for (let number = 0; number < this.otherKeys; number++) {
      const { publicKey } = await generateKeyPair('RS256', { extractable: true });
      keys.push({ ...(await exportJWK(publicKey)), alg: 'RS256', use: 'sig' });
    }
    keys.push({ ...(await exportJWK(this.#pair.publicKey)), ...this.#keyName, alg: 'RS256', use: 'sig' });
    return keys;
  }
}

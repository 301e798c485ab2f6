import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, type JWTPayload } from 'jose';

/** An authorization server that signs access tokens and publishes its keys. */
export interface Issuer {
  readonly url: string;
  readonly jwksUri: string;
  /** Paths that were asked for, in order. */
  readonly asked: readonly string[];
  /** Signs claims; `iss`, `iat` and `exp` are set unless they are given. `stranger`: with an unpublished key. */
  sign(claims: JWTPayload, options?: { readonly stranger?: boolean }): Promise<string>;
  close(): Promise<void>;
}

/** Starts an authorization server on this machine. */
export async function startIssuer(): Promise<Issuer> {
  const [own, strange] = [await generateKeyPair('ES256'), await generateKeyPair('ES256')];
  const jwk = { ...(await exportJWK(own.publicKey)), kid: 'one', alg: 'ES256', use: 'sig' };
  const asked: string[] = [];
  let url = '';
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    const answers: Readonly<Record<string, object>> = {
      '/.well-known/openid-configuration': { issuer: url, jwks_uri: `${url}/keys` },
      '/keys': { keys: [jwk] },
    };
    const found = answers[request.url ?? ''];
    response.writeHead(found === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(found ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    jwksUri: `${url}/keys`,
    asked,
    sign(claims, { stranger = false } = {}) {
      const now = Math.floor(Date.now() / 1000);
      return new SignJWT({ iss: url, iat: now, exp: now + 600, ...claims })
        .setProtectedHeader({ alg: 'ES256', kid: 'one' })
        .sign(stranger ? strange.privateKey : own.privateKey);
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

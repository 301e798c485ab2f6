import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

export const REALM = 'quire-test';
export const clientId = 'quire';
export const clientSecret = 'the-secret-of-quire-at-keycloak';
export const admin = { username: 'master', password: 'the-password-of-the-master' };

/** A user of the realm. */
export interface KeycloakUser {
  readonly username: string;
  readonly password: string;
  readonly groups: readonly string[];
}

/** The first start of an installation builds it. */
const START_MS = 900_000;

/** A real Keycloak, in its development mode, with one realm. */
export class Keycloak {
  #child: ChildProcess | undefined;

  private constructor(
    private readonly home: string,
    private readonly port: number,
  ) {}

  static async prepare(home: string): Promise<Keycloak> {
    return new Keycloak(home, await freePort());
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get issuer(): string {
    return `${this.url}/realms/${REALM}`;
  }

  get samlMetadata(): string {
    return `${this.issuer}/protocol/saml/descriptor`;
  }

  /** Starts with a realm for the server at this address; `certificate`: of its SAML, PEM. */
  async start(
    site: string,
    { users, certificate }: { readonly users: readonly KeycloakUser[]; readonly certificate: string },
    log: string,
  ): Promise<void> {
    const folder = join(this.home, 'data', 'import');
    await rm(join(this.home, 'data'), { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, `${REALM}-realm.json`), JSON.stringify(realm(site, users, certificate)));
    const options = ['--http-host=127.0.0.1', `--http-port=${this.port}`, '--import-realm', `--log-file=${log}`];
    const child = spawn(join(this.home, 'bin', 'kc.sh'), ['start-dev', ...options, '--log=file'], {
      env: {
        ...process.env,
        KC_BOOTSTRAP_ADMIN_USERNAME: admin.username,
        KC_BOOTSTRAP_ADMIN_PASSWORD: admin.password,
        JAVA_OPTS_KC_HEAP: '-Xms64m -Xmx512m',
      },
      stdio: 'ignore',
      // Its script starts Java: both end together.
      detached: true,
    });
    this.#child = child;
    const until = performance.now() + START_MS;
    while (performance.now() < until && child.exitCode === null) {
      const answer = await fetch(`${this.issuer}/.well-known/openid-configuration`).catch(() => undefined);
      await answer?.arrayBuffer();
      if (answer?.ok === true) return this.#warmUp(site);
      await delay(500);
    }
    throw new Error(`Keycloak did not start; see ${log}`);
  }

  /** The first page takes Keycloak half a minute on a busy machine. */
  async #warmUp(site: string): Promise<void> {
    const asked = { client_id: clientId, response_type: 'code', redirect_uri: `${site}/login/oauth2/code/keycloak` };
    const page = await fetch(`${this.issuer}/protocol/openid-connect/auth?${new URLSearchParams(asked).toString()}`);
    await page.arrayBuffer();
  }

  /** Calls the administration (Keycloak Admin REST API). */
  async administer(method: string, path: string, body?: object): Promise<unknown> {
    const form = new URLSearchParams({ grant_type: 'password', client_id: 'admin-cli', ...admin });
    const token = await fetch(`${this.url}/realms/master/protocol/openid-connect/token`, {
      method: 'POST',
      body: form,
    });
    const { access_token: bearer } = (await token.json()) as { readonly access_token: string };
    const answer = await fetch(`${this.url}/admin/realms/${REALM}/${path}`, {
      method,
      headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    const text = await answer.text();
    return text === '' ? undefined : JSON.parse(text);
  }

  async stop(): Promise<void> {
    const child = this.#child;
    if (child?.pid === undefined || child.exitCode !== null) return;
    process.kill(-child.pid, 'SIGKILL');
    await once(child, 'exit');
  }
}

function realm(site: string, users: readonly KeycloakUser[], certificate: string): object {
  return {
    realm: REALM,
    enabled: true,
    sslRequired: 'none',
    groups: [...new Set(users.flatMap(({ groups }) => groups))].map((name) => ({ name })),
    users: users.map(({ username, password, groups }) => ({
      username,
      enabled: true,
      email: `${username}@example.org`,
      emailVerified: true,
      firstName: username,
      lastName: 'of the test',
      groups,
      credentials: [{ type: 'password', value: password, temporary: false }],
    })),
    clients: [
      {
        clientId,
        secret: clientSecret,
        publicClient: false,
        standardFlowEnabled: true,
        redirectUris: [`${site}/login/oauth2/code/keycloak`],
        attributes: {
          'post.logout.redirect.uris': `${site}/login?logout=true`,
          'pkce.code.challenge.method': 'S256',
          'backchannel.logout.url': `${site}/logout/connect/back-channel/keycloak`,
          'backchannel.logout.session.required': 'true',
        },
        protocolMappers: [
          {
            name: 'groups',
            protocol: 'openid-connect',
            protocolMapper: 'oidc-group-membership-mapper',
            config: {
              'claim.name': 'groups',
              'full.path': 'false',
              'id.token.claim': 'true',
              'userinfo.token.claim': 'true',
            },
          },
        ],
      },
      samlClient(site, certificate.replace(/-----[A-Z ]+-----|\s+/g, '')),
    ],
  };
}

/** Signs the response, encrypts the assertion, and ends sessions without the browser. */
function samlClient(site: string, certificate: string): object {
  const logout = `${site}/logout/saml2/slo/quire`;
  return {
    clientId: `${site}/saml2/service-provider-metadata/quire`,
    protocol: 'saml',
    frontchannelLogout: false,
    redirectUris: [`${site}/login/saml2/sso/quire`],
    attributes: {
      'saml.server.signature': 'true',
      'saml.assertion.signature': 'false',
      'saml.client.signature': 'true',
      'saml.signing.certificate': certificate,
      'saml.encrypt': 'true',
      'saml.encryption.certificate': certificate,
      'saml.encryption.algorithm': 'http://www.w3.org/2009/xmlenc11#aes256-gcm',
      'saml.encryption.keyAlgorithm': 'http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p',
      'saml.encryption.digestMethod': 'http://www.w3.org/2000/09/xmldsig#sha1',
      'saml.signature.algorithm': 'RSA_SHA256',
      'saml.authnstatement': 'true',
      'saml.force.post.binding': 'true',
      saml_single_logout_service_url_post: logout,
      saml_single_logout_service_url_redirect: logout,
    },
    protocolMappers: [
      {
        name: 'username',
        protocol: 'saml',
        protocolMapper: 'saml-user-property-mapper',
        config: { 'user.attribute': 'username', 'attribute.name': 'username', 'attribute.nameformat': 'Basic' },
      },
      {
        name: 'groups',
        protocol: 'saml',
        protocolMapper: 'saml-group-membership-mapper',
        config: { 'attribute.name': 'groups', single: 'true', 'full.path': 'false', 'attribute.nameformat': 'Basic' },
      },
    ],
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

import { X509Certificate } from 'node:crypto';
import type { ChildProcess } from 'node:child_process';
import { readFile, rm, writeFile, mkdtemp } from 'node:fs/promises';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { Authority, openssl, type Issued } from '../../pki/index.js';
import { expectProblem, json, send, type Answer } from '../support/client.js';
import { addUser, bossName, firstSessionOf, keyOf, sessionOf, setEnabled, startWithLogin } from '../support/login.js';
import { answers, freePort, hasNginx, startNginx, stopNginx } from '../support/nginx.js';
import { sendRaw } from '../support/raw-call.js';
import { until, type TestServer } from '../support/server.js';

/** The proxy has this address, everybody else another one of this machine. */
const proxyAddress = '127.0.0.2';
const secret = 'a-secret-of-the-proxy-0123456789';
const client = ['basicConstraints=critical,CA:FALSE', 'extendedKeyUsage=clientAuth'];
const YEAR_MS = 365 * 86_400_000;

describe('Client certificates that a trusted proxy hands on', function () {
  this.timeout(60_000);
  let folder: string;
  let office: Authority;
  let stranger: Authority;
  let robot: Issued;
  let server: TestServer;
  let boss: { readonly authorization: string };

  type Headers = readonly (readonly [string, string])[];
  const certify = (name: string, names: readonly string[], more: object = {}): Promise<Issued> =>
    office.issue({ name, extensions: [...client, ...names.map((each) => `subjectAltName=${each}`)], ...more });
  const escaped = (certificate: Buffer): string => encodeURIComponent(new X509Certificate(certificate).toString());
  const call = (
    headers: Headers,
    { from = proxyAddress, path = '/api/v1/auth/me', method = 'GET', vouched = true } = {},
  ): Promise<Answer> =>
    sendRaw(`${server.url}${path}`, {
      method,
      from,
      headers: [...(vouched ? [['x-quire-proxy-secret', secret] as const] : []), ...headers],
    });
  const nameIn = (answer: Answer): string => {
    expect(answer.status, answer.body.toString()).to.equal(200);
    return json<{ user: { username: string } }>(answer).user.username;
  };

  before(async function create() {
    folder = await mkdtemp(join(tmpdir(), 'quire-client-certificates-'));
    await openssl(folder, ['version']).catch(() => this.skip());
    office = await Authority.root(join(folder, 'office'), { name: 'Office' });
    stranger = await Authority.root(join(folder, 'stranger'), { name: 'Office' });
    robot = await certify('robot', ['DNS:robot.example.org']);
    const other = await certify('other', []);
    const fingerprint = new X509Certificate(other.certificate).fingerprint256;
    await writeFile(join(folder, 'other.pem'), await readFile(other.certificateFile));
    server = await startWithLogin({
      proxyLogin: { trustedProxies: [proxyAddress], secret },
      clientCertificates: {
        header: 'ssl-client-cert',
        caFile: office.own.certificateFile,
        accounts: [
          'dns:robot.example.org=robot',
          `fingerprint:${fingerprint}=robot`,
          'uri:spiffe://example.org/robot=robot',
          'email:nobody@example.org=nobody',
          'email:built@example.org=CUSTOM_API_USER',
        ],
      },
    });
    boss = await sessionOf(server);
    const { password } = await addUser(server, boss, 'robot');
    await firstSessionOf(server, 'robot', password, 'a new password of robot');
  });
  after(async () => {
    await server?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('log in the account that the administrator has entered, in the forms of nginx, Envoy and RFC 9440', async () => {
    const pem = escaped(robot.certificate);
    const der = new X509Certificate(robot.certificate).raw.toString('base64');
    for (const value of [
      pem,
      `:${der}:`,
      `By=spiffe://x;Hash=abc;Cert="${pem}";Subject="CN=a, b";URI=spiffe://y;DNS=z`,
    ])
      expect(nameIn(await call([['ssl-client-cert', value]])), value.slice(0, 20)).to.equal('robot');
    const byUri = await certify('uri', ['URI:spiffe://example.org/robot']);
    expect(nameIn(await call([['ssl-client-cert', escaped(byUri.certificate)]]))).to.equal('robot');
    const byFingerprint = escaped(await readFile(join(folder, 'other.pem')));
    expect(nameIn(await call([['ssl-client-cert', byFingerprint]]))).to.equal('robot');
  });

  it('count less than a key or a session', async () => {
    const certificate = ['ssl-client-cert', escaped(robot.certificate)] as const;
    const key = await keyOf(server, boss);
    expect(nameIn(await call([certificate, ['x-api-key', key]]))).to.equal(bossName);
    expect(nameIn(await call([certificate, ['authorization', boss.authorization]]))).to.equal(bossName);
    expectProblem(await call([certificate, ['x-api-key', 'wrong']]), 401, 'KEY_INVALID');
    expectProblem(await call([certificate], { path: '/api/v1/auth/sessions' }), 403, 'SESSION_REQUIRED');
  });

  it('do not count from anywhere else, or without the secret', async () => {
    const certificate = ['ssl-client-cert', escaped(robot.certificate)] as const;
    expectProblem(await call([certificate], { from: '127.0.0.1' }), 401, 'KEY_INVALID');
    expectProblem(await call([certificate], { vouched: false }), 401, 'KEY_INVALID');
    expectProblem(await call([['ssl-client-cert', '']]), 401, 'KEY_INVALID');
    expectProblem(await call([]), 401, 'KEY_INVALID');
  });

  it('are checked here too', async () => {
    const now = Date.now();
    // One name that looks like three where names are joined.
    const spoofed = await office.issue({
      name: 'spoofed',
      extensions: [...client, 'subjectAltName=@names', '[names]', 'URI.1=http://x/, DNS:robot.example.org, DNS:y'],
    });
    expect(new X509Certificate(spoofed.certificate).subjectAltName).to.contain('DNS:robot.example.org');
    const cases: readonly (readonly [RegExp, Promise<Issued> | Issued])[] = [
      [
        /none of the accepted authorities/,
        stranger.issue({ name: 'robot', extensions: [...client, 'subjectAltName=DNS:robot.example.org'] }),
      ],
      [
        /has expired/,
        certify('old', ['DNS:robot.example.org'], { from: new Date(now - YEAR_MS), to: new Date(now - 86_400_000) }),
      ],
      [
        /not valid yet/,
        certify('new', ['DNS:robot.example.org'], { from: new Date(now + 86_400_000), to: new Date(now + YEAR_MS) }),
      ],
      [
        /not for TLS clients/,
        office.issue({ name: 'server', purpose: 'server', extensions: ['subjectAltName=DNS:robot.example.org'] }),
      ],
      [/certificate of an authority/, office.own],
      [/no account of this server/, certify('unknown', ['DNS:unknown.example.org'])],
      [/no account of this server/, certify('robot.example.org', [])],
      [/no account of this server/, certify('gone', ['email:nobody@example.org'])],
      [/no account of this server/, certify('built', ['email:built@example.org'])],
      [/no account of this server/, spoofed],
    ];
    for (const [reason, issued] of cases) {
      const { name, certificate } = await issued;
      const answer = await call([['ssl-client-cert', escaped(certificate)]]);
      expect(answer.status, `${name}: ${reason.source}`).to.equal(401);
      expect(expectProblem(answer, 401, 'CLIENT_CERTIFICATE_INVALID').detail).to.match(reason);
    }
  });

  it('are refused when the header cannot be used', async () => {
    const pem = escaped(robot.certificate);
    for (const [reason, ...headers] of [
      [/header cannot be used/, ['ssl-client-cert', pem], ['ssl-client-cert', pem]],
      [/header cannot be used/, ['ssl-client-cert', pem], ['ssl_client_cert', pem]],
      [/cannot be read/, ['ssl-client-cert', pem.replace('MII', 'XXX')]],
      [/cannot be read/, ['ssl-client-cert', ':AAAA:']],
      [/there is more than one/, ['ssl-client-cert', `Cert="${pem}";DNS=a,Cert="${pem}"`]],
      [/has no certificate/, ['ssl-client-cert', 'Hash=abc;Subject="CN=robot.example.org"']],
      [/not URL-encoded/, ['ssl-client-cert', 'Cert="%E0%A4%A"']],
    ] as const)
      expect(expectProblem(await call(headers), 401, 'CLIENT_CERTIFICATE_INVALID').detail).to.match(reason);
  });

  it('do nothing for pages of other sites: a browser shows them to every site', async () => {
    const certificate = ['ssl-client-cert', escaped(robot.certificate)] as const;
    for (const header of [
      ['origin', 'https://evil.example'],
      ['sec-fetch-site', 'cross-site'],
    ] as const)
      for (const [method, path] of [
        ['GET', '/api/v1/auth/me'],
        ['POST', '/api/v1/general/rotate-pdf'],
      ] as const)
        expectProblem(await call([certificate, header], { method, path }), 403, 'CROSS_SITE_REFUSED');
    expect((await call([certificate], { method: 'POST', path: '/api/v1/general/rotate-pdf' })).status).to.equal(415);
  });

  it('of a disabled account get 403, and public addresses do not mind', async () => {
    const certificate = ['ssl-client-cert', escaped(robot.certificate)] as const;
    await setEnabled(server, boss, 'robot', false);
    try {
      expectProblem(await call([certificate]), 403, 'ACCOUNT_DISABLED');
      expect((await call([certificate], { path: '/api/v1/info/status' })).status).to.equal(200);
    } finally {
      await setEnabled(server, boss, 'robot', true);
    }
  });

  it('that are refused are explained to the administrator', async () => {
    const unknown = await certify('unknown', ['DNS:some.machine.example']);
    await call([['ssl-client-cert', escaped(unknown.certificate)]]);
    const events = await send(
      `${server.url}/api/v1/proprietary/ui-data/audit-events?eventType=USER_FAILED_LOGIN&pageSize=100`,
      { headers: boss },
    );
    expect(events.body.toString()).to.contain('has no entry for fingerprint:').and.contain('dns:some.machine.example');
  });

  it('stop the start when authorities or accounts cannot be used', async () => {
    const header = 'client-cert';
    const proxyLogin = { trustedProxies: [proxyAddress] };
    const caFile = office.own.certificateFile;
    for (const [security, told] of [
      [{ clientCertificates: { header, caFile } }, /needs security\.proxyLogin\.trustedProxies/],
      [{ proxyLogin, clientCertificates: { header } }, /caFile: "" cannot be used/],
      [{ proxyLogin, clientCertificates: { header, caFile: robot.certificateFile } }, /not every certificate/],
      [{ proxyLogin, clientCertificates: { header, caFile, accounts: ['robot=robot'] } }, /write fingerprint:/],
    ] as const) {
      const error = await startWithLogin(security).then(
        async (started) => started.stop(),
        (reason: unknown) => reason,
      );
      expect((error as Error | undefined)?.message).to.match(told);
    }
  });

  describe('by nginx, as the guide configures it', function () {
    if (!hasNginx) return it('needs nginx');
    let nginx: ChildProcess | undefined;
    let port: number;

    before(async () => {
      const site = await office.issue({ name: 'site', purpose: 'server', key: 'rsa2048' });
      port = await freePort();
      nginx = await startNginx(
        folder,
        `server {
          listen 127.0.0.1:${port} ssl;
          ssl_certificate ${site.certificateFile};
          ssl_certificate_key ${site.keyFile};
          ssl_client_certificate ${office.own.certificateFile};
          ssl_verify_client optional;
          location / {
            proxy_pass ${server.url};
            proxy_bind ${proxyAddress};
            proxy_set_header Host $http_host;
            proxy_set_header ssl-client-cert $ssl_client_escaped_cert;
            proxy_set_header X-Quire-Proxy-Secret ${secret};
          }
        }`,
      );
      await until('nginx answers', () => answers(port));
    });
    after(() => stopNginx(nginx));

    const secure = async (own: Issued | undefined, headers: Readonly<Record<string, string>> = {}): Promise<Answer> => {
      const files =
        own === undefined ? {} : { key: await readFile(own.keyFile), cert: await readFile(own.certificateFile) };
      const ca = await readFile(office.own.certificateFile);
      return new Promise((resolve, reject) => {
        const options = { host: '127.0.0.1', port, path: '/api/v1/auth/me', headers, ca, agent: false, ...files };
        const sent = request(options, (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.once('end', () =>
            resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
          );
        });
        sent.once('error', reject);
        sent.end();
      });
    };

    it('log a client in by its TLS connection, and nobody by a header', async () => {
      expect(nameIn(await secure(robot))).to.equal('robot');
      const forged = { 'ssl-client-cert': escaped(robot.certificate), ssl_client_cert: escaped(robot.certificate) };
      expectProblem(await secure(undefined, forged), 401, 'KEY_INVALID');
      const unknown = await certify('unknown', ['DNS:unknown.example.org']);
      expectProblem(await secure(unknown, forged), 401, 'CLIENT_CERTIFICATE_INVALID');
    });
  });
});

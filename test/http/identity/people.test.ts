import { expect } from 'chai';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CertifiedIssuer, clientId, clientSecret } from '../support/certified-issuer.js';
import { json, send, type Answer } from '../support/client.js';
import { addUser, bossName, keyOf, sendFields, sendJson, sessionOf, startWithLogin } from '../support/login.js';
import { PictureHost } from '../support/picture-host.js';
import { RedirectBrowser } from '../support/redirect-browser.js';
import { ScimClient, scimToken } from '../support/scim.js';
import { productRoot, until, type TestServer } from '../support/server.js';

const fixtures = join(productRoot, 'plugins/convert/fixtures');
const jpeg = readFileSync(join(fixtures, 'photo.jpg'));
const webp = readFileSync(join(fixtures, 'shapes.webp'));
const gif = readFileSync(join(fixtures, 'shapes.gif'));
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

interface Person {
  readonly id: number;
  readonly username: string;
  readonly displayName: string | null;
  readonly pictureVersion: string | null;
}
type Headers = Readonly<Record<string, string>>;

describe('Names and pictures of people', () => {
  let issuer: CertifiedIssuer;
  let host: PictureHost;
  let server: TestServer;
  let boss: Headers;
  let subject = 0;

  const logIn = async (claims: Readonly<Record<string, unknown>>, name = `user${++subject}`): Promise<Headers> => {
    issuer.user = { sub: `subject-of-${name}`, preferred_username: name, ...claims };
    const { url } = await new RedirectBrowser().visit(`${server.url}/oauth2/authorization/keycloak`, (at) =>
      at.pathname.endsWith('/auth/callback'),
    );
    const token = new URLSearchParams(url.hash.slice(1)).get('access_token');
    expect(token, url.href).to.be.a('string');
    return { authorization: `Bearer ${token}` };
  };
  const me = async (headers: Headers): Promise<Person> =>
    json<{ user: Person }>(await send(`${server.url}/api/v1/auth/me`, { headers })).user;
  const picture = (id: number, headers: Headers, more = ''): Promise<Answer> =>
    send(`${server.url}/api/v1/user/pictures/${id}${more}`, { headers });
  /** Waits until the picture of a login has come. */
  const pictured = async (headers: Headers, before: string | null = null): Promise<Person> => {
    await until('the picture has come', async () => (await me(headers)).pictureVersion !== before);
    return me(headers);
  };
  /** Logs in with a picture that is not kept; resolves when it was asked for. */
  const refused = async (url: string): Promise<Person> => {
    const path = new URL(url).pathname;
    const headers = await logIn({ picture: url });
    await until(`${path} was asked for`, () => host.asked.includes(path));
    // Another picture, of which it is known when it has been dealt with.
    await pictured(await logIn({ picture: host.has('/known.png', png) }));
    return me(headers);
  };

  before(async () => {
    [issuer, host] = await Promise.all([CertifiedIssuer.listen(), PictureHost.listen()]);
    server = await startWithLogin(
      { oauth2: { enabled: true, client: { keycloak: { issuer: issuer.url, clientId, clientSecret } } } },
      { ...host.settings, storage: { signing: { userListScope: 'team' } }, scim: { enabled: true, token: scimToken } },
    );
    issuer.serve(server.url, 'keycloak');
    boss = await sessionOf(server);
  });
  beforeEach(() => (host.asked.length = 0));
  after(async () => {
    await server.stop();
    await Promise.all([issuer.close(), host.close()]);
  });

  describe('a name', () => {
    it('is taken over at each login, beside the user name', async () => {
      const first = await logIn({ name: 'Ada Lovelace' }, 'ada');
      expect(await me(first)).to.include({ username: 'ada', displayName: 'Ada Lovelace' });
      await logIn({ name: 'Ada King' }, 'ada');
      expect(await me(first)).to.include({ username: 'ada', displayName: 'Ada King' });
      await logIn({}, 'ada');
      expect(await me(first)).to.include({ displayName: 'Ada King' });
    });

    it('is in the lists of users, and on the account page', async () => {
      const own = await logIn({ name: 'Grace Hopper' }, 'grace');
      const read = async (path: string, headers: Headers): Promise<unknown> =>
        json(await send(`${server.url}/api/v1/${path}`, { headers }));
      const { users } = (await read('proprietary/ui-data/admin-settings', boss)) as { users: readonly Person[] };
      expect(users.find(({ username }) => username === 'grace')).to.include({ displayName: 'Grace Hopper' });
      expect(users.find(({ username }) => username === bossName)).to.include({ displayName: null });
      expect(await read('proprietary/ui-data/account', own)).to.include({ displayName: 'Grace Hopper' });
      const picked = (await read('user/users', own)) as readonly Person[];
      expect(picked.map(({ username, displayName }) => [username, displayName])).to.deep.equal([
        ['grace', 'Grace Hopper'],
      ]);
    });

    it('cannot turn text around, break lines or grow', async () => {
      const headers = await logIn({ name: `\u202enimda\u202c\r\n<b onload=x>${'y'.repeat(200)}` });
      const { displayName } = await me(headers);
      expect(displayName).to.match(/^nimda <b onload=x>y+$/);
      expect(displayName).to.have.length(100);
    });

    it('neither logs in nor finds anybody', async () => {
      await logIn({ name: bossName }, 'mallory');
      const answer = await sendJson(server, '/api/v1/auth/login', { username: 'mallory', password: 'x' });
      expect(answer.status).to.equal(401);
      const { users } = json<{ users: readonly Person[] }>(
        await send(`${server.url}/api/v1/proprietary/ui-data/admin-settings`, { headers: boss }),
      );
      expect(users.filter(({ username }) => username === bossName)).to.have.length(1);
    });

    it('follows SCIM', async () => {
      const scim = new ScimClient(server);
      const find = async (): Promise<Person | undefined> =>
        json<{ users: readonly Person[] }>(
          await send(`${server.url}/api/v1/proprietary/ui-data/admin-settings`, { headers: boss }),
        ).users.find(({ username }) => username === 'katherine');
      const photos = [{ value: host.has('/scim.png', png), type: 'photo' }];
      const { id } = await scim.createUser('katherine', { displayName: 'Katherine Johnson', photos });
      expect(await find()).to.include({ displayName: 'Katherine Johnson' });
      await until('the photo has come', async () => (await find())?.pictureVersion !== null);
      await scim.patch(`/Users/${id}`, { op: 'replace', path: 'displayName', value: 'K. Johnson' });
      expect(await find()).to.include({ displayName: 'K. Johnson' });
      await scim.patch(`/Users/${id}`, { op: 'remove', path: 'displayName' }, { op: 'remove', path: 'photos' });
      expect(await find()).to.include({ displayName: null });
      await until('the photo is gone', async () => (await find())?.pictureVersion === null);
    });
  });

  describe('a picture', () => {
    it('is fetched once by the server and served with a type of its own, for browsers to keep', async () => {
      const headers = await logIn({ picture: host.has('/ada.png', png, 'text/html') }, 'ada');
      const { id, pictureVersion } = await pictured(headers);
      const answer = await picture(id, headers, `?version=${pictureVersion}`);
      expect(answer.status).to.equal(200);
      expect(answer.body.equals(png)).to.equal(true);
      expect(answer.headers).to.include({
        'content-type': 'image/png',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "sandbox; default-src 'none'",
        'cache-control': 'private, max-age=86400',
      });
      const again = await picture(id, { ...headers, 'if-none-match': String(answer.headers['etag']) });
      expect(again.status).to.equal(304);
      expect(again.body).to.have.length(0);
      expect(again.headers['cache-control']).to.equal('private, no-cache');
      await logIn({ picture: `${host.url}/ada.png` }, 'ada');
      expect(host.asked).to.deep.equal(['/ada.png']);
    });

    for (const [type, content] of [
      ['image/jpeg', jpeg],
      ['image/webp', webp],
      ['image/gif', gif],
    ] as const)
      it(`may be ${type}`, async () => {
        const headers = await logIn({ picture: host.has(`/${type}`, content) });
        const { id } = await pictured(headers);
        expect((await picture(id, headers)).headers['content-type']).to.equal(type);
      });

    it('follows the provider to another one, and goes when it names none', async () => {
      const headers = await logIn({ picture: host.has('/one.png', png) }, 'changing');
      const { id, pictureVersion } = await pictured(headers);
      await logIn({ picture: host.has('/two.gif', gif) }, 'changing');
      await pictured(headers, pictureVersion);
      expect((await picture(id, headers)).body.equals(gif)).to.equal(true);
      await logIn({}, 'changing');
      await until('the picture is gone', async () => (await picture(id, headers)).status === 404);
      expect(await me(headers)).to.include({ pictureVersion: null });
    });

    it('never delays a login', async () => {
      let isOver = false;
      const slow = host.has('/slow.png', (_, response) => response.on('close', () => (isOver = true)));
      const headers = await logIn({ picture: slow });
      expect(await me(headers)).to.include({ pictureVersion: null });
      await until('/slow.png was asked for', () => host.asked.includes('/slow.png'));
      expect(isOver, 'the login has waited for the picture').to.equal(false);
    });

    it('is no SVG, no page and nothing else, whatever the host says', async () => {
      const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
      const contents: readonly (readonly [string, string | Uint8Array])[] = [
        ['svg', svg],
        ['gif-that-is-svg', `GIF${svg}`],
        ['page', '<!doctype html><script>alert(1)</script>'],
        ['cut', png.subarray(0, 30)],
        ['empty', ''],
      ];
      for (const [name, content] of contents)
        expect(await refused(host.has(`/${name}`, content, 'image/png')), name).to.include({ pictureVersion: null });
    });

    it('is neither large nor a bomb of pixels', async () => {
      const bomb = Buffer.from(png);
      bomb.writeUInt32BE(60_000, 16);
      expect(await refused(host.has('/bomb.png', bomb))).to.include({ pictureVersion: null });
      const large = Buffer.concat([jpeg.subarray(0, -2), Buffer.alloc(300_000), jpeg.subarray(-2)]);
      expect(await refused(host.has('/large.jpg', large))).to.include({ pictureVersion: null });
    });

    it('does not lead into the network of the server', async () => {
      const inner = `https://127.0.0.1:${new URL(host.url).port}/inner.png`;
      host.has('/inner.png', png);
      const leads = host.has('/leads.png', (_, response) => response.writeHead(302, { location: inner }).end());
      const insecure = host.has('/insecure.png', (_, response) =>
        response.writeHead(302, { location: `http://localhost:${new URL(host.url).port}/inner.png` }).end(),
      );
      for (const url of [leads, insecure]) expect(await refused(url)).to.include({ pictureVersion: null });
      for (const url of [inner, 'https://169.254.169.254/latest', 'file:///etc/passwd', 'http://localhost/x.png'])
        expect(await me(await logIn({ picture: url })), url).to.include({ pictureVersion: null });
      await pictured(await logIn({ picture: host.has('/known.png', png) }));
      expect(host.asked).not.to.include('/inner.png');
    });

    it('is for those who may see the user', async () => {
      const headers = await logIn({ picture: host.has('/private.png', png) }, 'private');
      const { id } = await pictured(headers);
      const { username, password } = await addUser(server, boss, 'stranger');
      const stranger = await sessionOf(server, username, password);
      expect((await picture(id, stranger)).status).to.equal(404);
      expect((await picture(987_654, stranger)).status).to.equal(404);
      expect((await picture(id, {})).status).to.equal(401);
      expect((await picture(id, boss)).status).to.equal(200);
      expect((await picture(id, { 'x-api-key': await keyOf(server, headers) })).status).to.equal(200);
    });

    it('stays away once the user has removed it, until the user wants it back', async () => {
      const url = host.has('/unwanted.png', png);
      const headers = await logIn({ picture: url }, 'shy');
      const { id } = await pictured(headers);
      const want = (fromProvider: unknown): Promise<Answer> =>
        sendJson(server, '/api/v1/user/picture', { fromProvider }, headers, 'PUT');
      expect((await want('no')).status).to.equal(400);
      expect((await want(false)).status).to.equal(200);
      expect((await picture(id, headers)).status).to.equal(404);
      expect(await me(headers)).to.include({ pictureVersion: null });
      host.asked.length = 0;
      await logIn({ picture: url }, 'shy');
      await pictured(await logIn({ picture: host.has('/known.png', png) }));
      expect(host.asked).not.to.include('/unwanted.png');
      const page = (): Promise<Answer> => send(`${server.url}/api/v1/proprietary/ui-data/account`, { headers });
      expect(json(await page())).to.include({ pictureWanted: false });
      expect((await want(true)).status).to.equal(200);
      expect(json(await page())).to.include({ pictureWanted: true });
      await logIn({ picture: url }, 'shy');
      await pictured(headers);
    });

    it('goes with the account', async () => {
      const { id } = await pictured(await logIn({ picture: host.has('/leaving.png', png) }, 'leaving'));
      expect((await picture(id, boss)).status).to.equal(200);
      const deleted = await sendFields(server, '/api/v1/user/admin/deleteUser/leaving', {}, boss);
      expect(deleted.status, deleted.body.toString()).to.equal(200);
      expect((await picture(id, boss)).status).to.equal(404);
    });
  });
});

describe('Without pictures of people', () => {
  it('none is fetched, and stored ones are gone after a start', async () => {
    const [issuer, host] = await Promise.all([CertifiedIssuer.listen(), PictureHost.listen()]);
    const folder = mkdtempSync(join(tmpdir(), 'quire-people-'));
    const start = (userPictures: boolean): Promise<TestServer> =>
      startWithLogin(
        {
          userPictures,
          oauth2: { enabled: true, client: { keycloak: { issuer: issuer.url, clientId, clientSecret } } },
        },
        host.settings,
        folder,
      );
    let server = await start(true);
    issuer.serve(server.url, 'keycloak');
    issuer.user = { sub: 'ada', preferred_username: 'ada', picture: host.has('/ada.png', png) };
    await new RedirectBrowser().visit(`${server.url}/oauth2/authorization/keycloak`, (at) =>
      at.pathname.endsWith('/auth/callback'),
    );
    const ada = async (): Promise<Person | undefined> =>
      json<{ users: readonly Person[] }>(
        await send(`${server.url}/api/v1/proprietary/ui-data/admin-settings`, { headers: await sessionOf(server) }),
      ).users.find(({ username }) => username === 'ada');
    await until('the picture has come', async () => (await ada())?.pictureVersion !== null);
    await server.stop();
    server = await start(false);
    issuer.serve(server.url, 'keycloak');
    expect(await ada()).to.include({ pictureVersion: null });
    host.asked.length = 0;
    await new RedirectBrowser().visit(`${server.url}/oauth2/authorization/keycloak`, (at) =>
      at.pathname.endsWith('/auth/callback'),
    );
    expect(await ada()).to.include({ pictureVersion: null });
    expect(host.asked).to.deep.equal([]);
    await server.stop();
    await Promise.all([issuer.close(), host.close()]);
    rmSync(folder, { recursive: true });
  });
});

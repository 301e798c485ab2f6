import { expect } from 'chai';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestServer } from '@quire/core';
import sharp, { type Sharp } from 'sharp';
import { expectProblem, json, pointers, send, type Answer } from '../support/client.js';
import {
  addUser,
  bossName,
  bossPassword,
  globalKey,
  keyOf,
  sendFields,
  sendJson,
  sessionOf,
} from '../support/login.js';
import type { TestServer } from '../support/server.js';

const SAVED = '/api/v1/proprietary/signatures';
const IMAGE = '/api/v1/general/signatures';
const SIGN = '/api/v1/ui-data/sign';
type Headers = Readonly<Record<string, string>>;
interface Saved {
  readonly id: string;
  readonly label: string | null;
  readonly scope: string;
  readonly dataUrl: string | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

const drawn = (width: number, height: number): Sharp =>
  sharp({ create: { width, height, channels: 4, background: { r: 0, g: 20, b: 160, alpha: 0.5 } } });
const asUrl = (bytes: Uint8Array, type = 'png'): string =>
  `data:image/${type};base64,${Buffer.from(bytes).toString('base64')}`;

describe('Saved signature images over HTTP', function signatureImages() {
  this.timeout(60_000);
  let base: string;
  let server: TestServer;
  let png: Buffer;
  let jpeg: Buffer;
  let boss: Headers;
  let ann: Headers;
  let bob: Headers;
  let demo: Headers;

  const start = (login: boolean): Promise<TestServer> =>
    createTestServer({
      basePath: join(base, 'data'),
      plugins: ['@quire/plugin-signing'],
      ...(login
        ? {
            settings: {
              security: {
                enableLogin: true,
                customGlobalAPIKey: globalKey,
                initialLogin: { username: bossName, password: bossPassword },
              },
            },
          }
        : {}),
    });
  const folder = (...names: string[]): string => join(base, 'data', 'customFiles', 'signatures', ...names);
  const user = async (name: string, role?: string): Promise<Headers> => {
    await addUser(server, boss, name, role);
    return sessionOf(server, name, `password of ${name}`);
  };
  const save = (headers: Headers, more: Record<string, unknown>): Promise<Answer> =>
    sendJson(server, SAVED, { id: 'one', dataUrl: asUrl(png), ...more }, headers);
  const saved = async (headers: Headers, more: Record<string, unknown>): Promise<Saved> => {
    const answer = await save(headers, more);
    expect(answer.status, answer.body.toString()).to.equal(200);
    return json<Saved & Record<string, unknown>>(answer);
  };
  const list = async (headers: Headers): Promise<Saved[]> =>
    json<Saved[]>((await send(`${server.url}${SAVED}`, { headers })) as Answer) as unknown as Saved[];
  const get = (path: string, headers: Headers = {}): Promise<Answer> => send(`${server.url}${path}`, { headers });
  const image = (name: string, headers: Headers = {}): Promise<Answer> => get(`${IMAGE}/${name}`, headers);
  const remove = (id: string, headers: Headers): Promise<Answer> =>
    send(`${server.url}${SAVED}/${id}`, { method: 'DELETE', headers });
  const label = (id: string, text: unknown, headers: Headers): Promise<Answer> =>
    sendJson(server, `${SAVED}/${id}/label`, { label: text }, headers);

  before(async () => {
    base = mkdtempSync(join(tmpdir(), 'quire-signature-images-'));
    png = await drawn(60, 20).png().toBuffer();
    jpeg = await drawn(60, 20).jpeg().toBuffer();
    server = await start(true);
    await server.start();
    boss = await sessionOf(server);
    [ann, bob, demo] = [await user('ann'), await user('Bob.Smith@example.org'), await user('demo', 'ROLE_DEMO_USER')];
  });
  afterEach(() => rmSync(folder(), { recursive: true, force: true }));
  after(async () => {
    await server?.stop();
    rmSync(base, { recursive: true, force: true });
  });

  it('saves an image with its record for its user, and for nobody else', async () => {
    const record = await saved(ann, {
      id: 'My_sig-1.a',
      label: 'Mine',
      type: 'text',
      signerName: 'Ann',
      fontFamily: 'Arial',
      fontSize: 32,
      textColor: '#000',
    });
    expect(record).to.include({
      id: 'My_sig-1.a',
      label: 'Mine',
      type: 'text',
      scope: 'personal',
      dataUrl: `${IMAGE}/My_sig-1.a.png`,
      signerName: 'Ann',
      fontFamily: 'Arial',
      fontSize: 32,
      textColor: '#000',
    });
    expect([record.createdAt, record.updatedAt].every((time) => Math.abs(time - Date.now()) < 60_000)).to.equal(true);
    expect(readdirSync(folder('ann'))).to.have.members(['My_sig-1.a.png', 'My_sig-1.a.json']);
    expect(await list(ann)).to.deep.equal([record]);
    const answer = await image('My_sig-1.a.png', ann);
    expect([
      answer.status,
      answer.headers['content-type'],
      answer.headers['content-disposition'],
      answer.headers['x-content-type-options'],
    ]).to.deep.equal([200, 'image/png', undefined, 'nosniff']);
    expect(await sharp(answer.body).raw().toBuffer()).to.deep.equal(await sharp(png).raw().toBuffer());
    expect(await list(bob)).to.deep.equal([]);
    const foreign = expectProblem(await image('My_sig-1.a.png', bob), 404, 'NOT_FOUND');
    const missing = expectProblem(await image('never.png', bob), 404, 'NOT_FOUND');
    expect([foreign.detail, foreign.title]).to.deep.equal([missing.detail, missing.title]);
    for (const answerOf of [
      await remove('My_sig-1.a', bob),
      await label('My_sig-1.a', 'Bob was here', bob),
      await remove('never', bob),
      await image('My_sig-1.a.png', boss),
    ])
      expectProblem(answerOf, 404, 'NOT_FOUND');
    expect(existsSync(folder('ann', 'My_sig-1.a.png'))).to.equal(true);
  });

  it('lets browsers cache an image privately and revalidate it', async () => {
    await saved(ann, {});
    const first = await image('one.png', ann);
    expect(first.headers['cache-control']).to.include('private').and.include('no-cache');
    const etag = String(first.headers['etag']);
    const again = await image('one.png', { ...ann, 'if-none-match': etag });
    expect([again.status, again.body.length]).to.deep.equal([304, 0]);
    await saved(ann, { dataUrl: asUrl(await drawn(61, 20).png().toBuffer()) });
    expect((await image('one.png', { ...ann, 'if-none-match': etag })).status).to.equal(200);
  });

  it('lets only administrators change shared images', async () => {
    expectProblem(await save(ann, { scope: 'shared' }), 403, 'SHARED_ADMIN_ONLY');
    const record = await saved(boss, { id: 'stamp', scope: 'shared', dataUrl: asUrl(jpeg, 'jpeg') });
    expect(record).to.include({ scope: 'shared', dataUrl: `${IMAGE}/stamp.jpeg` });
    expect(readdirSync(folder('ALL_USERS'))).to.have.members(['stamp.jpeg', 'stamp.json']);
    for (const headers of [ann, bob, boss])
      expect((await image('stamp.jpeg', headers)).headers['content-type']).to.equal('image/jpeg');
    await saved(ann, { id: 'own' });
    expect((await list(ann)).map(({ id, scope }) => `${scope} ${id}`)).to.deep.equal(['personal own', 'shared stamp']);
    expect(json(await get(SIGN, ann))).to.deep.equal({
      signatures: [
        { fileName: 'own.png', category: 'Personal' },
        { fileName: 'stamp.jpeg', category: 'Shared' },
      ],
      fonts: [],
    });
    expectProblem(await label('stamp', 'Ours', ann), 403, 'SHARED_ADMIN_ONLY');
    expectProblem(await remove('stamp', ann), 404, 'NOT_FOUND');
    expect((await label('stamp', 'Ours', boss)).status).to.equal(204);
    expect((await list(bob)).map(({ label: text }) => text)).to.deep.equal(['Ours']);
    expect((await remove('stamp', boss)).status).to.equal(204);
    expect(readdirSync(folder('ALL_USERS'))).to.deep.equal([]);
  });

  it("serves a user's own image before a shared one, and deletes it first", async () => {
    await saved(boss, { scope: 'shared', dataUrl: asUrl(await drawn(10, 10).png().toBuffer()) });
    await saved(boss, { dataUrl: asUrl(await drawn(20, 20).png().toBuffer()) });
    const widthOf = async (headers: Headers): Promise<number> =>
      (await sharp((await image('one.png', headers)).body).metadata()).width;
    expect([await widthOf(boss), await widthOf(ann)]).to.deep.equal([20, 10]);
    expect((await remove('one', boss)).status).to.equal(204);
    expect(await widthOf(boss)).to.equal(10);
    expect((await remove('one', boss)).status).to.equal(204);
    expectProblem(await remove('one', boss), 404, 'NOT_FOUND');
  });

  it('renames its record and keeps the image unchanged', async () => {
    const before = await saved(ann, { label: 'Old' });
    const bytes = readFileSync(folder('ann', 'one.png'));
    expect((await label('one', 'New', ann)).status).to.equal(204);
    const [after] = await list(ann);
    expect(after).to.include({ label: 'New', createdAt: before.createdAt, dataUrl: before.dataUrl });
    expect(after!.updatedAt).to.be.at.least(before.updatedAt);
    expect(readFileSync(folder('ann', 'one.png')).equals(bytes)).to.equal(true);
    for (const wrong of ['', ' \t', undefined, null, 7])
      expect(pointers(expectProblem(await label('one', wrong, ann), 400, 'INPUT_INVALID'))).to.deep.equal(['/label']);
    writeFileSync(folder('ann', 'copied.png'), png);
    expectProblem(await label('copied', 'New', ann), 404, 'NOT_FOUND');
  });

  it('replaces an image with the same id, also with another extension', async () => {
    const first = await saved(ann, { label: 'first' });
    const second = await saved(ann, { label: 'second', dataUrl: asUrl(jpeg, 'jpg') });
    expect(readdirSync(folder('ann'))).to.have.members(['one.jpg', 'one.json']);
    expect(second).to.include({ dataUrl: `${IMAGE}/one.jpg`, createdAt: first.createdAt });
    expect(await list(ann)).to.deep.equal([second]);
    expect((await image('one.jpg', ann)).headers['content-type']).to.equal('image/jpeg');
  });

  it('does not touch ids with the same prefix when one is deleted', async () => {
    await saved(ann, { id: 'a' });
    await saved(ann, { id: 'a.b' });
    await saved(ann, { id: 'a.png' });
    expect((await remove('a', ann)).status).to.equal(204);
    expect(readdirSync(folder('ann'))).to.have.members(['a.b.png', 'a.b.json', 'a.png.png', 'a.png.json']);
  });

  it('saves text that is not an image as a record that is not listed', async () => {
    expect(await saved(ann, { dataUrl: 'typed' })).to.include({ dataUrl: null });
    expect([await list(ann), readdirSync(folder('ann'))]).to.deep.equal([[], ['one.json']]);
    expect((await label('one', 'x', ann)).status).to.equal(204);
    expect((await remove('one', ann)).status).to.equal(204);
  });

  it('detects image formats by content and encodes images again', async () => {
    const noted = await drawn(30, 30)
      .withExif({ IFD0: { Copyright: 'secret-of-the-camera' } })
      .jpeg()
      .toBuffer();
    await saved(ann, { dataUrl: asUrl(Buffer.concat([noted, Buffer.from('<script>tail</script>')]), 'png') });
    const { headers, body } = await image('one.png', ann);
    expect(headers['content-type']).to.equal('image/jpeg');
    expect([body.includes('secret-of-the-camera'), body.includes('<script>')]).to.deep.equal([false, false]);
    const palette = await drawn(64, 64).png({ palette: true }).toBuffer();
    await saved(ann, { id: 'palette', dataUrl: asUrl(palette) });
    expect(
      await sharp((await image('palette.png', ann)).body)
        .ensureAlpha()
        .raw()
        .toBuffer(),
    ).to.deep.equal(await sharp(palette).ensureAlpha().raw().toBuffer());
  });

  it('refuses files that are not images or are too large, with the reason', async () => {
    const refused = async (dataUrl: unknown, code = 'INPUT_INVALID'): Promise<string> => {
      const problem = expectProblem(await save(ann, { dataUrl }), 400, code);
      expect(pointers(problem)).to.deep.equal(['/dataUrl']);
      return problem.errors?.[0]?.detail ?? '';
    };
    for (const missing of [undefined, '', null, 7]) await refused(missing);
    expect(await refused('data:image/svg+xml;base64,PHN2Zy8+')).to.include('image/svg+xml');
    expect(await refused(asUrl(await drawn(5, 5).gif().toBuffer(), 'gif'))).to.include('image/gif');
    expect(await refused(asUrl(await drawn(5, 5).webp().toBuffer()))).to.include('no PNG and no JPEG');
    await refused('data:image/png,rawtext');
    await refused('data:image/png;base64,');
    await refused('data:image/png;base64,%%%%');
    await refused('data:image/png;base64');
    await refused(asUrl((await sharp(png).png().toBuffer()).subarray(0, 60)), 'IMAGE_UNREADABLE');
    const noise = await sharp({
      create: {
        width: 300,
        height: 300,
        channels: 3,
        background: 'white',
        noise: { type: 'gaussian', mean: 128, sigma: 60 },
      },
    })
      .jpeg()
      .toBuffer();
    await refused(asUrl(noise.subarray(0, noise.length / 2), 'jpeg'), 'IMAGE_UNREADABLE');
    await refused(
      asUrl(
        await sharp({ create: { width: 8000, height: 8000, channels: 3, background: 'red' } })
          .png()
          .toBuffer(),
      ),
      'IMAGE_TOO_LARGE',
    );
    expect(await refused(asUrl(Buffer.concat([png, Buffer.alloc(2_000_001 - png.length)])))).to.include(
      '2000001 bytes',
    );
    await saved(ann, { dataUrl: asUrl(Buffer.concat([png, Buffer.alloc(2_000_000 - png.length)])) });
    await refused(`data:image/png;base64,${'A'.repeat(4_000_000)}`);
    expectProblem(await save(ann, { dataUrl: 'A'.repeat(7_000_000) }), 413, 'INPUT_TOO_LARGE');
    expectProblem(await save(ann, { scope: 'team' }), 400, 'INPUT_INVALID');
    expectProblem(await save(ann, { fontSize: 'large' }), 400, 'INPUT_INVALID');
    expect(readdirSync(folder())).to.deep.equal(['ann']);
  });

  it('refuses ids and names that could escape the folder', async () => {
    for (const id of [
      '',
      '..',
      '.',
      'a..b',
      '../a',
      'a/b',
      'a\\b',
      'a b',
      'ä',
      'a\u0000',
      'a%2f',
      'a.',
      'a\n',
      'x'.repeat(101),
      null,
      7,
    ]) {
      expect(pointers(expectProblem(await save(ann, { id }), 400, 'INPUT_INVALID')), JSON.stringify(id)).to.deep.equal([
        '/id',
      ]);
    }
    mkdirSync(folder(), { recursive: true });
    writeFileSync(folder('secret.png'), png);
    for (const name of [
      '%2e%2e%2fsecret.png',
      '..%2Fsecret.png',
      '%2Fetc%2Fpasswd',
      '..%5Csecret.png',
      'a%00.png',
      'a..png',
      'a%20b.png',
    ]) {
      expectProblem(await image(name, ann), 400, 'INPUT_INVALID');
      expectProblem(await remove(name, ann), 400, 'INPUT_INVALID');
      expectProblem(await label(name, 'x', ann), 400, 'INPUT_INVALID');
    }
    await saved(ann, {});
    for (const name of ['one.json', 'one', 'one.svg', 'ONE.html'])
      expectProblem(await image(name, ann), 404, 'NOT_FOUND');
  });

  it('lists images that were copied in, if they are within the limits', async () => {
    for (const name of ['ann', 'ALL_USERS']) mkdirSync(folder(name), { recursive: true });
    writeFileSync(folder('ann', 'Scan.PNG'), png);
    writeFileSync(folder('ann', 'photo.jpeg'), jpeg);
    writeFileSync(
      folder('ann', 'photo.json'),
      '{"label":"From a card","type":"image","createdAt":5,"updatedAt":"x","scope":"shared",' +
        '"dataUrl":"https://example.org/"}',
    );
    writeFileSync(folder('ann', 'broken.json'), '[');
    writeFileSync(folder('ann', 'broken.png'), png);
    writeFileSync(folder('ann', 'page.png'), '<html>');
    writeFileSync(folder('ann', 'cut.png'), png.subarray(0, png.length - 20));
    writeFileSync(folder('ann', 'drawing.svg'), '<svg/>');
    writeFileSync(folder('ann', 'huge.png'), Buffer.concat([png, Buffer.alloc(2_000_001 - png.length)]));
    writeFileSync(
      folder('ann', 'bomb.png'),
      await sharp({ create: { width: 8000, height: 8000, channels: 3, background: 'red' } })
        .png()
        .toBuffer(),
    );
    writeFileSync(folder('ann', 'odd name.png'), png);
    mkdirSync(folder('ann', 'folder.png'));
    symlinkSync('/etc/passwd', folder('ann', 'link.png'));
    writeFileSync(folder('outside.png'), png);
    symlinkSync(folder('outside.png'), folder('ann', 'out.png'));
    const found = await list(ann);
    expect(found.map(({ id, label: text, dataUrl, scope }) => ({ id, label: text, dataUrl, scope }))).to.deep.equal([
      { id: 'Scan', label: 'Scan', dataUrl: `${IMAGE}/Scan.PNG`, scope: 'personal' },
      { id: 'broken', label: 'broken', dataUrl: `${IMAGE}/broken.png`, scope: 'personal' },
      { id: 'photo', label: 'From a card', dataUrl: `${IMAGE}/photo.jpeg`, scope: 'personal' },
    ]);
    const time = Math.round(statSync(folder('ann', 'Scan.PNG')).mtimeMs);
    expect(found[0]).to.include({ createdAt: time, updatedAt: time, type: 'image' });
    for (const { dataUrl } of found) expect((await get(String(dataUrl), ann)).status).to.equal(200);
    for (const name of [
      'page.png',
      'cut.png',
      'huge.png',
      'bomb.png',
      'folder.png',
      'link.png',
      'out.png',
      'drawing.svg',
    ])
      expectProblem(await image(name, ann), 404, 'NOT_FOUND');
  });

  it('does not follow a symbolic link in place of a folder', async () => {
    const outside = join(base, 'outside');
    mkdirSync(outside, { recursive: true });
    writeFileSync(join(outside, 'one.png'), png);
    mkdirSync(folder(), { recursive: true });
    symlinkSync(outside, folder('ann'));
    symlinkSync(outside, folder('ALL_USERS'));
    expect(await list(ann)).to.deep.equal([]);
    expectProblem(await image('one.png', ann), 404, 'NOT_FOUND');
    expectProblem(await remove('one', boss), 404, 'NOT_FOUND');
    expectProblem(await save(ann, {}), 503, 'SERVICE_NOT_SET_UP');
    expect(readdirSync(outside)).to.deep.equal(['one.png']);
  });

  it('limits a user to twenty images, including copied ones, even when saves race', async () => {
    mkdirSync(folder('ann'), { recursive: true });
    for (let n = 0; n < 12; n++) writeFileSync(folder('ann', `copied-${n}.png`), png);
    const answers = await Promise.all(Array.from({ length: 14 }, (_, n) => save(ann, { id: `n${n}` })));
    expect(answers.filter(({ status }) => status === 200)).to.have.length(8);
    for (const answer of answers.filter(({ status }) => status !== 200)) expectProblem(answer, 400, 'SIGNATURES_FULL');
    expect(readdirSync(folder('ann')).filter((name) => name.endsWith('.png'))).to.have.length(20);
    expect(readdirSync(folder('ann')).filter((name) => name.startsWith('~'))).to.deep.equal([]);
    expectProblem(await save(ann, { id: 'n0' }), 400, 'SIGNATURES_FULL');
    await saved(bob, { id: 'n0' });
    expect((await remove('copied-3', ann)).status).to.equal(204);
    await saved(ann, { id: 'again' });
  });

  it('limits a user to twenty megabytes, and shared images not at all', async () => {
    for (const name of ['ann', 'ALL_USERS']) {
      mkdirSync(folder(name), { recursive: true });
      for (let n = 0; n < 10; n++) writeFileSync(folder(name, `big-${n}.png`), Buffer.alloc(1_999_900));
    }
    // 1000 bytes are free. The estimate for this data URL is larger than its image.
    const large = asUrl(Buffer.concat([png, Buffer.alloc(1_100 - png.length)]));
    expectProblem(await save(ann, { dataUrl: large }), 400, 'SIGNATURES_FULL');
    const answers = await Promise.all(Array.from({ length: 9 }, (_, n) => save(ann, { id: `n${n}` })));
    expect(answers.some(({ status }) => status === 200)).to.equal(true);
    const sum = readdirSync(folder('ann'))
      .filter((name) => name.endsWith('.png'))
      .reduce((total, name) => total + statSync(folder('ann', name)).size, 0);
    expect(sum).to.be.at.most(20_000_000);
    await saved(boss, { scope: 'shared', dataUrl: large });
  });

  it('leaves one complete image with its own record when saves of one id race', async () => {
    const widths = [11, 12, 13, 14, 15, 16];
    const urls = await Promise.all(widths.map(async (width) => asUrl(await drawn(width, 10).png().toBuffer())));
    const reads: Promise<Answer>[] = [];
    await saved(ann, { label: 'w11', dataUrl: urls[0] });
    await Promise.all(
      urls.map((dataUrl, at) => {
        reads.push(image('one.png', ann));
        return saved(ann, { label: `w${widths[at]}`, dataUrl });
      }),
    );
    for (const { status, body } of await Promise.all(reads))
      expect([status, (await sharp(body).metadata()).height]).to.deep.equal([200, 10]);
    const [record] = await list(ann);
    expect(record?.label).to.equal(`w${(await sharp((await image('one.png', ann)).body).metadata()).width}`);
  });

  it('has a folder for every user by name, whatever its letter case', async () => {
    await saved(bob, {});
    expect(readdirSync(folder())).to.deep.equal(['Bob.Smith@example.org']);
    rmSync(folder(), { recursive: true });
    mkdirSync(folder('BOB.SMITH@EXAMPLE.ORG'), { recursive: true });
    writeFileSync(folder('BOB.SMITH@EXAMPLE.ORG', 'copied.png'), png);
    await saved(bob, {});
    expect((await list(bob)).map(({ id }) => id)).to.deep.equal(['copied', 'one']);
    expect(readdirSync(folder())).to.deep.equal(['BOB.SMITH@EXAMPLE.ORG']);
  });

  it('accepts a key or a session, and requires one of them', async () => {
    await saved({ 'x-api-key': await keyOf(server, ann) }, {});
    expect((await list(ann)).map(({ id }) => id)).to.deep.equal(['one']);
    await saved({ 'x-api-key': globalKey }, { id: 'robot' });
    expect(readdirSync(folder()).sort()).to.deep.equal(['CUSTOM_API_USER', 'ann']);
    for (const answer of [
      await save({}, {}),
      await get(SAVED),
      await image('one.png'),
      await get(SIGN),
      await remove('one', {}),
      await label('one', 'x', {}),
      await image('one.png', { 'x-api-key': 'wrong' }),
    ])
      expectProblem(answer, 401, 'KEY_INVALID');
  });

  it('moves images when a user is renamed, and removes them with the user', async () => {
    const cleo = await user('cleo');
    await saved(cleo, {});
    const renamed = await sendFields(
      server,
      '/api/v1/user/change-username',
      { currentPasswordChangeUsername: 'password of cleo', newUsername: 'cleopatra' },
      cleo,
    );
    expect(renamed.status, renamed.body.toString()).to.equal(200);
    expect(readdirSync(folder())).to.deep.equal(['cleopatra']);
    expect((await list(await sessionOf(server, 'cleopatra', 'password of cleo'))).map(({ id }) => id)).to.deep.equal([
      'one',
    ]);
    expect(await list(await user('cleo'))).to.deep.equal([]);
    await saved(ann, { id: 'kept' });
    expect(
      (await send(`${server.url}/api/v1/user/admin/deleteUser/cleopatra`, { method: 'POST', headers: boss })).status,
    ).to.equal(200);
    expect(await list(await user('cleopatra'))).to.deep.equal([]);
    expect(readdirSync(folder())).to.deep.equal(['ann']);
  });

  it('refuses demo users, except for shared images', async () => {
    await saved(boss, { scope: 'shared' });
    for (const answer of [
      await save(demo, {}),
      await get(SAVED, demo),
      await remove('one', demo),
      await label('one', 'x', demo),
    ])
      expectProblem(answer, 403, 'DEMO_REFUSED');
    expect((await image('one.png', demo)).status).to.equal(200);
    expect(existsSync(folder('demo'))).to.equal(false);
  });

  it('reports that hardware signing is not available', async () => {
    const address = '/api/v1/security/cert-sign/hardware';
    expect(json(await get(`${address}/capabilities`, ann))).to.deep.equal({
      desktop: false,
      osName: '',
      windowsStoreSupported: false,
      pkcs11Supported: false,
      detectedLibraries: [],
    });
    for (const answer of [
      await get(`${address}/windows-certificates`, ann),
      await sendJson(server, `${address}/pkcs11-certificates`, { libraryPath: '/x', slot: 1, pin: '1234' }, ann),
    ]) {
      expect(expectProblem(answer, 400, 'HARDWARE_SIGNING_DESKTOP_ONLY')).to.include({
        errorCode: 'error.hardwareSigningDesktopOnly',
      });
    }
    expectProblem(await get(`${address}/capabilities`), 401, 'KEY_INVALID');
  });

  it('shows only shared images while login is off', async () => {
    await saved(boss, { id: 'stamp', scope: 'shared' });
    await saved(ann, {});
    for (const name of ['anonymous', ''])
      cpSync(folder('ann'), folder(name === '' ? 'anonymousUser' : name), { recursive: true });
    const fonts = join(base, 'data', 'customFiles', 'static', 'fonts');
    mkdirSync(fonts, { recursive: true });
    for (const name of ['Hand.woff2', 'Script.ttf', 'Old.eot', 'Odd.otf', '.hidden'])
      writeFileSync(join(fonts, name), 'x');
    await server.stop();
    const open = await start(false);
    try {
      await open.start();
      expect((await send(`${open.url}${IMAGE}/stamp.png`)).status).to.equal(200);
      expectProblem(await send(`${open.url}${IMAGE}/one.png`), 404, 'NOT_FOUND');
      expect(json(await send(`${open.url}${SIGN}`))).to.deep.equal({
        signatures: [{ fileName: 'stamp.png', category: 'Shared' }],
        fonts: [
          { name: 'Hand', extension: 'woff2', type: 'woff2' },
          { name: 'Odd', extension: 'otf', type: '' },
          { name: 'Old', extension: 'eot', type: 'embedded-opentype' },
          { name: 'Script', extension: 'ttf', type: 'truetype' },
        ],
      });
      for (const [method, path] of [
        ['POST', SAVED],
        ['GET', SAVED],
        ['DELETE', `${SAVED}/one`],
        ['POST', `${SAVED}/one/label`],
      ] as const)
        expectProblem(await send(`${open.url}${path}`, { method }), 404, 'LOGIN_REQUIRED');
    } finally {
      await open.stop();
      server = await start(true);
      await server.start();
      [boss, ann] = [await sessionOf(server), await sessionOf(server, 'ann', 'password of ann')];
    }
  });

  it('completes or removes what a killed server left behind', async () => {
    await saved(ann, { label: 'old' });
    const record = readFileSync(folder('ann', 'one.json'), 'utf8');
    // Killed while the image was written: nothing has happened.
    writeFileSync(folder('ann', '~image~half.png'), png.subarray(0, 9));
    // Killed before the image was moved into place.
    writeFileSync(folder('ann', '~image~two.png'), png);
    writeFileSync(folder('ann', '~record~two.json'), record.replaceAll('one', 'two'));
    // Killed between image and record: the image has another extension now.
    writeFileSync(folder('ann', 'one.jpg'), jpeg);
    writeFileSync(folder('ann', '~record~one.json'), record.replace('old', 'new').replace('one.png', 'one.jpg'));
    // Killed while a record without an image was written.
    writeFileSync(folder('ann', '~record~three.json'), record.slice(0, 20));
    await server.stop();
    server = await start(true);
    await server.start();
    ann = await sessionOf(server, 'ann', 'password of ann');
    expect((await list(ann)).map(({ label: text, dataUrl }) => [text, dataUrl])).to.deep.equal([
      ['new', `${IMAGE}/one.jpg`],
    ]);
    expect(readdirSync(folder('ann'))).to.have.members(['one.jpg', 'one.json']);
  });
});

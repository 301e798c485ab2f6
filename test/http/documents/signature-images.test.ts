import { expect } from 'chai';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { expectProblem, json, pointers, send } from '../support/client.js';
import { globalKey, keyOf, sendFields, sendJson, sessionOf } from '../support/login.js';
import { asUrl, drawn, IMAGE, SAVED, SIGN, useSignatureImages, type Headers } from '../support/signature-images.js';

describe('Saved signature images over HTTP', function signatureImages() {
  this.timeout(60_000);
  const setup = useSignatureImages();

  it('saves an image with its record for its user, and for nobody else', async () => {
    const record = await setup.saved(setup.ann, {
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
    expect(readdirSync(setup.folder('ann'))).to.have.members(['My_sig-1.a.png', 'My_sig-1.a.json']);
    expect(await setup.list(setup.ann)).to.deep.equal([record]);
    const answer = await setup.image('My_sig-1.a.png', setup.ann);
    expect([
      answer.status,
      answer.headers['content-type'],
      answer.headers['content-disposition'],
      answer.headers['x-content-type-options'],
    ]).to.deep.equal([200, 'image/png', undefined, 'nosniff']);
    expect(await sharp(answer.body).raw().toBuffer()).to.deep.equal(await sharp(setup.png).raw().toBuffer());
    expect(await setup.list(setup.bob)).to.deep.equal([]);
    const foreign = expectProblem(await setup.image('My_sig-1.a.png', setup.bob), 404, 'NOT_FOUND');
    const missing = expectProblem(await setup.image('never.png', setup.bob), 404, 'NOT_FOUND');
    expect([foreign.detail, foreign.title]).to.deep.equal([missing.detail, missing.title]);
    for (const answerOf of [
      await setup.remove('My_sig-1.a', setup.bob),
      await setup.label('My_sig-1.a', 'Bob was here', setup.bob),
      await setup.remove('never', setup.bob),
      await setup.image('My_sig-1.a.png', setup.boss),
    ])
      expectProblem(answerOf, 404, 'NOT_FOUND');
    expect(existsSync(setup.folder('ann', 'My_sig-1.a.png'))).to.equal(true);
  });

  it('lets browsers cache an image privately and revalidate it', async () => {
    await setup.saved(setup.ann, {});
    const first = await setup.image('one.png', setup.ann);
    expect(first.headers['cache-control']).to.include('private').and.include('no-cache');
    const etag = String(first.headers['etag']);
    const again = await setup.image('one.png', { ...setup.ann, 'if-none-match': etag });
    expect([again.status, again.body.length]).to.deep.equal([304, 0]);
    await setup.saved(setup.ann, { dataUrl: asUrl(await drawn(61, 20).png().toBuffer()) });
    expect((await setup.image('one.png', { ...setup.ann, 'if-none-match': etag })).status).to.equal(200);
  });

  it('lets only administrators change shared images', async () => {
    expectProblem(await setup.save(setup.ann, { scope: 'shared' }), 403, 'SHARED_ADMIN_ONLY');
    const record = await setup.saved(setup.boss, { id: 'stamp', scope: 'shared', dataUrl: asUrl(setup.jpeg, 'jpeg') });
    expect(record).to.include({ scope: 'shared', dataUrl: `${IMAGE}/stamp.jpeg` });
    expect(readdirSync(setup.folder('ALL_USERS'))).to.have.members(['stamp.jpeg', 'stamp.json']);
    for (const headers of [setup.ann, setup.bob, setup.boss])
      expect((await setup.image('stamp.jpeg', headers)).headers['content-type']).to.equal('image/jpeg');
    await setup.saved(setup.ann, { id: 'own' });
    expect((await setup.list(setup.ann)).map(({ id, scope }) => `${scope} ${id}`)).to.deep.equal([
      'personal own',
      'shared stamp',
    ]);
    expect(json(await setup.get(SIGN, setup.ann))).to.deep.equal({
      signatures: [
        { fileName: 'own.png', category: 'Personal' },
        { fileName: 'stamp.jpeg', category: 'Shared' },
      ],
      fonts: [],
    });
    expectProblem(await setup.label('stamp', 'Ours', setup.ann), 403, 'SHARED_ADMIN_ONLY');
    expectProblem(await setup.remove('stamp', setup.ann), 404, 'NOT_FOUND');
    expect((await setup.label('stamp', 'Ours', setup.boss)).status).to.equal(204);
    expect((await setup.list(setup.bob)).map(({ label: text }) => text)).to.deep.equal(['Ours']);
    expect((await setup.remove('stamp', setup.boss)).status).to.equal(204);
    expect(readdirSync(setup.folder('ALL_USERS'))).to.deep.equal([]);
  });

  it("serves a user's own image before a shared one, and deletes it first", async () => {
    await setup.saved(setup.boss, { scope: 'shared', dataUrl: asUrl(await drawn(10, 10).png().toBuffer()) });
    await setup.saved(setup.boss, { dataUrl: asUrl(await drawn(20, 20).png().toBuffer()) });
    const widthOf = async (headers: Headers): Promise<number> =>
      (await sharp((await setup.image('one.png', headers)).body).metadata()).width;
    expect([await widthOf(setup.boss), await widthOf(setup.ann)]).to.deep.equal([20, 10]);
    expect((await setup.remove('one', setup.boss)).status).to.equal(204);
    expect(await widthOf(setup.boss)).to.equal(10);
    expect((await setup.remove('one', setup.boss)).status).to.equal(204);
    expectProblem(await setup.remove('one', setup.boss), 404, 'NOT_FOUND');
  });

  it('renames its record and keeps the image unchanged', async () => {
    const before = await setup.saved(setup.ann, { label: 'Old' });
    const bytes = readFileSync(setup.folder('ann', 'one.png'));
    expect((await setup.label('one', 'New', setup.ann)).status).to.equal(204);
    const [after] = await setup.list(setup.ann);
    expect(after).to.include({ label: 'New', createdAt: before.createdAt, dataUrl: before.dataUrl });
    expect(after!.updatedAt).to.be.at.least(before.updatedAt);
    expect(readFileSync(setup.folder('ann', 'one.png')).equals(bytes)).to.equal(true);
    for (const wrong of ['', ' \t', undefined, null, 7])
      expect(pointers(expectProblem(await setup.label('one', wrong, setup.ann), 400, 'INPUT_INVALID'))).to.deep.equal([
        '/label',
      ]);
    writeFileSync(setup.folder('ann', 'copied.png'), setup.png);
    expectProblem(await setup.label('copied', 'New', setup.ann), 404, 'NOT_FOUND');
  });

  it('replaces an image with the same id, also with another extension', async () => {
    const first = await setup.saved(setup.ann, { label: 'first' });
    const second = await setup.saved(setup.ann, { label: 'second', dataUrl: asUrl(setup.jpeg, 'jpg') });
    expect(readdirSync(setup.folder('ann'))).to.have.members(['one.jpg', 'one.json']);
    expect(second).to.include({ dataUrl: `${IMAGE}/one.jpg`, createdAt: first.createdAt });
    expect(await setup.list(setup.ann)).to.deep.equal([second]);
    expect((await setup.image('one.jpg', setup.ann)).headers['content-type']).to.equal('image/jpeg');
  });

  it('does not touch ids with the same prefix when one is deleted', async () => {
    await setup.saved(setup.ann, { id: 'a' });
    await setup.saved(setup.ann, { id: 'a.b' });
    await setup.saved(setup.ann, { id: 'a.png' });
    expect((await setup.remove('a', setup.ann)).status).to.equal(204);
    expect(readdirSync(setup.folder('ann'))).to.have.members(['a.b.png', 'a.b.json', 'a.png.png', 'a.png.json']);
  });

  it('saves text that is not an image as a record that is not listed', async () => {
    expect(await setup.saved(setup.ann, { dataUrl: 'typed' })).to.include({ dataUrl: null });
    expect([await setup.list(setup.ann), readdirSync(setup.folder('ann'))]).to.deep.equal([[], ['one.json']]);
    expect((await setup.label('one', 'x', setup.ann)).status).to.equal(204);
    expect((await setup.remove('one', setup.ann)).status).to.equal(204);
  });

  it('has a folder for every user by name, whatever its letter case', async () => {
    await setup.saved(setup.bob, {});
    expect(readdirSync(setup.folder())).to.deep.equal(['Bob.Smith@example.org']);
    rmSync(setup.folder(), { recursive: true });
    mkdirSync(setup.folder('BOB.SMITH@EXAMPLE.ORG'), { recursive: true });
    writeFileSync(setup.folder('BOB.SMITH@EXAMPLE.ORG', 'copied.png'), setup.png);
    await setup.saved(setup.bob, {});
    expect((await setup.list(setup.bob)).map(({ id }) => id)).to.deep.equal(['copied', 'one']);
    expect(readdirSync(setup.folder())).to.deep.equal(['BOB.SMITH@EXAMPLE.ORG']);
  });

  it('accepts a key or a session, and requires one of them', async () => {
    await setup.saved({ 'x-api-key': await keyOf(setup.server, setup.ann) }, {});
    expect((await setup.list(setup.ann)).map(({ id }) => id)).to.deep.equal(['one']);
    await setup.saved({ 'x-api-key': globalKey }, { id: 'robot' });
    expect(readdirSync(setup.folder()).sort()).to.deep.equal(['CUSTOM_API_USER', 'ann']);
    for (const answer of [
      await setup.save({}, {}),
      await setup.get(SAVED),
      await setup.image('one.png'),
      await setup.get(SIGN),
      await setup.remove('one', {}),
      await setup.label('one', 'x', {}),
      await setup.image('one.png', { 'x-api-key': 'wrong' }),
    ])
      expectProblem(answer, 401, 'KEY_INVALID');
  });

  it('moves images when a user is renamed, and removes them with the user', async () => {
    const cleo = await setup.user('cleo');
    await setup.saved(cleo, {});
    const renamed = await sendFields(
      setup.server,
      '/api/v1/user/change-username',
      { currentPasswordChangeUsername: 'password of cleo', newUsername: 'cleopatra' },
      cleo,
    );
    expect(renamed.status, renamed.body.toString()).to.equal(200);
    expect(readdirSync(setup.folder())).to.deep.equal(['cleopatra']);
    expect(
      (await setup.list(await sessionOf(setup.server, 'cleopatra', 'password of cleo'))).map(({ id }) => id),
    ).to.deep.equal(['one']);
    expect(await setup.list(await setup.user('cleo'))).to.deep.equal([]);
    await setup.saved(setup.ann, { id: 'kept' });
    expect(
      (
        await send(`${setup.server.url}/api/v1/user/admin/deleteUser/cleopatra`, {
          method: 'POST',
          headers: setup.boss,
        })
      ).status,
    ).to.equal(200);
    expect(await setup.list(await setup.user('cleopatra'))).to.deep.equal([]);
    expect(readdirSync(setup.folder())).to.deep.equal(['ann']);
  });

  it('refuses setup.demo users, except for shared images', async () => {
    await setup.saved(setup.boss, { scope: 'shared' });
    for (const answer of [
      await setup.save(setup.demo, {}),
      await setup.get(SAVED, setup.demo),
      await setup.remove('one', setup.demo),
      await setup.label('one', 'x', setup.demo),
    ])
      expectProblem(answer, 403, 'DEMO_REFUSED');
    expect((await setup.image('one.png', setup.demo)).status).to.equal(200);
    expect(existsSync(setup.folder('demo'))).to.equal(false);
  });

  it('reports that hardware signing is not available', async () => {
    const address = '/api/v1/security/cert-sign/hardware';
    expect(json(await setup.get(`${address}/capabilities`, setup.ann))).to.deep.equal({
      desktop: false,
      osName: '',
      windowsStoreSupported: false,
      pkcs11Supported: false,
      detectedLibraries: [],
    });
    for (const answer of [
      await setup.get(`${address}/windows-certificates`, setup.ann),
      await sendJson(
        setup.server,
        `${address}/pkcs11-certificates`,
        { libraryPath: '/x', slot: 1, pin: '1234' },
        setup.ann,
      ),
    ]) {
      expect(expectProblem(answer, 400, 'HARDWARE_SIGNING_DESKTOP_ONLY')).to.include({
        errorCode: 'error.hardwareSigningDesktopOnly',
      });
    }
    expectProblem(await setup.get(`${address}/capabilities`), 401, 'KEY_INVALID');
  });

  it('shows only shared images while login is off', async () => {
    await setup.saved(setup.boss, { id: 'stamp', scope: 'shared' });
    await setup.saved(setup.ann, {});
    for (const name of ['anonymous', ''])
      cpSync(setup.folder('ann'), setup.folder(name === '' ? 'anonymousUser' : name), { recursive: true });
    const fonts = join(setup.base, 'data', 'customFiles', 'static', 'fonts');
    mkdirSync(fonts, { recursive: true });
    for (const name of ['Hand.woff2', 'Script.ttf', 'Old.eot', 'Odd.otf', '.hidden'])
      writeFileSync(join(fonts, name), 'x');
    await setup.server.stop();
    const open = await setup.start(false);
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
      setup.server = await setup.start(true);
      await setup.server.start();
      [setup.boss, setup.ann] = [
        await sessionOf(setup.server),
        await sessionOf(setup.server, 'ann', 'password of ann'),
      ];
    }
  });
});

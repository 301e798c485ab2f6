import { expect } from 'chai';
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { expectProblem, pointers, type Answer } from '../support/client.js';
import { sessionOf } from '../support/login.js';
import { asUrl, drawn, IMAGE, useSignatureImages } from '../support/signature-images.js';

describe('Files of saved signature images', function signatureImageFiles() {
  this.timeout(60_000);
  const setup = useSignatureImages();

  it('detects image formats by content and encodes images again', async () => {
    const noted = await drawn(30, 30)
      .withExif({ IFD0: { Copyright: 'secret-of-the-camera' } })
      .jpeg()
      .toBuffer();
    await setup.saved(setup.ann, {
      dataUrl: asUrl(Buffer.concat([noted, Buffer.from('<script>tail</script>')]), 'png'),
    });
    const { headers, body } = await setup.image('one.png', setup.ann);
    expect(headers['content-type']).to.equal('image/jpeg');
    expect([body.includes('secret-of-the-camera'), body.includes('<script>')]).to.deep.equal([false, false]);
    const palette = await drawn(64, 64).png({ palette: true }).toBuffer();
    await setup.saved(setup.ann, { id: 'palette', dataUrl: asUrl(palette) });
    expect(
      await sharp((await setup.image('palette.png', setup.ann)).body)
        .ensureAlpha()
        .raw()
        .toBuffer(),
    ).to.deep.equal(await sharp(palette).ensureAlpha().raw().toBuffer());
  });

  it('refuses files that are not images or are too large, with the reason', async () => {
    const refused = async (dataUrl: unknown, code = 'INPUT_INVALID'): Promise<string> => {
      const problem = expectProblem(await setup.save(setup.ann, { dataUrl }), 400, code);
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
    await refused(asUrl((await sharp(setup.png).png().toBuffer()).subarray(0, 60)), 'IMAGE_UNREADABLE');
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
    expect(await refused(asUrl(Buffer.concat([setup.png, Buffer.alloc(2_000_001 - setup.png.length)])))).to.include(
      '2000001 bytes',
    );
    await setup.saved(setup.ann, {
      dataUrl: asUrl(Buffer.concat([setup.png, Buffer.alloc(2_000_000 - setup.png.length)])),
    });
    await refused(`data:image/png;base64,${'A'.repeat(4_000_000)}`);
    expectProblem(await setup.save(setup.ann, { dataUrl: 'A'.repeat(7_000_000) }), 413, 'INPUT_TOO_LARGE');
    expectProblem(await setup.save(setup.ann, { scope: 'team' }), 400, 'INPUT_INVALID');
    expectProblem(await setup.save(setup.ann, { fontSize: 'large' }), 400, 'INPUT_INVALID');
    expect(readdirSync(setup.folder())).to.deep.equal(['ann']);
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
      expect(
        pointers(expectProblem(await setup.save(setup.ann, { id }), 400, 'INPUT_INVALID')),
        JSON.stringify(id),
      ).to.deep.equal(['/id']);
    }
    mkdirSync(setup.folder(), { recursive: true });
    writeFileSync(setup.folder('secret.png'), setup.png);
    for (const name of [
      '%2e%2e%2fsecret.png',
      '..%2Fsecret.png',
      '%2Fetc%2Fpasswd',
      '..%5Csecret.png',
      'a%00.png',
      'a..png',
      'a%20b.png',
    ]) {
      expectProblem(await setup.image(name, setup.ann), 400, 'INPUT_INVALID');
      expectProblem(await setup.remove(name, setup.ann), 400, 'INPUT_INVALID');
      expectProblem(await setup.label(name, 'x', setup.ann), 400, 'INPUT_INVALID');
    }
    await setup.saved(setup.ann, {});
    for (const name of ['one.json', 'one', 'one.svg', 'ONE.html'])
      expectProblem(await setup.image(name, setup.ann), 404, 'NOT_FOUND');
  });

  it('lists images that were copied in, if they are within the limits', async () => {
    for (const name of ['ann', 'ALL_USERS']) mkdirSync(setup.folder(name), { recursive: true });
    writeFileSync(setup.folder('ann', 'Scan.PNG'), setup.png);
    writeFileSync(setup.folder('ann', 'photo.jpeg'), setup.jpeg);
    writeFileSync(
      setup.folder('ann', 'photo.json'),
      '{"label":"From a card","type":"image","createdAt":5,"updatedAt":"x","scope":"shared",' +
        '"dataUrl":"https://example.org/"}',
    );
    writeFileSync(setup.folder('ann', 'broken.json'), '[');
    writeFileSync(setup.folder('ann', 'broken.png'), setup.png);
    writeFileSync(setup.folder('ann', 'page.png'), '<html>');
    writeFileSync(setup.folder('ann', 'cut.png'), setup.png.subarray(0, setup.png.length - 20));
    writeFileSync(setup.folder('ann', 'drawing.svg'), '<svg/>');
    writeFileSync(
      setup.folder('ann', 'huge.png'),
      Buffer.concat([setup.png, Buffer.alloc(2_000_001 - setup.png.length)]),
    );
    writeFileSync(
      setup.folder('ann', 'bomb.png'),
      await sharp({ create: { width: 8000, height: 8000, channels: 3, background: 'red' } })
        .png()
        .toBuffer(),
    );
    writeFileSync(setup.folder('ann', 'odd name.png'), setup.png);
    mkdirSync(setup.folder('ann', 'folder.png'));
    symlinkSync('/etc/passwd', setup.folder('ann', 'link.png'));
    writeFileSync(setup.folder('outside.png'), setup.png);
    symlinkSync(setup.folder('outside.png'), setup.folder('ann', 'out.png'));
    const found = await setup.list(setup.ann);
    expect(found.map(({ id, label: text, dataUrl, scope }) => ({ id, label: text, dataUrl, scope }))).to.deep.equal([
      { id: 'Scan', label: 'Scan', dataUrl: `${IMAGE}/Scan.PNG`, scope: 'personal' },
      { id: 'broken', label: 'broken', dataUrl: `${IMAGE}/broken.png`, scope: 'personal' },
      { id: 'photo', label: 'From a card', dataUrl: `${IMAGE}/photo.jpeg`, scope: 'personal' },
    ]);
    const time = Math.round(statSync(setup.folder('ann', 'Scan.PNG')).mtimeMs);
    expect(found[0]).to.include({ createdAt: time, updatedAt: time, type: 'image' });
    for (const { dataUrl } of found) expect((await setup.get(String(dataUrl), setup.ann)).status).to.equal(200);
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
      expectProblem(await setup.image(name, setup.ann), 404, 'NOT_FOUND');
  });

  it('does not follow a symbolic link in place of a folder', async () => {
    const outside = join(setup.base, 'outside');
    mkdirSync(outside, { recursive: true });
    writeFileSync(join(outside, 'one.png'), setup.png);
    mkdirSync(setup.folder(), { recursive: true });
    symlinkSync(outside, setup.folder('ann'));
    symlinkSync(outside, setup.folder('ALL_USERS'));
    expect(await setup.list(setup.ann)).to.deep.equal([]);
    expectProblem(await setup.image('one.png', setup.ann), 404, 'NOT_FOUND');
    expectProblem(await setup.remove('one', setup.boss), 404, 'NOT_FOUND');
    expectProblem(await setup.save(setup.ann, {}), 503, 'SERVICE_NOT_SET_UP');
    expect(readdirSync(outside)).to.deep.equal(['one.png']);
  });

  it('limits a user to twenty images, including copied ones, even when saves race', async () => {
    mkdirSync(setup.folder('ann'), { recursive: true });
    for (let n = 0; n < 12; n++) writeFileSync(setup.folder('ann', `copied-${n}.png`), setup.png);
    const answers = await Promise.all(Array.from({ length: 14 }, (_, n) => setup.save(setup.ann, { id: `n${n}` })));
    expect(answers.filter(({ status }) => status === 200)).to.have.length(8);
    for (const answer of answers.filter(({ status }) => status !== 200)) expectProblem(answer, 400, 'SIGNATURES_FULL');
    expect(readdirSync(setup.folder('ann')).filter((name) => name.endsWith('.png'))).to.have.length(20);
    expect(readdirSync(setup.folder('ann')).filter((name) => name.startsWith('~'))).to.deep.equal([]);
    expectProblem(await setup.save(setup.ann, { id: 'n0' }), 400, 'SIGNATURES_FULL');
    await setup.saved(setup.bob, { id: 'n0' });
    expect((await setup.remove('copied-3', setup.ann)).status).to.equal(204);
    await setup.saved(setup.ann, { id: 'again' });
  });

  it('limits a user to twenty megabytes, and shared images not at all', async () => {
    for (const name of ['ann', 'ALL_USERS']) {
      mkdirSync(setup.folder(name), { recursive: true });
      for (let n = 0; n < 10; n++) writeFileSync(setup.folder(name, `big-${n}.png`), Buffer.alloc(1_999_900));
    }
    // 1000 bytes are free. The estimate for this data URL is larger than its image.
    const large = asUrl(Buffer.concat([setup.png, Buffer.alloc(1_100 - setup.png.length)]));
    expectProblem(await setup.save(setup.ann, { dataUrl: large }), 400, 'SIGNATURES_FULL');
    const answers = await Promise.all(Array.from({ length: 9 }, (_, n) => setup.save(setup.ann, { id: `n${n}` })));
    expect(answers.some(({ status }) => status === 200)).to.equal(true);
    const sum = readdirSync(setup.folder('ann'))
      .filter((name) => name.endsWith('.png'))
      .reduce((total, name) => total + statSync(setup.folder('ann', name)).size, 0);
    expect(sum).to.be.at.most(20_000_000);
    await setup.saved(setup.boss, { scope: 'shared', dataUrl: large });
  });

  it('leaves one complete image with its own record when saves of one id race', async () => {
    const widths = [11, 12, 13, 14, 15, 16];
    const urls = await Promise.all(widths.map(async (width) => asUrl(await drawn(width, 10).png().toBuffer())));
    const reads: Promise<Answer>[] = [];
    await setup.saved(setup.ann, { label: 'w11', dataUrl: urls[0] });
    await Promise.all(
      urls.map((dataUrl, at) => {
        reads.push(setup.image('one.png', setup.ann));
        return setup.saved(setup.ann, { label: `w${widths[at]}`, dataUrl });
      }),
    );
    for (const { status, body } of await Promise.all(reads))
      expect([status, (await sharp(body).metadata()).height]).to.deep.equal([200, 10]);
    const [record] = await setup.list(setup.ann);
    expect(record?.label).to.equal(
      `w${(await sharp((await setup.image('one.png', setup.ann)).body).metadata()).width}`,
    );
  });

  it('completes or removes what a killed server left behind', async () => {
    await setup.saved(setup.ann, { label: 'old' });
    const record = readFileSync(setup.folder('ann', 'one.json'), 'utf8');
    // Killed while the image was written: nothing has happened.
    writeFileSync(setup.folder('ann', '~image~half.png'), setup.png.subarray(0, 9));
    // Killed before the image was moved into place.
    writeFileSync(setup.folder('ann', '~image~two.png'), setup.png);
    writeFileSync(setup.folder('ann', '~record~two.json'), record.replaceAll('one', 'two'));
    // Killed between image and record: the image has another extension now.
    writeFileSync(setup.folder('ann', 'one.jpg'), setup.jpeg);
    writeFileSync(setup.folder('ann', '~record~one.json'), record.replace('old', 'new').replace('one.png', 'one.jpg'));
    // Killed while a record without an image was written.
    writeFileSync(setup.folder('ann', '~record~three.json'), record.slice(0, 20));
    await setup.server.stop();
    setup.server = await setup.start(true);
    await setup.server.start();
    setup.ann = await sessionOf(setup.server, 'ann', 'password of ann');
    expect((await setup.list(setup.ann)).map(({ label: text, dataUrl }) => [text, dataUrl])).to.deep.equal([
      ['new', `${IMAGE}/one.jpg`],
    ]);
    expect(readdirSync(setup.folder('ann'))).to.have.members(['one.jpg', 'one.json']);
  });
});

import { expect } from 'chai';
import { verify, X509Certificate } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { createTestServer } from '@quire/core';
import { expectProblem, field, file, json, post, send } from '../support/client.js';
import { addUser, globalKey, keyOf, sessionOf } from '../support/login.js';
import { ADDRESS, expectText, secret, useServerCertificate } from '../support/server-certificate.js';
import { unrulyPlugin } from '../support/server.js';

describe('The server certificate over HTTP (skipped where openssl is not on PATH)', function serverCertificate() {
  this.timeout(60_000);
  const setup = useServerCertificate();

  it('is for administrators only, and exists only with login', async () => {
    await addUser(setup.server, setup.boss, 'ada');
    const user = await sessionOf(setup.server, 'ada', 'password of ada');
    const calls = [
      ['POST', '/upload'],
      ['GET', '/info'],
      ['POST', '/generate'],
      ['GET', '/certificate'],
      ['DELETE', ''],
      ['GET', '/enabled'],
    ] as const;
    for (const [method, path] of calls) {
      for (const [headers, status, code] of [
        [{}, 401, 'KEY_INVALID'],
        [{ 'x-api-key': 'wrong' }, 401, 'KEY_INVALID'],
        [user, 403, 'ADMIN_ONLY'],
        [{ 'x-api-key': globalKey }, 403, 'ADMIN_ONLY'],
      ] as const) {
        expectProblem(await send(`${setup.server.url}${ADDRESS}${path}`, { method, headers }), status, code);
      }
    }
    expect((await setup.get('/enabled', { 'x-api-key': await keyOf(setup.server, setup.boss) })).status).to.equal(200);
    const open = await createTestServer({ plugins: ['@quire/plugin-admin-cert'] });
    try {
      await open.start();
      for (const [method, path] of calls)
        expectProblem(await send(`${open.url}${ADDRESS}${path}`, { method }), 404, 'LOGIN_REQUIRED');
    } finally {
      await open.stop();
    }
  });

  it('is created on the first start: self-signed, readable only by its owner', async () => {
    const info = json(await setup.get('/info'));
    expect(info)
      .to.include({
        exists: true,
        subject: 'CN=Quire Inc Server,O=Quire Inc,C=US',
        issuer: 'CN=Quire Inc Server,O=Quire Inc,C=US',
      })
      .and.have.all.keys('exists', 'subject', 'issuer', 'validFrom', 'validTo');
    expect(statSync(setup.keystoreFile()).mode & 0o777).to.equal(0o600);
    const answer = await setup.get('/certificate');
    expect(answer.headers).to.include({ 'content-type': 'application/pkix-cert' });
    expect(answer.headers['content-disposition']).to.match(/^attachment; filename="?server-cert\.cer/);
    const certificate = new X509Certificate(answer.body);
    expect([
      certificate.verify(certificate.publicKey),
      certificate.ca,
      Buffer.from(certificate.raw).equals(answer.body),
    ]).to.deep.equal([true, false, true]);
    expect(json(await setup.get('/enabled'))).to.equal(true);
  });

  it('signs in workers, which never see its key', async () => {
    const { certificate, chain, signature, methods } = json<{
      certificate: string;
      chain: string[];
      signature: string;
      methods: string[];
    }>(await setup.signed());
    expect([Buffer.from(certificate, 'base64').equals(await setup.current()), chain, methods.toSorted()]).to.deep.equal(
      [true, [], ['certificates', 'sign']],
    );
    expect(
      verify(
        'sha256',
        Buffer.from('attributes'),
        new X509Certificate(Buffer.from(certificate, 'base64')).publicKey,
        Buffer.from(signature, 'base64'),
      ),
    ).to.equal(true);
    for (const scheme of [[field('family', 'ecdsa')], [field('digest', 'md5')]])
      expectProblem(await setup.signed(scheme), 500, 'CONTRACT_BROKEN');
  });

  it('is replaced by a generated one, which signs after a restart', async () => {
    await setup.restart();
    const before = await setup.signer();
    expectText(await setup.generate(), 'generated', 'takes effect for signing after a restart');
    const made = await setup.current();
    expect([
      made.equals(before),
      new X509Certificate(made).subject.includes('CN=Quire Inc Server'),
      (await setup.signer()).equals(before),
    ]).to.deep.equal([false, true, true]);
    await setup.restart();
    expect((await setup.signer()).equals(made)).to.equal(true);
  });

  it('does not sign after it was deleted; the next start creates a new one', async () => {
    const before = await setup.current();
    expectText(await setup.delete(), 'deleted', 'next start');
    expect(json(await setup.get('/info'))).to.deep.equal({
      exists: false,
      subject: null,
      issuer: null,
      validFrom: null,
      validTo: null,
    });
    expectProblem(await setup.get('/certificate'), 404, 'NOT_FOUND');
    expectProblem(await setup.signed(), 400, 'SERVER_CERTIFICATE_MISSING');
    expectText(await setup.delete(), 'There was no server certificate');
    await setup.restart();
    expect(json(await setup.get('/info'))).to.include({ exists: true });
    expect((await setup.signer()).equals(before)).to.equal(false);
  });

  it('is not generated while the feature is off, and does not sign then', async () => {
    expectText(await setup.upload(await setup.pki.pkcs12(setup.ann, secret)));
    await setup.restart({ system: { serverCertificate: { enabled: false } } });
    const before = readFileSync(setup.keystoreFile());
    expect(json(await setup.get('/enabled'))).to.equal(false);
    expectProblem(await setup.generate(), 400, 'SERVER_CERTIFICATE_DISABLED');
    expect(readFileSync(setup.keystoreFile()).equals(before)).to.equal(true);
    expect(json(await setup.get('/info'))).to.include({ exists: true });
    expectProblem(await setup.signed(), 400, 'SERVER_CERTIFICATE_DISABLED');
    expectText(await setup.upload(await setup.pki.pkcs12(setup.ann, secret)), 'switched off');
  });

  it('is replaced at every start where configured, an uploaded one too', async () => {
    const settings = {
      system: { serverCertificate: { regenerateOnStartup: true, organizationName: 'Größe & Co', validity: 10 } },
    };
    await setup.restart(settings);
    const info = json<{ subject: string; validFrom: string; validTo: string }>(await setup.get('/info'));
    expect([info.subject, Date.parse(info.validTo) - Date.parse(info.validFrom)]).to.deep.equal([
      'CN=Größe & Co Server,O=Größe & Co,C=US',
      10 * 86_400_000,
    ]);
    expectText(await setup.upload(await setup.pki.pkcs12(setup.ann, secret)));
    await setup.restart(settings);
    expect((await setup.current()).equals(setup.ann.certificate)).to.equal(false);
    expect((await setup.signer()).equals(await setup.current())).to.equal(true);
  });

  it('is reported when it cannot be read: the server starts and accepts another', async () => {
    await setup.server.stop();
    writeFileSync(setup.keystoreFile(), 'no keystore');
    await setup.start();
    expectProblem(await setup.get('/info'), 503, 'SERVICE_NOT_SET_UP');
    expectText(await setup.upload(await setup.pki.pkcs12(setup.ann, secret)));
    expect(json(await setup.get('/info'))).to.include({ exists: true });
  });

  it('is missing where no plugin provides one', async () => {
    const bare = await createTestServer({ plugins: [unrulyPlugin] });
    try {
      await bare.start();
      expectProblem(
        await post(`${bare.url}/api/v1/misc/unruly-signature`, [file(Buffer.from('attributes'), 'a.txt')]),
        400,
        'SERVER_CERTIFICATE_ABSENT',
      );
    } finally {
      await bare.stop();
    }
  });

  it('is in the API documentation with its form', async () => {
    const { paths } = json<{
      paths: Record<string, Record<string, { requestBody?: { content: Record<string, { schema: unknown }> } }>>;
    }>(await send(`${setup.server.url}/v1/api-docs`, { headers: setup.boss }));
    const form = JSON.stringify(
      paths[`${ADDRESS}/upload`]?.['post']?.requestBody?.content['multipart/form-data']?.schema,
    );
    expect(form).to.include('"file"').and.include('"password"');
    expect(paths).to.include.keys(
      `${ADDRESS}/generate`,
      `${ADDRESS}/info`,
      `${ADDRESS}/certificate`,
      ADDRESS,
      `${ADDRESS}/enabled`,
    );
  });
});

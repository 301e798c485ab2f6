import type { QuireServer } from '@quire/core';
import { expect } from 'chai';
import { startValidationServer, type ValidationServer } from './validation-server.js';

describe('validate-signature with revocation', function () {
  this.timeout(60_000);
  let validation: ValidationServer;
  let asking: QuireServer;
  let at: string;

  before(async () => {
    validation = await startValidationServer();
    asking = await validation.start({
      'security.validation.revocation.mode': 'ocsp',
      'security.validation.allowAIA': true,
    });
    at = await asking.start();
  });

  after(async () => {
    await asking.stop();
    await validation.stop();
  });

  it('asks the responder, and reports good, revoked and unknown', async () => {
    const { below, pki, plain, reports, sign } = validation;
    const eve = await below.issue({ name: 'Eve', key: 'rsa2048', ocsp: `${pki.url}/ocsp` });
    const byEve = await sign(plain, {}, eve);
    const belowFile = { name: 'below.cer', bytes: new Uint8Array(below.own.certificate) };
    expect((await reports(byEve, belowFile, at))[0]).to.deep.include({
      chainValid: true,
      revocationChecked: true,
      revocationStatus: 'good',
    });
    const mallory = await below.issue({ name: 'Mallory', key: 'rsa2048', ocsp: `${pki.url}/ocsp` });
    const byMallory = await sign(plain, {}, mallory);
    await below.revoke(mallory);
    const [revoked] = await reports(byMallory, belowFile, at);
    expect(revoked).to.deep.include({
      valid: true,
      chainValid: false,
      revocationChecked: true,
      revocationStatus: 'revoked',
    });
    expect(revoked?.chainValidationError).to.match(/revo/i);
    const silent = await below.issue({ name: 'Silent', key: 'rsa2048', ocsp: `${pki.url}/nobody` });
    const [unknown] = await reports(await sign(plain, {}, silent), belowFile, at);
    expect(unknown).to.deep.include({ chainValid: true, revocationStatus: 'good' });
    expect(unknown?.warnings.join()).to.match(/revocation/i);
  });

  for (const mode of ['crl', 'ocsp+crl'] as const) {
    it(`takes revocation lists with ${mode}, and with hardFail nothing whose status is unknown`, async () => {
      const { below, pki, plain, start, reports, sign } = validation;
      const strict = await start({
        'security.validation.revocation.mode': mode,
        'security.validation.revocation.hardFail': true,
        'security.validation.allowAIA': true,
      });
      try {
        const strictUrl = await strict.start();
        // A list is kept for minutes once it was fetched: one that was made later has another address.
        const [list, later] = [pki.crl(`/${mode}.crl`, below), pki.crl(`/${mode}-later.crl`, below)];
        const belowFile = { name: 'below.cer', bytes: new Uint8Array(below.own.certificate) };
        const ask = async (name: string, where: { crl?: string; ocsp?: string }, revoked = false) => {
          const issued = await below.issue({ name, key: 'rsa2048', ...where });
          const file = await sign(plain, {}, issued);
          if (revoked) await below.revoke(issued);
          return (await reports(file, belowFile, strictUrl))[0];
        };
        // The responder's address answers 404: with ocsp+crl only the list remains.
        const ocsp = `${pki.url}/nobody`;
        expect(await ask('Listed', { crl: list, ocsp })).to.deep.include({
          valid: true,
          chainValid: true,
          revocationChecked: true,
          revocationStatus: 'good',
        });
        expect(await ask('Taken back', { crl: later, ocsp }, true)).to.deep.include({
          valid: true,
          chainValid: false,
          revocationStatus: 'revoked',
        });
        const unknown = await ask('Unlisted', { crl: `${pki.url}/no-list`, ocsp });
        expect(unknown).to.deep.include({ valid: true, chainValid: false, revocationStatus: 'soft-fail' });
        expect(unknown?.chainValidationError).to.match(/revocation/i);
      } finally {
        await strict.stop();
      }
    });
  }
});

import type { FormFile, OperationAnswer } from '@quire/plugin-kit';
import { expect } from 'chai';
import { type CertSignServer, fileAt, password, refusal, startCertSignServer } from './cert-sign-server.js';

describe('cert-sign with input that cannot sign', function () {
  this.timeout(60_000);
  let signing: CertSignServer;

  before(async () => {
    signing = await startCertSignServer();
  });

  after(() => signing.stop());

  it('refuses what cannot sign, naming the field and never the password', async () => {
    const { authority, ann, annStore, storeOf, call, withAnn } = signing;
    const p12 = (bytes: Uint8Array, name = 'a.p12'): Record<string, FormFile> => ({ p12File: { name, bytes } });
    const day = 86_400_000;
    const expired = await storeOf(
      await authority.issue({ name: 'Old', from: new Date(Date.now() - 20 * day), to: new Date(Date.now() - day) }),
    );
    const future = await storeOf(
      await authority.issue({ name: 'New', from: new Date(Date.now() + day), to: new Date(Date.now() + 20 * day) }),
    );
    const weak = await storeOf(await authority.issue({ name: 'Weak', key: 'rsa1024' }));
    const keyless = await storeOf(ann, { withKey: false });
    const key = await fileAt(ann.keyFile);
    const other = await fileAt((await authority.issue({ name: 'Other' })).certificateFile);
    const cases: readonly (readonly [string, Promise<OperationAnswer>, number, string, RegExp])[] = [
      [
        'wrong password',
        call({ certType: 'PKCS12', password: 'wrong' }, { p12File: annStore }),
        400,
        'KEYSTORE_PASSWORD',
        /p12File/,
      ],
      [
        'no password',
        call({ certType: 'PKCS12' }, { p12File: annStore }),
        400,
        'KEYSTORE_PASSWORD',
        /needs a password/,
      ],
      [
        'cut',
        call({ certType: 'PKCS12', password }, p12(annStore.bytes.slice(0, 200))),
        400,
        'KEYSTORE_UNREADABLE',
        /p12File/,
      ],
      [
        'a text',
        call({ certType: 'PFX', password }, p12(new TextEncoder().encode('hello'), 'a')),
        400,
        'KEYSTORE_UNREADABLE',
        /p12File/,
      ],
      [
        'a picture',
        call({ certType: 'PKCS12', password }, p12(Buffer.from('89504e470d0a1a0a0000', 'hex'), 'a.png')),
        415,
        'INPUT_KIND',
        /p12File/,
      ],
      [
        'an empty file',
        call({ certType: 'PKCS12', password }, p12(new Uint8Array())),
        400,
        'INPUT_FILE_EMPTY',
        /p12File/,
      ],
      ['no file', call({ certType: 'PKCS12', password }), 400, 'INPUT_INVALID', /p12File is missing/],
      [
        'text in a file field',
        call({ certType: 'PKCS12', password, p12File: 'MIIJ' }),
        400,
        'INPUT_INVALID',
        /p12File is missing/,
      ],
      [
        'no key file',
        call({ certType: 'PEM' }, { certFile: other }),
        400,
        'INPUT_INVALID',
        /privateKeyFile is missing/,
      ],
      [
        'the file of another type',
        call({ certType: 'JKS', password }, { p12File: annStore }),
        400,
        'INPUT_INVALID',
        /jksFile is missing/,
      ],
      [
        'another certificate',
        call({ certType: 'PEM' }, { privateKeyFile: key, certFile: other }),
        400,
        'KEY_MISMATCH',
        /does not match/,
      ],
      [
        'a certificate as key',
        call({ certType: 'PEM' }, { privateKeyFile: other, certFile: other }),
        400,
        'KEY_UNREADABLE',
        /privateKeyFile/,
      ],
      [
        'no key within',
        call({ certType: 'PKCS12', password }, { p12File: keyless }),
        400,
        'KEYSTORE_NO_KEY',
        /p12File/,
      ],
      [
        'expired',
        call({ certType: 'PKCS12', password }, { p12File: expired }),
        400,
        'CERTIFICATE_NOT_VALID',
        /from 20\d\d-.* to 20\d\d-/,
      ],
      [
        'not yet valid',
        call({ certType: 'PKCS12', password }, { p12File: future }),
        400,
        'CERTIFICATE_NOT_VALID',
        /from 20/,
      ],
      ['1024 bits', call({ certType: 'PKCS12', password }, { p12File: weak }), 400, 'KEY_UNUSABLE', /1024 bits/],
      ['no type', call({ password }, { p12File: annStore }), 400, 'INPUT_INVALID', /certType/],
      ['another type', call({ certType: 'pkcs12', password }, { p12File: annStore }), 400, 'INPUT_INVALID', /certType/],
      [
        'a token',
        call({ certType: 'PKCS11', pkcs11LibraryPath: '/lib/x.so', pkcs11Slot: 1, password }),
        400,
        'HARDWARE_SIGNING_DESKTOP_ONLY',
        /error\.hardwareSigningDesktopOnly/,
      ],
      [
        'the store of Windows',
        call({ certType: 'WINDOWS_STORE' }),
        400,
        'HARDWARE_SIGNING_DESKTOP_ONLY',
        /error\.hardwareSigningDesktopOnly/,
      ],
      [
        'a page too many',
        withAnn({ showSignature: true, pageNumber: 2 }),
        400,
        'INPUT_INVALID',
        /pageNumber is 2; the document has one page/,
      ],
      ['page 0', withAnn({ pageNumber: 0 }), 400, 'INPUT_INVALID', /pageNumber/],
      [
        'letters without a glyph',
        withAnn({ showSignature: true, reason: 'ok \u{12000}' }),
        400,
        'INPUT_INVALID',
        /reason/,
      ],
    ];
    for (const [title, answer, status, code, words] of cases) {
      const [found, foundCode, text] = await refusal(answer);
      expect([found, foundCode], `${title}: ${text}`).to.deep.equal([status, code]);
      expect(text, title).to.match(words);
    }
  });
});

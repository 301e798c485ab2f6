import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { PDFHexString } from 'pdf-lib';
import {
  createSecurity,
  decodePermissions,
  encodePermissions,
  type SecurityScheme,
} from '../../../file/encryption/index.js';
import { uniform } from '../../../file/encryption/crypt-filters.js';
import { legacyFileKey, legacyOwnerEntry, legacyUserEntry } from '../../../file/encryption/legacy-keys.js';
import { padPassword } from '../../../file/passwords/index.js';
import { StandardCipher } from '../../../file/encryption/standard-cipher.js';
import { openLazily } from '../../../file/reader/index.js';
import { hasQpdf, qpdf, qpdfSays, secretDocument, secretsOf, writeFile } from './support.js';

type Json = Record<
  string,
  { readonly stream?: { readonly dict: Record<string, unknown>; readonly data: string }; readonly value?: unknown }
>;

/** The objects that qpdf reads, stream data undecoded, without trailer and encryption dictionary. */
function objectsOf(bytes: Uint8Array, password = ''): Json {
  const text = qpdfSays(
    bytes,
    `--password=${password}`,
    '--json=2',
    '--json-key=qpdf',
    '--json-stream-data=inline',
    '--decode-level=none',
  );
  const {
    qpdf: [, objects],
  } = JSON.parse(text) as { qpdf: [unknown, Json] };
  return Object.fromEntries(
    Object.entries(objects).filter(
      ([key, { value }]) =>
        key !== 'trailer' && !(value !== null && typeof value === 'object' && '/V' in value && '/O' in value),
    ),
  );
}

/** Every encryption that qpdf supports; passwords come before, `--` after. */
const theirs: readonly (readonly [name: string, options: readonly string[], algorithm: string, revision: number])[] = [
  ['RC4 of 40 bits', ['40'], 'RC4', 2],
  ['RC4 of 128 bits', ['128', '--use-aes=n'], 'RC4', 3],
  ['RC4 by crypt filters', ['128', '--use-aes=n', '--force-V4'], 'RC4', 4],
  ['AES-128', ['128', '--use-aes=y'], 'AES-128', 4],
  ['AES-128 with plain metadata', ['128', '--use-aes=y', '--cleartext-metadata'], 'AES-128', 4],
  ['AES-256 of revision 5', ['256', '--force-R5'], 'AES-256', 5],
  ['AES-256', ['256'], 'AES-256', 6],
  ['AES-256 with plain metadata', ['256', '--cleartext-metadata'], 'AES-256', 6],
];

const ours: readonly (readonly [name: string, scheme: SecurityScheme, encryptMetadata: boolean, method: string])[] = [
  // Revision 2 cannot withhold form filling alone.
  ['RC4-40', 'RC4-40', true, 'R = 3'],
  ['RC4-128', 'RC4-128', true, 'R = 3'],
  ['RC4-128 with plain metadata', 'RC4-128', false, 'stream encryption method: RC4'],
  ['AES-128', 'AES-128', true, 'stream encryption method: AESv2'],
  ['AES-128 with plain metadata', 'AES-128', false, 'stream encryption method: AESv2'],
  ['AES-256', 'AES-256', true, 'stream encryption method: AESv3'],
  ['AES-256 with plain metadata', 'AES-256', false, 'stream encryption method: AESv3'],
];

const passwords: readonly (readonly [name: string, user: string, owner: string])[] = [
  ['plain passwords', 'user', 'owner'],
  ['no user password', '', 'owner'],
  ['passwords beyond ASCII', 'usér', 'ëigner'],
  ['long passwords', 'u'.repeat(40), 'o'.repeat(140)],
];

describe(hasQpdf ? 'encryption beside qpdf' : 'encryption beside qpdf (skipped: no qpdf)', () => {
  const file = writeFile(secretDocument());
  const original = secretsOf(openLazily(file));

  before(function () {
    if (!hasQpdf) this.skip();
  });

  for (const [name, options, algorithm, revision] of theirs) {
    for (const objectStreams of ['disable', 'generate']) {
      it(`reads what qpdf encrypted with ${name}, object streams: ${objectStreams}`, () => {
        const bytes = qpdf(file, [
          '--allow-weak-crypto',
          `--object-streams=${objectStreams}`,
          '--stream-data=preserve',
          '--encrypt',
          'usér',
          'öwner',
          ...options,
          '--',
        ]);
        for (const [password, access] of [
          ['usér', 'user'],
          ['öwner', 'owner'],
        ] as const) {
          const document = openLazily(bytes, { password });
          expect(document.security).to.include({
            access,
            algorithm,
            revision,
            encryptMetadata: !options.includes('--cleartext-metadata'),
          });
          expect(secretsOf(document)).to.deep.equal(original);
        }
        const broken = Buffer.from(
          Buffer.from(bytes)
            .toString('latin1')
            .replace('startxref', 'startxxxx')
            .replace(/\nxref\n/, '\nxxxx\n'),
          'latin1',
        );
        expect(secretsOf(openLazily(broken, { password: 'usér' })), 'after recovery').to.deep.equal(original);
      });
    }
  }

  it('reads permissions as qpdf wrote them', () => {
    const bytes = qpdf(file, ['--encrypt', '', 'owner', '256', '--extract=n', '--print=low', '--assemble=n', '--']);
    const rights = decodePermissions(openLazily(bytes).security?.permissions ?? 0);
    expect(Object.entries(rights).flatMap(([name, granted]) => (granted ? [] : [name]))).to.deep.equal([
      'copy',
      'assemble',
      'printHighQuality',
    ]);
  });

  it('opens files whose password is too long, which qpdf truncates in one revision only', () => {
    for (const [options, length] of [
      [['128', '--use-aes=y'], 32],
      [['256'], 127],
    ] as const) {
      const password = 'p'.repeat(length + 20);
      const bytes = qpdf(file, ['--stream-data=preserve', '--encrypt', password, 'owner', ...options, '--']);
      expect(secretsOf(openLazily(bytes, { password }))).to.deep.equal(original);
    }
  });

  for (const [name, scheme, encryptMetadata, method] of ours) {
    it(`writes ${name} so that qpdf reads every object`, () => {
      const context = secretDocument();
      const plain = objectsOf(file);
      const bytes = writeFile(
        context,
        createSecurity({
          context,
          scheme,
          encryptMetadata,
          userPassword: 'user',
          ownerPassword: 'owner',
          permissions: encodePermissions({ modify: false, fillForms: false }),
        }),
      );
      for (const password of ['user', 'owner']) {
        expect(objectsOf(bytes, password)).to.deep.equal(plain);
        const shown = qpdfSays(bytes, `--password=${password}`, '--show-encryption');
        expect(shown)
          .to.contain(`Supplied password is ${password} password`)
          .and.to.contain(method)
          .and.to.contain('modify other: not allowed')
          .and.to.contain('extract for any purpose: allowed');
        expect(qpdfSays(bytes, `--password=${password}`, '--check')).to.contain(
          'No syntax or stream encoding errors found',
        );
      }
      const decrypted = qpdf(bytes, ['--password=user', '--decrypt', '--stream-data=preserve']);
      expect(secretsOf(openLazily(decrypted))).to.deep.equal(original);
    });
  }

  it('writes RC4-40 as revision 2 unless a right unknown to it is withheld', () => {
    const revision = (rights: Parameters<typeof encodePermissions>[0]): string | undefined => {
      const context = secretDocument();
      const bytes = writeFile(
        context,
        createSecurity({ context, scheme: 'RC4-40', userPassword: 'user', permissions: encodePermissions(rights) }),
      );
      return /R = \d\nP = -?\d+/.exec(qpdfSays(bytes, '--password=user', '--show-encryption'))?.[0];
    };
    expect(revision({})).to.equal('R = 2\nP = -4');
    expect(revision({ print: false, annotate: false })).to.equal('R = 2\nP = -40');
    for (const [right, value] of [
      ['fillForms', -260],
      ['accessibility', -516],
      ['assemble', -1028],
      ['printHighQuality', -2052],
    ] as const)
      expect(revision({ [right]: false }), right).to.equal(`R = 3\nP = ${value}`);
  });

  for (const keyBytes of [5, 7, 8, 12]) {
    it(`derives RC4 keys of ${keyBytes * 8} bits in revision 3 as qpdf does`, () => {
      const context = secretDocument();
      const [user, owner] = ['user', 'owner'].map((password) => padPassword(Buffer.from(password)));
      const id = Buffer.alloc(16, 'i');
      const keys = {
        revision: 3,
        keyBytes,
        owner: legacyOwnerEntry({ revision: 3, keyBytes }, owner ?? id, user ?? id),
        permissions: -4,
        id,
        encryptMetadata: true,
      };
      const fileKey = legacyFileKey(keys, user ?? id);
      const hex = (bytes: Uint8Array): PDFHexString => PDFHexString.of(Buffer.from(bytes).toString('hex'));
      const dict = context.obj({
        Filter: 'Standard',
        V: 2,
        R: 3,
        Length: keyBytes * 8,
        P: -4,
        O: hex(keys.owner),
        U: hex(legacyUserEntry(keys, fileKey)),
      });
      const bytes = writeFile(context, {
        dict,
        id,
        cipher: new StandardCipher(fileKey, uniform('RC4'), randomBytes),
        pdfVersion: '1.4',
      });
      for (const password of ['user', 'owner']) {
        expect(objectsOf(bytes, password)).to.deep.equal(objectsOf(file));
        const document = openLazily(bytes, { password });
        expect(document.security).to.include({ access: password, keyBits: keyBytes * 8 });
        expect(secretsOf(document)).to.deep.equal(original);
      }
    });
  }

  for (const [name, user, owner] of passwords) {
    it(`writes ${name} as qpdf accepts them, with every scheme`, () => {
      for (const scheme of ['RC4-40', 'RC4-128', 'AES-128', 'AES-256'] as const) {
        const context = secretDocument();
        const bytes = writeFile(
          context,
          createSecurity({
            context,
            scheme,
            userPassword: user,
            ownerPassword: owner,
            permissions: encodePermissions({}),
          }),
        );
        for (const password of [user, owner])
          expect(qpdfSays(bytes, `--password=${password}`, '--check'), scheme).to.contain(
            `Supplied password is ${password === user ? 'user' : 'owner'} password`,
          );
        if (user !== '')
          expect(() => qpdfSays(bytes, '--password=wrong', '--check'), scheme).to.throw('invalid password');
      }
    });
  }
});

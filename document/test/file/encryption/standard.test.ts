import { expect } from 'chai';
import { PDFContext, PDFDict, PDFHexString, PDFName, PDFRef } from 'pdf-lib';
import {
  createSecurity,
  decodePermissions,
  encodePermissions,
  type SecurityOptions,
  type SecurityScheme,
  unlock,
  type UnlockOptions,
} from '../../../file/encryption/index.js';
import { legacyCandidates, modernCandidates } from '../../../file/passwords/index.js';
import { rc4 } from '../../../file/encryption/rc4.js';
import { DocumentError } from '../../../errors.js';

const schemes: readonly SecurityScheme[] = ['RC4-40', 'RC4-128', 'AES-128', 'AES-256'];
const ALL = encodePermissions({});
const ref = PDFRef.of(70_000, 3);

function secure(options: Partial<SecurityOptions> = {}) {
  return createSecurity({ context: PDFContext.create(), scheme: 'AES-256', permissions: ALL, ...options });
}

function refusal(options: UnlockOptions): string {
  try {
    unlock(options);
    return 'none';
  } catch (error) {
    return error instanceof DocumentError ? error.code : String(error);
  }
}

/** A copy of a dictionary with some entries changed; undefined removes one. */
function altered(dict: PDFDict, entries: Readonly<Record<string, unknown>>): PDFDict {
  const copy = dict.clone();
  for (const [key, value] of Object.entries(entries)) {
    if (value === undefined) copy.delete(PDFName.of(key));
    else copy.set(PDFName.of(key), dict.context.obj(value as never));
  }
  return copy;
}

const padded = (dict: PDFDict, key: string, zeros: number): PDFHexString =>
  PDFHexString.of((dict.get(PDFName.of(key)) as PDFHexString).asString() + '00'.repeat(zeros));

describe('RC4', () => {
  it('returns the published test vectors', () => {
    const code = (key: string, text: string): string =>
      Buffer.from(rc4(Buffer.from(key), Buffer.from(text))).toString('hex');
    expect(code('Key', 'Plaintext')).to.equal('bbf316e8d940af0ad3');
    expect(code('Wiki', 'pedia')).to.equal('1021bf0420');
    expect(code('Secret', 'Attack at dawn')).to.equal('45a01f645fc35b383552544b9bf5');
  });
});

describe('permissions of an encrypted document', () => {
  it('are bits of a signed number with the reserved ones set', () => {
    expect(encodePermissions({})).to.equal(-4);
    expect(encodePermissions({ print: false, printHighQuality: false })).to.equal(-2056);
    expect(
      encodePermissions(Object.fromEntries(Object.keys(decodePermissions(-1)).map((name) => [name, false]))),
    ).to.equal(-3904);
  });

  it('are read by name, and survive a round trip', () => {
    const some = { ...decodePermissions(-1), copy: false, assemble: false };
    expect(decodePermissions(encodePermissions(some))).to.deep.equal(some);
    expect(Object.values(decodePermissions(-4)).every(Boolean)).to.equal(true);
  });

  it('include their finer rights in revision 2', () => {
    const { fillForms, annotate, printHighQuality, print } = decodePermissions(-64 | 4, 2);
    expect({ fillForms, annotate, printHighQuality, print }).to.deep.equal({
      fillForms: false,
      annotate: false,
      printHighQuality: true,
      print: true,
    });
  });
});

describe('passwords of encrypted documents', () => {
  it("are tried in the standard's encoding first, then in those of other writers", () => {
    expect(legacyCandidates('€').map((bytes) => Buffer.from(bytes).toString('hex'))).to.deep.equal([
      'a0',
      'e282ac',
      'ac',
    ]);
    expect(legacyCandidates('abc')).to.have.length(1);
    expect(legacyCandidates('日').map((bytes) => Buffer.from(bytes).toString('hex'))[0]).to.equal('e697a5');
  });

  it('are prepared by SASLprep from revision 5 on, or used unchanged where it forbids them', () => {
    const texts = (password: string): string[] =>
      modernCandidates(password).map((bytes) => Buffer.from(bytes).toString('utf8'));
    // RFC 4013, section 3.
    expect(texts('I\u00adX')[0]).to.equal('IX');
    expect(texts('\u00aa')[0]).to.equal('a');
    expect(texts('\u2168')[0]).to.equal('IX');
    expect(texts('\u0627\u0031')).to.include('\u0627\u0031');
    expect(texts('user')).to.deep.equal(['user']);
  });

  it('are truncated to 127 bytes from revision 5 on', () => {
    expect(modernCandidates('ä'.repeat(100))[0]).to.have.length(127);
  });
});

describe('the standard security handler', () => {
  for (const scheme of schemes) {
    it(`opens ${scheme} with the user or owner password only`, () => {
      const { dict, id, cipher } = secure({
        scheme,
        userPassword: 'usér',
        ownerPassword: 'öwner',
        permissions: encodePermissions({ copy: false }),
      });
      const secret = cipher.encryptString(ref, Buffer.from('secret'));
      expect(Buffer.from(secret).toString('latin1')).not.to.contain('secret');
      for (const [password, access] of [
        ['usér', 'user'],
        ['öwner', 'owner'],
      ] as const) {
        const opened = unlock({ encrypt: dict, id, password });
        expect(opened.access).to.equal(access);
        expect(Buffer.from(opened.cipher.decryptString(ref, secret)).toString()).to.equal('secret');
        expect(decodePermissions(opened.permissions, opened.revision).copy).to.equal(false);
        expect({ algorithm: opened.algorithm, keyBits: opened.keyBits }).to.deep.equal(
          {
            'RC4-40': { algorithm: 'RC4', keyBits: 40 },
            'RC4-128': { algorithm: 'RC4', keyBits: 128 },
            'AES-128': { algorithm: 'AES-128', keyBits: 128 },
            'AES-256': { algorithm: 'AES-256', keyBits: 256 },
          }[scheme],
        );
      }
      for (const password of ['', 'user', 'usér ', 'x'.repeat(200)])
        expect(refusal({ encrypt: dict, id, password })).to.equal('PDF_ENCRYPTED');
    });

    it(`opens ${scheme} without a user password, with any given password`, () => {
      const { dict, id } = secure({ scheme, ownerPassword: 'owner' });
      expect(unlock({ encrypt: dict, id }).access).to.equal('user');
      expect(unlock({ encrypt: dict, id, password: 'wrong' }).access).to.equal('user');
      expect(unlock({ encrypt: dict, id, password: 'owner' }).access).to.equal('owner');
    });

    it(`grants no owner rights by an empty password in ${scheme}`, () => {
      const { dict, id } = secure({ scheme, userPassword: 'user' });
      expect(refusal({ encrypt: dict, id, password: '' })).to.equal('PDF_ENCRYPTED');
      expect(unlock({ encrypt: dict, id, password: 'user' }).access).to.equal('owner');
    });

    it(`encrypts data of every length around a block with ${scheme}`, () => {
      const { cipher } = secure({ scheme });
      const dict = PDFDict.withContext(PDFContext.create());
      for (const length of [0, 1, 15, 16, 17, 31, 32, 33, 70_000]) {
        const data = Uint8Array.from({ length }, (_, i) => i & 255);
        expect(
          Buffer.from(cipher.decryptStream(ref, dict, cipher.encryptStream(ref, dict, data))).equals(data),
          `${length} bytes`,
        ).to.equal(true);
      }
    });
  }

  it('never uses an initialisation vector twice', () => {
    const { cipher } = secure();
    const vectors = Array.from({ length: 1000 }, () =>
      Buffer.from(cipher.encryptString(ref, Buffer.from('a')).subarray(0, 16)).toString('hex'),
    );
    expect(new Set(vectors).size).to.equal(vectors.length);
  });

  it('returns the same result for the same random bytes', () => {
    const make = (): string => {
      let next = 0;
      const { dict, cipher } = secure({
        userPassword: 'u',
        random: (length) => Uint8Array.from({ length }, () => next++ & 255),
      });
      return dict.toString() + Buffer.from(cipher.encryptString(ref, Buffer.from('a'))).toString('hex');
    };
    expect(make()).to.equal(make());
  });

  it('leaves cross-reference streams, identity filters and plain metadata unchanged', () => {
    const { cipher } = secure({ scheme: 'AES-128', encryptMetadata: false });
    const { context } = secure().dict;
    const data = Buffer.from('data');
    const encrypted = (dict: Record<string, unknown>): boolean =>
      cipher.encryptStream(ref, altered(PDFDict.withContext(context), dict), data) !== data;
    expect(encrypted({ Type: 'XRef' })).to.equal(false);
    expect(encrypted({ Type: 'Metadata' })).to.equal(false);
    expect(encrypted({ Filter: ['Crypt'] })).to.equal(false);
    expect(encrypted({ Filter: 'Crypt', DecodeParms: { Name: 'Identity' } })).to.equal(false);
    expect(encrypted({ Filter: ['Crypt'], DecodeParms: [{ Name: 'StdCF' }] })).to.equal(true);
    expect(encrypted({ Type: 'ObjStm' })).to.equal(true);
    const all = secure().cipher;
    expect(all.encryptStream(ref, context.obj({ Type: 'Metadata' }), data)).not.to.equal(data);
  });

  it('rejects plain metadata where the scheme does not support it', () => {
    expect(() => secure({ scheme: 'RC4-40', encryptMetadata: false }))
      .to.throw(DocumentError)
      .with.property('code', 'INPUT_INVALID');
    expect(secure({ scheme: 'RC4-128', encryptMetadata: false }).dict.get(PDFName.of('V'))?.toString()).to.equal('4');
  });

  it('ignores permissions wider than the sealed ones', () => {
    const { dict, id } = secure({ ownerPassword: 'o', permissions: encodePermissions({ copy: false }) });
    expect(decodePermissions(unlock({ encrypt: altered(dict, { P: -4 }), id }).permissions).copy).to.equal(false);
  });

  it('opens files with missing, padded or miscounted entries', () => {
    const rc = secure({ scheme: 'RC4-128', userPassword: 'u' });
    const aes = secure({ scheme: 'AES-128', userPassword: 'u' });
    const modern = secure({ userPassword: 'u' });
    const opens = ({ dict, id }: typeof rc, entries: Readonly<Record<string, unknown>>, password = 'u'): boolean =>
      refusal({ encrypt: altered(dict, entries), id, password }) === 'none';
    expect(opens(rc, { Length: 16 }), 'length in bytes').to.equal(true);
    expect(opens(rc, { Length: undefined }), 'no length').to.equal(true);
    expect(opens(rc, { Length: 40 }), 'a wrong length').to.equal(true);
    expect(opens(rc, { Filter: undefined }), 'no handler').to.equal(true);
    expect(opens(rc, { P: 2 ** 32 - 4 }), 'unsigned rights').to.equal(true);
    expect(opens(rc, { O: padded(rc.dict, 'O', 20), U: padded(rc.dict, 'U', 1) }), 'longer /O and /U').to.equal(true);
    expect(opens(aes, { CF: { StdCF: { CFM: 'AESV2' } }, Length: undefined }), 'no length in a filter').to.equal(true);
    expect(opens(aes, { CF: { StdCF: { CFM: 'AESV2', Length: 128 } } }), 'length in bits in a filter').to.equal(true);
    expect(
      opens(modern, { O: padded(modern.dict, 'O', 79), U: padded(modern.dict, 'U', 79) }),
      'entries of 127 bytes',
    ).to.equal(true);
    expect(opens(modern, { Perms: undefined }), 'no sealed rights').to.equal(true);
    const withoutId = secure({ scheme: 'RC4-128', userPassword: 'u', id: new Uint8Array(0) });
    expect(opens(withoutId, {}), 'no /ID').to.equal(true);
  });

  it("uses the version's method where the named filter is undefined", () => {
    for (const scheme of ['AES-128', 'AES-256'] as const) {
      const { dict, id, cipher } = secure({ scheme });
      const opened = unlock({ encrypt: altered(dict, { CF: undefined }), id });
      expect(
        Buffer.from(opened.cipher.decryptString(ref, cipher.encryptString(ref, Buffer.from('a')))).toString(),
      ).to.equal('a');
    }
  });

  it('treats strings and streams as plain where no filter is named', () => {
    const { dict, id } = secure();
    const { cipher, algorithm } = unlock({ encrypt: altered(dict, { StmF: undefined, StrF: 'Identity' }), id });
    expect(Buffer.from(cipher.decryptString(ref, Buffer.from('plain'))).toString()).to.equal('plain');
    expect(algorithm).to.equal('AES-256');
  });

  it('uses a separate filter for embedded files', () => {
    const { dict, id } = secure();
    const { cipher } = unlock({ encrypt: altered(dict, { StmF: 'Identity', StrF: 'Identity', EFF: 'StdCF' }), id });
    const stream = (entries: Record<string, unknown>): Uint8Array =>
      cipher.encryptStream(ref, altered(PDFDict.withContext(dict.context), entries), Buffer.from('data'));
    expect(Buffer.from(stream({})).toString()).to.equal('data');
    expect(stream({ Type: 'EmbeddedFile' })).to.have.length(32);
    expect(stream({ Params: { Size: 4 } })).to.have.length(32);
  });

  it('returns the intact part of damaged AES data', () => {
    const { cipher } = secure();
    const data = cipher.encryptString(ref, Buffer.alloc(40, 'a'));
    expect(cipher.decryptString(ref, data.subarray(0, 16))).to.have.length(0);
    expect(cipher.decryptString(ref, new Uint8Array(3))).to.have.length(0);
    expect(Buffer.from(cipher.decryptString(ref, data.subarray(0, 55))).toString()).to.equal('a'.repeat(32));
  });

  it('reports certificate encryption and unknown handlers by separate codes', () => {
    const { dict, id } = secure();
    expect(refusal({ encrypt: altered(dict, { Filter: 'Adobe.PubSec' }), id })).to.equal('PDF_ENCRYPTION_PUBLIC_KEY');
    expect(refusal({ encrypt: altered(dict, { Filter: 'Acme.Sec', SubFilter: 'adbe.pkcs7.s5' }), id })).to.equal(
      'PDF_ENCRYPTION_PUBLIC_KEY',
    );
    for (const entries of [{ Filter: 'Acme.Sec' }, { V: 3 }, { V: 6, R: 7 }, { R: 4 }, { V: undefined }]) {
      expect(refusal({ encrypt: altered(dict, entries), id }), JSON.stringify(entries)).to.equal(
        'PDF_ENCRYPTION_UNSUPPORTED',
      );
    }
  });
});

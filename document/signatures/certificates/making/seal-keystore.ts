import { createCipheriv, createHash, createHmac, pbkdf2, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { element, integer, nothing, octets, oid, sequence, setOf, tagged } from '../../asn1/write-der.js';
import type { SigningIdentity } from '../identity.js';
import { passwordForms, utf16 } from '../password-forms.js';
import { derivedFor, derivePkcs12 } from '../pkcs12-derivation.js';
import { Rounds } from '../rounds.js';

/** As many as OpenSSL writes by itself. */
const ITERATIONS = 2048;
const SALT_BYTES = 16;
const SHA256 = '2.16.840.1.101.3.4.2.1';
const id = {
  data: '1.2.840.113549.1.7.1',
  encryptedData: '1.2.840.113549.1.7.6',
  shroudedKeyBag: '1.2.840.113549.1.12.10.1.2',
  certBag: '1.2.840.113549.1.12.10.1.3',
  x509: '1.2.840.113549.1.9.22.1',
  friendlyName: '1.2.840.113549.1.9.20',
  localKeyId: '1.2.840.113549.1.9.21',
  pbes2: '1.2.840.113549.1.5.13',
  pbkdf2: '1.2.840.113549.1.5.12',
  hmacSha256: '1.2.840.113549.2.9',
  aes256: '2.16.840.1.101.3.4.1.42',
} as const;
const derive = promisify(pbkdf2);

/**
 * Seals an identity into a PKCS#12 keystore (RFC 7292) under its alias: AES-256 by PBES2, checked with SHA-256, which
 * OpenSSL 1.1, Java 8 and Windows Server 2019 and all later ones open.
 */
export async function sealKeystore(
  { privateKey, certificate, chain }: SigningIdentity,
  password: string,
  alias: string,
): Promise<Uint8Array> {
  const forms = passwordForms(password);
  const [wide = new Uint8Array(), narrow = new Uint8Array()] = [forms.wide[0], forms.narrow[0]];
  const mark = octets(createHash('sha1').update(certificate).digest());
  const marks = setOf(attribute(id.friendlyName, element(0x1e, utf16(alias))), attribute(id.localKeyId, mark));
  const key = await encrypt(privateKey.export({ format: 'der', type: 'pkcs8' }), narrow);
  const keys = sequence(bag(id.shroudedKeyBag, sequence(key.algorithm, octets(key.data)), marks));
  const certificates = [certificate, ...chain].map((der, index) =>
    bag(id.certBag, sequence(oid(id.x509), tagged(0, octets(der))), ...(index === 0 ? [marks] : [])),
  );
  const sealed = await encrypt(sequence(...certificates), narrow);
  const contents = sequence(
    // EncryptedData (RFC 5652, 8); its content is [0] IMPLICIT OCTET STRING.
    sequence(
      oid(id.encryptedData),
      tagged(0, sequence(integer(0), sequence(oid(id.data), sealed.algorithm, element(0x80, sealed.data)))),
    ),
    sequence(oid(id.data), tagged(0, octets(keys))),
  );
  const salt = randomBytes(SALT_BYTES);
  const macKey = await derivePkcs12('sha256', wide, salt, ITERATIONS, derivedFor.mac, 32, new Rounds());
  const mac = sequence(
    sequence(sequence(oid(SHA256), nothing()), octets(createHmac('sha256', macKey).update(contents).digest())),
    octets(salt),
    integer(ITERATIONS),
  );
  return sequence(integer(3), sequence(oid(id.data), tagged(0, octets(contents))), mac);
}

async function encrypt(
  plain: Uint8Array,
  password: Uint8Array,
): Promise<{ readonly algorithm: Uint8Array; readonly data: Uint8Array }> {
  const [salt, iv] = [randomBytes(SALT_BYTES), randomBytes(16)];
  const cipher = createCipheriv('aes-256-cbc', await derive(password, salt, ITERATIONS, 32, 'sha256'), iv);
  const algorithm = sequence(
    oid(id.pbes2),
    sequence(
      sequence(oid(id.pbkdf2), sequence(octets(salt), integer(ITERATIONS), sequence(oid(id.hmacSha256), nothing()))),
      sequence(oid(id.aes256), octets(iv)),
    ),
  );
  return { algorithm, data: Buffer.concat([cipher.update(plain), cipher.final()]) };
}

function bag(type: string, value: Uint8Array, ...attributes: readonly Uint8Array[]): Uint8Array {
  return sequence(oid(type), tagged(0, value), ...attributes);
}

function attribute(type: string, value: Uint8Array): Uint8Array {
  return sequence(oid(type), setOf(value));
}

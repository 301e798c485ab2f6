import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openssl } from './openssl.js';

/** Types of keys that tests sign with. */
export type KeyKind = 'rsa1024' | 'rsa2048' | 'rsa3072' | 'rsa-pss' | 'p256' | 'p384' | 'p521' | 'ed25519';

/** The purpose of a certificate. */
export type Purpose = 'document' | 'time-stamp' | 'ocsp' | 'authority' | 'server';

/** Options of a certificate. */
export interface CertificateWish {
  /** Common name. */
  readonly name: string;
  readonly key?: KeyKind;
  readonly purpose?: Purpose;
  /** Validity; from a day ago for two years by default. */
  readonly from?: Date;
  readonly to?: Date;
  /** Digest of the issuer's signature; SHA-256 by default. */
  readonly digest?: 'md5' | 'sha1' | 'sha256' | 'sha384' | 'sha512';
  /** Addresses in the certificate: the issuer's OCSP responder, its list, its certificate. */
  readonly ocsp?: string;
  readonly crl?: string;
  readonly issuer?: string;
  /** Lines of OpenSSL's configuration for extensions; they replace those of the purpose with the same name. */
  readonly extensions?: readonly string[];
}

/** A key and its certificate as files. */
export interface Issued {
  readonly name: string;
  /** PEM, PKCS#8, not encrypted. */
  readonly keyFile: string;
  /** PEM. */
  readonly certificateFile: string;
  readonly certificate: Buffer;
}

const DAY_MS = 86_400_000;
const KEYS: Readonly<Record<KeyKind, readonly string[]>> = {
  rsa1024: ['-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:1024'],
  rsa2048: ['-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:2048'],
  rsa3072: ['-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:3072'],
  'rsa-pss': ['-algorithm', 'RSA-PSS', '-pkeyopt', 'rsa_keygen_bits:2048'],
  p256: ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256'],
  p384: ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-384'],
  p521: ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-521'],
  ed25519: ['-algorithm', 'ED25519'],
};
const EXTENSIONS: Readonly<Record<Purpose, readonly string[]>> = {
  document: ['basicConstraints=critical,CA:FALSE', 'keyUsage=critical,digitalSignature,nonRepudiation'],
  'time-stamp': [
    'basicConstraints=critical,CA:FALSE',
    'keyUsage=critical,digitalSignature',
    'extendedKeyUsage=critical,timeStamping',
  ],
  ocsp: [
    'basicConstraints=critical,CA:FALSE',
    'keyUsage=critical,digitalSignature',
    'extendedKeyUsage=OCSPSigning',
    'noCheck=ignored',
  ],
  authority: ['basicConstraints=critical,CA:TRUE', 'keyUsage=critical,keyCertSign,cRLSign'],
  server: [
    'basicConstraints=critical,CA:FALSE',
    'keyUsage=critical,digitalSignature,keyEncipherment',
    'extendedKeyUsage=serverAuth',
    'subjectAltName=DNS:localhost,IP:127.0.0.1',
  ],
};

/** A certification authority run with `openssl ca` in its own folder. */
export class Authority {
  #issued = 0;
  #signing: Promise<void> = Promise.resolve();

  private constructor(
    readonly folder: string,
    readonly own: Issued,
    readonly parent: Authority | undefined,
  ) {}

  /** Creates a self-signed authority. */
  static async root(
    folder: string,
    {
      name,
      key = 'p256',
      from,
      to,
      digest = 'sha256',
    }: Pick<CertificateWish, 'name' | 'key' | 'from' | 'to' | 'digest'>,
  ): Promise<Authority> {
    const own = await prepare(folder, name, key);
    await openssl(folder, [
      'req',
      '-new',
      '-key',
      own.keyFile,
      '-subj',
      `/O=Test/CN=${name}`,
      '-out',
      'ca.csr',
      '-config',
      'ca.cnf',
    ]);
    await writeFile(join(folder, 'own.ext'), extensionsOf({ name, purpose: 'authority' }));
    await openssl(folder, [
      'ca',
      '-config',
      'ca.cnf',
      '-batch',
      '-notext',
      '-selfsign',
      '-keyfile',
      own.keyFile,
      '-in',
      'ca.csr',
      '-out',
      own.certificateFile,
      '-extfile',
      'own.ext',
      '-md',
      digest,
      ...validity(from, to),
    ]);
    return new Authority(folder, await withCertificate(own), undefined);
  }

  /** Creates an authority certified by this one. */
  async authority(folder: string, wish: CertificateWish): Promise<Authority> {
    const own = await prepare(folder, wish.name, wish.key ?? 'p256');
    await openssl(folder, [
      'req',
      '-new',
      '-key',
      own.keyFile,
      '-subj',
      `/O=Test/CN=${wish.name}`,
      '-out',
      'ca.csr',
      '-config',
      'ca.cnf',
    ]);
    await this.#sign(join(folder, 'ca.csr'), own.certificateFile, { ...wish, purpose: 'authority' });
    return new Authority(folder, await withCertificate(own), this);
  }

  /** Issues a certificate with a new key. */
  async issue(wish: CertificateWish): Promise<Issued> {
    const stem = join(this.folder, `leaf-${this.#issued++}`);
    await openssl(this.folder, ['genpkey', ...KEYS[wish.key ?? 'p256'], '-out', `${stem}.key`]);
    await openssl(this.folder, [
      'req',
      '-new',
      '-key',
      `${stem}.key`,
      '-subj',
      `/C=DE/O=Test/CN=${wish.name}`,
      '-utf8',
      '-out',
      `${stem}.csr`,
      '-config',
      'ca.cnf',
    ]);
    await this.#sign(`${stem}.csr`, `${stem}.pem`, wish);
    return withCertificate({ name: wish.name, keyFile: `${stem}.key`, certificateFile: `${stem}.pem` });
  }

  /** Certifies the key and name of another authority too: a cross-certificate, DER. */
  async crossCertify(other: Authority, wish: Omit<CertificateWish, 'name'> = {}): Promise<Buffer> {
    const target = join(this.folder, `cross-${this.#issued++}.pem`);
    await this.#sign(join(other.folder, 'ca.csr'), target, { ...wish, name: other.own.name, purpose: 'authority' });
    return (await withCertificate({ name: other.own.name, keyFile: other.own.keyFile, certificateFile: target }))
      .certificate;
  }

  /** Revokes a certificate; its OCSP answers and the next revocation list say so. */
  async revoke({ certificateFile }: Issued, reason = 'keyCompromise'): Promise<void> {
    await openssl(this.folder, ['ca', '-config', 'ca.cnf', '-revoke', certificateFile, '-crl_reason', reason]);
  }

  /** The current revocation list, DER. */
  async crl(days = 7): Promise<Buffer> {
    await openssl(this.folder, ['ca', '-config', 'ca.cnf', '-gencrl', '-crldays', String(days), '-out', 'list.pem']);
    await openssl(this.folder, ['crl', '-in', 'list.pem', '-outform', 'DER', '-out', 'list.der']);
    return readFile(join(this.folder, 'list.der'));
  }

  /** Answers an OCSP request in DER, signed by `responder` or by the authority itself. */
  async ocspAnswer(request: Uint8Array, responder: Issued = this.own): Promise<Buffer> {
    const stem = join(this.folder, `ocsp-${process.hrtime.bigint()}`);
    await writeFile(`${stem}.req`, request);
    await openssl(this.folder, [
      'ocsp',
      '-index',
      'index.txt',
      '-CA',
      this.own.certificateFile,
      '-rsigner',
      responder.certificateFile,
      '-rkey',
      responder.keyFile,
      '-reqin',
      `${stem}.req`,
      '-respout',
      `${stem}.resp`,
      '-ndays',
      '1',
    ]);
    return readFile(`${stem}.resp`);
  }

  /** Certificates above those it issues: its own, its issuer's and so on, PEM. */
  async chainPem(): Promise<string> {
    const above = this.parent === undefined ? '' : await this.parent.chainPem();
    return `${await readFile(this.own.certificateFile, 'utf8')}${above}`;
  }

  /** A PKCS#12 keystore of an issued certificate with its chain. */
  async pkcs12(
    issued: Issued,
    password: string,
    {
      legacy = false,
      friendlyName = 'signer',
      withKey = true,
      withChain = true,
    }: { legacy?: boolean; friendlyName?: string; withKey?: boolean; withChain?: boolean } = {},
  ): Promise<Buffer> {
    const target = `${issued.certificateFile}.${legacy ? 'legacy.' : ''}${withKey ? '' : 'bare.'}p12`;
    await writeFile(join(this.folder, 'chain.pem'), await this.chainPem());
    await openssl(this.folder, [
      'pkcs12',
      '-export',
      ...(withKey ? ['-inkey', issued.keyFile] : ['-nokeys']),
      '-in',
      issued.certificateFile,
      ...(withChain ? ['-certfile', 'chain.pem'] : []),
      '-name',
      friendlyName,
      '-passout',
      `pass:${password}`,
      '-out',
      target,
      ...(legacy ? ['-legacy'] : []),
    ]);
    return readFile(target);
  }

  /** One after another: `openssl ca` removes its serial number and its list while it writes new ones. */
  #sign(request: string, target: string, wish: CertificateWish): Promise<void> {
    const signed = this.#signing.then(() => this.#signNow(request, target, wish));
    this.#signing = signed.catch(() => undefined);
    return signed;
  }

  async #signNow(request: string, target: string, wish: CertificateWish): Promise<void> {
    const file = join(this.folder, 'wish.ext');
    await writeFile(file, extensionsOf(wish));
    await openssl(this.folder, [
      'ca',
      '-config',
      'ca.cnf',
      '-batch',
      '-notext',
      '-in',
      request,
      '-out',
      target,
      '-extfile',
      file,
      '-md',
      this.own.name.includes('ed25519') ? 'default' : (wish.digest ?? 'sha256'),
      ...validity(wish.from, wish.to),
    ]);
  }
}

async function prepare(folder: string, name: string, key: KeyKind): Promise<Omit<Issued, 'certificate'>> {
  await mkdir(join(folder, 'certs'), { recursive: true });
  await Promise.all([
    writeFile(join(folder, 'index.txt'), ''),
    writeFile(
      join(folder, 'serial'),
      `${BigInt(`0x10${Buffer.from(name).toString('hex').slice(0, 12).padEnd(12, '0')}`)
        .toString(16)
        .padStart(16, '0')}\n`,
    ),
    writeFile(join(folder, 'crlnumber'), '01\n'),
    writeFile(join(folder, 'ca.cnf'), CONFIG),
  ]);
  const own = { name, keyFile: join(folder, 'ca.key'), certificateFile: join(folder, 'ca.pem') };
  await openssl(folder, ['genpkey', ...KEYS[key], '-out', own.keyFile]);
  return own;
}

async function withCertificate(issued: Omit<Issued, 'certificate'>): Promise<Issued> {
  const pem = await readFile(issued.certificateFile, 'utf8');
  return { ...issued, certificate: Buffer.from(pem.replace(/-----[^-]+-----|\s/g, ''), 'base64') };
}

function extensionsOf({ purpose = 'document', ocsp, crl, issuer, extensions = [] }: CertificateWish): string {
  const nameOf = (line: string): string => line.split('=')[0] ?? '';
  const replaced = new Set(extensions.map(nameOf));
  const access = [
    ...(ocsp === undefined ? [] : [`OCSP;URI:${ocsp}`]),
    ...(issuer === undefined ? [] : [`caIssuers;URI:${issuer}`]),
  ];
  return [
    ...EXTENSIONS[purpose].filter((line) => !replaced.has(nameOf(line))),
    'subjectKeyIdentifier=hash',
    'authorityKeyIdentifier=keyid',
    ...(access.length === 0 ? [] : [`authorityInfoAccess=${access.join(',')}`]),
    ...(crl === undefined ? [] : [`crlDistributionPoints=URI:${crl}`]),
    ...extensions,
    '',
  ].join('\n');
}

function validity(from = new Date(Date.now() - DAY_MS), to = new Date(from.getTime() + 730 * DAY_MS)): string[] {
  const time = (date: Date): string => `${date.toISOString().replace(/[-:T]/g, '').slice(0, 14)}Z`;
  return ['-startdate', time(from), '-enddate', time(to)];
}

const CONFIG = `[ca]
default_ca = own
[own]
dir = .
database = index.txt
new_certs_dir = certs
serial = serial
crlnumber = crlnumber
certificate = ca.pem
private_key = ca.key
default_md = sha256
default_days = 730
policy = any
unique_subject = no
copy_extensions = none
utf8 = yes
[any]
countryName = optional
organizationName = optional
commonName = supplied
[req]
distinguished_name = dn
string_mask = utf8only
[dn]
[tsa]
default_tsa = one
[one]
serial = tsaserial
crypto_device = builtin
signer_digest = sha256
default_policy = 1.2.3.4.1
other_policies = 1.2.3.4.5
digests = sha256, sha384, sha512
accuracy = secs:1
ordering = no
tsa_name = no
ess_cert_id_chain = no
ess_cert_id_alg = sha256
`;

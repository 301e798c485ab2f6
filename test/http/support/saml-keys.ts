import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A key and its certificate, PEM. */
export interface KeyPair {
  readonly key: string;
  readonly certificate: string;
}

/** Makes an RSA key with a certificate that is signed by itself. */
export function newKeyPair(name: string): KeyPair {
  const folder = mkdtempSync(join(tmpdir(), 'quire-saml-'));
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  try {
    const subject = ['-subj', `/CN=${name}`, '-days', '30'];
    execFileSync(
      'openssl',
      ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', certificate, ...subject],
      { stdio: 'ignore' },
    );
    return { key: readFileSync(key, 'utf8'), certificate: readFileSync(certificate, 'utf8') };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

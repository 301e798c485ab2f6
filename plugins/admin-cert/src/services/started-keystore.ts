import { DefectError, type CertificateChain, type KeystoreScheme, type ServerKeystore } from '@quire/registry';
import type { ServerCertificate } from './server-certificate-store.js';

/** Signed attributes have some hundred bytes. */
const MAX_SIGNED = 64 * 1024;

/** The server's key for signing, also from workers: callers get certificates and signatures, never the key. */
export class StartedKeystore implements ServerKeystore {
  constructor(private readonly certificate: Pick<ServerCertificate, 'atStart'>) {}

  async certificates(): Promise<CertificateChain> {
    const { certificate, chain } = await this.certificate.atStart();
    return { certificate: toBase64(certificate), chain: chain.map(toBase64) };
  }

  async sign(data: string, scheme: KeystoreScheme): Promise<string> {
    // A worker may ask anything: it is believed in nothing.
    if (typeof data !== 'string' || data.length > (MAX_SIGNED * 4) / 3 + 4)
      throw new DefectError('CONTRACT_BROKEN', { detail: `serverKeystore.sign takes at most ${MAX_SIGNED} bytes` });
    const { privateKey, certificate } = await this.certificate.atStart();
    const { schemeOf, signWith } = await import('@quire/document/signatures/cms');
    const own = schemeOf(certificate, { pss: scheme?.family === 'rsa-pss' });
    if (own === undefined || own.family !== scheme?.family || own.digest !== scheme.digest)
      throw new DefectError('CONTRACT_BROKEN', {
        detail: 'serverKeystore.sign was asked for a scheme that its key does not have',
      });
    return toBase64(signWith(privateKey, Buffer.from(data, 'base64'), own));
  }
}

function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}

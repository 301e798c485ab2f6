import { createHash, X509Certificate } from 'node:crypto';
import { isAuthority, nameKeyOf } from '@quire/document/signatures/certification-path';

/** Anchors by the names of whom they are. A certificate counts once, whichever sources have it. */
export class AnchorStore {
  readonly #byName = new Map<string, string[]>();
  readonly #known = new Set<string>();

  /**
   * Adds the certificates that may be anchors: authorities, and with `selfSigned` self-signed ones. Returns how
   * many were added.
   */
  add(certificates: Iterable<Uint8Array>, { selfSigned = false }: { readonly selfSigned?: boolean } = {}): number {
    let count = 0;
    for (const der of certificates) {
      const fingerprint = createHash('sha256').update(der).digest('base64');
      if (this.#known.has(fingerprint) || this.#add(der, selfSigned)) {
        this.#known.add(fingerprint);
        count++;
      }
    }
    return count;
  }

  /** The anchors with a subject, DER in base64. */
  find(nameKey: string): readonly string[] {
    return this.#byName.get(nameKey) ?? [];
  }

  #add(der: Uint8Array, selfSigned: boolean): boolean {
    const key = nameKeyOf(der, 'subject');
    if (key === undefined || !(isAuthority(der) || (selfSigned && isSelfSigned(der)))) return false;
    const same = this.#byName.get(key) ?? [];
    same.push(Buffer.from(der).toString('base64'));
    this.#byName.set(key, same);
    return true;
  }
}

function isSelfSigned(der: Uint8Array): boolean {
  try {
    const certificate = new X509Certificate(der);
    return certificate.subject === certificate.issuer && certificate.verify(certificate.publicKey);
  } catch {
    return false;
  }
}

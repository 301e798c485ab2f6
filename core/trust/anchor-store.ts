import { createHash, X509Certificate } from 'node:crypto';
import { isAuthority, nameKeyOf } from '@quire/document/certification-path';

/** Anchors by the names of whom they are. A certificate counts once, whichever sources have it. */
export class AnchorStore {
  readonly #byName = new Map<string, Map<string, string>>();

  /** Adds what may be an anchor: authorities, and with `selfSigned` whoever signed himself. Gives how many of them that were. */
  add(certificates: Iterable<Uint8Array>, { selfSigned = false }: { readonly selfSigned?: boolean } = {}): number {
    let count = 0;
    for (const der of certificates) {
      const key = nameKeyOf(der, 'subject');
      if (key === undefined || !(isAuthority(der) || (selfSigned && isSelfSigned(der)))) continue;
      const same = this.#byName.get(key) ?? new Map<string, string>();
      same.set(createHash('sha256').update(der).digest('hex'), Buffer.from(der).toString('base64'));
      this.#byName.set(key, same);
      count++;
    }
    return count;
  }

  /** The anchors with a subject, DER in base64. */
  find(nameKey: string): readonly string[] {
    return [...(this.#byName.get(nameKey)?.values() ?? [])];
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

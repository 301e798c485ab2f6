import type { BaseBlock } from 'asn1js';
import { inner, octetsOf, parseAsn1 } from '../asn1/read-asn1.js';
import { decryptWithPassword } from './password-encryption.js';
import type { PasswordForms } from './password-forms.js';
import type { Rounds } from './rounds.js';

/**
 * Decrypts an EncryptedPrivateKeyInfo (RFC 5958, 3); undefined for a wrong password. Throws Unreadable for other bytes
 * and unknown encryption.
 */
export async function unsealPrivateKeyInfo(
  block: BaseBlock,
  forms: PasswordForms,
  rounds: Rounds,
): Promise<Uint8Array | undefined> {
  const [algorithm, data] = inner(block);
  return decryptWithPassword(algorithm, octetsOf(data), forms, rounds, isPrivateKeyInfo);
}

/** True for bytes that are laid out as a PrivateKeyInfo (RFC 5958, 2). */
export function isPrivateKeyInfo(bytes: Uint8Array): boolean {
  try {
    const [version, algorithm, key] = inner(parseAsn1(bytes));
    return version?.idBlock.tagNumber === 2 && algorithm?.idBlock.tagNumber === 16 && key?.idBlock.tagNumber === 4;
  } catch {
    return false;
  }
}

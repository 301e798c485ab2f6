import { decodePermissions, permissionNames, type Permissions } from '../../file/encryption/index.js';
import { asDict, asName, asNumber, entry } from '../../file/objects/index.js';
import type { OpenedPdf } from '../../file/open/index.js';

/** Encryption of a document (ISO 32000-1, 7.6). */
export interface EncryptionFacts {
  readonly encrypted: boolean;
  /**
   * Name of the security handler, its /V and /R, and the key length in bits; undefined if another reader had to decrypt
   * the document.
   */
  readonly handler:
    | { readonly filter: string; readonly version: number; readonly revision: number; readonly keyBits: number }
    | undefined;
  /** Permissions of users, even if the owner password is empty; everything for an unencrypted document. */
  readonly permissions: Permissions;
}

/** Reports how the file of this document was encrypted. */
export function encryptionFacts({ decrypted, lazy }: OpenedPdf): EncryptionFacts {
  const { security, context } = lazy;
  const all = Object.fromEntries(permissionNames.map((name) => [name, true])) as Record<keyof Permissions, boolean>;
  const dict = asDict(context, context.trailerInfo.Encrypt ?? undefined);
  if (security === undefined || dict === undefined)
    return { encrypted: decrypted, handler: undefined, permissions: all };
  return {
    encrypted: true,
    handler: {
      filter: asName(context, entry(dict, 'Filter')) ?? 'Standard',
      version: asNumber(context, entry(dict, 'V')) ?? 0,
      revision: security.revision,
      keyBits: security.keyBits,
    },
    permissions: decodePermissions(security.permissions, security.revision),
  };
}

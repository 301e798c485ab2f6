export type { CryptMethod, Exchange, ObjectCipher, Reidentified, Unlocked } from './cipher.js';
export { createSecurity, type Security, type SecurityOptions, type SecurityScheme } from './create-security.js';
export { underKeptEncryption, underNewEncryption, withoutCryptFilter } from './crypt-filters.js';
export { type LockedStream, lockOf, noteLock, noteUnlocked, wasUnlocked, type WrittenLock } from './written-locks.js';
export { ciphertextOf, decryptStream, decryptStrings, stringBytes } from './objects.js';
export { triedRevision6 } from './modern-keys.js';
export {
  decodePermissions,
  encodePermissions,
  type Permission,
  permissionNames,
  type Permissions,
} from './permissions.js';
export { unlock, type UnlockOptions } from './unlock.js';

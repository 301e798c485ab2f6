export type { CryptMethod, ObjectCipher, Unlocked } from './cipher.js';

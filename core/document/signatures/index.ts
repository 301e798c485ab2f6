export { type AddedSignature, addSignature, type SignatureEntries, type SubFilter } from './add-signature.js';
export { type ByteRange, coveredBytes, fillSlot, openSlot, type SignatureSlot } from './signature-slot.js';
export { type SignedFile, signFile, type SignFileOptions } from './sign-file.js';

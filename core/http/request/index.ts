export { acceptedEncodings, type Encoding } from './accepted-encodings.js';
export { byteRange } from './byte-range.js';
export { callOptions } from './call-options.js';
export { plainHost } from './call-site.js';
export { bearerOf } from './credentials.js';
export { FORM_BYTES, leastFileBytes } from './form-bytes.js';
export { answerMediaType } from './media-type.js';
export { preferences } from './prefer.js';
export { storedFile, type StoredFileDeps } from './stored-file.js';

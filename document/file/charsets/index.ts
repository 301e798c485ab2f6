export { decodeUtf16Le } from './utf-16.js';
export { decodeWindows1252, UPPER_WINDOWS } from './windows-1252.js';

export { writeStaticFonts } from './static-fonts.js';
export { unpackFonts } from './unpack-fonts.js';

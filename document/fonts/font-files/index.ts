export { unpackFonts } from './unpack-fonts.js';

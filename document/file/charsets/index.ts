export { decodeWindows1252, UPPER_WINDOWS } from './windows-1252.js';
export { decodeXml, type Refuse } from './decode-xml.js';
export { xmlCharacters } from './xml-characters.js';

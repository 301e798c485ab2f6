export { decodeXml, decodeXmlText, type Refuse } from './decode-xml.js';
export { escapeXml, unescapeXml } from './escape-xml.js';
export { xmlCharacters } from './xml-characters.js';

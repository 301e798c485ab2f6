export { childElements, elementsIn } from './elements.js';
export { parseXml, XmlFault } from './parse-xml.js';

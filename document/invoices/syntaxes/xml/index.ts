export { XmlElement } from './element.js';
export { InvoiceXmlError } from './invoice-xml-error.js';
export { namespaceOf, qualifiedName } from './namespaces.js';
export { parseInvoiceXml } from './parse-invoice-xml.js';
export { serializeXml } from './serialize-xml.js';
export { trimXml } from './white-space.js';

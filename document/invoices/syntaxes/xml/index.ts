export { XmlElement } from './element.js';
export { InvoiceXmlError } from './invoice-xml-error.js';
export { qualifiedName } from './namespaces.js';
export { parseInvoiceXml } from './parse-invoice-xml.js';

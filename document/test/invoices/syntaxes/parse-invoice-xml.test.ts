import { expect } from 'chai';
import { recogniseRoot } from '../../../invoices/recognition/index.js';
import { InvoiceXmlError, parseInvoiceXml, readInvoice } from '../../../invoices/syntaxes/index.js';
import { ciiWith, ublWith } from './samples.js';

describe('XML of invoices', () => {
  const refusal = (xml: string | Uint8Array): string => {
    try {
      readInvoice(Buffer.from(xml));
    } catch (error) {
      expect(error).to.be.instanceOf(InvoiceXmlError);
      return (error as InvoiceXmlError).message;
    }
    return 'it was read';
  };
  const xml = ublWith('<cbc:Note>Größe: 5 €</cbc:Note>');
  const note = (bytes: Uint8Array): string | undefined => readInvoice(bytes).invoice.notes?.[0]?.text;
  const declaring = (encoding: string): string => xml.replace('UTF-8', encoding);

  it('is read in the encoding that it declares, and by its byte order mark', () => {
    expect(note(Buffer.from(xml))).to.equal('Größe: 5 €');
    expect(note(Buffer.from(`\uFEFF${xml}`))).to.equal('Größe: 5 €');
    expect(note(Buffer.from(`\uFEFF${declaring('UTF-16')}`, 'utf16le'))).to.equal('Größe: 5 €');
    expect(note(Buffer.from(`\uFEFF${declaring('UTF-16')}`, 'utf16le').swap16())).to.equal('Größe: 5 €');
    expect(note(Buffer.from(declaring('ISO-8859-1').replace('€', 'E'), 'latin1'))).to.equal('Größe: 5 E');
    const windows = Buffer.from(declaring('windows-1252').replace('€', '\u0080'), 'latin1');
    expect(note(windows)).to.equal('Größe: 5 €');
  });

  it('is refused in another encoding than the declared one, with the line', () => {
    expect(refusal(Buffer.from(xml, 'latin1'))).to.equal(
      'Line 6: A character is not in the encoding that the XML file declares.',
    );
    expect(refusal(declaring('x-unknown'))).to.equal('Line 1: The encoding of the XML file is unknown.');
  });

  it('keeps a replacement character that the sender has written', () => {
    expect(note(Buffer.from(xml.replace('€', '\uFFFD')))).to.equal('Größe: 5 \uFFFD');
  });

  it('has no document type: no external entity is fetched and no entity bomb grows', () => {
    const withType = (type: string, text: string): string =>
      xml.replace('<Invoice', `${type}<Invoice`).replace('Größe', text);
    const external = '<!DOCTYPE Invoice [<!ENTITY x SYSTEM "file:///etc/passwd">]>';
    const bomb = `<!DOCTYPE Invoice [<!ENTITY a0 "ha">${Array.from(
      { length: 30 },
      (_, i) => `<!ENTITY a${i + 1} "&a${i};&a${i};">`,
    ).join('')}]>`;
    const refused = 'Line 2: The file has a document type (DOCTYPE). Remove it: an invoice needs none.';
    expect(refusal(withType(external, '&x;'))).to.equal(refused);
    expect(refusal(withType(bomb, '&a30;'))).to.equal(refused);
    expect(refusal(withType('<!DOCTYPE Invoice>', 'a'))).to.equal(refused);
    expect(refusal(withType('<!DOCTYPE Invoice SYSTEM "http://example.test/x.dtd">', 'a'))).to.equal(refused);
    expect(refusal(xml.replace('Größe', '&unknown;'))).to.match(/^Line 6: The file is not well-formed XML: Invalid/);
  });

  it('is well-formed: what is cut off, has two roots or repeats an attribute is refused', () => {
    expect(refusal(xml.slice(0, -30))).to.match(/^Line \d+: The file is not well-formed XML: Unclosed root tag\.$/);
    expect(refusal(`${xml}\n<Invoice/>`)).to.equal('Line 8: The file has a second root element.');
    expect(refusal(`${xml}\nmore`)).to.match(/^Line 8: The file is not well-formed XML: /);
    expect(refusal(xml.replace('</cbc:Note>', '</cbc:Nota>'))).to.match(
      /^Line 6: The file is not well-formed XML: Unexpected close tag\.$/,
    );
    expect(refusal(xml.replace('<cbc:Note>', '<cbc:Note a="=" a="2">'))).to.equal(
      'Line 6: The file is not well-formed XML: an attribute occurs twice.',
    );
    expect(note(Buffer.from(xml.replace('<cbc:Note>', `<cbc:Note a='b="1" c="2"' d = "'=">`)))).to.equal('Größe: 5 €');
    expect(refusal(xml.replace('<cbc:Note>', '<x:Note>').replace('</cbc:Note>', '</x:Note>'))).to.match(
      /Unbound namespace prefix/,
    );
    expect(refusal('')).to.match(/The file has no XML element|not well-formed/);
  });

  it('has no control characters, neither as they are nor by reference', () => {
    const refused = /^Line 6: A control character is in the file, which XML does not allow\.$/;
    expect(refusal(xml.replace('Größe', '\u0000'))).to.match(refused);
    expect(refusal(xml.replace('Größe', '\u000b'))).to.match(refused);
    expect(refusal(xml.replace('Größe', '&#11;'))).to.match(/control character|Invalid character/);
    expect(refusal(xml.replace('Größe', '&#0;'))).to.match(/control character|Invalid character/);
    expect(note(Buffer.from(xml.replace('Größe', '&#x1F600;')))).to.equal('\u{1F600}: 5 €');
  });

  it('nests at most a hundred deep', () => {
    const nested = (depth: number): string => ublWith('<cac:Party>'.repeat(depth) + '</cac:Party>'.repeat(depth));
    expect(() => parseInvoiceXml(Buffer.from(nested(98)))).not.to.throw();
    expect(refusal(nested(100_000))).to.equal('Line 6: Elements are nested deeper than 100.');
  });

  it('keeps text of comments, instructions and CDATA sections apart', () => {
    const text = 'a<!-- hidden --><?x y?><![CDATA[ <b> & ]]>c';
    expect(note(Buffer.from(xml.replace('Größe: 5 €', text)))).to.equal('a <b> & c');
  });

  it('is recognised without backtracking, whatever stands before the root element', () => {
    for (const part of [' ', '<!---->', '<??>', '<!-- -->\n', '<!DOCTYPE a>'])
      expect(recogniseRoot(Buffer.from(`${part.repeat(20_000)}x`)).kind).to.equal('not-xml');
  });

  it('has the line ends and the white space of XML: a no-break space is text', () => {
    const text = 'first\r\nsecond\rthird &#13;';
    expect(note(Buffer.from(xml.replace('Größe: 5 €', text)))).to.equal('first\nsecond\nthird');
    expect(note(Buffer.from(xml.replace('Größe: 5 €', 'a&#13;b')))).to.equal('a\rb');
    expect(note(Buffer.from(xml.replace('Größe: 5 €', ' \t\u00a0a\u00a0\n')))).to.equal('\u00a0a\u00a0');
    expect(refusal(`${xml.replaceAll('\n', '\r\n')}\r\n<Invoice/>`)).to.equal(
      'Line 8: The file has a second root element.',
    );
  });

  it('is of another kind: named and refused', () => {
    const kind = (text: string) => recogniseRoot(Buffer.from(text)).kind;
    const fattura =
      '<p:FatturaElettronica versione="FPR12" xmlns:p="http://ivaservizi.agenziaentrate.gov.it/docs/xsd/fatture/v1.2"/>';
    const order =
      '<r:SCRDMCCBDACIOMessageStructure xmlns:r="urn:un:unece:uncefact:data:SCRDMCCBDACIOMessageStructure:100"/>';
    const ublOrder = '<Order xmlns="urn:oasis:names:specification:ubl:schema:xsd:Order-2"/>';
    expect([kind(fattura), kind(order), kind(ublOrder), kind('<a/>'), kind('{"a":1}'), kind('')]).to.deep.equal([
      'fatturapa',
      'order-x',
      'other-ubl',
      'other-xml',
      'not-xml',
      'not-xml',
    ]);
    expect([kind(ciiWith({})), kind(ublWith('')), kind(ublWith('', 'CreditNote'))]).to.deep.equal([
      'cii',
      'ubl-invoice',
      'ubl-creditnote',
    ]);
    expect(refusal(fattura)).to.match(
      /^Line 1: The file is an Italian invoice \(FatturaPA\), which does not follow EN 16931\./,
    );
    expect(refusal(order)).to.match(/^Line 1: The file is an order \(Order-X\), not an invoice\./);
    expect(refusal(ublOrder)).to.match(/neither an Invoice nor a CreditNote\. Its root element is "Order"\. CII, UBL/);
    expect(refusal('<a/>')).to.match(/^Line 1: The file is XML, but not an invoice\./);
  });
});

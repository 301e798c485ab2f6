import { expect } from 'chai';
import { claimNamespaces, invoiceClaims } from '../../../structure/invoices/index.js';
import { withInvoiceClaim, withoutInvoiceClaims } from '../../../structure/invoices/write-claim.js';

const claim = { fileName: 'factur-x.xml', version: '1.0', level: 'EN 16931' };
const packet = (descriptions: string): string =>
  `<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/">` +
  `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">${descriptions}</rdf:RDF></x:xmpmeta><?xpacket end="w"?>`;
const title =
  '<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title><rdf:Alt>' +
  '<rdf:li xml:lang="x-default">A bill</rdf:li></rdf:Alt></dc:title></rdf:Description>';
const extension =
  'xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/" xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#"';
const schema = (uri: string): string =>
  '<rdf:li rdf:parseType="Resource"><pdfaSchema:schema>Any</pdfaSchema:schema>' +
  `<pdfaSchema:namespaceURI>${uri}</pdfaSchema:namespaceURI><pdfaSchema:prefix>p</pdfaSchema:prefix><pdfaSchema:property>` +
  '<rdf:Seq><rdf:li rdf:parseType="Resource"><pdfaSchema:x>1</pdfaSchema:x></rdf:li></rdf:Seq></pdfaSchema:property></rdf:li>';
const schemas = (items: string): string =>
  `<rdf:Description rdf:about="" ${extension}><pdfaExtension:schemas><rdf:Bag>${items}</rdf:Bag></pdfaExtension:schemas></rdf:Description>`;
const count = (text: string, part: string): number => text.split(part).length - 1;

describe('the XMP of a hybrid invoice', () => {
  it('gets the claim and its schema, and keeps everything else byte for byte', () => {
    const written = withInvoiceClaim(packet(title), claim) ?? '';
    expect(invoiceClaims(written)).to.deep.equal([
      {
        by: 'factur-x',
        namespace: claimNamespaces['factur-x'],
        documentType: 'INVOICE',
        ...claim,
        schemaDeclared: true,
      },
    ]);
    expect(written).to.contain(title);
    expect(count(written, '<pdfaProperty:name>')).to.equal(4);
  });

  it('has one claim and one schema however often it is written', () => {
    let written = packet(title);
    for (const level of ['MINIMUM', 'BASIC', 'EXTENDED'])
      written = withInvoiceClaim(written, { ...claim, level }) ?? '';
    expect(invoiceClaims(written).map(({ level }) => level)).to.deep.equal(['EXTENDED']);
    expect([count(written, 'namespaceURI>'), count(written, '<rdf:Bag>')]).to.deep.equal([2, 1]);
  });

  it('keeps the schemas of others, and adds its own to their list', () => {
    const others = packet(title + schemas(schema('urn:other#')));
    const written = withInvoiceClaim(others, claim) ?? '';
    expect(count(written, '<pdfaExtension:schemas>')).to.equal(1);
    expect(written).to.contain(schema('urn:other#'));
    expect(invoiceClaims(written)[0]?.schemaDeclared).to.equal(true);
    const empty = withInvoiceClaim(packet(schemas('').replace('<rdf:Bag></rdf:Bag>', '<rdf:Bag/>')), claim) ?? '';
    expect(invoiceClaims(empty)[0]?.schemaDeclared).to.equal(true);
    expect(count(empty, '</rdf:Bag>')).to.equal(1);
  });

  it('loses older claims in each namespace with their schemas, and nothing else', () => {
    for (const uri of Object.values(claimNamespaces)) {
      const old = `<rdf:Description rdf:about="" xmlns:zf="${uri}"><zf:ConformanceLevel>BASIC</zf:ConformanceLevel></rdf:Description>`;
      const kept = schemas(schema('urn:other#'));
      const bare = withoutInvoiceClaims(packet(title + old + schemas(schema('urn:other#') + schema(uri))));
      expect(bare, uri).to.contain(title).and.to.contain(kept).and.not.to.contain(uri);
      expect(invoiceClaims(bare), uri).to.deep.equal([]);
    }
  });

  it('escapes what stands in it', () => {
    const written = withInvoiceClaim(packet(''), { ...claim, fileName: '<a>&"b"' }) ?? '';
    expect(invoiceClaims(written)[0]?.fileName).to.equal('<a>&"b"');
    expect(written).to.not.contain('<a>');
  });

  it('is not written where the packet has another form', () => {
    expect(withInvoiceClaim('', claim)).to.equal(undefined);
    expect(withInvoiceClaim('<x:xmpmeta/>', claim)).to.equal(undefined);
    expect(withInvoiceClaim(packet('</rdf:RDF>'), claim)).to.equal(undefined);
    const list = `<rdf:Description ${extension}><pdfaExtension:schemas><rdf:Seq/></pdfaExtension:schemas></rdf:Description>`;
    expect(withInvoiceClaim(packet(list), claim)).to.equal(undefined);
  });
});

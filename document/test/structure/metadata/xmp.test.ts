import { expect } from 'chai';
import { type PDFDict, PDFArray, PDFName, PDFString } from 'pdf-lib';
import { resolve } from '../../../file/objects/index.js';
import { openPdf } from '../../../file/open/index.js';
import { syncXmp, readClaims, readXmp, writeXmp } from '../../../structure/metadata/index.js';
import {
  claimsOf,
  INFO_KEYS,
  infoValue,
  withInfoValue,
  withoutClaims,
  withoutPageFacts,
} from '../../../structure/metadata/xmp.js';
import { extractPages } from '../../../structure/split/index.js';
import { look } from '../../support.js';
import { buildPdf, catalogEntry, merged } from '../support.js';

const namespaces = [
  'xmlns:dc="http://purl.org/dc/elements/1.1/"',
  'xmlns:pdf="http://ns.adobe.com/pdf/1.3/"',
  'xmlns:xmp="http://ns.adobe.com/xap/1.0/"',
  'xmlns:a="http://www.aiim.org/pdfa/ns/id/"',
  'xmlns:ua="http://www.aiim.org/pdfua/ns/id/"',
].join(' ');
const packet = (body: string, attributes = ''): string =>
  '<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/">' +
  '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">' +
  `<rdf:Description rdf:about="" ${namespaces} ${attributes}>${body}</rdf:Description>` +
  '</rdf:RDF></x:xmpmeta><?xpacket end="w"?>';
const level = (part: string, conformance: string): string =>
  `<a:part>${part}</a:part><a:conformance>${conformance}</a:conformance>`;

describe('XMP metadata', () => {
  const archived = (xmp: string, profile = 'sRGB'): Promise<Uint8Array> =>
    buildPdf((document, context) => {
      document.setTitle('Title & all');
      document.catalog.set(PDFName.of('Metadata'), writeXmp(context, xmp));
      const intent = {
        Type: 'OutputIntent',
        S: 'GTS_PDFA1',
        OutputConditionIdentifier: PDFString.of('x'),
        DestOutputProfile: context.register(context.flateStream(profile, { N: 3 })),
      };
      document.catalog.set(PDFName.of('OutputIntents'), context.obj([intent]));
    });

  it('claims a standard only if all inputs claim the same part and level, in any notation', async () => {
    const same = await merged(
      await archived(packet(level('2', 'B'))),
      await archived(packet('', 'a:part="2" a:conformance="b"')),
    );
    expect([...readClaims(same.context)]).to.deep.equal([['PDF/A', '2|B|']]);
    expect(catalogEntry(same, 'OutputIntents')).to.be.instanceOf(PDFArray);
    for (const other of [
      packet(level('3', 'B')),
      packet(level('2', 'U')),
      packet(''),
      packet('<ua:part>1</ua:part>'),
    ]) {
      const mixed = await merged(
        await archived(packet(`${level('2', 'B')}<ua:part>1</ua:part>`)),
        await archived(other),
      );
      expect(readClaims(mixed.context).has('PDF/A'), other).to.equal(false);
      expect(readXmp(mixed.context)).to.not.include('pdfa/ns');
      expect(readClaims(mixed.context).has('PDF/UA')).to.equal(other.includes('ua:part'));
    }
  });

  it('removes claims and output intents if inputs define colours differently', async () => {
    const document = await merged(
      await archived(packet(level('2', 'B'))),
      await archived(packet(level('2', 'B')), 'CMYK'),
    );
    expect(readClaims(document.context).size).to.equal(0);
    expect(catalogEntry(document, 'OutputIntents')).to.equal(undefined);
  });

  it('makes XMP agree with the information dictionary, compressed or not', async () => {
    for (const packed of [false, true]) {
      const file = await buildPdf((document, context) => {
        document.setTitle('New <title>');
        document.setAuthor('B & C');
        document.setProducer('Old producer');
        document.setKeywords(['k']);
        document.setCreationDate(new Date('2024-05-06T07:08:09Z'));
        const xmp = packet(
          '<dc:title><rdf:Alt><rdf:li xml:lang="x-default">Old</rdf:li></rdf:Alt></dc:title>' +
            '<xmp:CreateDate>2001-01-01</xmp:CreateDate><pdf:Producer/>',
          'pdf:Keywords="old"',
        );
        const stream = packed
          ? context.register(context.flateStream(xmp, { Type: 'Metadata', Subtype: 'XML' }))
          : writeXmp(context, xmp);
        document.catalog.set(PDFName.of('Metadata'), stream);
      });
      const part = await look(await extractPages(await openPdf(file), [0]));
      for (const document of [await merged(file, await buildPdf(() => undefined)), part]) {
        const xmp = readXmp(document.context) ?? '';
        expect(xmp)
          .to.include('<rdf:li xml:lang="x-default">New &lt;title&gt;</rdf:li>')
          .and.to.include('<rdf:Seq><rdf:li>B &amp; C</rdf:li></rdf:Seq>');
        expect(xmp)
          .to.include('pdf:Keywords="k"')
          .and.to.include('<xmp:CreateDate>2024-05-06T07:08:09Z</xmp:CreateDate>')
          .and.to.include('<pdf:Producer>Quire</pdf:Producer>');
        expect(xmp).to.not.include('Old').and.to.not.include('2001');
        const info = resolve(document.context, document.context.trailerInfo.Info) as PDFDict;
        expect(syncXmp(document.context, xmp, info)).to.equal(xmp);
      }
    }
  });

  it('removes properties of the whole document: page count and thumbnail', async () => {
    const thumbnails =
      '<xmp:Thumbnails><rdf:Alt><rdf:li>pixels</rdf:li></rdf:Alt></xmp:Thumbnails><xmp:Label>kept</xmp:Label>';
    const file = await archived(
      packet(thumbnails, 'xmlns:xmpTPg="http://ns.adobe.com/xap/1.0/t/pg/" xmpTPg:NPages="1"'),
    );
    for (const document of [await merged(file, file), await look(await extractPages(await openPdf(file), [0]))]) {
      expect(readXmp(document.context)).to.include('kept').and.to.not.include('pixels').and.to.not.include('NPages');
    }
  });
});

describe('hostile XMP', () => {
  const size = 200_000;
  for (const [what, xmp] of [
    ['elements that never end', packet('<a:part>'.repeat(size))],
    ['white space without end', packet(`${' '.repeat(size * 10)}<`)],
    ['tags that never close', packet('<a:part '.repeat(size))],
    ['attributes that never close', packet('', ' a:part="'.repeat(size))],
  ] as const) {
    it(`takes linear time for ${what}`, () => {
      claimsOf(xmp);
      withoutPageFacts(withoutClaims(xmp, ['PDF/A', 'PDF/UA']));
      for (const key of INFO_KEYS) withInfoValue(xmp, key, infoValue(xmp, key) ?? 'x');
    });
  }
});

import { srgbProfile } from '@quire/document/images/icc';

/** Text, a path, a clip, a form and an image: what most documents have. */
const CONTENT = [
  'q 0.2 0.4 0.6 rg 20 20 100 50 re f Q',
  'q 0 0 m 10 10 l 20 0 l h W n /Fm0 Do Q',
  'q 10 0 0 10 150 20 cm /Im0 Do Q',
  ...Array.from({ length: 20 }, (_, n) => `BT /F0 ${8 + n} Tf 20 ${150 - n} Td (Line ${n}) Tj [(of) -20 (text)] TJ ET`),
].join('\n');
const XMP = `<?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/"
 pdfaid:part="2" pdfaid:conformance="B" xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">A page</rdf:li></rdf:Alt></dc:title>
</rdf:Description></rdf:RDF></x:xmpmeta>
<?xpacket end="w"?>`;

/**
 * A small document that declares PDF/A-2b, for a validator that should load what it needs before there is a document.
 * Its verdict does not matter.
 */
export function firstDocument(): Buffer {
  const profile = srgbProfile();
  const objects: readonly (string | readonly [dictionary: string, data: Uint8Array])[] = [
    '<</Type/Catalog/Pages 2 0 R/Metadata 3 0 R/OutputIntents[<</Type/OutputIntent/S/GTS_PDFA1' +
      '/OutputConditionIdentifier(sRGB)/DestOutputProfile 4 0 R>>]>>',
    '<</Type/Pages/Kids[5 0 R]/Count 1>>',
    ['/Type/Metadata/Subtype/XML', Buffer.from(XMP)],
    ['/N 3', profile],
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Contents 6 0 R/Annots[10 0 R]/Resources' +
      '<</Font<</F0 7 0 R>>/XObject<</Fm0 8 0 R/Im0 9 0 R>>>>>>',
    ['', Buffer.from(CONTENT)],
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>',
    ['/Type/XObject/Subtype/Form/BBox[0 0 9 9]', Buffer.from('0 0 5 5 re f')],
    ['/Type/XObject/Subtype/Image/Width 1/Height 1/ColorSpace/DeviceRGB/BitsPerComponent 8', Buffer.from([1, 2, 3])],
    '<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/F 4/A<</S/URI/URI(https://example.org/)>>>>',
  ];
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n%\u00e2\u00e3\u00cf\u00d3\n', 'latin1')];
  let at = parts[0]?.length ?? 0;
  const table = objects.map((object, index) => {
    const body =
      typeof object === 'string'
        ? [Buffer.from(object)]
        : [
            Buffer.from(`<<${object[0]}/Length ${object[1].length}>>\nstream\n`),
            Buffer.from(object[1]),
            Buffer.from('\nendstream'),
          ];
    const whole = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), ...body, Buffer.from('\nendobj\n')]);
    const line = `${String(at).padStart(10, '0')} 00000 n \n`;
    parts.push(whole);
    at += whole.length;
    return line;
  });
  const size = objects.length + 1;
  const id = '<00112233445566778899aabbccddeeff>';
  parts.push(
    Buffer.from(
      `xref\n0 ${size}\n0000000000 65535 f \n${table.join('')}trailer\n` +
        `<</Size ${size}/Root 1 0 R/ID[${id}${id}]>>\nstartxref\n${at}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(parts);
}

import { deflateSync } from 'node:zlib';
import {
  type Place,
  TWO_PAGES,
  crossReferenceStream,
  latin1,
  layOut,
  plain,
  streamText,
  table,
} from '../../../document/test/file/reader/support.js';

/** Many kinds of objects: a form, outlines, names, resources, streams with every filter. */
const RICH: Readonly<Record<number, string>> = {
  1:
    '<</Type/Catalog/Pages 2 0 R/Outlines 8 0 R/AcroForm<</Fields[10 0 R]/DA(/Helv 0 ' +
    'Tf)>>/Names<</Dests<</Names[(a)[3 0 R/Fit]]>>>>/PageLabels<</Nums[0<</S/r>>]>>/OCProperties<</OCGs[11 0 ' +
    'R]/D<<>>>>>>',
  2: '<</Type/Pages/Count 2/Kids[3 0 R 12 0 R]/Resources<</Font<</F 7 0 R>>>>>>',
  3: '<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 100]/Contents[5 0 R 6 0 R]/Annots[10 0 R 13 0 R]>>',
  4: '<</Type/Page/Parent 12 0 R/MediaBox[0 0 100 100]/Rotate 90/UserUnit 2/Contents 6 0 R>>',
  5: streamText('/Filter/FlateDecode', deflateSync(latin1('BT /F 12 Tf 10 10 Td (Hello) Tj ET'))),
  6: streamText('/Filter[/ASCIIHexDecode/RunLengthDecode]', latin1('02414243fe44 80>')),
  7: '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/ToUnicode 14 0 R>>',
  8: '<</Type/Outlines/First 9 0 R/Last 9 0 R/Count 1>>',
  9: '<</Title(\\376\\377\\000A)/Parent 8 0 R/Dest[4 0 R/XYZ 0 0 null]>>',
  10: '<</Type/Annot/Subtype/Widget/FT/Tx/T(name)/V<414243>/Rect[0 0 9 9]/P 3 0 R/AP<</N 6 0 R>>>>',
  11: '<</Type/OCG/Name(layer)>>',
  12: '<</Type/Pages/Count 1/Kids[4 0 R]/Parent 2 0 R>>',
  13: '<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/A<</S/GoTo/D(a)>>>>',
  14: streamText('/Filter/ASCII85Decode', latin1('87cURD]i,"Ebo80~>')),
  15: streamText('/Filter/LZWDecode', Uint8Array.of(0x80, 0x0b, 0x60, 0x50, 0x22, 0x0c, 0x0c, 0x85, 0x01)),
  16: streamText(
    '/Filter/FlateDecode/DecodeParms<</Predictor 15/Columns 4/Colors 1>>',
    deflateSync(Uint8Array.of(0, 1, 2, 3, 4, 2, 1, 1, 1, 1, 4, 9, 9, 9, 9)),
  ),
  17: '[1 -2.5 +3 true null (string \\(nested\\)) <00ff> /Name#20x [[]] <</A<</B 1 0 R>>>>]',
};

/** Objects 1 to 4 are in an object stream (compressed or not), the others before a cross-reference stream. */
function compressed(packed: boolean, predictor: 0 | 2 | 10): string {
  const inner = Object.entries(RICH).filter(([, body]) => !body.includes('stream'));
  let offset = 0;
  const heads = inner
    .map(([number, body]) => {
      const head = `${number} ${offset} `;
      offset += body.length + 1;
      return head;
    })
    .join('');
  const data = latin1(heads + inner.map(([, body]) => `${body} `).join(''));
  const container = streamText(
    `/Type/ObjStm/N ${inner.length}/First ${heads.length}${packed ? '/Filter/FlateDecode' : ''}`,
    packed ? deflateSync(data) : data,
  );
  const streams = Object.fromEntries(Object.entries(RICH).filter(([, body]) => body.includes('stream')));
  const { text, places } = layOut({ ...streams, 20: container });
  const all = new Map<number, Place>([
    ...places,
    ...inner.map(([number], i): [number, Place] => [Number(number), [20, i]]),
    [21, text.length],
  ]);
  return `${text}${crossReferenceStream(21, all, '/Size 22/Root 1 0 R', predictor)}startxref\n${text.length}\n%%EOF\n`;
}

/** Three revisions, the last of which is a hybrid (ISO 32000-1, 7.5.8.4). */
function revised(): string {
  const first = plain(RICH);
  const startOf = (file: string): number => file.lastIndexOf('\nxref\n') + 1;
  const second = layOut({ 9: '<</Title(second)/Parent 8 0 R>>', 18: '42' }, first);
  const middle = second.text + table(second.text.length, second.places, `/Size 19/Root 1 0 R/Prev ${startOf(first)}`);
  const third = layOut({ 19: streamText('/Type/ObjStm/N 1/First 5', latin1('22 0 (hidden)')) }, middle);
  const hidden = crossReferenceStream(23, new Map<number, Place>([[22, [19, 0]]]), '/Size 24');
  const at = third.text.length + hidden.length;
  return (
    third.text +
    hidden +
    table(at, third.places, `/Size 24/Root 1 0 R/Prev ${startOf(middle)}/XRefStm ${third.text.length}`)
  );
}

/** Small files of our own, one for each file structure. Unlike corpus files, what fails on them may be published. */
export function generatedSeeds(): ReadonlyMap<string, Buffer> {
  const rich = plain(RICH);
  const files: Readonly<Record<string, string>> = {
    two: plain(TWO_PAGES),
    rich,
    'line-ends': rich.replaceAll('\n', '\r\n'),
    'loose-table': plain(RICH).replaceAll(' \n', '\n'),
    'wrong-lengths': rich.replaceAll(/\/Length \d+/g, '/Length 7'),
    'indirect-lengths': plain({ ...RICH, 5: RICH[5]?.replace(/\/Length \d+/, '/Length 30 0 R') ?? '', 30: '42' }),
    'no-table': rich.slice(0, rich.lastIndexOf('xref\n0 1')),
    'junk-in-front': `junk\n${rich}`,
    'object-stream': compressed(false, 10),
    'packed-object-stream': compressed(true, 0),
    'tiff-prediction': compressed(true, 2),
    revised: revised(),
  };
  return new Map(Object.entries(files).map(([name, text]) => [name, Buffer.from(text, 'latin1')]));
}

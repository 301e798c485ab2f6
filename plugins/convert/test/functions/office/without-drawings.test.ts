import { mkdtempSync, rmSync, writeFileSync, existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pageContent } from '@quire/document/content';
import { withPdf } from '@quire/document/file/open';
import { expect } from 'chai';
import { pdfOfObjects } from '../../../../../test/kit/pdf-of-objects.js';
import { withoutDrawings } from '../../../src/functions/office/without-drawings.js';

const stream = (text: string): string => `<</Length ${text.length}>>\nstream\n${text}\nendstream`;
const plain = '0 0 9 9 re f BT /F 12 Tf 9 99 Td (plain) Tj ET';
const crowded = '0 0 99 99 re W n 0 0 9 9 re f 1 1 2 2 re S 0 0 m 9 9 l s BT /F 12 Tf 9 99 Td (crowded) Tj ET';
const page = (content: number): string =>
  `<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/Contents ${content} 0 R/Resources<</Font<</F 7 0 R>>>>>>`;

describe('Leaving out the drawings of crowded pages', () => {
  let folder: string;
  let source: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'quire-drawings-'));
    source = join(folder, 'two.pdf');
    const font = '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>';
    const tree = ['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Kids[3 0 R 4 0 R]/Count 2>>', page(5), page(6)];
    writeFileSync(source, pdfOfObjects([...tree, stream(plain), stream(crowded), font]));
  });
  after(() => rmSync(folder, { recursive: true }));

  it('writes nothing where no page has more paths than allowed', async () => {
    expect(await withoutDrawings(source, join(folder, 'none.pdf'), 3)).to.deep.equal([]);
    expect(existsSync(join(folder, 'none.pdf'))).to.equal(false);
  });

  it('keeps text and clipping paths of a crowded page, and all of the others', async () => {
    const target = join(folder, 'light.pdf');
    expect(await withoutDrawings(source, target, 2)).to.deep.equal([2]);
    const contents = await withPdf(readFileSync(target), {}, ({ document, pages }) =>
      pages.map((each) => Buffer.from(pageContent(document.context, each).bytes).toString('latin1').trim()),
    );
    expect(contents).to.deep.equal([
      plain,
      '0 0 99 99 re W n 0 0 9 9 re n 1 1 2 2 re n 0 0 m 9 9 l n BT /F 12 Tf 9 99 Td (crowded) Tj ET',
    ]);
  });
});

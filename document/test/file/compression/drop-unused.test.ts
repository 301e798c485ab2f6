import { expect } from 'chai';
import { PDFDict, PDFName, PDFRawStream } from 'pdf-lib';
import { dropUnused } from '../../../file/compression/drop-unused.js';
import { openPdf } from '../../../file/open/index.js';
import { latin1, plain, streamText } from '../reader/support.js';

const PAGE = '/MediaBox[0 0 9 9]';

async function after(objects: Readonly<Record<number, string>>): Promise<(path: string) => string[]> {
  const opened = await openPdf(latin1(plain(objects)));
  dropUnused(opened);
  const { context } = opened.document;
  return (path) => {
    const [number = '0', ...keys] = path.split('.');
    const first = context.lookup(
      [...context.enumerateIndirectObjects()].find(([ref]) => ref.objectNumber === Number(number))?.[0],
    );
    const start = first instanceof PDFRawStream ? first.dict : (first as PDFDict);
    return keys
      .reduce((dict, key) => dict.lookup(PDFName.of(key), PDFDict), start)
      .keys()
      .map((key) => key.decodeText());
  };
}

const form = (resources: string, content: string): string =>
  streamText(`/Type/XObject/Subtype/Form/BBox[0 0 9 9]${resources}`, latin1(content));
const BASE = { 1: '<</Type/Catalog/Pages 2 0 R>>', 2: '<</Type/Pages/Count 1/Kids[3 0 R]>>' };

describe('dropping unused resources', () => {
  it('keeps resources that the page names, and removes the rest and the thumbnail', async () => {
    const keys = await after({
      ...BASE,
      3:
        `<</Type/Page/Parent 2 0 R${PAGE}/Contents 4 0 R/Thumb 9 0 R/Resources<<` +
        '/Font<</F1 5 0 R/F2 5 0 R>>/XObject<</A#20b 6 0 R/C 6 0 R>>/ExtGState<</G 7 0 R>>>>>>',
      4: streamText('', latin1('/F1 9 Tf /A#20b Do')),
      5: '<</Type/Font>>',
      6: form('', ''),
      7: '<<>>',
      9: streamText('', latin1('x')),
    });
    expect(keys('3.Resources.Font')).to.deep.equal(['F1']);
    expect(keys('3.Resources.XObject')).to.have.length(1);
    expect(keys('3.Resources.ExtGState'), 'costs nothing').to.deep.equal(['G']);
    expect(keys('3')).to.not.include('Thumb');
  });

  it('counts names used by forms without resources', async () => {
    const keys = await after({
      ...BASE,
      3:
        `<</Type/Page/Parent 2 0 R${PAGE}/Contents 4 0 R` +
        '/Resources<</Font<</F1 5 0 R/F2 5 0 R>>/XObject<</X 6 0 R>>>>>>',
      4: streamText('', latin1('/X Do')),
      5: '<</Type/Font>>',
      6: form('', '/F2 9 Tf'),
    });
    expect(keys('3.Resources.Font')).to.deep.equal(['F2']);
  });

  it('checks all users of a shared dictionary, also forms without /Subtype', async () => {
    const keys = await after({
      ...BASE,
      3: `<</Type/Page/Parent 2 0 R${PAGE}/Contents 4 0 R/Resources<</Font 8 0 R/XObject<</X 6 0 R/Y 7 0 R>>>>>>`,
      4: streamText('', latin1('/X Do /Y Do /F1 1 Tf')),
      5: '<</Type/Font>>',
      6: form('/Resources<</Font 8 0 R>>', '/F2 9 Tf'),
      7: streamText('/Resources<</Font 8 0 R>>', latin1('/F3 9 Tf')),
      8: '<</F1 5 0 R/F2 5 0 R/F3 5 0 R/F4 5 0 R>>',
    });
    expect(keys('8')).to.deep.equal(['F1', 'F2', 'F3']);
  });

  it('changes nothing where content cannot be read, and keeps the default fonts of forms', async () => {
    const keys = await after({
      1: '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[]/DR<</Font 8 0 R>>>>>>',
      2: BASE[2],
      3: `<</Type/Page/Parent 2 0 R${PAGE}/Contents 4 0 R/Resources<</Font 8 0 R/XObject<</X 6 0 R>>>>>>`,
      4: streamText('/Filter/Unknown', latin1('/F1 1 Tf')),
      5: '<</Type/Font>>',
      6: form('/Resources<<>>', ''),
      8: '<</F1 5 0 R/F2 5 0 R>>',
    });
    expect(keys('3.Resources.XObject')).to.deep.equal(['X']);
    expect(keys('8')).to.deep.equal(['F1', 'F2']);
  });
});

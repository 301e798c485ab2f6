import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { PDFDocument, PDFName } from 'pdf-lib';
import { withPdf } from '../../../file/open/index.js';
import { infoOf, readXmp, stampResult } from '../../../structure/metadata/index.js';

const modified = new Date('2024-05-06T07:08:09Z');
const packet =
  '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">' +
  '<rdf:Description rdf:about="" xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/" pdfaid:part="4" pdfaid:rev="2020"/>' +
  '</rdf:RDF></x:xmpmeta>';

describe('stampResult', () => {
  let folder: string;
  const write = async (name: string, change: (document: PDFDocument) => void): Promise<string> => {
    const document = await PDFDocument.create({ updateMetadata: false });
    document.addPage([100, 100]);
    change(document);
    const path = join(folder, name);
    await writeFile(path, await document.save());
    return path;
  };

  before(async () => void (folder = await mkdtemp(join(tmpdir(), 'stamp-'))));
  after(() => rm(folder, { recursive: true }));

  it('writes only XMP into PDF/A-4, which has no information dictionary', async () => {
    const source = await write('four.pdf', ({ catalog, context }) =>
      catalog.set(
        PDFName.of('Metadata'),
        context.register(context.stream(packet, { Type: 'Metadata', Subtype: 'XML' })),
      ),
    );
    const target = join(folder, 'four-stamped.pdf');
    expect(await stampResult(source, target, { author: 'Ada & Co' }, { modified, mode: 'rewrite' })).to.equal(true);
    await withPdf({ path: target }, {}, ({ document: { context } }) => {
      expect(infoOf(context)).to.equal(undefined);
      expect(readXmp(context)).to.include('<rdf:li>Ada &amp; Co</rdf:li>').and.include('ModifyDate>2024-05-06T');
    });
  });

  it('leaves every byte before an appended stamp as it was', async () => {
    const source = await write('plain.pdf', (document) => document.setTitle('Kept'));
    const target = join(folder, 'appended.pdf');
    await stampResult(source, target, { creator: 'Portal' }, { modified, mode: 'append' });
    const [before, after] = [await readFile(source), await readFile(target)];
    expect(after.subarray(0, before.length).equals(before)).to.equal(true);
    const read = await PDFDocument.load(after, { updateMetadata: false });
    expect([read.getTitle(), read.getCreator(), read.getModificationDate()?.toISOString()]).to.deep.equal([
      'Kept',
      'Portal',
      modified.toISOString(),
    ]);
  });

  it('writes nothing where a document does not open', async () => {
    const source = join(folder, 'broken.pdf');
    await writeFile(source, 'no document');
    const target = join(folder, 'none.pdf');
    expect(await stampResult(source, target, { author: 'Ada' }, { modified, mode: 'rewrite' })).to.equal(false);
    expect(await stat(target).catch(() => undefined)).to.equal(undefined);
  });
});

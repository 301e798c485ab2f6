import { expect } from 'chai';
import { inspectPdf, inspectSignatures } from '../../file/inspection/index.js';
import { readSignatureState, type SignatureState } from '../../signatures/fields/index.js';
import { openLazily } from '../../file/reader/index.js';
import { corpusFiles, hasCorpus } from '../file/inspection/corpus.js';

const SIGNATURE = '/Type/Sig/Filter/Adobe.PPKLite/ByteRange[0 10 20 30]/Contents<00>';

/** Creates a page with one signature field; the signature dictionary is object 5. */
function document(field: string, signature: string, catalog = ''): Uint8Array {
  const bodies = [
    `<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[4 0 R]>>${catalog}>>`,
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>',
    `<</FT/Sig/T(s)${field}>>`,
    `<<${signature}>>`,
  ];
  const objects = bodies.map((body, i) => `${i + 1} 0 obj\n${body}\nendobj\n`).join('');
  return Buffer.from(`%PDF-1.7\n${objects}trailer\n<</Root 1 0 R/Size 6>>\n%%EOF\n`, 'latin1');
}
const state = (...parts: Parameters<typeof document>): SignatureState =>
  readSignatureState(openLazily(document(...parts)).context);
const docMdp = (params: string): string => `${SIGNATURE}/Reference[<</Type/SigRef/TransformMethod/DocMDP${params}>>]`;

describe('readSignatureState', () => {
  it('reports an empty signature field as unsigned, even with a lock', () => {
    expect(state('', SIGNATURE)).to.deep.equal({ signed: false });
    expect(state('/Lock<</Type/SigFieldLock/Action/All/P 1>>', SIGNATURE)).to.deep.equal({ signed: false });
  });

  it('detects an approval signature, which sets no restriction', () => {
    expect(state('/V 5 0 R', SIGNATURE)).to.deep.equal({ signed: true });
  });

  it('detects a signature of a nested field', () => {
    expect(state('/Kids[<</T(inner)/V 5 0 R>>]', SIGNATURE)).to.deep.equal({ signed: true });
  });

  it('reads the level of a certification, by default 2', () => {
    const levels = [
      '/TransformParams<</P 1>>',
      '/TransformParams<</P 2>>',
      '/TransformParams<</P 3>>',
      '/TransformParams<<>>',
      '',
    ].map((params) => state('/V 5 0 R', docMdp(params)).certified);
    expect(levels).to.deep.equal([1, 2, 3, 2, 2]);
    expect(state('/V 5 0 R', SIGNATURE, '/Perms<</DocMDP 5 0 R>>').certified).to.equal(2);
  });

  it('detects a certification that only the catalog names', () => {
    expect(state('', docMdp('/TransformParams<</P 1>>'), '/Perms<</DocMDP 5 0 R>>')).to.deep.equal({
      signed: true,
      certified: 1,
    });
  });

  it('treats the lock of a signed field as a restriction, and reports the strictest one', () => {
    expect(state('/V 5 0 R/Lock<</Type/SigFieldLock/Action/All/P 1>>', SIGNATURE)).to.deep.equal({
      signed: true,
      certified: 1,
    });
    expect(
      state('/V 5 0 R/Lock<</Type/SigFieldLock/Action/All/P 1>>', docMdp('/TransformParams<</P 3>>')),
    ).to.deep.equal({ signed: true, certified: 1 });
    expect(state('/V 5 0 R/Lock<</Type/SigFieldLock/Action/All>>', SIGNATURE)).to.deep.equal({ signed: true });
  });

  it('is included when a file is inspected', async () => {
    const { signed, certified } = await inspectPdf({ bytes: document('/V 5 0 R', docMdp('/TransformParams<</P 1>>')) });
    expect({ signed, certified }).to.deep.equal({ signed: true, certified: 1 });
  });

  it('is found in a file without pages, and not in one that is not a document', async () => {
    const headless = Buffer.from(
      Buffer.from(document('/V 5 0 R', SIGNATURE)).toString('latin1').replace('/Kids[3 0 R]', '/Kids[9 0 R]'),
      'latin1',
    );
    expect(await inspectSignatures({ bytes: headless })).to.deep.equal({ signed: true });
    expect(await inspectSignatures({ bytes: Buffer.from('%PDF-1.7\nnothing') })).to.deep.equal({ signed: false });
  });

  (hasCorpus ? it : it.skip)('sees the signature of every signed real file (needs the corpus)', async function () {
    this.timeout(60_000);
    const files = corpusFiles().filter((file) => file.class === 'good' && file.signatures > 0 && !file.needsPassword);
    expect(files.length).to.be.greaterThan(10);
    const missed: string[] = [];
    for (const file of files) if (!(await inspectPdf({ path: file.path })).signed) missed.push(file.path);
    expect(missed).to.deep.equal([]);
  });
});

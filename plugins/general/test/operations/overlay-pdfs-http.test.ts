import { callOperation, expectPdf, makePdf, readZip, serverForTests } from '@quire/plugin-kit';
import { expect } from 'chai';

const file = async (name: string, pages: number): Promise<{ name: string; bytes: Uint8Array }> => ({
  name: `${name}.pdf`,
  bytes: await makePdf({ pages, size: [200, 200], text: (page) => `${name}${page}` }),
});

describe('overlays and sections over HTTP', function () {
  this.timeout(60_000);
  const server = serverForTests({ plugins: ['@quire/plugin-general'] });

  it('accept repeated overlay files and counts as one value or several', async () => {
    const overlayFiles = [await file('A', 1), await file('B', 1)];
    for (const counts of ['1,2', ['1', '2']]) {
      const answer = await callOperation(server.url, {
        path: 'general/overlay-pdfs',
        files: [await file('base', 4)],
        parts: { overlayFiles },
        params: { overlayMode: 'FixedRepeatOverlay', counts },
      });
      expect([answer.status, answer.fileName]).to.deep.equal([200, 'base_overlayed.pdf']);
      await expectPdf(answer.bytes)
        .pages(4)
        .text(1, 'A1')
        .text(2, 'B1')
        .text(3, 'B1')
        .text(4, /^base4\s*$/);
    }
  });

  it('name a missing overlay file, and one that is not a PDF', async () => {
    const call = async (parts: Record<string, { name: string; bytes: Uint8Array }>) =>
      callOperation(server.url, {
        path: 'general/overlay-pdfs',
        files: [await file('base', 1)],
        parts,
        params: { overlayMode: 'SequentialOverlay' },
      });
    const missing = await call({});
    expect([
      missing.status,
      missing.json<{ errors: { pointer: string }[] }>().errors.map(({ pointer }) => pointer),
    ]).to.deep.equal([400, ['/overlayFiles']]);
    const program = Buffer.from(`MZ${'\0'.repeat(200)}`);
    const [disguised, plain] = [
      await call({ overlayFiles: { name: 'tool.pdf', bytes: program } }),
      await call({ overlayFiles: { name: 'tool.exe', bytes: program } }),
    ];
    expect([disguised.status, disguised.code]).to.deep.equal([400, 'PDF_DAMAGED']);
    expect(disguised.json<{ detail: string }>().detail).to.include('overlayFiles');
    expect([plain.status, plain.code]).to.deep.equal([415, 'INPUT_KIND']);
  });

  it('return a zip of sections, or one document for merge', async () => {
    const zip = await callOperation(server.url, {
      path: 'general/split-pdf-by-sections',
      files: [await file('sheet', 2)],
      params: { horizontalDivisions: 1, verticalDivisions: 0 },
    });
    expect([zip.status, zip.fileName, zip.headers.get('content-type')]).to.deep.equal([
      200,
      'sheet_split.zip',
      'application/octet-stream',
    ]);
    expect(readZip(zip.bytes).map(({ name }) => name)).to.deep.equal(
      ['1_1', '1_2', '2_1', '2_2'].map((section) => `sheet_split_${section}.pdf`),
    );
    const merged = await callOperation(server.url, {
      path: 'general/split-pdf-by-sections',
      files: [await file('sheet', 2)],
      params: { horizontalDivisions: 1, verticalDivisions: 0, merge: 'true' },
    });
    expect([merged.status, merged.fileName, merged.headers.get('content-type')]).to.deep.equal([
      200,
      'sheet_split.pdf',
      'application/pdf',
    ]);
    await expectPdf(merged.bytes).pages(4);
  });
});

import { readFile } from 'node:fs/promises';
import { createTestServer, type QuireServer } from '@quire/core';
import { callOperation, expectPdf, makePdf, type OperationAnswer } from '@quire/plugin-kit';
import { expect } from 'chai';

const fixture = async (name: string) => ({ name, bytes: new Uint8Array(await readFile(new URL(`../../fixtures/${name}`, import.meta.url))) });

describe('add-watermark over HTTP', function () {
  this.timeout(60_000);
  let server: QuireServer;
  let url: string;
  let plain: { name: string; bytes: Uint8Array };
  before(async () => {
    server = await createTestServer({ plugins: ['@quire/plugin-security'] });
    url = await server.start();
    plain = { name: 'report.pdf', bytes: await makePdf({ pages: 2, text: ['first', 'second'] }) };
  });
  after(() => server.stop());

  const call = (params: Record<string, unknown>, parts = {}): Promise<OperationAnswer> => callOperation(url, { path: 'security/add-watermark', files: [plain], params, parts });
  const faultyFields = (answer: OperationAnswer): (string | undefined)[] => (answer.json<{ errors?: { pointer: string }[] }>().errors ?? []).map(({ pointer }) => pointer);

  it('works with the fields of the interface specification alone', async () => {
    const answer = await call({ watermarkType: 'text', watermarkText: 'SECRET', alphabet: 'roman', fontSize: 30, rotation: 0, opacity: 0.5, widthSpacer: 50, heightSpacer: 50 });
    expect([answer.status, answer.fileName]).to.deep.equal([200, 'report_watermarked.pdf']);
    await expectPdf(answer.bytes).pages(2).text(1, /SECRET/).text(2, /SECRET/).text(1, /first/);
  });

  it('draws text of every alphabet that can be found again', async () => {
    const words = { roman: 'Ärger', arabic: 'سري', japanese: '社外秘', korean: '대외비', chinese: '机密', thai: 'ลับ' };
    for (const [alphabet, watermarkText] of Object.entries(words)) {
      const answer = await call({ watermarkType: 'text', watermarkText, alphabet });
      await expectPdf(answer.bytes).text(1, new RegExp(alphabet === 'arabic' ? '[\u0600-\u06ff\ufb50-\ufeff]' : watermarkText));
    }
  });

  it('breaks lines at the two characters backslash and n', async () => {
    const answer = await call({ watermarkType: 'text', watermarkText: 'TOP\\nSECRET' });
    await expectPdf(answer.bytes).text(1, /TOP/).text(1, /SECRET/).noText(/TOP\\n/);
  });

  it('takes the type in any case and a picture as second file', async () => {
    const answer = await call({ watermarkType: 'IMAGE' }, { watermarkImage: await fixture('logo.png') });
    expect(answer.status).to.equal(200);
    await expectPdf(answer.bytes).pages(2).text(1, /first/);
  });

  it('names the picture that is missing, and the one that is none', async () => {
    const missing = await call({ watermarkType: 'image' });
    expect([missing.status, faultyFields(missing)]).to.deep.equal([400, ['/watermarkImage']]);
    const broken = await call({ watermarkType: 'image' }, { watermarkImage: await fixture('broken.png') });
    expect([broken.status, broken.code]).to.deep.equal([400, 'IMAGE_UNREADABLE']);
  });

  it('turns pages into pictures when asked, so that no text is left', async () => {
    const answer = await call({ watermarkType: 'text', watermarkText: 'X', convertPDFToImage: true });
    await expectPdf(answer.bytes).pages(2).noText(/first/);
  });

  it('names every faulty field at once', async () => {
    const answer = await call({ watermarkType: 'text', fontSize: 0.5, widthSpacer: -1, heightSpacer: 'x', rotation: 'NaN' });
    expect([answer.status, faultyFields(answer).sort()]).to.deep.equal([400, ['/fontSize', '/heightSpacer', '/rotation', '/widthSpacer']]);
    expect(faultyFields(await call({}))).to.deep.equal(['/watermarkType']);
  });
});

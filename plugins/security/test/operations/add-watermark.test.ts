import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  callOperation,
  expectPdf,
  type FormFile,
  makePdf,
  type OperationAnswer,
  serverForTests,
} from '@quire/plugin-kit';
import { expect } from 'chai';

const fixture = async (name: string): Promise<FormFile> => ({
  name,
  bytes: new Uint8Array(await readFile(new URL(`../../fixtures/${name}`, import.meta.url))),
});

/** The text as Poppler reads it, without marks of writing direction; undefined if Poppler is not installed. */
async function pdftotext(bytes: Uint8Array): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'quire-watermark-'));
  try {
    await writeFile(join(folder, 'a.pdf'), bytes);
    return (await promisify(execFile)('pdftotext', [join(folder, 'a.pdf'), '-'])).stdout.replace(
      /[\u200e\u200f\u202a-\u202e]/g,
      '',
    );
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

describe('add-watermark over HTTP', function () {
  this.timeout(60_000);
  const server = serverForTests({ plugins: ['@quire/plugin-security'] });
  let plain: FormFile;
  before(async () => {
    plain = { name: 'report.pdf', bytes: await makePdf({ pages: 2, text: ['first', 'second'] }) };
  });

  const call = (
    params: Record<string, unknown>,
    parts: Record<string, FormFile> = {},
    file = plain,
  ): Promise<OperationAnswer> =>
    callOperation(server.url, { path: 'security/add-watermark', files: [file], params, parts });
  const text = (params: Record<string, unknown>, file = plain): Promise<OperationAnswer> =>
    call({ watermarkType: 'text', watermarkText: 'Quire', ...params }, {}, file);
  const faults = (answer: OperationAnswer): { pointer: string; detail: string }[] =>
    answer.json<{ errors?: { pointer: string; detail: string }[] }>().errors ?? [];
  const faultyFields = (answer: OperationAnswer): string[] => faults(answer).map(({ pointer }) => pointer);

  it('needs only the fields of the interface specification', async () => {
    const answer = await call({
      watermarkType: 'text',
      watermarkText: 'SECRET',
      alphabet: 'roman',
      fontSize: 30,
      rotation: 0,
      opacity: 0.5,
      widthSpacer: 50,
      heightSpacer: 50,
    });
    expect([answer.status, answer.fileName]).to.deep.equal([200, 'report_watermarked.pdf']);
    await expectPdf(answer.bytes)
      .pages(2)
      .text(1, /SECRET/)
      .text(2, /SECRET/)
      .text(1, /first/);
  });

  it('draws text of every alphabet, and of several at once, that a second reader finds unchanged', async () => {
    const words = {
      roman: 'Ärger Žluťoučký Εμπιστευτικό Секретно',
      arabic: 'سري للغاية ١٢',
      japanese: '社外秘 ひらがな',
      korean: '대외비 복사 금지',
      chinese: '机密文件 請勿複製',
      thai: 'ลับที่สุด น้ำ ผู้ใหญ่',
      KOREAN: 'Draft 草案 대외비 ลับ',
      klingon: 'Entwurf',
    };
    for (const [alphabet, watermarkText] of Object.entries(words)) {
      const answer = await text({ watermarkText, alphabet, fontSize: 12 });
      expect(answer.status, alphabet).to.equal(200);
      if (alphabet !== 'arabic') await expectPdf(answer.bytes).text(1, watermarkText);
      expect((await pdftotext(answer.bytes)) ?? watermarkText, alphabet).to.include(watermarkText);
    }
  });

  it('breaks lines at the two characters backslash and n', async () => {
    const answer = await call({ watermarkType: 'text', watermarkText: 'TOP\\nSECRET' });
    await expectPdf(answer.bytes)
      .text(1, /TOP/)
      .text(1, /SECRET/)
      .noText(/TOP\\n/);
  });

  it('accepts the type in any case and an image as second file', async () => {
    const answer = await call({ watermarkType: 'IMAGE' }, { watermarkImage: await fixture('logo.png') });
    expect(answer.status).to.equal(200);
    await expectPdf(answer.bytes).pages(2).text(1, /first/);
  });

  it('names a missing image, and a file that is not an image', async () => {
    const missing = await call({ watermarkType: 'image' });
    expect([missing.status, faultyFields(missing)]).to.deep.equal([400, ['/watermarkImage']]);
    const broken = await call({ watermarkType: 'image' }, { watermarkImage: await fixture('broken.png') });
    expect([broken.status, broken.code]).to.deep.equal([400, 'IMAGE_UNREADABLE']);
  });

  it('converts pages to images when asked, so that no text is left', async () => {
    const answer = await call({ watermarkType: 'text', watermarkText: 'X', convertPDFToImage: true });
    await expectPdf(answer.bytes).pages(2).noText(/first/);
  });

  it('names every invalid field at once', async () => {
    const answer = await call({
      watermarkType: 'text',
      watermarkText: 'X',
      fontSize: 0.5,
      widthSpacer: -1,
      heightSpacer: 'x',
      rotation: 'NaN',
    });
    expect([answer.status, faultyFields(answer).sort()]).to.deep.equal([
      400,
      ['/fontSize', '/heightSpacer', '/rotation', '/widthSpacer'],
    ]);
    expect(faultyFields(await call({}))).to.deep.equal(['/watermarkType']);
  });

  it('treats a real line end like the two characters', async () => {
    await expectPdf((await text({ watermarkText: 'TOP\nSECRET' })).bytes).text(1, /TOP\s+SECRET/);
  });

  it('names the characters that no font has, and refuses text that shows nothing', async () => {
    const answer = await text({ watermarkText: 'top 𒀀' });
    expect([answer.status, faultyFields(answer)]).to.deep.equal([400, ['/watermarkText']]);
    expect(faults(answer)[0]!.detail).to.include('U+12000');
    const empty = await text({ watermarkText: ' \\n ' });
    expect([empty.status, faultyFields(empty)]).to.deep.equal([400, ['/watermarkText']]);
  });

  it('refuses an unknown type instead of returning the file without watermark', async () => {
    expect(faultyFields(await call({ watermarkType: 'sound' }))).to.deep.equal(['/watermarkType']);
  });

  it('limits opacity to 0 and 1, and accepts any colour and any angle', async () => {
    for (const params of [
      { opacity: 7 },
      { opacity: -1 },
      { customColor: 'F00' },
      { customColor: 'pinkish' },
      { customColor: '' },
      { rotation: 720.5 },
      { rotation: -1e9 },
      { fontSize: 14_400 },
      { widthSpacer: 2_000_000_000 },
    ]) {
      expect((await text(params)).status, JSON.stringify(params)).to.equal(200);
    }
    for (const [field, value] of [
      ['opacity', 'NaN'],
      ['opacity', 'half'],
      ['fontSize', '1e9'],
      ['rotation', 'Infinity'],
      ['heightSpacer', 'x'],
      ['convertPDFToImage', 'perhaps'],
    ] as const) {
      const answer = await text({ [field]: value });
      expect([answer.status, faultyFields(answer)], `${field} ${value}`).to.deep.equal([400, [`/${field}`]]);
    }
  });

  it('identifies the image by its bytes, whatever its name', async () => {
    const logo = await fixture('logo.png');
    expect(
      (
        await call(
          { watermarkType: 'image' },
          { watermarkImage: { ...logo, name: '../../etc/logo.jpg' } },
          { ...plain, name: '/a/..report.pdf' },
        )
      ).status,
    ).to.equal(200);
    const program = await call(
      { watermarkType: 'image' },
      {
        watermarkImage: {
          name: 'logo.png',
          bytes: Buffer.concat([Buffer.from('MZ\x90\0\x03\0\0\0', 'latin1'), Buffer.alloc(200)]),
        },
      },
    );
    expect([400, 415]).to.include(program.status);
    expect(JSON.stringify(program.json())).to.include('watermarkImage');
    const document = await call(
      { watermarkType: 'image' },
      { watermarkImage: { name: 'logo.png', bytes: plain.bytes } },
    );
    expect([400, 415]).to.include(document.status);
    expect(JSON.stringify(document.json())).to.include('watermarkImage');
  });

  it('names the size of an image that fits on no page', async () => {
    const answer = await call(
      { watermarkType: 'image', fontSize: 5000 },
      { watermarkImage: await fixture('logo.png') },
    );
    expect([answer.status, faultyFields(answer)]).to.deep.equal([400, ['/fontSize']]);
  });

  it('keeps signatures by appending, and refuses to convert signed pages to images', async () => {
    const bytes = new Uint8Array(await readFile(new URL('../../../signing/fixtures/signed.pdf', import.meta.url)));
    const signed = { name: 'signed.pdf', bytes };
    const answer = await text({}, signed);
    expect(answer.status).to.equal(200);
    expect(Buffer.from(answer.bytes.subarray(0, bytes.length)).equals(Buffer.from(bytes))).to.equal(true);
    await expectPdf(answer.bytes).text(1, 'Quire');
    expect((await text({ convertPDFToImage: true }, signed)).code).to.equal('PDF_SIGNED');
  });

  it('keeps a document encrypted, and refuses one that needs a password', async () => {
    const locked = async (password: string): Promise<FormFile> => ({
      name: 'locked.pdf',
      bytes: (
        await callOperation(server.url, {
          path: 'security/add-password',
          files: [plain],
          params: { password, ownerPassword: 'owner' },
        })
      ).bytes,
    });
    const refused = await text({}, await locked('secret'));
    expect([refused.status, refused.code]).to.deep.equal([400, 'PDF_ENCRYPTED']);
    const answer = await text({}, await locked(''));
    await expectPdf(answer.bytes).text(1, 'Quire').text(1, 'first');
    expect(Buffer.from(answer.bytes).toString('latin1')).to.include('/Encrypt');
  });

  describe('in a pipeline', () => {
    const run = (parameters: Record<string, unknown>): Promise<OperationAnswer> =>
      callOperation(server.url, {
        path: 'pipeline/handleData',
        files: [plain],
        params: { json: JSON.stringify({ pipeline: [{ operation: '/api/v1/security/add-watermark', parameters }] }) },
      });

    it('draws text', async () => {
      await expectPdf(
        (
          await run({
            watermarkType: 'text',
            watermarkText: 'STEP',
            alphabet: 'roman',
            fontSize: 30,
            rotation: 0,
            opacity: 0.5,
            widthSpacer: 50,
            heightSpacer: 50,
          })
        ).bytes,
      )
        .pages(2)
        .text(2, /STEP/);
    });

    it('is refused before the run if it needs an image', async () => {
      const answer = await run({ watermarkType: 'Image' });
      expect([answer.status, answer.code, faultyFields(answer)]).to.deep.equal([
        400,
        'PIPELINE_INVALID',
        ['/pipeline/0/parameters/watermarkImage'],
      ]);
    });
  });
});

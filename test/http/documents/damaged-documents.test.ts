import { deflateSync } from 'node:zlib';
import { expect } from 'chai';
import { createTestServer } from '@quire/core';
import { PDFDocument } from 'pdf-lib';
import { makePdf } from '../../kit/make-pdf.js';
import { pdfOfObjects } from '../../kit/pdf-of-objects.js';
import { type Answer, expectProblem, field, file, json, post, send } from '../support/client.js';
import type { TestServer } from '../support/server.js';

const ROTATE = '/api/v1/general/rotate-pdf';

/** A document of two pages; `change` edits the compressed content of the second. */
function twoPages(change: (content: Buffer) => Buffer = (content) => content): Buffer {
  const content = deflateSync(Buffer.from('BT /F1 12 Tf 9 9 Td (Some words to read) Tj ET\n'.repeat(20)), { level: 9 });
  const stream = (data: Buffer): string =>
    `<</Filter/FlateDecode/Length ${data.length}>>\nstream\n${data.toString('latin1')}\nendstream`;
  const page = (contents: number): string =>
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Contents ${contents} 0 R/Resources<</Font<</F1 7 0 R>>>>>>`;
  const bodies = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R 4 0 R]/Count 2>>',
    page(5),
    page(6),
    stream(content),
    stream(change(Buffer.from(content))),
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
  ];
  return pdfOfObjects(bodies);
}

/** Flips bits of the checksum (RFC 1950, 2.2), the last four bytes. */
function flip(content: Buffer): Buffer {
  const at = content.length - 2;
  content[at] = (content[at] ?? 0) ^ 0x55;
  return content;
}

const cutBefore = (bytes: Buffer, text: string): Buffer => bytes.subarray(0, bytes.indexOf(text));

describe('Damaged PDFs', () => {
  let server: TestServer;
  const rotate = (bytes: Uint8Array, headers: Record<string, string> = {}, ...more: readonly [string, string][]) =>
    post(
      `${server.url}${ROTATE}`,
      [file(bytes), field('angle', '90'), ...more.map(([name, value]) => field(name, value))],
      headers,
    );

  before(async () => {
    server = await createTestServer({ plugins: ['@quire/plugin-general', '@quire/plugin-misc'] });
    await server.start();
  });
  after(() => server.stop());

  it('returns a sound file without a warning', async () => {
    for (const bytes of [twoPages(), await makePdf({ pages: 2 })]) {
      const answer = await rotate(bytes, { prefer: 'handling=strict' });
      expect(answer.status, answer.body.toString()).to.equal(200);
      expect(answer.headers).to.not.have.property('x-warnings');
      expect(answer.headers).to.not.have.property('x-tool-report');
    }
  });

  it('names the page whose object was cut off', async () => {
    const answer = await rotate(cutBefore(twoPages(), '4 0 obj'));
    expect(answer.status).to.equal(200);
    expect(answer.headers['x-warnings']).to.contain('Page 2 of 2 cannot be read; the file seems cut off.');
    const { damage } = JSON.parse(String(answer.headers['x-tool-report'])) as { damage: Record<string, string[]> };
    expect(damage['lost']?.[0]).to.equal('Page 2 of 2 cannot be read; the file seems cut off.');
    expect(damage['repaired']?.[0]).to.contain('found by scanning the file');
  });

  it('names the page whose content was cut off', async () => {
    const answer = await rotate(cutBefore(twoPages(), '6 0 obj'));
    expect(answer.headers['x-warnings']).to.contain('The content of page 2 of 2 is missing or damaged');
  });

  it('names the page whose content contradicts its checksum', async () => {
    const answer = await rotate(twoPages(flip));
    expect(answer.status).to.equal(200);
    expect(answer.headers['x-warnings']).to.equal('The content of page 2 of 2 is missing or damaged.');
  });

  it('names a damaged image beside a page without its content, and counts neither twice', async () => {
    const pixels = flip(deflateSync(Buffer.alloc(300)));
    const bytes = pdfOfObjects([
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Kids[3 0 R]/Count 1>>',
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 9 0 R/Resources<</XObject<</I 4 0 R>>>>>>',
      '<</Type/XObject/Subtype/Image/Width 10/Height 10/BitsPerComponent 8/ColorSpace/DeviceRGB' +
        `/Filter/FlateDecode/Length ${pixels.length}>>\nstream\n${pixels.toString('latin1')}\nendstream`,
    ]);
    const answer = await rotate(bytes);
    expect(answer.status).to.equal(200);
    expect(JSON.parse(String(answer.headers['x-tool-report']))).to.deep.include({
      damage: {
        repaired: [],
        lost: [
          'The content of page 1 of 1 is missing or damaged.',
          '1 other stream is damaged and only partly readable.',
        ],
      },
    });
  });

  it('reports a rebuilt cross-reference, though nothing is lost', async () => {
    const answer = await rotate(cutBefore(twoPages(), 'xref'));
    expect(answer.status).to.equal(200);
    expect(answer.headers['x-warnings']).to.contain('The cross-reference is missing or unreadable');
    expect(answer.headers['x-warnings']).to.not.contain('cannot be read');
  });

  it('refuses a damaged file under handling=strict, and says why', async () => {
    const answer = await rotate(cutBefore(twoPages(), '4 0 obj'), { prefer: 'handling=strict' });
    const { detail } = expectProblem(answer, 400, 'PDF_DAMAGED');
    expect(detail).to.contain('Page 2 of 2 cannot be read');
  });

  it('says which of several files is damaged', async () => {
    const answer = await post(`${server.url}/api/v1/general/merge-pdfs`, [
      file(twoPages(), 'sound.pdf'),
      file(twoPages(flip), 'flipped.pdf'),
    ]);
    expect(answer.headers['x-warnings']).to.contain('flipped.pdf: The content of page 2 of 2');
    expect(answer.headers['x-warnings']).to.not.contain('sound.pdf');
  });

  /** The answer for the result of a job that turns this file. */
  const jobResult = async (bytes: Uint8Array, headers: Record<string, string> = {}): Promise<Answer> => {
    const { jobId } = json<{ jobId: string }>(await rotate(bytes, headers, ['async', 'true']));
    const url = `${server.url}/api/v1/general/job/${jobId}`;
    for (;;) {
      const { complete } = json<{ complete: boolean }>(await send(url, { headers: { prefer: 'wait=5' } }));
      if (complete) return send(`${url}/result`);
    }
  };

  it('keeps the warning in the record of a job', async () => {
    const result = await jobResult(twoPages(flip));
    expect(result.headers['x-warnings']).to.contain('The content of page 2 of 2 is missing or damaged');
  });

  it('refuses a damaged file in a job that was started with handling=strict', async () => {
    expect((await jobResult(twoPages(), { prefer: 'handling=strict' })).status).to.equal(200);
    const { detail } = expectProblem(await jobResult(twoPages(flip), { prefer: 'handling=strict' }), 400, 'JOB_FAILED');
    expect(detail).to.contain('page 2 of 2 is missing or damaged');
  });

  const turn = { operation: ROTATE, parameters: { angle: 90 } };
  const pipeline = (
    headers: Record<string, string> = {},
    bytes = twoPages(flip),
    steps: readonly object[] = [turn],
  ): Promise<Answer> =>
    post(
      `${server.url}/api/v1/pipeline/handleData`,
      [file(bytes), field('json', JSON.stringify({ name: 'turn', pipeline: steps }))],
      headers,
    );

  it('refuses a damaged file in a pipeline under handling=strict', async () => {
    const problem = expectProblem(await pipeline({ prefer: 'handling=strict' }), 400, 'PDF_DAMAGED');
    expect(problem.step?.index).to.equal(0);
  });

  it('keeps the warning in the answer of a pipeline', async () => {
    const answer = await pipeline();
    expect(answer.status, answer.body.toString()).to.equal(200);
    expect(answer.headers['x-warnings']).to.contain('The content of page 2 of 2 is missing or damaged');
  });

  it('keeps the warning of the first step in a pipeline of several, and has none for a sound file', async () => {
    const damaged = await pipeline({}, twoPages(flip), [turn, turn, turn]);
    expect(damaged.headers['x-warnings']).to.contain('The content of page 2 of 2 is missing or damaged');
    const sound = await pipeline({ prefer: 'handling=strict' }, twoPages(), [turn, turn, turn]);
    expect(sound.status, sound.body.toString()).to.equal(200);
    expect(sound.headers).to.not.have.property('x-warnings');
  });

  it('announces and refuses a damaged file that a step has found in a sound one', async () => {
    const outer = await PDFDocument.create();
    outer.addPage([100, 100]);
    await outer.attach(twoPages(flip), 'inner.pdf');
    const bytes = Buffer.from(await outer.save());
    const steps = [{ ...turn, operation: '/api/v1/misc/extract-attachments', parameters: {} }, turn, turn];
    const answer = await pipeline({}, bytes, steps);
    expect(answer.status, answer.body.toString()).to.equal(200);
    expect(answer.headers['x-warnings']).to.contain('The content of page 2 of 2 is missing or damaged');
    const refused = expectProblem(await pipeline({ prefer: 'handling=strict' }, bytes, steps), 400, 'PDF_DAMAGED');
    expect(refused.step?.index).to.equal(1);
  });
});

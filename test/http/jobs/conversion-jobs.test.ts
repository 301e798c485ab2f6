import { createTestServer } from '@quire/core';
import { expect } from 'chai';
import { readdirSync, readlinkSync, realpathSync } from 'node:fs';
import { PDFDocument } from 'pdf-lib';
import sharp from 'sharp';
import { field, file, json, post, send, type Part } from '../support/client.js';
import { until } from '../support/server.js';

/** A document of scanned pages: images of text, each page different. */
async function scannedPages(count: number): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  for (let page = 1; page <= count; page++) {
    const lines = Array.from(
      { length: 12 },
      (_, i) =>
        `<text x="60" y="${100 + i * 50}" font-size="24" font-family="Liberation Serif, serif">Page ${page}, ` +
        `line ${i + 1}: the quick brown fox</text>`,
    );
    const png = await sharp(
      Buffer.from(
        `<svg xmlns="http://www.w3.org/2000/svg" width="827" height="1169"><rect width="827" height="1169" ` +
          `fill="#fff"/>${lines.join('')}</svg>`,
      ),
    )
      .greyscale()
      .png()
      .toBuffer();
    document.addPage([595, 842]).drawImage(await document.embedPng(png), { x: 0, y: 0, width: 595, height: 842 });
  }
  return document.save();
}

/** Commands of the processes that work in a folder or its subfolders. */
function workersIn(folder: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        return readlinkSync(`/proc/${pid}/cwd`).startsWith(folder) ? [readlinkSync(`/proc/${pid}/exe`)] : [];
      } catch {
        return [];
      }
    });
}

describe('Conversions as jobs', function () {
  this.timeout(120_000);
  let server: Awaited<ReturnType<typeof createTestServer>>;
  let url: string;
  before(async () => {
    server = await createTestServer({ plugins: ['@quire/plugin-convert', '@quire/plugin-misc'] });
    url = await server.start();
  });
  after(() => server.stop());

  const start = async (path: string, parts: readonly Part[]): Promise<string> => {
    const answer = await post(`${url}/api/v1/${path}?async=true`, parts);
    expect(answer.status, answer.body.toString('utf8', 0, 300)).to.equal(200);
    return json<{ jobId: string }>(answer).jobId;
  };
  const poll = async (id: string) =>
    json<{ status: string; progress: number; complete: boolean }>(await send(`${url}/api/v1/general/job/${id}`));
  const folder = (): string => realpathSync(server.basePath);

  /** Cancels a job with a lot of work and expects its programs to end, with no new ones after them. */
  async function cancel(id: string, program: RegExp): Promise<void> {
    const works = (): boolean => workersIn(folder()).some((path) => program.test(path));
    await until('the program runs', works, 30);
    expect((await send(`${url}/api/v1/general/job/${id}`, { method: 'DELETE' })).status).to.equal(200);
    await until('the program is gone', () => !works());
    await until('the job is over', async () => (await poll(id)).complete);
    expect((await poll(id)).status).to.equal('cancelled');
    expect(works(), 'for the next page').to.equal(false);
  }

  it('report progress page by page, and stop text recognition when cancelled', async () => {
    const id = await start('misc/ocr-pdf', [
      file(await scannedPages(12)),
      field('languages', 'eng'),
      field('ocrType', 'force-ocr'),
    ]);
    const seen = new Set<number>();
    await until(
      'at least three different progress values',
      async () => {
        const { progress, complete } = await poll(id);
        if (progress > 0 && progress < 100) seen.add(progress);
        expect(complete, 'still running at the first poll').to.equal(false);
        return seen.size >= 3;
      },
      60,
    );
    expect([...seen]).to.deep.equal([...seen].sort((a, b) => a - b));
    await cancel(id, /tesseract/);
  });

  it('stop PostScript that never ends', async () => {
    const id = await start('convert/vector/pdf', [file(Buffer.from('%!PS\n{ } loop\n'), 'endless.ps')]);
    await cancel(id, /gs/);
  });
});

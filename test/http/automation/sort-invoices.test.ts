import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PDFDocument } from 'pdf-lib';
import { expect } from 'chai';
import { makePdf } from '../../kit/make-pdf.js';
import { json, send } from '../support/client.js';
import { readMail } from '../support/mail-parts.js';
import { MailServer } from '../support/mail-server.js';
import { startServer, type TestServer, until, usualPlugins } from '../support/server.js';
import { ciiInvoice } from '../../../plugins/invoice/fixtures/invoice-texts.js';

/** The JSON blocks of the guide, as people copy them. */
async function blocksOfGuide(): Promise<readonly string[]> {
  const guide = await readFile(new URL('../../../docs/guides/sort-invoices.md', import.meta.url), 'utf8');
  return [...guide.matchAll(/```json\n([\s\S]*?)```/g)].map(([, text = '']) => text);
}

describe('The guide to sorting invoices', function () {
  this.timeout(120_000);
  let base: string;
  let server: TestServer;
  let files: Readonly<Record<string, Uint8Array>>;
  let blocks: readonly string[];
  let mails: MailServer;

  before(async () => {
    base = await mkdtemp(join(tmpdir(), 'quire-invoices-'));
    blocks = await blocksOfGuide();
    const wrong = await PDFDocument.load(await makePdf({ pages: 1 }));
    const text = ciiInvoice.replace('GrandTotalAmount>1190.00', 'GrandTotalAmount>9.00');
    await wrong.attach(Buffer.from(text), 'factur-x.xml', { mimeType: 'text/xml' });
    files = {
      'a.pdf': await readFile(new URL('../../../plugins/invoice/fixtures/hybrid.pdf', import.meta.url)),
      'b.pdf': await wrong.save(),
      'c.pdf': await makePdf({ pages: 1 }),
    };
    mails = await MailServer.start();
    server = await startServer(
      {
        mail: mails.settings,
        limits: { workers: 2 },
        autoPipeline: { sweepSeconds: 1, fileReadiness: { settleTimeMillis: 300, sizeCheckDelayMillis: 100 } },
        policies: { allowedFolderRoots: [join(base, 'allowed')] },
      },
      base,
      [...usualPlugins, '@quire/plugin-invoice'],
    );
  });
  after(async () => {
    await server.stop();
    await mails.stop();
    await rm(base, { recursive: true, force: true });
  });

  /** Without the hidden names of files that are still being written. */
  const list = async (folder: string): Promise<string[]> =>
    (await readdir(folder).catch(() => [])).filter((name) => !name.startsWith('.')).sort();
  const fill = async (folder: string): Promise<void> => {
    await mkdir(folder, { recursive: true });
    for (const [name, bytes] of Object.entries(files)) await writeFile(join(folder, name), bytes);
  };
  const post = async (path: string, body: string) => {
    const answer = await send(`${server.url}/api/v1/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: Buffer.from(body),
    });
    expect(answer.status, answer.body.toString()).to.be.within(200, 299);
    return json<{ readonly id: string }>(answer);
  };

  it('names the files of a watched folder by what is in them', async () => {
    const folder = join(base, 'pipeline', 'watchedFolders', 'invoices');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'pipeline.json'), blocks[0] ?? '');
    await fill(folder);
    await until('all are done', async () => (await list(join(folder, 'done'))).length === 6);
    expect(await list(join(base, 'pipeline', 'finishedFolders', 'invoices'))).to.deep.equal([
      '2026-11-28_Lieferant GmbH_R-2026-0042.pdf',
      'CHECK b.pdf',
      'NO INVOICE c.pdf',
    ]);
  });

  it('puts valid invoices and others into two folders by two automations', async () => {
    const allowed = (name: string): string => join(base, 'allowed', name);
    for (const name of ['in', 'valid', 'check']) await mkdir(allowed(name), { recursive: true });
    const { id } = await post(
      'sources',
      JSON.stringify({ name: 'Invoices', type: 'folder', options: { directory: allowed('in'), mode: 'snapshot' } }),
    );
    for (const block of blocks.slice(1))
      await post('automations', block.replace('6f0c…', id).replaceAll('/srv/invoices', join(base, 'allowed')));
    await fill(allowed('in'));
    await until(
      'both have delivered',
      async () => (await list(allowed('valid'))).length > 0 && (await list(allowed('check'))).length > 0,
    );
    expect(await list(allowed('valid'))).to.deep.equal(['2026-11-28_Lieferant GmbH_R-2026-0042.pdf']);
    expect(await list(allowed('check'))).to.deep.equal(['b.pdf']);
    expect(await list(allowed('in'))).to.deep.equal(['a.pdf', 'b.pdf', 'c.pdf']);
  });

  it('sends valid invoices by mail, with subjects that say which they are', async () => {
    const directory = join(base, 'allowed', 'to-mail');
    await mkdir(directory, { recursive: true });
    const { id } = await post(
      'sources',
      JSON.stringify({ name: 'To mail', type: 'folder', options: { directory, mode: 'snapshot' } }),
    );
    const automation = {
      name: 'Mails',
      work: { pipeline: [{ operation: '/api/v1/filter/filter-invoice', parameters: { verdict: 'valid' } }] },
      inputs: [{ source: id, trigger: { type: 'arrival' } }],
      destinations: [
        {
          type: 'mail',
          options: {
            to: ['ann@example.org'],
            subject: 'Invoice {{invoice.number}} of {{invoice.seller}}',
            text: '{{invoice.total}} {{invoice.currency}} until {{invoice.due}}',
          },
        },
      ],
    };
    await post('automations', JSON.stringify(automation));
    await fill(directory);
    await until('the mail has arrived', async () => mails.mails.length > 0);
    const { subject, text } = readMail(mails.mails[0]?.data ?? '');
    expect(subject).to.equal('Invoice R-2026-0042 of Lieferant GmbH');
    expect(text.trim()).to.equal('1190.00 EUR until 2026-12-28');
  });
});

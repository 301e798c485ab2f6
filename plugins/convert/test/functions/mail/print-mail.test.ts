import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makePdf } from '@quire/plugin-kit';
import { InputError, OperationalError } from '@quire/registry/errors';
import { expect } from 'chai';
import { mailToPdf, type MailTools, type PrintedMail } from '../../../src/functions/mail/print-mail.js';

const html = Buffer.from(
  'From: a@example.com\r\nSubject: x\r\nMIME-Version: 1.0\r\nContent-Type: text/html\r\n\r\n<p>First &amp; last</p>',
);
const failed = new InputError('DOCUMENT_UNPROCESSABLE', { program: 'chromium', detail: 'it crashed' });

describe('Printing a mail', () => {
  let folder: string;
  const pages: string[] = [];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mail-'));
    pages.length = 0;
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  /** Prints with a browser that fails as often as said. */
  const print = (bytes: Uint8Array, failures: number, error: Error = failed): Promise<PrintedMail> => {
    let left = failures;
    const tools: MailTools = {
      folder,
      now: new Date(0),
      signal: new AbortController().signal,
      print: async (page, output) => {
        pages.push(await readFile(page, 'utf8'));
        if (left-- > 0) throw error;
        await writeFile(output, await makePdf({ pages: 1 }));
      },
    };
    return mailToPdf(bytes, { allRecipients: true, embedUpTo: 0 }, tools);
  };

  it('tries the text once where the browser fails over the formatted body', async () => {
    expect(await print(html, 1)).to.include({ simplified: true, attachments: 0, embedded: 0 });
    expect(pages[0]).to.include('<p>First &amp; last</p>');
    expect(pages[1]).to.include('First &amp; last').and.not.include('<p>First');
  });

  it('fails if the text fails too, if there is nothing simpler, and for other failures', async () => {
    const codeOf = (promise: Promise<unknown>): Promise<unknown> =>
      promise.then(
        () => 'printed',
        ({ code }: { code?: string }) => code,
      );
    expect(await codeOf(print(html, 2))).to.equal('DOCUMENT_UNPROCESSABLE');
    await rm(folder, { recursive: true });
    folder = await mkdtemp(join(tmpdir(), 'mail-'));
    expect(await codeOf(print(Buffer.from('From: a@example.com\r\nSubject: x\r\n\r\ntext'), 1))).to.equal(
      'DOCUMENT_UNPROCESSABLE',
    );
    await rm(folder, { recursive: true });
    folder = await mkdtemp(join(tmpdir(), 'mail-'));
    expect(await codeOf(print(html, 1, new OperationalError('TIMEOUT', { seconds: 1 })))).to.equal('TIMEOUT');
    expect(pages).to.have.length(4);
  });
});

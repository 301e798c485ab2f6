/// <reference lib="dom" />
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import {
  beginsLike,
  kindInfo,
  kindOfName,
  sniffKind,
  type ConcreteKind,
  type ConsoleCatalog,
  type ShownOperation,
} from '@quire/registry';
import { expect } from 'chai';
import { PDFDocument } from 'pdf-lib';
import type { Page } from 'puppeteer-core';
import { saysOf, startModelServer, type ModelServer } from '../fixtures/model-server.js';
import { MailServer } from '../http/support/mail-server.js';
import { productRoot } from '../http/support/server.js';
import { sampleOf } from '../suites/nightly.js';
import { openConsole, type ConsoleBrowser } from './console-browser.js';
import { readZip } from '../kit/read-zip.js';
import { clickUnseen, download } from './tool-page.js';

/** What tools say that need another service: a time stamp, a labelled tenant, a page of another host. */
const NEEDS_SERVICE =
  /is not set up on this server|there is no connection|could not be reached|cannot be reached|nothing at this address/;
/** One of this many tools is tried, but for the nightly run, which tries all. */
const STRIDE = 24;
/** Pages that work at the same time. */
const PAGES = 3;
/** Milliseconds for one tool: LibreOffice starts slowly on a busy machine. */
const PATIENCE = 60_000;
/** Pages that are not in front get no frames: conditions are looked at by the clock. */
const PATIENT = { timeout: PATIENCE, polling: 50 } as const;
/** The button that saves a result. */
const SAVE = '.result-head .button.primary';
/** Pictures of the pages of tools that failed. */
const PICTURES = join(productRoot, '.cache', 'console-faults');

/** The model's answers, by the name of the requested answer. */
const answers: Readonly<Record<string, object>> = {
  pdf_comments: { comments: [{ page: 1, quote: '1,250.00 EUR', comment: 'An amount' }], rationale: 'Looked for it.' },
  document_class: { id: 'letter', confidence: 0.9 },
  claims: { claims: [] },
};

describe('Every tool of the console', function () {
  this.timeout(600_000);
  let browser: ConsoleBrowser;
  let model: ModelServer;
  let mail: MailServer;
  let folder: string;

  before(async function () {
    [model, mail] = await Promise.all([startModelServer(), MailServer.start()]);
    model.script(saysOf(({ response_format: format }) => answers[format?.json_schema?.name ?? ''] ?? {}));
    const opened = await openConsole({
      settings: {
        ...model.settings,
        mail: mail.settings,
        system: { enableUrlToPDF: true },
        outbound: { allowed: ['127.0.0.1'] },
        security: { timestamp: { defaultTsaUrl: 'http://127.0.0.1:9/' } },
      },
    });
    if (opened === undefined) return this.skip();
    browser = opened;
    folder = await mkdtemp(join(tmpdir(), 'quire-every-tool-'));
    await rm(PICTURES, { recursive: true, force: true });
  });
  after(async () => {
    await browser?.stop();
    await Promise.all([model?.stop(), mail?.stop()]);
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  });

  /** Fills in the first example, runs it, and downloads the result; returns what is wrong with the outcome. */
  async function faultOf(page: Page, operation: ShownOperation): Promise<string | undefined> {
    await page.goto(`${browser.url}/tool/${operation.path}?example=1`);
    await page.waitForFunction(
      "!location.search && document.querySelector('.run-bar') && !document.querySelector('.tool-head .spinner')",
      PATIENT,
    );
    await clickUnseen(page, '.run-bar [type=submit]');
    await page.waitForSelector('.result-head, .result-list > li, .run .notice, .field-error, .run .result', PATIENT);
    await page.waitForFunction("!document.querySelector('.run .progress')", PATIENT);
    const refused = await page.$$eval('.run .notice.error, .field-error', (all) =>
      all.map((one) => one.textContent ?? '').join(' '),
    );
    if (refused !== '') return refused;
    if ((await page.$('.result-head')) === null) return operation.returns.mayDrop ? undefined : 'There is no result.';
    const { name, bytes } = await download(page, folder, SAVE, () => clickUnseen(page, SAVE));
    return faultOfFile(operation, name, bytes);
  }

  it('runs from its own example, through the browser, and its result is what it declares', async () => {
    const answer = await fetch(`${browser.url}/api/v1/console/catalog`);
    const { operations } = (await answer.json()) as ConsoleCatalog;
    const missing = operations.filter(
      ({ availability, examples }) => availability.state !== 'available' || examples.length === 0,
    );
    expect(missing.map(({ path }) => path)).to.deep.equal([]);
    const waiting = [...sampleOf(operations, STRIDE)];
    const faults: string[] = [];
    await Promise.all(
      Array.from({ length: PAGES }, async () => {
        const page = await browser.open('', 'window');
        for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
          const { path } = next;
          const fault = await faultOf(page, next).catch((error: unknown) => String(error));
          if (fault === undefined || NEEDS_SERVICE.test(fault)) continue;
          faults.push(`${path}: ${fault}`);
          await mkdir(PICTURES, { recursive: true });
          await page.screenshot({ path: join(PICTURES, `${path.replaceAll('/', '-')}.png`), fullPage: true });
        }
        await page.close();
      }),
    );
    if (faults.length > 0) expect.fail(`${faults.join('\n')}\nPictures are in ${PICTURES}.`);
    expect(browser.faults).to.deep.equal([]);
  });
});

/** What of a result differs from the operation's declaration. */
async function faultOfFile(
  { returns, examples }: ShownOperation,
  name: string,
  bytes: Uint8Array,
): Promise<string | undefined> {
  if (returns.type === 'json') return void JSON.parse(Buffer.from(bytes).toString('utf8'));
  const input = kindOfName(examples[0]?.files[0] ?? '');
  const kinds = returns.kinds.map((kind) => (kind === 'same' ? input : kind));
  const several = returns.many && /\.zip$/i.test(name) && !kinds.includes('zip');
  for (const file of several ? readZip(bytes) : [{ name, bytes }]) {
    const kind = sniffKind(file.bytes.subarray(0, 1024), file.name);
    if (!kinds.includes('any') && !kinds.includes(kind) && !areTexts([kind, ...kinds]))
      return `${file.name} is ${kind}, declared is ${kinds.join()}.`;
    if (kind === undefined || !beginsLike(file.bytes.subarray(0, 1024), kind))
      return `${file.name} is of no known kind.`;
    if (kind !== 'pdf') continue;
    const pdf = await PDFDocument.load(file.bytes, { ignoreEncryption: true });
    if (!pdf.isEncrypted && pdf.getPageCount() === 0) return `${file.name} has no pages.`;
  }
  return undefined;
}

/** Whether all of these are kinds without a signature, which only their names tell apart. */
function areTexts(kinds: readonly (string | undefined)[]): boolean {
  return kinds.every((kind) => kind !== undefined && kindInfo(kind as ConcreteKind).magic === undefined);
}

/// <reference lib="dom" />
import type { ConsoleCatalog, ShownOperation } from '@quire/registry';
import { expect } from 'chai';
import type { Page } from 'puppeteer-core';
import { openConsole, type ConsoleBrowser } from './console-browser.js';

/** What tools say that need a service which this machine does not have: mail, a model, a connection, a time stamp. */
const NEEDS_SERVICE =
  /is not set up on this server|there is no connection|could not be reached|nothing at this address/;
/** Pages that work at the same time. */
const PAGES = 3;
/** Milliseconds for one tool: LibreOffice starts slowly on a busy machine. */
const PATIENCE = 60_000;

describe('Every tool of the console', function () {
  this.timeout(600_000);
  let browser: ConsoleBrowser;

  before(async function () {
    const opened = await openConsole();
    if (opened === undefined) return this.skip();
    browser = opened;
  });
  after(() => browser?.stop());

  /** Fills in the first example and runs it; returns what is wrong with the outcome. */
  async function faultOf(page: Page, operation: ShownOperation): Promise<string | undefined> {
    await page.goto(`${browser.url}/tool/${operation.path}`);
    const start = await page.waitForSelector('[data-example], .tool-head .button.plain', { timeout: PATIENCE });
    await start?.click();
    if (operation.examples.length > 1) {
      const first = await page.waitForSelector('.menu-item');
      await first?.click();
    }
    const [first] = operation.examples;
    if (first !== undefined && first.files.length > 0) await page.waitForSelector('.file-row', { timeout: PATIENCE });
    await page.waitForFunction("!document.querySelector('.tool-head .spinner')");
    await page.click('.run-bar button[type=submit]');
    const ended = await page.waitForSelector(
      '.result-head, .result-list > li, .run .notice, .field-error, .run .result',
      {
        timeout: PATIENCE,
      },
    );
    await page.waitForFunction("!document.querySelector('.run .progress')", { timeout: PATIENCE });
    return ended?.evaluate(() => {
      const faults = [...document.querySelectorAll('.run .notice.danger, .run .notice.error, .field-error')];
      return faults.map((fault) => fault.textContent ?? '').join(' ') || undefined;
    });
  }

  it('that is available runs from its own example, through the browser', async () => {
    const answer = await fetch(`${browser.url}/api/v1/console/catalog`);
    const { operations } = (await answer.json()) as ConsoleCatalog;
    const waiting = operations.filter(
      ({ availability, examples }) => availability.state === 'available' && examples.length > 0,
    );
    expect(waiting.length).to.be.greaterThan(100);
    const faults: string[] = [];
    await Promise.all(
      Array.from({ length: PAGES }, async () => {
        const page = await browser.open('');
        for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
          const { path } = next;
          const fault = await faultOf(page, next).catch((error: unknown) => String(error));
          if (fault !== undefined && !NEEDS_SERVICE.test(fault)) faults.push(`${path}: ${fault}`);
        }
        await page.close();
      }),
    );
    if (faults.length > 0) expect.fail(faults.join('\n'));
    expect(browser.faults).to.deep.equal([]);
  });
});

/// <reference lib="dom" />
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { openConsole, type ConsoleBrowser } from './console-browser.js';

/** Bytes of script and style, with gzip, until the tools are shown. */
const BUDGET = 70 * 1024;

describe('The first load of the console', function () {
  this.timeout(60_000);
  let browser: ConsoleBrowser;
  before(async function () {
    const opened = await openConsole({ plugins: ['@quire/plugin-general'] });
    if (opened === undefined) return this.skip();
    browser = opened;
  });
  after(() => browser?.stop());

  it('stays within its budget', async () => {
    const page = await browser.open('');
    await page.waitForSelector('.tool-card');
    await page.waitForNetworkIdle();
    const addresses = await page.evaluate(() =>
      performance.getEntriesByType('resource').map(({ name }) => name.split('#')[0] ?? ''),
    );
    await page.close();
    const loaded = [...new Set(addresses)].filter((address) => /\.(js|css)$/.test(address));
    expect(loaded.length).to.be.greaterThan(2);
    const sizes = await Promise.all(
      loaded.map(async (address) => {
        const bytes = gzipSync(await (await fetch(address)).bytes()).length;
        return { file: address.slice(address.lastIndexOf('/') + 1), bytes };
      }),
    );
    const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
    expect(total, JSON.stringify(sizes)).to.be.at.most(BUDGET);
  });
});

/// <reference lib="dom" />
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { createTestServer } from '@quire/core';
import { bossName, bossPassword } from '../http/support/login.js';
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

  it('asks for the tools and the settings once, before its script runs', async () => {
    const page = await browser.open('');
    await page.waitForSelector('.tool-card');
    await page.waitForNetworkIdle();
    const calls = await page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .map(({ name, startTime }) => ({ name: new URL(name).pathname, startTime }))
        .filter(({ name }) => name.startsWith('/api/')),
    );
    const paints = await page.evaluate(() => performance.getEntriesByType('paint').map(({ startTime }) => startTime));
    await page.close();
    expect(calls.map(({ name }) => name).sort()).to.deep.equal([
      '/api/v1/config/app-config',
      '/api/v1/console/catalog',
    ]);
    for (const { name, startTime } of calls) expect(startTime, name).to.be.lessThan(Math.min(...paints));
  });

  it('asks for nothing before its script runs where calls need a login', async () => {
    const server = await createTestServer({
      plugins: ['@quire/plugin-general'],
      settings: { security: { enableLogin: true, initialLogin: { username: bossName, password: bossPassword } } },
    });
    try {
      const page = await (await fetch(await server.start())).text();
      expect(page).to.contain('<div id="app">').and.not.to.contain('preload" as="fetch"');
    } finally {
      await server.stop();
    }
  });
});

/// <reference lib="dom" />
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Page } from 'puppeteer-core';
import { until } from '../http/support/server.js';
import { openConsole, type ConsoleBrowser } from './console-browser.js';

const STEPS = ['general/rotate-pdf', 'security/add-watermark', 'misc/flatten'];

/** One red pixel, as a PNG. */
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);

describe('The builder of pipelines', function () {
  this.timeout(180_000);
  let browser: ConsoleBrowser;
  let folder = '';

  before(async function () {
    const opened = await openConsole({
      plugins: ['general', 'misc', 'security'].map((name) => `@quire/plugin-${name}`),
    });
    if (opened === undefined) return this.skip();
    browser = opened;
    folder = await mkdtemp(join(tmpdir(), 'quire-builder-'));
    await writeFile(join(folder, 'seal.png'), pixel);
  });
  after(async () => {
    await browser?.stop();
    await rm(folder, { recursive: true, force: true });
  });
  afterEach(() => {
    if (browser !== undefined) expect(browser.faults.splice(0)).to.deep.equal([]);
  });

  async function openBuilder(language: string): Promise<Page> {
    const page = await browser.open('');
    const pipeline = STEPS.map((path) => ({ operation: `/api/v1/${path}`, parameters: {} }));
    await page.evaluate(
      (code, json) => {
        const stored = { id: 'one', json, off: [], changedAt: '2026-01-01T00:00:00.000Z' };
        localStorage.setItem('quire.language', code);
        localStorage.setItem('quire.pipelineDrafts', JSON.stringify([stored]));
      },
      language,
      { pipeline },
    );
    await page.goto(`${browser.url}/pipelines/edit/one`);
    await page.waitForSelector('[data-step="3"]');
    return page;
  }
  /** The operations in the order that is kept. */
  const kept = (page: Page): Promise<string[]> =>
    page.evaluate(() => {
      const [stored] = JSON.parse(localStorage.getItem('quire.pipelineDrafts') ?? '[]') as {
        json: { pipeline: { operation: string }[] };
      }[];
      return (stored?.json.pipeline ?? []).map(({ operation }) => operation.replace('/api/v1/', ''));
    });
  const place = (page: Page, selector: string): Promise<{ x: number; y: number; width: number; height: number }> =>
    page.$eval(selector, (element) => element.getBoundingClientRect().toJSON() as DOMRect);
  /** Drags a step by its handle over another one. */
  async function drag(page: Page, from: number, to: number): Promise<void> {
    const centre = async (step: number): Promise<readonly [number, number]> => {
      const { x, y, width, height } = await place(page, `[data-step="${step}"] .step-head > .icon`);
      return [x + width / 2, y + height / 2];
    };
    const start = await centre(from);
    const end = await centre(to);
    await page.mouse.move(...start);
    await page.mouse.down();
    // Browsers start a drag with the second movement.
    await page.mouse.move(start[0], start[1] + Math.sign(end[1] - start[1]) * 8);
    await page.waitForSelector('.step-item.dragged');
    await page.mouse.move(...end, { steps: 12 });
    // The browser reports what is below the pointer with the movement after it has entered it, and movements before it
    // has begun the drag not at all.
    let offset = 0;
    await until('the step is at its new place', async () => {
      offset = (offset + 1) % 4;
      await page.mouse.move(end[0], end[1] + offset);
      return (await page.$(`[data-step="${to}"].dragged`)) !== null;
    });
    await page.mouse.up();
  }

  for (const language of ['en', 'ar'])
    it(`moves steps by dragging their handles (${language})`, async () => {
      const page = await openBuilder(language);
      await drag(page, 3, 1);
      await page.waitForFunction(
        "JSON.parse(localStorage.getItem('quire.pipelineDrafts'))[0].json.pipeline[0].operation.endsWith('flatten')",
      );
      expect(await kept(page)).to.deep.equal(['misc/flatten', 'general/rotate-pdf', 'security/add-watermark']);
      await drag(page, 1, 2);
      await page.waitForFunction(
        "JSON.parse(localStorage.getItem('quire.pipelineDrafts'))[0].json.pipeline[1].operation.endsWith('flatten')",
      );
      expect(await kept(page)).to.deep.equal(['general/rotate-pdf', 'misc/flatten', 'security/add-watermark']);
      expect(await page.$$('.step-item.dragged')).to.have.length(0);
      await page.close();
    });

  it('reads from right to left in Arabic: handle, title, buttons; the way back points to the right', async () => {
    const page = await openBuilder('ar');
    expect(await page.evaluate(() => document.documentElement.dir)).to.equal('rtl');
    const across = await Promise.all(
      ['.step-head > .icon', '.step-number', '.step-title', '.icon-button:last-of-type'].map(
        async (part) => (await place(page, `[data-step="1"] ${part}`)).x,
      ),
    );
    expect(across, 'from right to left').to.deep.equal(across.toSorted((a, b) => b - a));
    const steps = await place(page, '.pipeline-steps');
    const side = await place(page, '.pipeline-side');
    expect(steps.x, 'the steps are at the right of the side').to.be.greaterThan(side.x);
    const back = await page.$eval('.pipeline-head a .icon', (icon) => getComputedStyle(icon).scale);
    expect(back).to.equal('-1 1');
    for (const width of [1280, 360]) {
      await page.setViewport({ width, height: 800 });
      expect(await page.evaluate('document.documentElement.scrollWidth'), `at ${width}`).to.be.at.most(width);
    }
    await page.close();
  });

  it('does not run a template until the field that it leaves to people is filled in', async () => {
    const page = await openBuilder('en');
    await page.goto(`${browser.url}/pipelines`);
    await page.locator('[data-template=confidential-copy]').click();
    await page.waitForSelector('[data-check=faulty]');
    const mark = '[data-step="2"] .field-error';
    expect(await page.$eval(mark, (element) => element.textContent)).to.match(/^password: Fill this in/);
    const step = (): Promise<string> => page.$eval('[data-check]', (line) => line.textContent ?? '');
    expect(await step()).to.include('1 problem to solve');
    await page.reload();
    await page.waitForSelector('[data-check=faulty]');
    await page.click('[data-step="2"] .step-toggle');
    const field = '[data-step="2"] [data-field=password]';
    await page.waitForSelector(`${field} .field-error`);
    await page.type(`${field} input`, 'a secret of mine');
    await page.waitForSelector('[data-check=valid]');
    expect(await page.$(`${field} .field-error`)).to.equal(null);
    await page.close();
  });

  it('stores a file for a step and names it there', async () => {
    const page = await browser.open('');
    await page.evaluate(() => {
      const step = { operation: '/api/v1/security/add-watermark', parameters: { watermarkType: 'image' } };
      const stored = { id: 'one', json: { pipeline: [step] }, off: [], changedAt: '2026-01-01T00:00:00.000Z' };
      localStorage.setItem('quire.language', 'en');
      localStorage.setItem('quire.pipelineDrafts', JSON.stringify([stored]));
    });
    await page.goto(`${browser.url}/pipelines/edit/one`);
    await page.waitForSelector('[data-step="1"] .step-toggle');
    await page.click('[data-step="1"] .step-toggle');
    const input = await page.waitForSelector('[data-file-field="watermarkImage"] input[type="file"]');
    await input?.uploadFile(join(folder, 'seal.png'));
    await page.waitForFunction(() => {
      const select = document.querySelector<HTMLSelectElement>('[data-file-field="watermarkImage"] select');
      return select?.selectedOptions[0]?.textContent === 'seal.png';
    });
    await page.waitForFunction(() => (localStorage.getItem('quire.pipelineDrafts') ?? '').includes('asset:'));
    await page.waitForFunction(() => document.querySelector('.step-card.faulty') === null);
    const [stored] = await page.evaluate(
      () =>
        JSON.parse(localStorage.getItem('quire.pipelineDrafts') ?? '[]') as {
          json: { pipeline: { fileParameters: { watermarkImage: string } }[] };
        }[],
    );
    expect(stored?.json.pipeline[0]?.fileParameters.watermarkImage).to.match(/^asset:[0-9a-f]{32}$/);
    await page.close();
  });
});

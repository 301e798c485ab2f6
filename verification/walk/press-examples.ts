/// <reference lib="dom" />
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'puppeteer-core';
import { judge, type WalkRow } from './make-call.js';
import type { PlannedCall } from './planned-calls.js';

/** Starts Chromium with settings for tests: it makes no network requests of its own. */
export async function startBrowser(executablePath: string): Promise<Browser> {
  const { default: puppeteer } = await import('puppeteer-core');
  return puppeteer.launch({
    executablePath,
    headless: true,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

/** Chooses each call's example in Swagger UI and presses Execute; with a folder, saves a screenshot of the result. */
export async function pressExamples(
  url: string,
  calls: readonly PlannedCall[],
  screenshots?: string,
  executablePath = '/usr/bin/chromium',
): Promise<WalkRow[]> {
  if (screenshots !== undefined) await mkdir(screenshots, { recursive: true });
  const browser = await startBrowser(executablePath);
  const rows: WalkRow[] = [];
  try {
    for (const call of calls) {
      const page = await browser.newPage();
      await page.setViewport({ width: 1200, height: 1600 });
      await page.goto(`${url}/swagger-ui/index.html`);
      const started = performance.now();
      const status = await pressExample(page, call);
      rows.push({
        method: call.method,
        name: call.name,
        example: call.example,
        status,
        code: '',
        ms: Math.round(performance.now() - started),
        ...judge(call, { status, length: 1 }),
      });
      if (screenshots !== undefined)
        await page.screenshot({ path: join(screenshots, `${call.name.split('/').slice(3).join('-')}.png`) });
      await page.close();
    }
  } finally {
    await browser.close();
  }
  return rows;
}

/**
 * Finds the operation, chooses the example, waits until its files are loaded, presses Execute, and returns the
 * displayed status.
 */
export async function pressExample(
  page: Page,
  { name, example }: Pick<PlannedCall, 'name' | 'example'>,
): Promise<number> {
  const block = `.opblock:has([data-path="${name}"])`;
  await page.waitForSelector('.operation-filter-input');
  await page.$eval('.operation-filter-input', (input) => (input as HTMLInputElement).select());
  await page.type('.operation-filter-input', name.replace('/api/v1/', ''));
  await page.waitForSelector(block);
  await page.click(`${block} .opblock-summary-control`);
  const list = await page.waitForSelector(`${block} .quire-examples select`);
  await list?.select(example);
  await page.waitForSelector(`${block} .quire-examples-state[data-done=true]`);
  await page.click(`${block} .execute`);
  const cell = await page.waitForSelector(`${block} .live-responses-table tbody .response-col_status`, {
    timeout: 60_000,
  });
  await cell?.scrollIntoView();
  return Number.parseInt((await cell?.evaluate((element) => element.textContent ?? '')) ?? '0', 10);
}

/// <reference lib="dom" />
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ElementHandle, Page } from 'puppeteer-core';

/** Chooses files for the first file part of a tool. */
export async function chooseFiles(page: Page, ...paths: readonly string[]): Promise<void> {
  const input = (await page.waitForSelector('input[type=file]')) as ElementHandle<HTMLInputElement>;
  await input.uploadFile(...paths);
}

/** Enters a text into a field of the form, instead of what is there. */
export async function enter(page: Page, field: string, text: string): Promise<void> {
  const selector = `[data-field=${field}] input, [data-field=${field}] textarea`;
  await page.waitForSelector(selector);
  await page.$eval(selector, (input) => (input as HTMLInputElement).select());
  await page.type(selector, text);
}

export async function run(page: Page): Promise<void> {
  await page.click('.run-bar [type=submit]');
}

/** Waits until an element that the selector finds contains these words. */
export async function waitForWords(page: Page, selector: string, words: string): Promise<void> {
  await page.waitForFunction(
    (where, what) => [...document.querySelectorAll(where)].some((one) => (one.textContent ?? '').includes(what)),
    {},
    selector,
    words,
  );
}

/** Clicks the button with this text. */
export async function press(page: Page, words: string): Promise<void> {
  await page.locator(`button ::-p-text(${words})`).click();
}

/** Clicks what starts a download, and returns what the browser saved. */
export async function download(
  page: Page,
  folder: string,
  selector = '.result-head .button.primary',
): Promise<{ readonly name: string; readonly bytes: Uint8Array }> {
  const client = await page.createCDPSession();
  const { frameTree } = await client.send('Page.getFrameTree');
  // Named by their ids: several pages may save files of one name.
  const behavior = { behavior: 'allowAndName', downloadPath: folder, eventsEnabled: true } as const;
  await client.send('Browser.setDownloadBehavior', behavior);
  const saved = new Promise<{ guid: string; name: string }>((resolve) => {
    const names = new Map<string, string>();
    client.on('Browser.downloadWillBegin', ({ frameId, guid, suggestedFilename }) => {
      // Every page is told of the downloads of all.
      if (frameId === frameTree.frame.id) names.set(guid, suggestedFilename);
    });
    client.on('Browser.downloadProgress', ({ guid, state }) => {
      const name = names.get(guid);
      if (state === 'completed' && name !== undefined) resolve({ guid, name });
    });
  });
  await page.locator(selector).click();
  const { guid, name } = await saved;
  await client.detach();
  return { name, bytes: await readFile(join(folder, guid)) };
}

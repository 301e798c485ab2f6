/// <reference lib="dom" />
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BrowserContext, CDPSession, ElementHandle, Page } from 'puppeteer-core';

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
  await clickOn(page, '.run-bar [type=submit]');
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

const CLICK_MS = 5000;
/** A download that has not ended by then has not begun. */
const SAVE_MS = 20_000;
const MOST_CLICKS = 12;

/** Clicks an element. A locator scrolls to it once; if it moves away while the page still loads, it is sought again. */
export async function clickOn(page: Page, selector: string): Promise<void> {
  for (let left = MOST_CLICKS; ; left--)
    try {
      return await page.locator(selector).setTimeout(CLICK_MS).click();
    } catch (error) {
      if (left === 0) throw error;
    }
}

/** Clicks the button with this text. */
export async function press(page: Page, words: string): Promise<void> {
  await clickOn(page, `button ::-p-text(${words})`);
}

/** Clicks an element wherever it is shown: pages that are not in front are not drawn, and show nothing. */
export async function clickUnseen(page: Page, selector: string): Promise<void> {
  await page.$eval(selector, (element) => (element as HTMLElement).click());
}

/** Clicks what starts a download, and returns what the browser saved in the folder. */
export async function download(
  page: Page,
  folder: string,
  selector = '.result-head .button.primary',
  click = (): Promise<void> => page.locator(selector).click(),
): Promise<{ readonly name: string; readonly bytes: Uint8Array }> {
  const client = await downloadsOf(page.browserContext(), folder);
  const own = await page.createCDPSession();
  const { frameTree } = await own.send('Page.getFrameTree');
  await own.detach();
  const saved = new Promise<{ guid: string; name: string }>((resolve) => {
    const names = new Map<string, string>();
    client.on('Browser.downloadWillBegin', ({ frameId, guid, suggestedFilename }) => {
      if (frameId === frameTree.frame.id) names.set(guid, suggestedFilename);
    });
    client.on('Browser.downloadProgress', ({ guid, state }) => {
      const name = names.get(guid);
      if (state === 'completed' && name !== undefined) resolve({ guid, name });
    });
  });
  let begun: { guid: string; name: string } | undefined;
  // A click is lost while the page renders its button again; people click a second time too.
  for (let left = MOST_CLICKS; begun === undefined && left > 0; left--) {
    await click();
    begun = await Promise.race([saved, sleep(SAVE_MS, undefined)]);
  }
  const { guid, name } = begun ?? (await saved);
  return { name, bytes: await readFile(join(folder, guid)) };
}

const downloads = new WeakMap<BrowserContext, Promise<CDPSession>>();

/** What reports the downloads of all pages of a context; once, because the end of one session would end them all. */
function downloadsOf(context: BrowserContext, folder: string): Promise<CDPSession> {
  const known = downloads.get(context) ?? startDownloads(context, folder);
  downloads.set(context, known);
  return known;
}

async function startDownloads(context: BrowserContext, folder: string): Promise<CDPSession> {
  const client = await context.browser().target().createCDPSession();
  // Named by their ids: several pages may save files of one name.
  const behavior = { behavior: 'allowAndName', downloadPath: folder, eventsEnabled: true } as const;
  await client.send('Browser.setDownloadBehavior', { ...behavior, ...idOf(context) });
  return client;
}

/** Lets the browser save the downloads of all pages of a test under their own names. */
export async function saveUnderNames(page: Page, folder: string): Promise<void> {
  const client = await page.createCDPSession();
  const behavior = { behavior: 'allow', downloadPath: folder } as const;
  await client.send('Browser.setDownloadBehavior', { ...behavior, ...idOf(page.browserContext()) });
}

function idOf({ id }: BrowserContext): { readonly browserContextId?: string } {
  return id === undefined ? {} : { browserContextId: id };
}

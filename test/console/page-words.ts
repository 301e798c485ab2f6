/// <reference lib="dom" />
import type { ElementHandle, Page } from 'puppeteer-core';
import { bossName, bossPassword, sessionOf } from '../http/support/login.js';
import type { ConsoleBrowser } from './console-browser.js';
import { clickOn } from './tool-page.js';

/** Waits until an element that the selector finds contains the words. */
export async function waitForText(page: Page, selector: string, words: string): Promise<void> {
  await page.waitForFunction(
    (where, what) => [...document.querySelectorAll(where)].some((one) => (one.textContent ?? '').includes(what)),
    {},
    selector,
    words,
  );
}

/** Clicks the first element that the selector finds and that contains the words, when there is one. */
export async function clickText(page: Page, selector: string, words: string): Promise<void> {
  await waitForText(page, selector, words);
  await page.evaluate(
    (where, what) => {
      const found = [...document.querySelectorAll<HTMLElement>(where)].find((one) => one.textContent?.includes(what));
      if (found === undefined) throw new Error(`nothing says ${what}`);
      found.click();
    },
    selector,
    words,
  );
}

/** Clicks the first button with these words, as soon as there is one and it has stopped moving. */
export function pressButton(page: Page, words: string): Promise<void> {
  return clickOn(page, `::-p-xpath(//button[contains(., ${JSON.stringify(words)})])`);
}

/** Follows the link of a trial login in the tab that it opens, and returns to the first one. */
export async function followTrial(page: Page, link: string): Promise<void> {
  const found = await page.waitForSelector(link);
  const [target] = await Promise.all([
    page.browserContext().waitForTarget((one) => one.url().includes('/auth/callback?trial=done')),
    found?.click(),
  ]);
  const tab = await target.page();
  await waitForText(tab!, '.empty', 'The test is done');
  await tab!.close();
  await page.bringToFront();
}

/** Opens a page as somebody who is logged in. */
export async function openAs(
  browser: ConsoleBrowser,
  path: string,
  name = bossName,
  password = bossPassword,
): Promise<Page> {
  const { authorization } = await sessionOf(browser, name, password);
  const page = await browser.open('login');
  await page.evaluate(
    (token) => {
      const session = { kind: 'session', token, expiresAt: Date.now() + 3_600_000 };
      localStorage.setItem('quire.session', JSON.stringify(session));
    },
    authorization.replace('Bearer ', ''),
  );
  await page.goto(`${browser.url}/${path}`);
  return page;
}

/** Enters a text into the field with this label, instead of what is there; waits for the field. */
export async function fillField(page: Page, label: string, text: string): Promise<void> {
  const found = await page.waitForFunction(
    (wanted) => {
      const of = [...document.querySelectorAll('label')].find(({ textContent }) => textContent === wanted)?.htmlFor;
      return of === undefined ? null : document.getElementById(of);
    },
    {},
    label,
  );
  const field = found.asElement() as ElementHandle | null;
  await field?.click({ count: 3 });
  await page.keyboard.press('Backspace');
  await field?.type(text);
}

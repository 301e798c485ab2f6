/// <reference lib="dom" />
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'puppeteer-core';

/** How long a page may take to say what it shows, in milliseconds. */
const DESCRIPTION_MS = 3000;
const LAST_REQUESTS = 12;

/** Lets waits that time out say what the page showed, and its last requests: the words alone do not tell why. */
export function describeTimeouts(page: Page): void {
  const requests: string[] = [];
  const note = (text: string): void => void (requests.push(text) > LAST_REQUESTS && requests.shift());
  page.on('error', (error) => note(`the page crashed: ${error.message}`));
  page.on('request', (request) => note(`${request.method()} ${request.url()}`));
  page.on('requestfailed', (request) => note(`failed: ${request.url()} ${request.failure()?.errorText}`));
  page.on('response', (answer) => note(`${answer.status()} ${answer.url()}`));
  for (const name of ['waitForFunction', 'waitForSelector', 'goto'] as const) {
    const wait = page[name].bind(page) as (...given: unknown[]) => Promise<unknown>;
    const described = async (...given: unknown[]): Promise<unknown> => {
      try {
        return await wait(...given);
      } catch (error) {
        if (error instanceof Error && error.name === 'TimeoutError')
          error.message += `\n${await describe(page)}\n${requests.join('\n')}`;
        throw error;
      }
    };
    Object.assign(page, { [name]: described });
  }
}

async function describe(page: Page): Promise<string> {
  const description = page.evaluate(async () => {
    const isDrawn = await Promise.race([
      new Promise((resolve) => void requestAnimationFrame(() => resolve(true))),
      new Promise((resolve) => void setTimeout(() => resolve(false), 1000)),
    ]);
    const text = (document.body?.innerText ?? '').replace(/\s+/g, ' ').slice(0, 1500);
    return `${location.href} is ${document.visibilityState}${isDrawn === true ? '' : ', not drawn'}, and shows: ${text}`;
  });
  return Promise.race([
    description.catch((error: unknown) => `The page says nothing: ${String(error)}`),
    sleep(DESCRIPTION_MS, 'The page does not answer.'),
  ]);
}

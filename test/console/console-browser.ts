import { config } from 'chai';
import type { Browser, BrowserContext, Page } from 'puppeteer-core';
import { createTestServer } from '@quire/core';
import type { TestServer } from '../http/support/server.js';
import { findChromium, findHeadlessChromium } from '../http/support/chromium.js';
import { describeTimeouts } from './described-timeouts.js';

// Faults of pages are shown whole.
config.truncateThreshold = 0;

/** A server and a browser that shows its console. */
export interface ConsoleBrowser {
  readonly server: TestServer;
  readonly url: string;
  /**
   * Opens a page of the console: its path relative to the start page. Pages that are used at the same time need windows
   * of their own: a tab that is not in front is not drawn.
   */
  open(path: string, place?: 'tab' | 'window'): Promise<Page>;
  /** What pages have written to the browser's console as an error, and requests to other hosts. */
  readonly faults: string[];
  stop(): Promise<void>;
}

export interface BrowserOptions {
  /** The address at which the browser sees the server, if not its own. */
  readonly at?: string;
  /** Further arguments of Chromium. */
  readonly flags?: readonly string[];
}

/** Starts both; undefined where no Chromium is installed. */
export async function openConsole(
  options: Parameters<typeof createTestServer>[0] = {},
  { at, flags = [] }: BrowserOptions = {},
): Promise<ConsoleBrowser | undefined> {
  // Flags are for parts that only the whole browser has, such as a camera.
  const executablePath = flags.length > 0 ? findChromium() : findHeadlessChromium();
  if (executablePath === undefined) return undefined;
  // Servers of tests are new, but only some tests are about their first steps.
  const settings = { console: { welcome: false }, ...options.settings };
  const server = await createTestServer({ ...options, settings });
  const own = await server.start();
  const url = at ?? own;
  const browser = await (flags.length > 0 ? launch(executablePath, flags) : sharedBrowser(executablePath));
  // Cookies, storage and permissions of its own, as in a profile of its own.
  const context = await browser.createBrowserContext();
  const faults: string[] = [];
  return {
    server,
    url,
    faults,
    open: async (path, place = 'tab') => {
      const page = await context.newPage({ type: place });
      // Waits end when their condition holds; the limit only tells a hang from a busy machine.
      page.setDefaultTimeout(60_000);
      describeTimeouts(page);
      page.on('pageerror', (error) => faults.push(String(error)));
      page.on('console', (message) => {
        // The browser reports every answer that is an error; the pages show these themselves.
        if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
          faults.push(message.text());
      });
      page.on('request', (request) => {
        if (!/^(?:data|blob):/.test(request.url()) && !request.url().startsWith(url)) faults.push(request.url());
      });
      await page.setViewport({ width: 1280, height: 900 });
      // A tab that is not in front is not drawn, and waits for what it draws would not end.
      await page.bringToFront();
      let isLost = false;
      page.on('requestfailed', (request) => {
        isLost ||= request.failure()?.errorText === 'net::ERR_NETWORK_CHANGED';
      });
      const goto = async (): Promise<unknown> => page.goto(`${url}/${path}`);
      await goto().catch((error: unknown) => (isLost ? undefined : Promise.reject(error)));
      // The machine changed its network, and the page cannot load its own script again.
      if (isLost) await goto();
      return page;
    },
    stop: async () => {
      await (flags.length > 0 ? browser.close() : endContext(context));
      await server.stop();
    },
  };
}

let shared: Promise<Browser> | undefined;

/** The browser of this process: starting one takes two seconds of a core. */
async function sharedBrowser(executablePath: string): Promise<Browser> {
  const running = await shared?.catch(() => undefined);
  if (running?.connected !== true) shared = launch(executablePath, []);
  return shared!;
}

/** Ends what the pages of a test do. The browser that a test has killed is gone already. */
async function endContext(context: BrowserContext): Promise<void> {
  if (context.browser().connected) await context.close();
}

async function launch(executablePath: string, flags: readonly string[]): Promise<Browser> {
  const { default: puppeteer } = await import('puppeteer-core');
  return puppeteer.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--lang=en', ...flags],
  });
}

// Of the root suite: after the tests of all files.
after(async () => (await shared?.catch(() => undefined))?.close());

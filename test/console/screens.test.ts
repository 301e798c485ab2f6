/// <reference lib="dom" />
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import type { ElementHandle, Page } from 'puppeteer-core';
import { OTHERS } from '../../console/build/find-texts.js';
import { file, json, post, send } from '../http/support/client.js';
import { bossName, bossPassword, sendJson, sessionOf } from '../http/support/login.js';
import { productRoot, until } from '../http/support/server.js';
import { foldersOf, quickScan, rotate } from '../http/support/watched-folders.js';
import { isNightly, sampleOf } from '../suites/nightly.js';
import { faultsOf } from './accessibility.js';
import { openConsole, type ConsoleBrowser } from './console-browser.js';

interface Screen {
  readonly id: string;
  readonly path: string;
}
// Compiled by the console's own settings: only a path that TypeScript does not follow can be imported here.
const { screens, findScreen } = (await import(join(productRoot, 'console', 'src', 'app', 'screens.ts'))) as {
  screens: readonly Screen[];
  findScreen(path: string): { readonly screen: Screen } | undefined;
};

const WIDTHS = [1440, 1024, 360] as const;
const THEMES = ['light', 'dark'] as const;
/** Addresses that are visited of one screen with parameters: sections of the administration, but few of the tools. */
const MOST_OF_A_SCREEN = 15;
const MOST_TOOLS = 2;
/** Pixels. */
const LEAST_SEARCH_WIDTH = 120;
/** Addresses of the login, which is a dialog; a dialog above another screen hides it from this test. */
const IS_DIALOG: ReadonlySet<string> = new Set(['login', 'auth/callback']);
/** A folder that gets a picture of every screen in every look. */
const PICTURES = process.env['QUIRE_SCREEN_PICTURES'];

interface Look {
  readonly language: string;
  readonly theme: (typeof THEMES)[number];
  readonly width: (typeof WIDTHS)[number];
}

/** Among them long words, and writing from right to left. */
const TELLING = ['en', 'de', 'ar'];

/** The look in which the screens are found by their links: wide, so that the navigation is there. */
const FIRST: Look = { language: 'en', theme: 'light', width: 1440 };
/** In the nightly run all combinations; else each width once, in both themes. */
const looks: readonly Look[] = isNightly
  ? ['en', ...OTHERS].flatMap((language) =>
      THEMES.flatMap((theme) => WIDTHS.map((width) => ({ language, theme, width }))),
    )
  : TELLING.map((language, i) => ({ language, theme: THEMES[i % 2]!, width: WIDTHS[i % 3]! }));
/** Of the width between the others one of this many screens is looked at, but for the nightly run. */
const MIDDLE_STRIDE = 3;

describe('Every screen of the console', function () {
  this.timeout(600_000);
  let browser: ConsoleBrowser;
  let addresses: readonly string[];
  let firstFaults: readonly string[];

  before(async function () {
    const security = { enableLogin: true, initialLogin: { username: bossName, password: bossPassword } };
    const opened = await openConsole({
      settings: {
        security,
        autoPipeline: { ...quickScan.autoPipeline, runAs: bossName },
        storage: { enabled: true },
        // Passwords can be reset by mail.
        mail: { enabled: true, host: '127.0.0.1', from: 'quire@example.org' },
        system: { frontendUrl: 'https://docs.example.org' },
      },
    });
    if (opened === undefined) return this.skip();
    browser = opened;
    await addWatchedFolders(browser);
    await addSavedPipeline(browser);
    await addAutomation(browser);
    const found = await findScreens(browser);
    addresses = [...found.addresses, 'reset#unknown'];
    firstFaults = found.faults;
  });
  after(() => browser?.stop());

  it('is found from the navigation, or has an address of its own', () => {
    const visited = new Set(addresses.map((address) => findScreen(address)?.screen.id));
    const reachable = screens.filter(({ path }) => !/[:*]/.test(path)).map(({ id }) => id);
    expect([...visited]).to.include.members([...reachable, 'tool']);
  });

  /** The addresses that remain to be looked at: those with links were, in the first look, when they were found. */
  function addressesFor({ language, theme, width }: Look): readonly string[] {
    if (language === FIRST.language && theme === FIRST.theme && width === FIRST.width) return addresses.slice(-1);
    return width === WIDTHS[1] ? sampleOf(addresses, MIDDLE_STRIDE) : addresses;
  }

  it('is accessible and fits while its links are followed', () => {
    expect(firstFaults, firstFaults.join('\n')).to.deep.equal([]);
  });

  for (const { language, theme, width } of looks)
    it(`is accessible and fits in ${language}, ${theme}, ${width} pixels wide`, async () => {
      const page = await openPage(browser, { language, theme, width });
      const faults: string[] = [];
      await show(page, browser, '');
      for (const address of addressesFor({ language, theme, width })) {
        await follow(page, browser, address);
        await keepPicture(page, { language, theme, width }, address || 'start');
        faults.push(...(await faultsAt(page, address)));
      }
      for (const part of await openDocument(page, browser)) {
        await showPart(page, part);
        await keepPicture(page, { language, theme, width }, `document-${part}`);
        faults.push(...(await faultsOf(page)).map((fault) => `${part} with a document: ${fault}`));
      }
      await page.close();
      expect(faults, faults.join('\n')).to.deep.equal([]);
      expect(browser.faults.splice(0)).to.deep.equal([]);
    });
});

/** A saved pipeline that asks for a value. */
async function addSavedPipeline(browser: ConsoleBrowser): Promise<void> {
  const saved = {
    name: 'turn',
    title: 'A title that is long because somebody likes long titles',
    definition: rotate,
    inputs: [{ name: 'angle', field: '/pipeline/0/parameters/angle' }],
  };
  const answer = await sendJson(browser, '/api/v1/pipelines', saved, await sessionOf(browser));
  expect(answer.status, answer.body.toString()).to.equal(201);
}

/** An automation with a source, a schedule, a destination and a parked file. */
async function addAutomation(browser: ConsoleBrowser): Promise<void> {
  const boss = await sessionOf(browser);
  const long = 'A name that is long because somebody likes long names of automations';
  const source = await sendJson(browser, '/api/v1/sources', { name: long, type: 'webhook', options: {} }, boss);
  const automation = {
    name: long,
    work: { pipeline: rotate.pipeline },
    inputs: [
      {
        source: json<{ id: string }>(source).id,
        trigger: {
          type: 'schedule',
          zone: 'Europe/Berlin',
          schedule: { type: 'weekly', at: '06:00', days: ['MONDAY'] },
        },
      },
    ],
    destinations: [{ type: 'storage', options: {} }],
  };
  const answer = await sendJson(browser, '/api/v1/automations', automation, boss);
  expect(answer.status, answer.body.toString()).to.equal(201);
  const { id } = json<{ id: string }>(answer);
  const broken = file(Buffer.from('%PDF-1.4 and nothing more'), `${long.replaceAll(' ', '-')}.pdf`);
  await post(`${browser.url}/api/v1/automations/${id}/run`, [broken], boss);
  await until('the file is parked', async () => {
    const files = await send(`${browser.url}/api/v1/automations/${id}/items?state=parked`, { headers: boss });
    return json<{ total: number }>(files).total === 1;
  });
}

/** Two watched folders: one with a failed file, and one that has a problem. */
async function addWatchedFolders(browser: ConsoleBrowser): Promise<void> {
  const long = 'a-name-that-is-long-because-somebody-likes-long-names-of-folders';
  const wrong = { pipeline: [{ operation: '/api/v1/general/rotat-pdf', parameters: {} }] };
  for (const [name, definition] of [
    [long, rotate],
    ['wrong', wrong],
  ] as const) {
    const folder = join(browser.server.basePath, 'pipeline', 'watchedFolders', name);
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'pipeline.json'), JSON.stringify(definition));
    await writeFile(join(folder, `${long}.pdf`), '%PDF-1.4 and nothing more');
  }
  const boss = await sessionOf(browser);
  await until('both are listed', async () => {
    const { folders } = await foldersOf(browser, '', boss);
    return folders.filter(({ failedFiles, problem }) => failedFiles === 1 || problem !== null).length === 2;
  });
}

/** The addresses of all screens, those without parameters and what their links lead to, and what is wrong with them. */
async function findScreens(
  browser: ConsoleBrowser,
): Promise<{ readonly addresses: readonly string[]; readonly faults: readonly string[] }> {
  const page = await openPage(browser, FIRST);
  const found = new Set(screens.filter(({ path }) => !/[:*]/.test(path)).map(({ path }) => path));
  const faults: string[] = [];
  await show(page, browser, '');
  for (const address of found) {
    await follow(page, browser, address);
    await keepPicture(page, FIRST, address || 'start');
    faults.push(...(await faultsAt(page, address)));
    const links = await page.$$eval('a[href]', (all) => all.map((link) => (link as HTMLAnchorElement).href));
    for (const link of links) {
      const path = link.startsWith(`${browser.url}/`) ? link.slice(browser.url.length + 1).split(/[?#]/)[0]! : '';
      const screen = path === '' ? undefined : findScreen(path)?.screen;
      if (screen === undefined) continue;
      const known = [...found].filter((each) => findScreen(each)?.screen === screen).length;
      if (known < (screen.id === 'tool' ? MOST_TOOLS : MOST_OF_A_SCREEN)) found.add(path);
    }
  }
  await page.close();
  return { addresses: [...found], faults };
}

/** What is wrong with the shown screen, with its address. */
async function faultsAt(page: Page, address: string): Promise<readonly string[]> {
  const found = [...(await faultsOf(page)), ...(await lookFaultsOf(page))];
  if (!IS_DIALOG.has(address)) found.push(...(await dialogsOf(page)).map((title) => `below the dialog ${title}`));
  return found.map((fault) => `${address || 'start'}: ${fault}`);
}

/** A page of somebody who is logged in as administrator, has chosen these, and has been here before. */
async function openPage(browser: ConsoleBrowser, { language, theme, width }: Look): Promise<Page> {
  const login = await sendJson(browser, '/api/v1/auth/login', { username: bossName, password: bossPassword });
  const { session } = json<{ session: { access_token: string; expires_in: number } }>(login);
  const page = await browser.open('login');
  await page.setViewport({ width, height: 900 });
  await page.emulateMediaFeatures([{ name: 'prefers-reduced-motion', value: 'reduce' }]);
  await page.evaluate(
    (token, expiresAt, chosenLanguage, chosenTheme) => {
      localStorage.setItem('quire.session', JSON.stringify({ kind: 'session', token, expiresAt }));
      localStorage.setItem('quire.language', chosenLanguage);
      localStorage.setItem('quire.theme', JSON.stringify(chosenTheme));
    },
    session.access_token,
    Date.now() + session.expires_in * 1000,
    language,
    theme,
  );
  return page;
}

/** Titles of the open dialogs. */
function dialogsOf(page: Page): Promise<string[]> {
  return page.$$eval('dialog[open]', (all) => all.map((one) => one.querySelector('h2')?.textContent ?? 'a dialog'));
}

/** Fields for a search in which no word is readable, and paths that writing from right to left puts in disorder. */
function lookFaultsOf(page: Page): Promise<string[]> {
  return page.evaluate((least) => {
    const narrow = [...document.querySelectorAll<HTMLElement>('input[type=search]')]
      .filter((input) => input.checkVisibility() && input.clientWidth < least)
      .map((input) => `${input.ariaLabel} is ${input.clientWidth} pixels wide`);
    const disordered = [...document.querySelectorAll('code')].filter(({ firstChild }) => {
      if (!(firstChild instanceof Text) || firstChild.length < 2) return false;
      if (/\p{Script=Arabic}/u.test(firstChild.data)) return false;
      const [first, last] = [0, firstChild.length - 1].map((at) => {
        const range = document.createRange();
        range.setStart(firstChild, at);
        range.setEnd(firstChild, at + 1);
        return range.getBoundingClientRect();
      });
      return first !== undefined && last !== undefined && first.top === last.top && first.left > last.left;
    });
    return [...narrow, ...disordered.map(({ textContent }) => `${textContent} is in disorder`)];
  }, LEAST_SEARCH_WIDTH);
}

/** Keeps a picture of a screen, for people who look at it. */
async function keepPicture(page: Page, { language, theme, width }: Look, address: string): Promise<void> {
  if (PICTURES === undefined) return;
  const folder = join(PICTURES, `${language}-${theme}-${width}`);
  await mkdir(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${address.replaceAll(/[^\w-]+/g, '-')}.png`), fullPage: true });
}

/** Opens an address and waits until it has nothing left to load. */
async function show(page: Page, { url }: ConsoleBrowser, address: string): Promise<void> {
  await page.goto(`${url}/${address}`);
  await settled(page, address);
}

/** Follows a link to an address: much quicker than opening it, because the page stays. */
async function follow(page: Page, { url }: ConsoleBrowser, address: string): Promise<void> {
  await page.evaluate(async (href) => {
    const link = Object.assign(document.createElement('a'), { href });
    document.body.append(link);
    link.click();
    link.remove();
    for (let frame = 0; frame < 4; frame += 1) await new Promise(requestAnimationFrame);
  }, `${url}/${address}`);
  await settled(page, address);
}

async function settled(page: Page, address: string): Promise<void> {
  await page.waitForSelector('h1, h2, .empty').catch((cause: unknown) => {
    throw new Error(`${address} shows nothing`, { cause });
  });
  await page.waitForFunction("document.querySelector('[aria-busy=true], .loading') === null");
}

/** Opens a PDF in the document workbench; returns the addresses of its parts. */
async function openDocument(page: Page, browser: ConsoleBrowser): Promise<readonly string[]> {
  await show(page, browser, 'document');
  const input = (await page.waitForSelector('.document > input[type=file]')) as ElementHandle<HTMLInputElement>;
  await input.uploadFile(join(productRoot, 'plugins', 'general', 'fixtures', 'handbook.pdf'));
  await page.waitForSelector('.document .sections a');
  return page.$$eval('.document .sections a', (links) => links.map((link) => link.getAttribute('href') ?? ''));
}

/** Shows a part of the open document by its tab, and waits until it has nothing left to load. */
async function showPart(page: Page, address: string): Promise<void> {
  const link = `.document .sections a[href="${address}"]`;
  await page.$eval(link, (element) => (element as HTMLElement).click());
  await page.waitForSelector(`${link}[aria-current=page]`);
  await page.waitForSelector('.document .page-picture, .document .page-cell, .document .form-row');
  await page.waitForFunction("document.querySelector('[aria-busy=true], .loading') === null");
}

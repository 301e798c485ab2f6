/// <reference lib="dom" />
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'puppeteer-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** All rules, but no report of what passes: that is most of a page, and an eighth of the time. */
const VIOLATIONS: RunOptions = { reporter: 'no-passes' };

/** What axe-core finds in a page, and whether it is wider than the window. */
export async function faultsOf(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(AXE);
  // On the way from one colour to another, a button has neither.
  await page.evaluate(async () => {
    const changing = document.getAnimations().filter((animation) => animation instanceof CSSTransition);
    await Promise.allSettled(changing.map(({ finished }) => finished));
  });
  const { violations } = await page.evaluate(
    (options) => (globalThis as unknown as { axe: { run(given: RunOptions): Promise<AxeResults> } }).axe.run(options),
    VIOLATIONS,
  );
  const named = violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, any }) => `${id}: ${html.slice(0, 160)} ${any[0]?.message ?? ''}`),
  );
  return [...named, ...(await overflowOf(page))];
}

/** Whether a page is wider than the window. */
export function overflowOf(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth > clientWidth ? [`${scrollWidth} pixels of content in a window of ${clientWidth}`] : [];
  });
}

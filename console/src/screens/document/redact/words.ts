import { formatNumber } from '../../../i18n/index.ts';
import { foundAgain, type Receipt } from './receipt-data.ts';
import type { Redaction } from './redaction.ts';
import { t } from './texts.ts';

/** Where terms were found outside of the content of pages, in words. */
export function elsewhereWords(elsewhere: Readonly<Record<string, number>>): string[] {
  const words: Readonly<Record<string, (count: number) => string>> = {
    strings: (count) =>
      t.count(count, '{count} property, title or other text', '{count} properties, titles and other texts'),
    annotations: (count) => t.count(count, '{count} note', '{count} notes'),
    widgets: (count) => t.count(count, '{count} form field', '{count} form fields'),
    files: (count) => t.count(count, '{count} attachment', '{count} attachments'),
    actions: (count) => t.count(count, '{count} script or link', '{count} scripts or links'),
    names: (count) => t.count(count, '{count} internal name', '{count} internal names'),
    streams: (count) => t.count(count, '{count} hidden stream of data', '{count} hidden streams of data'),
    hiddenPages: (count) => t.count(count, '{count} hidden page', '{count} hidden pages'),
  };
  return Object.entries(elsewhere).flatMap(([kind, count]) => words[kind]?.(count) ?? []);
}

/** What is removed, in a few words: matches on pages, areas, whole pages. */
export function sumOf(redaction: Redaction): string[] {
  const [chosen, areas, pages] = [redaction.chosen.value, redaction.areas.value, redaction.pages.value];
  const on = new Set(chosen.map(({ page }) => page)).size;
  return [
    ...(chosen.length === 0
      ? []
      : [
          t('{matches} on {pages}', {
            matches: t.count(chosen.length, '{count} match', '{count} matches'),
            pages: t.count(on, '{count} page', '{count} pages'),
          }),
        ]),
    ...(areas.length === 0 ? [] : [t.count(areas.length, '{count} area', '{count} areas')]),
    ...(pages.length === 0 ? [] : [t.count(pages.length, '{count} whole page', '{count} whole pages')]),
  ];
}

/** Pages (0-based) as people count them: `2, 4–6`. */
export function pagesWords(pages: readonly number[]): string {
  const parts: string[] = [];
  for (let i = 0; i < pages.length;) {
    let end = i;
    while (pages[end + 1] === (pages[end] ?? 0) + 1) end++;
    const [first, last] = [formatNumber((pages[i] ?? 0) + 1), formatNumber((pages[end] ?? 0) + 1)];
    parts.push(end === i ? first : `${first}-${last}`);
    i = end + 1;
  }
  return parts.join(', ');
}

/** Pages (0-based) that people typed as `2, 4-6`; undefined if that cannot be read. */
export function pagesOf(text: string, pageCount: number): number[] | undefined {
  const pages: number[] = [];
  for (const part of text.split(/[,;\s]+/).filter((each) => each !== '')) {
    const [, first, last = first] = /^(\d+)(?:[-–](\d+))?$/.exec(part) ?? [];
    const [from, to] = [Number(first), Number(last)];
    if (first === undefined || from < 1 || to > pageCount || to < from) return undefined;
    for (let page = from; page <= to; page++) pages.push(page - 1);
  }
  return pages;
}

/** What the check of a result says. */
export function checkWords(receipt: Receipt): string[] {
  const { again, job } = receipt;
  const left = foundAgain(receipt);
  const searched =
    job.query === undefined
      ? []
      : again === undefined
        ? [t('The result could not be searched again.')]
        : left > 0
          ? [
              t.count(
                left,
                'Searched again: {count} match is still found.',
                'Searched again: {count} matches are still found.',
              ),
            ]
          : [t('Searched again: 0 found.')];
  return [
    ...searched,
    ...(job.keep.length === 0
      ? []
      : [t.count(job.keep.length, '{count} match stays, as chosen.', '{count} matches stay, as chosen.')]),
    ...(job.look.verify === 'ocr' ? [t('The pages were also read with OCR: nothing was found.')] : []),
  ];
}

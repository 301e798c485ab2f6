import { formatDate, formatList, formatNumber, language } from '../../../i18n/index.ts';
import { byPage, type Receipt } from './receipt-data.ts';
import { t } from './texts.ts';
import { checkWords, pagesWords } from './words.ts';

const STYLE =
  'body{font:11pt/1.5 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem;color:#1a1a21}' +
  'h1{font-size:1.4rem}table{border-collapse:collapse;width:100%}' +
  'th,td{border:1px solid #bbb;padding:4px 8px;text-align:start;vertical-align:top;overflow-wrap:anywhere}' +
  'code{font-size:.8em;overflow-wrap:anywhere}';

/** The receipt as an HTML file of its own, to be printed or kept. */
export function receiptPage(receipt: Receipt, words: boolean): Blob {
  const { time, name, removed, job, warnings, sha256 } = receipt;
  const facts: [string, string][] = [
    [t('File'), name],
    [t('Time'), formatDate(time)],
    ...(job.areas.length === 0
      ? []
      : [[t('Areas'), job.areas.map((area) => areaLine(area)).join('; ')] as [string, string]]),
    ...(job.pages.length === 0 ? [] : [[t('Whole pages'), pagesWords(job.pages)] as [string, string]]),
    [t('Check'), checkWords(receipt).join(' ')],
    ...warnings.map((warning): [string, string] => [t('Remark'), warning]),
    ...(sha256.before === undefined ? [] : [[t('SHA-256 before'), sha256.before] as [string, string]]),
    ...(sha256.after === undefined ? [] : [[t('SHA-256 after'), sha256.after] as [string, string]]),
  ];
  const rows = [...byPage(removed)].map(([page, own]) => {
    const cells = [
      formatNumber(page),
      t.count(own.length, '{count} match', '{count} matches'),
      ...(words ? [formatList(own.map(({ text }) => text))] : []),
    ];
    return `<tr>${cells.map((cell) => `<td>${escaped(cell)}</td>`).join('')}</tr>`;
  });
  const title = escaped(t('Receipt of a redaction'));
  const { lang, dir } = document.documentElement;
  const table =
    rows.length === 0 ? '' : `<h2>${escaped(t('Removed matches by page'))}</h2><table>${rows.join('\n')}</table>`;
  const html =
    `<!doctype html>\n<html lang="${escaped(lang || language.value)}" dir="${escaped(dir || 'ltr')}">` +
    `<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>` +
    `<style>${STYLE}</style><h1>${title}</h1>` +
    `<table>${facts.map(([head, text]) => `<tr><th>${escaped(head)}</th><td>${escaped(text)}</td></tr>`).join('\n')}` +
    `</table>${table}</html>\n`;
  return new Blob([html], { type: 'text/html' });
}

function areaLine({ page, left, bottom, right, top }: Receipt['job']['areas'][number]): string {
  const place = [left, bottom, right, top].map((value) => formatNumber(value)).join(' ');
  return `${t('Page {page}', { page: formatNumber(page + 1) })}: ${place}`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

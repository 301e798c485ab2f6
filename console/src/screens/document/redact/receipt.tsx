import { useState } from 'preact/hooks';
import { Button, Notice } from '../../../components/index.ts';
import { saveFile } from '../../../files/index.ts';
import { formatDate, formatList, formatNumber } from '../../../i18n/index.ts';
import { byPage, foundAgain, receiptJson, type Receipt } from './receipt-data.ts';
import { receiptPage } from './receipt-page.ts';
import { Check } from './terms-form.tsx';
import { t } from './texts.ts';
import { checkWords, pagesWords } from './words.ts';

/** What was removed where, what could not be, and what the search of the result says; to be saved. */
export function ReceiptView({ receipt }: { readonly receipt: Receipt }) {
  const [words, setWords] = useState(false);
  const { removed, job, warnings, time, name } = receipt;
  const base = name.replace(/\.pdf$/i, '');
  const clean = foundAgain(receipt) === 0 && (receipt.again !== undefined || job.query === undefined);
  const pages = [...byPage(removed)];
  return (
    <Notice
      kind={clean ? 'done' : 'warning'}
      title={t('Redacted: receipt')}
      actions={
        <>
          <Button
            size="small"
            icon="braces"
            onClick={() => saveFile(jsonOf(receipt, words), `${base}_${t('receipt')}.json`)}
          >
            {t('Save as JSON')}
          </Button>
          <Button
            size="small"
            icon="printer"
            onClick={() => saveFile(receiptPage(receipt, words), `${base}_${t('receipt')}.html`)}
          >
            {t('Save as a page to print')}
          </Button>
        </>
      }
    >
      <p class="soft small">{formatDate(time)}</p>
      <ul class="redact-facts">
        {pages.map(([page, own]) => (
          <li key={page} class="break">
            {t('Page {page}: {what}', {
              page: formatNumber(page),
              what: t.count(own.length, '{count} match removed', '{count} matches removed'),
            })}
            {words ? ` (${formatList(own.map(({ text }) => `“${text}”`))})` : ''}
          </li>
        ))}
        {job.areas.length === 0 ? null : (
          <li>
            {t('Areas removed, by page: {pages}', {
              pages: pagesWords([...new Set(job.areas.map(({ page }) => page))].sort((a, b) => a - b)),
            })}
          </li>
        )}
        {job.pages.length === 0 ? null : <li>{t('Whole pages removed: {pages}', { pages: pagesWords(job.pages) })}</li>}
        {checkWords(receipt).map((sentence) => (
          <li key={sentence}>
            <strong>{sentence}</strong>
          </li>
        ))}
      </ul>
      {warnings.length === 0 ? null : (
        <>
          <p>{t('Could not be removed, or needs your eye:')}</p>
          <ul class="redact-facts">
            {warnings.map((warning) => (
              <li key={warning} class="break">
                {warning}
              </li>
            ))}
          </ul>
        </>
      )}
      <Check label={t('With the words that were removed')} checked={words} onChecked={setWords} />
    </Notice>
  );
}

function jsonOf(receipt: Receipt, words: boolean): Blob {
  return new Blob([`${JSON.stringify(receiptJson(receipt, words), null, 2)}\n`], { type: 'application/json' });
}

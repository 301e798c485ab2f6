import { useEffect, useState } from 'preact/hooks';
import { Button, Empty } from '../../../components/index.ts';
import { formatList } from '../../../i18n/index.ts';
import type { PartProps } from '../part.ts';
import { isAvailable } from '../use-answer.ts';
import { ApplyDialog } from './apply-dialog.tsx';
import { AreaList } from './area-list.tsx';
import { PREVIEW, REDACT } from './calls.ts';
import { MatchList } from './match-list.tsx';
import { PageView } from './page-view.tsx';
import { ReceiptView } from './receipt.tsx';
import './redact.css';
import { redactionOf } from './redaction.ts';
import { TermsForm } from './terms-form.tsx';
import { t } from './texts.ts';
import { useMarkKeys } from './use-mark-keys.ts';
import { sumOf } from './words.ts';

/** Redaction: search, look at each match, mark by hand, apply, receipt. */
export function Part({ file, apply, ask, setEdited }: PartProps) {
  const redaction = redactionOf(file);
  const [applying, setApplying] = useState(false);
  const edited = redaction.edited.value;
  useEffect(() => setEdited(edited), [edited]);
  useMarkKeys(redaction);
  if (!isAvailable(REDACT) || !isAvailable(PREVIEW))
    return (
      <Empty icon="eraser" title={t('This server does not redact')}>
        <p class="soft">{t('Its operator has switched redaction off.')}</p>
      </Empty>
    );
  const receipt = redaction.receipt.value;
  const searchFor = (text: string): void => {
    const { lines } = redaction.query.value;
    const line = text.replaceAll(/\s+/g, ' ');
    redaction.query.value = { ...redaction.query.value, lines: `${lines.trimEnd()}\n${line}`.trimStart() };
    void redaction.search(ask);
  };
  const sum = sumOf(redaction);
  return (
    <div class="document-columns redact">
      <div class="stack">
        {receipt === undefined ? null : <ReceiptView receipt={receipt} />}
        <TermsForm redaction={redaction} ask={ask} />
        <MatchList redaction={redaction} />
        <AreaList redaction={redaction} file={file} />
        <div class="redact-apply">
          <p class="small" role="status">
            {redaction.job.value === undefined
              ? t('Nothing is marked yet.')
              : sum.length === 0
                ? t('Only outside of the pages is something removed.')
                : t('Marked: {parts}.', { parts: formatList(sum) })}
            {redaction.unsearched.value && !redaction.searching.value ? (
              <span class="soft"> {t('Terms that were not searched for yet are not included.')}</span>
            ) : null}
          </p>
          <Button
            kind="primary"
            icon="eraser"
            disabled={redaction.job.value === undefined}
            onClick={() => setApplying(true)}
          >
            {t('Apply…')}
          </Button>
        </div>
      </div>
      <div class="document-pages">
        <PageView redaction={redaction} file={file} onSearchFor={searchFor} />
      </div>
      {applying ? (
        <ApplyDialog redaction={redaction} apply={apply} ask={ask} onClose={() => setApplying(false)} />
      ) : null}
    </div>
  );
}

import { Notice } from '../../components/index.ts';
import { formatBytes, formatList, rt } from '../../i18n/index.ts';
import { JsonValue, wordsOf } from '../../viewers/index.ts';
import { reportOf } from './run/report.ts';
import type { Outcome } from './run/run.ts';
import { t } from './texts.ts';

/** What the tool reports beside its result, in words. */
export function ReportView({ outcome }: { readonly outcome: Pick<Outcome, 'header'> }) {
  const { facts, warnings, ignored, replaced } = reportOf(outcome);
  const members = Object.entries(facts);
  return (
    <>
      {warnings === undefined ? null : (
        <Notice kind="warning" title={t('The tool warns')}>
          <p>{warnings}</p>
        </Notice>
      )}
      {ignored.length === 0 ? null : (
        <Notice>
          <p>{t('These fields were not used: {fields}', { fields: formatList(ignored) })}</p>
        </Notice>
      )}
      {replaced.length === 0 ? null : (
        <Notice>
          <p>{t('Other fields took precedence over these: {fields}', { fields: formatList(replaced) })}</p>
        </Notice>
      )}
      {members.length === 0 ? null : (
        <details class="report" open={members.length <= 6}>
          <summary>{t('Report')}</summary>
          <dl class="members">
            {members.map(([name, value]) => (
              <div key={name}>
                <dt>{rt(wordsOf(name.replace(/Bytes$/, 'Size')))}</dt>
                <dd>
                  {/Bytes$/.test(name) && typeof value === 'number' ? formatBytes(value) : <JsonValue value={value} />}
                </dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </>
  );
}

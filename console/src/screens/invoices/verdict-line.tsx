import { Icon } from '../../components/index.ts';
import { t } from './texts.ts';
import type { Reading } from './use-reading.ts';

/** Whether the invoice is valid, what it claims to be, and what is known of the PDF around it. */
export function VerdictLine({ reading: { verdict, detected } }: { readonly reading: Reading }) {
  const { data, problem } = verdict;
  return (
    <p class="row invoice-verdict" role="status">
      {problem !== undefined ? (
        <span class="badge warning">
          <Icon name="circle-help" size={16} />
          {t('Cannot be checked')}
        </span>
      ) : data === undefined ? (
        <span class="badge">{t('Checking the invoice')}</span>
      ) : data.valid ? (
        <span class="badge done">
          <Icon name="circle-check" size={16} />
          {t('Valid')}
        </span>
      ) : (
        <span class="badge danger">
          <Icon name="circle-x" size={16} />
          {t('Not valid')}
        </span>
      )}
      {[data?.standard, data?.profile].map((each) => (each == null ? null : <span key={each}>{each}</span>))}
      {detected.data === undefined ? null : <span />}
    </p>
  );
}

import { useState } from 'preact/hooks';
import type { Extracted } from '../answers.ts';
import { t } from '../texts.ts';

interface UnreadListProps {
  readonly unread: Extracted['unread'];
  /** Shows a line of the XML. */
  readonly onLine: (value: string, line: number) => void;
}

/** Entries that are shown at first, and at each further click. */
const SHOWN = 20;

/** What the XML holds beside the terms of the standard, by the names of its elements. */
export function UnreadList({ unread, onLine }: UnreadListProps) {
  const [most, setMost] = useState(SHOWN);
  return (
    <section class="card invoice-section" aria-labelledby="part-unread">
      <h2 id="part-unread">{t('Further content of the XML')}</h2>
      <dl class="invoice-terms">
        {unread.slice(0, most).map(({ xpath, line, value }) => (
          <div key={`${line} ${xpath}`}>
            <dt title={xpath}>
              <code>{xpath.slice(xpath.lastIndexOf('/') + 1)}</code>
            </dt>
            <dd>
              <button
                type="button"
                class="invoice-value break"
                dir="auto"
                title={t('Find it in the document')}
                onClick={() => onLine(value, line)}
              >
                {value === '' ? t('Empty') : value}
              </button>
            </dd>
          </div>
        ))}
      </dl>
      {unread.length > most ? (
        <button type="button" class="link" onClick={() => setMost(most + SHOWN)}>
          {t.count(unread.length - most, '{count} more', '{count} more')}
        </button>
      ) : null}
    </section>
  );
}

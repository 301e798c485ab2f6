import { useEffect, useState } from 'preact/hooks';
import { Loading } from '../components/index.ts';
import { formatBytes } from '../i18n/index.ts';
import { t } from '../i18n/frame.ts';
import type { ViewProps } from './view-props.ts';
import { MOST_TEXT_BYTES } from './view-kinds.ts';
import './viewers.css';

/** The beginning of a text. */
export function TextView({ blob, name }: ViewProps) {
  const [text, setText] = useState<string | undefined>();
  useEffect(() => {
    void blob.slice(0, MOST_TEXT_BYTES).text().then(setText);
  }, [blob]);
  if (text === undefined) return <Loading label={t('Loading')} />;
  return (
    <div class="text-view">
      <pre tabIndex={0} aria-label={name} dir="auto">
        {text}
      </pre>
      {blob.size > MOST_TEXT_BYTES ? (
        <p class="soft small">{t('Only the first {size} are shown.', { size: formatBytes(MOST_TEXT_BYTES) })}</p>
      ) : null}
    </div>
  );
}

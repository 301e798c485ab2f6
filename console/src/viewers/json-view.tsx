import { useEffect, useState } from 'preact/hooks';
import { Loading } from '../components/index.ts';
import { t } from '../i18n/frame.ts';
import type { ViewProps } from './view-props.ts';
import { JsonValue } from './json-value.tsx';
import './viewers.css';

/** A JSON document as lists and tables. */
export function JsonView({ blob }: ViewProps) {
  const [value, setValue] = useState<{ readonly found: unknown } | undefined>();
  useEffect(() => {
    void blob.text().then((text) => setValue({ found: parse(text) }));
  }, [blob]);
  if (value === undefined) return <Loading label={t('Loading')} />;
  return (
    <div class="json-view">
      <JsonValue value={value.found} open />
    </div>
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

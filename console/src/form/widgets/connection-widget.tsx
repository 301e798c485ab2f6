import { useEffect, useState } from 'preact/hooks';
import { callJson } from '../../api/index.ts';
import { Select } from '../../components/index.ts';
import { compareTexts } from '../../i18n/index.ts';
import { t } from '../texts.ts';
import type { WidgetProps } from './widget.ts';

interface Connection {
  readonly id: number;
  readonly name: string;
  readonly integrationType: string;
  readonly enabled: boolean;
}

const NONE = '0';

/** A saved S3 connection, or none; only none where this server keeps no connections. */
export function ConnectionWidget({ control, value, onValue }: WidgetProps) {
  const [connections, setConnections] = useState<readonly Connection[]>([]);
  useEffect(() => {
    const stop = new AbortController();
    callJson<readonly Connection[]>('integrations', { signal: stop.signal, login: 'quiet' }).then(
      setConnections,
      () => undefined,
    );
    return () => stop.abort();
  }, []);
  const chosen = value === '' ? NONE : String(value);
  const known = connections
    .filter(({ id, integrationType, enabled }) => integrationType === 'S3' && (enabled || String(id) === chosen))
    .map(({ id, name }) => ({ value: String(id), label: name }));
  const isKnown = chosen === NONE || known.some((option) => option.value === chosen);
  return (
    <Select
      control={control}
      value={chosen}
      options={[
        { value: NONE, label: t('None: enter bucket and keys here') },
        // That of somebody else, or one that was deleted.
        ...(isKnown ? [] : [{ value: chosen, label: chosen }]),
        ...known.sort((a, b) => compareTexts(a.label, b.label)),
      ]}
      onValue={onValue}
    />
  );
}

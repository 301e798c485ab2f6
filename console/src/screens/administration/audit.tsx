import { useState } from 'preact/hooks';
import { asProblem, callBlob, callJson } from '../../api/index.ts';
import {
  Button,
  Empty,
  Field,
  LoadedView,
  Notice,
  Select,
  Table,
  TextInput,
  toast,
  useLoaded,
} from '../../components/index.ts';
import { saveFile } from '../../files/index.ts';
import { formatDate } from '../../i18n/index.ts';
import { t } from './texts.ts';

interface AuditEvent {
  readonly id: string;
  readonly timestamp: string;
  readonly principal: string;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}
interface Page {
  readonly content: readonly AuditEvent[];
  readonly currentPage: number;
  readonly totalPages: number;
  readonly totalElements: number;
}

const SIZE = 50;

/** The audit log: filtered, page by page, exported. */
export function Audit() {
  const [type, setType] = useState('');
  const [principal, setPrincipal] = useState('');
  const [page, setPage] = useState(0);
  const state = useLoaded(
    () =>
      Promise.all([
        callJson<readonly string[]>('audit/types'),
        callJson<{ auditEnabled: boolean; droppedEvents: number }>('proprietary/ui-data/audit-dashboard'),
      ]),
    [],
  );
  const filter = {
    type: type === '' ? undefined : type,
    principal: principal.trim() === '' ? undefined : principal.trim(),
  };
  const events = useLoaded(
    (signal) => callJson<Page>('audit/data', { query: { ...filter, page, size: SIZE }, signal }),
    [type, principal, page],
  );
  const save = async (format: 'csv' | 'json'): Promise<void> => {
    try {
      saveFile(await callBlob(`audit/export/${format}${queryOf(filter)}`), `audit.${format}`);
    } catch (error) {
      toast(asProblem(error).message, 'error');
    }
  };
  return (
    <LoadedView loaded={state}>
      {([types, { auditEnabled, droppedEvents }]) => (
        <>
          {auditEnabled ? null : (
            <Notice kind="warning">
              <p>
                {t('The audit log is off. Set {setting} to turn it on.', {
                  setting: 'premium.enterpriseFeatures.audit',
                })}
              </p>
            </Notice>
          )}
          {droppedEvents === 0 ? null : (
            <Notice kind="warning">
              <p>{t.count(droppedEvents, '{count} event was lost.', '{count} events were lost.')}</p>
            </Notice>
          )}
          <div class="filters">
            <Field label={t('Type')}>
              {(control) => (
                <Select
                  control={control}
                  value={type}
                  onValue={(value) => {
                    setType(value);
                    setPage(0);
                  }}
                  options={[{ value: '', label: t('All') }, ...types.map((value) => ({ value, label: value }))]}
                />
              )}
            </Field>
            <Field label={t('User')}>
              {(control) => (
                <TextInput
                  control={control}
                  value={principal}
                  onText={(value) => {
                    setPrincipal(value);
                    setPage(0);
                  }}
                />
              )}
            </Field>
            <div class="row">
              <Button icon="download" onClick={() => void save('csv')}>
                CSV
              </Button>
              <Button icon="download" onClick={() => void save('json')}>
                JSON
              </Button>
            </div>
          </div>
          <LoadedView loaded={events}>
            {({ content, currentPage, totalPages, totalElements }) => (
              <>
                <Table<AuditEvent>
                  label={t('Events')}
                  rows={content}
                  rowKey={({ id }) => id}
                  empty={<Empty icon="scroll-text" title={t('No event matches')} />}
                  columns={[
                    { id: 'time', label: t('Time'), cell: ({ timestamp }) => formatDate(timestamp) },
                    { id: 'user', label: t('User'), cell: (event) => <span class="break">{event.principal}</span> },
                    { id: 'type', label: t('Type'), cell: (event) => <span class="badge">{event.type}</span> },
                    { id: 'what', label: t('What'), cell: ({ data }) => <EventData data={data} /> },
                  ]}
                />
                <div class="row between">
                  <span class="soft small">
                    {t.count(totalElements, '{count} event', '{count} events')}
                    {totalPages > 1
                      ? ` · ${t('Page {page} of {pages}', { page: currentPage + 1, pages: totalPages })}`
                      : ''}
                  </span>
                  <div class="row">
                    <Button disabled={currentPage === 0} onClick={() => setPage(currentPage - 1)}>
                      {t('Newer')}
                    </Button>
                    <Button disabled={currentPage + 1 >= totalPages} onClick={() => setPage(currentPage + 1)}>
                      {t('Older')}
                    </Button>
                  </div>
                </div>
              </>
            )}
          </LoadedView>
        </>
      )}
    </LoadedView>
  );
}

function queryOf(filter: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(filter).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`;
}

/** The call in one line, everything else on demand. */
function EventData({ data }: { readonly data: Readonly<Record<string, unknown>> }) {
  const { method, path, status, ...rest } = data;
  return (
    <details class="event">
      <summary>
        <code class="break">{[method, path, status].filter((part) => part !== undefined).join(' ')}</code>
      </summary>
      <dl class="small">
        {Object.entries(rest).map(([name, value]) => (
          <div key={name} class="break">
            <dt class="soft">{name}</dt>
            <dd>{typeof value === 'object' ? JSON.stringify(value) : String(value)}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

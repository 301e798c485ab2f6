import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { formatNumber, rt } from '../i18n/index.ts';
import { t } from '../i18n/frame.ts';
import { isRecord, wordsOf } from './json-words.ts';
import './viewers.css';

/** Rows of a list that are shown at first. */
const ROWS = 100;

/** Any value: members as a list, lists of objects as a table. */
export function JsonValue({
  value,
  open = false,
}: {
  readonly value: unknown;
  readonly open?: boolean;
}): ComponentChildren {
  if (Array.isArray(value)) return <JsonList items={value as unknown[]} open={open} />;
  if (isRecord(value)) return <JsonMembers value={value} open={open} />;
  if (value === null || value === undefined || value === '') return <span class="soft">–</span>;
  if (typeof value === 'boolean') return value ? t('Yes') : t('No');
  if (typeof value === 'number')
    return formatNumber(value, { maximumFractionDigits: 6, useGrouping: Math.abs(value) >= 10_000 });
  return (
    <span class="break" dir="auto">
      {String(value)}
    </span>
  );
}

function JsonMembers({ value, open }: { readonly value: Readonly<Record<string, unknown>>; readonly open: boolean }) {
  const members = Object.entries(value);
  if (members.length === 0) return <span class="soft">–</span>;
  const list = (
    <dl class="members">
      {members.map(([name, each]) => (
        <div key={name}>
          <dt>{rt(wordsOf(name))}</dt>
          <dd>
            <JsonValue value={each} />
          </dd>
        </div>
      ))}
    </dl>
  );
  if (open || members.length <= 4) return list;
  return (
    <details>
      <summary>{t.count(members.length, '{count} value', '{count} values')}</summary>
      {list}
    </details>
  );
}

function JsonList({ items, open }: { readonly items: readonly unknown[]; readonly open: boolean }) {
  const [most, setMost] = useState(ROWS);
  if (items.length === 0) return <span class="soft">{t('None')}</span>;
  const shown = items.slice(0, most);
  const content = items.every(isRecord) ? (
    <JsonTable rows={shown as Readonly<Record<string, unknown>>[]} />
  ) : items.every((item) => typeof item !== 'object') && items.length <= 12 ? (
    <span class="break" dir="auto">
      {items.map(String).join(', ')}
    </span>
  ) : (
    <ol class="json-items">
      {shown.map((item, i) => (
        <li key={i}>
          <JsonValue value={item} />
        </li>
      ))}
    </ol>
  );
  const more =
    items.length > most ? (
      <button type="button" class="link" onClick={() => setMost(most + ROWS)}>
        {t.count(items.length - most, '{count} more', '{count} more')}
      </button>
    ) : null;
  if (open || items.length <= 12)
    return (
      <>
        {content}
        {more}
      </>
    );
  return (
    <details>
      <summary>{t.count(items.length, '{count} entry', '{count} entries')}</summary>
      {content}
      {more}
    </details>
  );
}

function JsonTable({ rows }: { readonly rows: readonly Readonly<Record<string, unknown>>[] }) {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return (
    <div class="table-box" tabIndex={0} role="region" aria-label={t('Table')}>
      <table class="table">
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {rt(wordsOf(column))}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, i) => (
            <tr key={i}>
              {columns.map((column) => (
                <td key={column} data-label={rt(wordsOf(column))}>
                  <JsonValue value={row[column]} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

import type { Group, InvoiceLine } from '@quire/document/invoices/model';
import { useEffect, useState } from 'preact/hooks';
import { Icon } from '../../../components/index.ts';
import { t } from '../texts.ts';
import { holdsChosen, type DataContext } from './context.ts';
import { Faults, GroupRows, GroupTitle } from './group-rows.tsx';
import { decimalText, unitName } from './value-text.ts';

interface LineListProps {
  readonly lines: readonly InvoiceLine[];
  readonly group: Group;
  readonly context: DataContext;
}

/** Lines that are shown at first, and at each further click. */
const SHOWN = 50;
/** So few lines are shown whole. */
const FEW = 2;

/** The lines of an invoice: what is sold in a row, everything else when it is opened. */
export function LineList({ lines, group, context }: LineListProps) {
  const [most, setMost] = useState(SHOWN);
  const chosen = Number(/^lines\.(\d+)/.exec(context.chosen?.path ?? '')?.[1] ?? -1);
  const shown = Math.max(most, chosen + 1);
  // A violation may name a line that the data does not have.
  const missing = context.marks.within.has('lines.0') && lines.length === 0 ? [{}] : [];
  return (
    <>
      <GroupTitle name="lines" group={group} path="lines" context={context} hidden />
      <ol class="invoice-lines">
        {[...lines, ...missing].slice(0, shown).map((line, i) => (
          <Line key={i} line={line} path={`lines.${i}`} group={group} context={context} open={lines.length <= FEW} />
        ))}
      </ol>
      {lines.length > shown ? (
        <button type="button" class="link" onClick={() => setMost(shown + SHOWN)}>
          {t.count(lines.length - shown, '{count} more line', '{count} more lines')}
        </button>
      ) : null}
    </>
  );
}

interface LineProps {
  readonly line: InvoiceLine;
  readonly path: string;
  readonly group: Group;
  readonly context: DataContext;
  readonly open: boolean;
}

function Line({ line, path, group, context, open }: LineProps) {
  const [isOpen, setOpen] = useState(open);
  const holds = holdsChosen(context, path);
  useEffect(() => {
    if (holds) setOpen(true);
  }, [context.chosen]);
  const wrong = context.marks.within.has(path);
  const { id, item, quantity, unit, netAmount } = line;
  const amounts = [
    [decimalText(quantity ?? '') ?? quantity, unit && unitName(unit)].filter((part) => part !== undefined).join(' '),
    decimalText(netAmount ?? '') ?? netAmount ?? '',
  ];
  return (
    <li>
      <details open={isOpen || holds} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary data-path={path} tabIndex={0}>
          <Icon name="chevron-right" size={16} />
          <span class="soft break">{id}</span>
          <span class="grow break" dir="auto">
            {item?.name ?? t('Not given')}
          </span>
          {wrong ? <span class="badge danger">{t('Needs attention')}</span> : null}
          <span class="invoice-amounts">
            <span class="soft">{amounts[0]}</span>
            <strong>{amounts[1]}</strong>
          </span>
        </summary>
        {isOpen || holds ? (
          <div class="invoice-line-body">
            <Faults violations={context.marks.at.get(path) ?? []} />
            <GroupRows terms={group.terms} holder={line} path={path} context={context} />
          </div>
        ) : null}
      </details>
    </li>
  );
}

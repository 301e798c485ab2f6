import type { Group, Invoice } from '@quire/document/invoices/model';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { Icon } from '../../../components/index.ts';
import type { Violation } from '../answers.ts';
import { t } from '../texts.ts';
import { holdsChosen, marksOf, type DataContext } from './context.ts';
import { GroupRows, GroupTitle, Occurrence } from './group-rows.tsx';
import { labelOf } from './labels.ts';
import { LineList } from './line-list.tsx';
import { valueAt } from './places.ts';
import { nodeOf, sections, titleOf, type Section } from './sections.ts';

interface DataViewProps extends Omit<DataContext, 'marks'> {
  readonly invoice: Invoice;
  readonly violations: readonly Violation[];
}

/** All data of an invoice by its parts, with what is wrong at each value. */
export function DataView({ invoice, violations, chosen, ids, onFind }: DataViewProps) {
  const box = useRef<HTMLDivElement>(null);
  const marks = useMemo(() => marksOf(violations, invoice), [violations, invoice]);
  useEffect(() => {
    if (chosen === undefined) return;
    const row = box.current?.querySelector<HTMLElement>(`[data-path="${CSS.escape(chosen.path)}"]`);
    row?.scrollIntoView({ block: 'center' });
    row?.focus({ preventScroll: true });
  }, [chosen]);
  const context: DataContext = { marks, chosen, ids, onFind };
  return (
    <div class="invoice-data stack" ref={box}>
      {sections.map((section) => (
        <SectionView key={section.id} section={section} invoice={invoice} context={context} />
      ))}
    </div>
  );
}

interface SectionViewProps {
  readonly section: Section;
  readonly invoice: Invoice;
  readonly context: DataContext;
}

function SectionView({ section, invoice, context }: SectionViewProps) {
  const keys = section.keys.filter(
    (key) => valueAt(invoice, key) !== undefined || context.marks.within.has(key) || holdsChosen(context, key),
  );
  if (keys.length === 0) return null;
  const terms = keys.filter((key) => nodeOf(key).node === 'term');
  // The parties come before what refers to them.
  const termsFirst = nodeOf(section.keys[0]!).node === 'term';
  const rows = terms.length === 0 ? null : (
    <GroupRows
          terms={Object.fromEntries(terms.map((key) => [key, nodeOf(key)]))}
          holder={invoice}
          path=""
          context={context}
        />
  );
  return (
    <section class="card invoice-section" aria-labelledby={`part-${section.id}`}>
      <h2 id={`part-${section.id}`} class="row">
        <Icon name={section.icon} size={18} />
        {titleOf(section)}
      </h2>
      {termsFirst ? rows : null}
      {keys
        .filter((key) => nodeOf(key).node === 'group')
        .map((key) => (
          <Member key={key} name={key} titled={key !== section.keys[0]} invoice={invoice} context={context} />
        ))}
      {termsFirst ? null : rows}
    </section>
  );
}

interface MemberProps {
  readonly name: string;
  readonly titled: boolean;
  readonly invoice: Invoice;
  readonly context: DataContext;
}

/** A group of the invoice, or all groups of a list. */
function Member({ name, titled, invoice, context }: MemberProps) {
  const node = nodeOf(name) as Group;
  const value = valueAt(invoice, name);
  if (name === 'lines') return <LineList lines={invoice.lines ?? []} group={node} context={context} />;
  return (
    <>
      <GroupTitle name={name} group={node} path={name} context={context} hidden={!titled} />
      {Array.isArray(value) ? (
        <ol class="invoice-groups">
          {value.map((each, i) => (
            <li key={i} aria-label={t('{name} {number}', { name: labelOf(name, node), number: i + 1 })}>
              <Occurrence group={node} holder={each} path={`${name}.${i}`} context={context} />
            </li>
          ))}
        </ol>
      ) : (
        <Occurrence group={node} holder={value ?? {}} path={name} context={context} />
      )}
    </>
  );
}

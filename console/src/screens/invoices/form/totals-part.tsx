import type { Invoice } from '@quire/document/invoices/model';
import { useEffect, useState } from 'preact/hooks';
import { pause } from '../../../api/index.ts';
import { Icon } from '../../../components/index.ts';
import type { Extracted } from '../answers.ts';
import { labelOf } from '../data/labels.ts';
import { nodeAt } from '../data/places.ts';
import { titleOf, type Section } from '../data/sections.ts';
import { decimalText } from '../data/value-text.ts';
import { EXTRACT, run } from '../operations.ts';
import { t } from '../texts.ts';
import { create } from './create.ts';
import { draft } from './draft.ts';
import { More } from './group-fields.tsx';
import { membersOfSection } from './layout.ts';
import type { Texts } from './outline.ts';

type Totals = NonNullable<Invoice['totals']>;

/** Typing has paused for so long. */
const PAUSE_MS = 800;
const shown = ['lines', 'allowances', 'charges', 'withoutVat', 'vat', 'withVat', 'paid', 'due'] as const;

/** The totals as the server computes them, once it accepts what is entered. */
export function TotalsPart({ section }: { readonly section: Section }) {
  const totals = useTotals(draft.texts.value);
  return (
    <section class="card invoice-part" aria-labelledby="invoice-totals">
      <h2 id="invoice-totals" class="row">
        <Icon name={section.icon} size={18} />
        {titleOf(section)}
      </h2>
      <div role="status">
        {totals === undefined ? (
          <p class="soft">{t('The server computes them once everything that is required is filled in.')}</p>
        ) : (
          <dl class="invoice-terms">
            {shown.map((key) => (
              <Total key={key} name={key} text={totals[key]} />
            ))}
          </dl>
        )}
      </div>
      <More places={membersOfSection(section)} />
    </section>
  );
}

function Total({ name, text }: { readonly name: (typeof shown)[number]; readonly text: string | undefined }) {
  const node = nodeAt(`totals.${name}`);
  return text === undefined || node === undefined ? null : (
    <div data-path={`totals.${name}`}>
      <dt>{labelOf(name, node)}</dt>
      <dd>{decimalText(text) ?? text}</dd>
    </div>
  );
}

/** Has the invoice made and read a moment after the last change; undefined while the server refuses it. */
function useTotals(texts: Texts): Totals | undefined {
  const [totals, setTotals] = useState<Totals | undefined>();
  useEffect(() => {
    // Before anything is entered, the server could only refuse it.
    if (!draft.edited.value) return setTotals(undefined);
    const stop = new AbortController();
    const compute = async (): Promise<Totals | undefined> => {
      await pause(PAUSE_MS, stop.signal);
      const file = await create(withoutFiles(texts), {}, stop.signal);
      const { blob } = await run(EXTRACT, { file, password: undefined }, 'json', stop.signal);
      return (JSON.parse(await blob.text()) as Extracted).invoice.totals;
    };
    const show = (found: Totals | undefined): void => {
      if (!stop.signal.aborted) setTotals(found);
    };
    // What is wrong is said when somebody wants the invoice, not while they type.
    compute().then(show, () => show(undefined));
    return () => stop.abort();
  }, [texts]);
  return totals;
}

/** Attached files are not sent with each change: no total depends on them. */
function withoutFiles(texts: Texts): Texts {
  return Object.fromEntries(Object.entries(texts).filter(([path]) => !path.startsWith('supportingDocuments.')));
}

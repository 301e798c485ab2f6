import type { Invoice } from '@quire/document/invoices/model';
import { useState } from 'preact/hooks';
import { Icon } from '../../components/index.ts';
import { isGiven, type Severity, type Violation } from './answers.ts';
import { placeOf, targetOf, type Path } from './data/places.ts';
import { countText, severities, severityIcons } from './severities.ts';
import { t } from './texts.ts';
import { ViolationText } from './violation-text.tsx';

interface ViolationListProps {
  readonly violations: readonly Violation[];
  /** Undefined where the data could not be read. */
  readonly invoice: Invoice | undefined;
  /** Shows a place in the data, and the violation's own place in the document. */
  readonly onShow: (path: Path | undefined, violation: Violation) => void;
}

/** Violations that are shown at first, and at each further click. */
const SHOWN = 50;

/** What is wrong with an invoice, the worst first; each leads to the value that it is about. */
export function ViolationList({ violations, invoice, onShow }: ViolationListProps) {
  const [only, setOnly] = useState<Severity | undefined>();
  const [most, setMost] = useState(SHOWN);
  const found = severities.filter((each) => violations.some(({ severity }) => severity === each));
  const sorted = severities.flatMap((each) => violations.filter(({ severity }) => severity === each));
  const wanted = only === undefined ? sorted : sorted.filter(({ severity }) => severity === only);
  return (
    <section class="stack" aria-label={t('Findings')}>
      <div class="chips" role="group" aria-label={t('Show only')}>
        {found.map((severity) => (
          <button
            key={severity}
            type="button"
            class="chip"
            aria-pressed={only === severity}
            onClick={() => setOnly(only === severity ? undefined : severity)}
          >
            {countText(severity, violations.filter((each) => each.severity === severity).length)}
          </button>
        ))}
      </div>
      <ul class="violations">
        {wanted.slice(0, most).map((violation, i) => (
          <ViolationItem key={i} violation={violation} invoice={invoice} onShow={onShow} />
        ))}
      </ul>
      {wanted.length > most ? (
        <button type="button" class="link" onClick={() => setMost(most + SHOWN)}>
          {t.count(wanted.length - most, '{count} more', '{count} more')}
        </button>
      ) : null}
    </section>
  );
}

interface ViolationItemProps extends Omit<ViolationListProps, 'violations'> {
  readonly violation: Violation;
}

function ViolationItem({ violation, invoice, onShow }: ViolationItemProps) {
  const { rule, severity, terms, location, value } = violation;
  const target = invoice === undefined ? undefined : targetOf(violation, invoice);
  const leads = target !== undefined || isGiven(location);
  return (
    <li class={`violation ${severity}`} data-rule={rule}>
      <Icon name={severityIcons[severity]} size={18} />
      <div class="grow">
        {leads ? (
          <button type="button" class="violation-link" onClick={() => onShow(target, violation)}>
            <ViolationText violation={violation} />
          </button>
        ) : (
          <p>
            <ViolationText violation={violation} />
          </p>
        )}
        <p class="row small soft">
          <code>{rule}</code>
          {terms.map((term) => (
            <TermLink key={term} term={term} violation={violation} invoice={invoice} onShow={onShow} />
          ))}
          {isGiven(value) && value !== '' ? (
            <bdi class="break violation-value">
              {t('Found: {value}', { value: value.length > 80 ? `${value.slice(0, 80)}…` : value })}
            </bdi>
          ) : null}
          {isGiven(location) ? <span>{t('Line {line}', { line: location.line })}</span> : null}
        </p>
      </div>
    </li>
  );
}

function TermLink({ term, violation, invoice, onShow }: ViolationItemProps & { readonly term: string }) {
  const place = invoice === undefined ? undefined : placeOf(term, violation, invoice);
  return place === undefined ? (
    <code>{term}</code>
  ) : (
    <button
      type="button"
      class="term-link"
      title={t('Show {term} in the data', { term })}
      onClick={() => onShow(place, violation)}
    >
      {term}
    </button>
  );
}

import type { ImportEntry, ImportFinding, ImportReport } from './model/import.ts';
import { t } from './texts.ts';

const ORDER: readonly ImportFinding['kind'][] = ['todo', 'differs', 'translated'];

/** What becomes of each file, and what differs. */
export function ImportReportView({ report }: { readonly report: ImportReport }) {
  return (
    <ul class="automation-rows" aria-label={t('Report')} aria-live="polite">
      {report.entries.map((entry, i) => (
        <EntryView key={i} entry={entry} />
      ))}
    </ul>
  );
}

function EntryView({ entry }: { readonly entry: ImportEntry }) {
  const { file, pointer, name, outcome, automationId, findings, sources, error } = entry;
  return (
    <li class="card automation-row" data-outcome={outcome}>
      <div class="grow">
        <p class="row">
          {automationId === null ? (
            <strong class="break">{name ?? file}</strong>
          ) : (
            <a class="automation-link break" href={`automations/${automationId}`}>
              {name}
            </a>
          )}
          <OutcomeBadge outcome={outcome} />
        </p>
        <p class="soft small break" dir="auto">
          {file} {pointer}
        </p>
        {error === null ? null : (
          <p class="small break automation-problem" dir="auto">
            {error.detail}
          </p>
        )}
        {ORDER.map((kind) => (
          <Findings key={kind} kind={kind} findings={findings.filter((finding) => finding.kind === kind)} />
        ))}
        {sources.flatMap((source) =>
          Object.entries(source.made).map(([option, value]) => (
            <p key={`${source.id} ${option}`} class="small break">
              {t('Shown only now: {name}', { name: `${source.name} ${option}` })} <code>{String(value)}</code>
            </p>
          )),
        )}
      </div>
    </li>
  );
}

function OutcomeBadge({ outcome }: Pick<ImportEntry, 'outcome'>) {
  if (outcome === 'refused') return <span class="badge danger">{t('Cannot be imported')}</span>;
  if (outcome === 'created') return <span class="badge done">{t('Imported')}</span>;
  return <span class="badge accent">{t('Can be imported')}</span>;
}

interface FindingsProps {
  readonly kind: ImportFinding['kind'];
  readonly findings: readonly ImportFinding[];
}

function Findings({ kind, findings }: FindingsProps) {
  if (findings.length === 0) return null;
  const title = { todo: t('To do before it can run'), differs: t('Will differ'), translated: t('Translated') }[kind];
  return (
    <section aria-label={title}>
      <p class="small">
        <strong>{title}</strong>
      </p>
      <ul class="small">
        {findings.map(({ pointer, detail }) => (
          <li key={`${pointer} ${detail}`} class="break" dir="auto">
            {pointer === '' ? null : <code>{pointer}</code>} {detail}
          </li>
        ))}
      </ul>
    </section>
  );
}

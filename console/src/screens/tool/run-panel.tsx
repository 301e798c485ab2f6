import { useEffect, useRef } from 'preact/hooks';
import { Button } from '../../components/index.ts';
import type { Draft } from './draft.ts';
import { ResultPanel } from './result-panel.tsx';
import { ResultList } from './result-list.tsx';
import { ItemProblem, ItemProgress } from './run-parts.tsx';
import type { Run, RunItem } from './run/run.ts';
import { t } from './texts.ts';

/** Progress, errors and results of the last run. */
export function RunPanel({ draft, run }: { readonly draft: Draft; readonly run: Run }) {
  const [only] = run.items;
  return (
    <section class="run" aria-label={t('Result')}>
      {run.items.length === 1 && only !== undefined ? (
        <OneItem draft={draft} item={only} />
      ) : (
        <ResultList draft={draft} run={run} />
      )}
    </section>
  );
}

function OneItem({ draft, item }: { readonly draft: Draft; readonly item: RunItem }) {
  const { outcome, problem } = item;
  if (outcome.value !== undefined) return <ResultPanel draft={draft} item={item} outcome={outcome.value} />;
  if (problem.value !== undefined)
    return (
      <div class="stack-small">
        <p class="soft small break">{item.label}</p>
        <ItemProblem draft={draft} item={item} problem={problem.value} />
      </div>
    );
  return <ItemRunning item={item} />;
}

function ItemRunning({ item }: { readonly item: RunItem }) {
  const card = useRef<HTMLDivElement>(null);
  // The pages of a long document fill the window above it.
  useEffect(() => card.current?.scrollIntoView({ block: 'nearest' }), []);
  return (
    <div ref={card} class="card stack run-progress" role="status">
      <ItemProgress item={item} />
      <div class="row">
        <Button icon="x" onClick={() => void item.cancel()}>
          {t('Cancel')}
        </Button>
        {item.job.value === undefined ? null : (
          <p class="soft small">
            {t('The work goes on if you close this page; you find it again here and under Jobs.')}
          </p>
        )}
      </div>
    </div>
  );
}

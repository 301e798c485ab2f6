import { useState } from 'preact/hooks';
import { Button, Icon, Progress, toast } from '../../components/index.ts';
import { saveFile, writeZip } from '../../files/index.ts';
import { formatBytes } from '../../i18n/index.ts';
import type { Draft } from './draft.ts';
import { NextDialog } from './next-dialog.tsx';
import { ResultPanel } from './result-panel.tsx';
import { ItemProblem, ItemProgress } from './run-parts.tsx';
import type { Outcome, Run, RunItem } from './run/run.ts';
import { t } from './texts.ts';

type Finished = Outcome & { readonly blob: Blob };

/** The results of a tool that ran once for each of several files. */
export function ResultList({ draft, run }: { readonly draft: Draft; readonly run: Run }) {
  const [shown, setShown] = useState<RunItem | undefined>();
  const [next, setNext] = useState(false);
  const ended = run.items.filter((item) => item.ended).length;
  const finished = run.items.flatMap(({ outcome }): Finished[] =>
    outcome.value?.blob === undefined ? [] : [{ ...outcome.value, blob: outcome.value.blob }],
  );
  const [first] = finished;
  return (
    <div class="stack">
      <div class="card stack">
        <div role="status">
          <Progress
            label={t('{done} of {total} files done', { done: ended, total: run.items.length })}
            value={ended / run.items.length}
          />
        </div>
        <ul class="result-list">
          {run.items.map((item, i) => (
            <ItemRow
              key={i}
              draft={draft}
              item={item}
              open={shown === item}
              onOpen={() => setShown(shown === item ? undefined : item)}
            />
          ))}
        </ul>
        <div class="row">
          {run.ended ? null : (
            <Button icon="x" onClick={() => void run.cancel()}>
              {t('Cancel')}
            </Button>
          )}
          {first === undefined ? null : (
            <>
              <Button kind="primary" icon="download" onClick={() => void saveAll(finished)}>
                {t('Download all')}
              </Button>
              <Button icon="arrow-right" onClick={() => setNext(true)}>
                {t.count(finished.length, 'Next tool with {count} file', 'Next tool with all {count} files')}
              </Button>
            </>
          )}
        </div>
      </div>
      {shown?.outcome.value === undefined ? null : (
        <ResultPanel draft={draft} item={shown} outcome={shown.outcome.value} />
      )}
      {next && first !== undefined ? (
        <NextDialog
          from={draft.operation.path}
          name={first.name}
          read={async () => finished.map(({ blob, name }) => new File([blob], name, { type: blob.type }))}
          onClose={() => setNext(false)}
        />
      ) : null}
    </div>
  );
}

async function saveAll(finished: readonly Finished[]): Promise<void> {
  const taken = new Set<string>();
  const named = finished.map(({ name, blob }) => {
    let free = name;
    for (let i = 2; taken.has(free); i++) free = name.replace(/(\.[^.]*)?$/, ` (${i})$1`);
    taken.add(free);
    return { name: free, blob };
  });
  try {
    saveFile(await writeZip(named), 'results.zip');
  } catch (error) {
    toast(t('The files could not be packed: {reason}', { reason: (error as Error).message }), 'error');
  }
}

interface ItemRowProps {
  readonly draft: Draft;
  readonly item: RunItem;
  readonly open: boolean;
  readonly onOpen: () => void;
}

function ItemRow({ draft, item, open, onOpen }: ItemRowProps) {
  const outcome = item.outcome.value;
  const problem = item.problem.value;
  if (problem !== undefined)
    return (
      <li class="stack-small">
        <p class="break">{item.label}</p>
        <ItemProblem draft={draft} item={item} problem={problem} />
      </li>
    );
  if (outcome === undefined)
    return (
      <li class="stack-small">
        <p class="break">{item.label}</p>
        {item.state.value === 'waiting' ? <p class="soft small">{t('Waiting')}</p> : <ItemProgress item={item} />}
      </li>
    );
  const { blob, name } = outcome;
  return (
    <li class="row">
      <Icon name="circle-check" size={18} />
      <span class="grow break">
        {blob === undefined ? item.label : name}{' '}
        <span class="soft small">{blob === undefined ? t('No file: it does not match') : formatBytes(blob.size)}</span>
      </span>
      <Button kind="quiet" size="small" aria-expanded={open} onClick={onOpen}>
        {t('Show')}
      </Button>
      {blob === undefined ? null : (
        <Button
          kind="quiet"
          size="small"
          class="icon-button small"
          icon="download"
          aria-label={t('Download: {file}', { file: name })}
          onClick={() => saveFile(blob, name)}
        />
      )}
    </li>
  );
}

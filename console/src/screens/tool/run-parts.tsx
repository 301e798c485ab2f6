import { operationOf, type Problem } from '../../api/index.ts';
import { openToolWith } from '../../app/hand-over.ts';
import { Button, Icon, LinkButton, ProblemNotice, Progress } from '../../components/index.ts';
import { formatBytes, rt } from '../../i18n/index.ts';
import type { Draft } from './draft.ts';
import type { RunItem } from './run/run.ts';
import { repeatItem } from './run/start-run.ts';
import { t } from './texts.ts';

/** Upload, queue and work, as far as the server reports them. */
export function ItemProgress({ item }: { readonly item: RunItem }) {
  return <Progress label={progressWords(item)} value={item.progress.value} />;
}

function progressWords({ state, job, connected, inputBytes, progress }: RunItem): string {
  if (!connected.value) return t('The connection is lost. Trying again …');
  if (state.value === 'uploading')
    return t('Sending {size}', { size: formatBytes(Math.round(inputBytes * (progress.value ?? 1))) });
  if (state.value === 'waiting') return t('Waiting');
  const position = job.value?.queuePosition ?? 0;
  if (job.value?.status === 'queued' && position > 0) return t('In the queue, number {position}', { position });
  return t('Working …');
}

interface ItemProblemProps {
  readonly draft: Draft;
  readonly item: RunItem;
  readonly problem: Problem;
}

/** Why a call failed, and what helps. */
export function ItemProblem({ draft, item, problem }: ItemProblemProps) {
  const again = item.repeatable ? (
    <Button size="small" icon="refresh-cw" onClick={() => void repeatItem(draft, item)}>
      {t('Try again')}
    </Button>
  ) : null;
  if (item.state.value === 'cancelled')
    return (
      <div class="card row between" role="status">
        <p class="row">
          <Icon name="circle-slash" />
          {t('Cancelled')}
        </p>
        {again}
      </div>
    );
  return (
    <ProblemNotice
      problem={problem}
      hints={problem.hints.map(withTitles)}
      actions={
        <>
          {again}
          <HelpfulTools draft={draft} item={item} problem={problem} />
        </>
      }
    />
  );
}

const ADDRESS = /\/api\/v1\/([\w/-]+)/g;

/** A hint with the titles of tools instead of their addresses. */
function withTitles(hint: string): string {
  return hint.replaceAll(ADDRESS, (address, path: string) => {
    const operation = operationOf(path);
    return operation === undefined ? address : `“${rt(operation.title)}”`;
  });
}

/** The server's hints name the tool that helps by its address: it is opened with the same file. */
function HelpfulTools({ draft, item, problem }: ItemProblemProps) {
  const named = problem.hints.flatMap((hint) => [...hint.matchAll(ADDRESS)].map(([, path = '']) => path));
  const found = [...new Set(named)].filter((path) => path !== draft.operation.path).map(operationOf);
  return (
    <>
      {found.map((operation) =>
        operation === undefined ? null : item.original === undefined ? (
          <LinkButton key={operation.path} size="small" href={`tool/${operation.path}`}>
            {rt(operation.title)}
          </LinkButton>
        ) : (
          <Button
            key={operation.path}
            size="small"
            icon="arrow-right"
            onClick={() => openToolWith(operation.path, [item.original!])}
          >
            {rt(operation.title)}
          </Button>
        ),
      )}
    </>
  );
}

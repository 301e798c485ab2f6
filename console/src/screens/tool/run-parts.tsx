import type { ShownOperation } from '@quire/registry';
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
      hints={problem.serverText === undefined ? problem.hints.map(withTitles) : helpWords(problem)}
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

/** The tools that the server's hints name by their addresses. */
function toolsNamed({ hints }: Problem): ShownOperation[] {
  const named = hints.flatMap((hint) => [...hint.matchAll(ADDRESS)].map(([, path = '']) => path));
  return [...new Set(named)].map(operationOf).filter((operation) => operation !== undefined);
}

/** The hints that name a tool, in the language of the page. */
function helpWords(problem: Problem): string[] {
  return toolsNamed(problem).map(({ title }) => t('“{tool}” may help.', { tool: rt(title) }));
}

/** The tools that help are opened with the same file. */
function HelpfulTools({ draft, item, problem }: ItemProblemProps) {
  const found = toolsNamed(problem).filter(({ path }) => path !== draft.operation.path);
  return (
    <>
      {found.map((operation) =>
        item.original === undefined ? (
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

import type { ConsoleCatalog, ShownOperation } from '@quire/registry';
import { useEffect, useState } from 'preact/hooks';
import { catalog, catalogProblem, config, loadCatalog, operationOf } from '../../api/index.ts';
import { kept } from '../../app/preferences.ts';
import { place, setQuery } from '../../app/router.ts';
import { Button, Empty, Icon, Loading, ProblemNotice } from '../../components/index.ts';
import { rt } from '../../i18n/index.ts';
import { FirstMinute } from './first-minute.tsx';
import { searchTools } from './search.ts';
import { t } from './texts.ts';
import { ToolCard } from './tool-card.tsx';
import './tools.css';
import { favourites, recent } from './used-tools.ts';

const hideUnavailable = kept<boolean | undefined>('hideUnavailable', undefined);

/** All tools: search, favourites, recent ones, and the categories. */
export function Screen() {
  useEffect(() => void loadCatalog(), []);
  const problem = catalogProblem.value;
  const loaded = catalog.value;
  if (loaded === undefined)
    return problem === undefined ? (
      <Loading label={t('Loading the tools')} />
    ) : (
      <div class="page">
        <ProblemNotice
          problem={problem}
          actions={<Button onClick={() => void loadCatalog(true)}>{t('Try again')}</Button>}
        />
      </div>
    );
  return <Tools catalog={loaded} />;
}

function Tools({ catalog: shownCatalog }: { readonly catalog: ConsoleCatalog }) {
  const { operations, categories } = shownCatalog;
  const query = place.value.query.get('q') ?? '';
  const category = place.value.query.get('category') ?? '';
  const hides = hideUnavailable.value ?? config.value?.defaultHideUnavailableTools ?? false;
  const shown = operations
    .filter(
      ({ availability, deprecated }) => deprecated === undefined && (!hides || availability.state === 'available'),
    )
    .sort((a, b) => a.order - b.order);
  const unavailable = operations.some(({ availability }) => availability.state !== 'available');
  const chosen = category === '' ? shown : shown.filter((operation) => operation.category === category);
  const found = searchTools(chosen, query);
  const listed = useWholeList() ? chosen : firstTools(chosen, categories);
  return (
    <div class="page tools">
      <header class="page-head">
        <h1>{t('Tools')}</h1>
        <p class="soft">
          {t.count(shown.length, '{count} tool for your documents', '{count} tools for your documents')}
        </p>
      </header>
      <div class="tools-bar">
        <label class="search-field">
          <Icon name="search" size={18} />
          <input
            type="search"
            class="input"
            placeholder={t('What do you want to do?')}
            aria-label={t('Search tools')}
            value={query}
            onInput={(event) => setQuery({ q: event.currentTarget.value })}
          />
        </label>
        {unavailable ? (
          <label class="check">
            <input
              type="checkbox"
              checked={hides}
              onChange={(event) => (hideUnavailable.value = event.currentTarget.checked)}
            />
            {t('Hide tools that are not available')}
          </label>
        ) : null}
      </div>
      <nav class="chips" aria-label={t('Categories')}>
        {[{ id: '', title: t('All') }, ...categories].map(({ id, title }) => (
          <button
            type="button"
            key={id}
            class="chip"
            aria-pressed={id === category}
            onClick={() => setQuery({ category: id })}
          >
            {rt(title)}
          </button>
        ))}
      </nav>
      {query === '' && category === '' ? (
        <>
          <FirstMinute catalog={shownCatalog} />
          <Shortcuts />
        </>
      ) : null}
      {query === '' ? (
        categories
          .map(({ id, title }) => ({ id, title, tools: listed.filter((operation) => operation.category === id) }))
          .filter(({ tools }) => tools.length > 0)
          .map(({ id, title, tools }) => <ToolList key={id} title={rt(title)} tools={tools} />)
      ) : found.length > 0 ? (
        <ToolList title={t.count(found.length, '{count} match', '{count} matches')} tools={found} />
      ) : (
        <Empty icon="search-x" title={t('No tool matches “{query}”', { query })}>
          <p class="soft">{t('Try another word, for example what should happen to the document.')}</p>
          <Button onClick={() => setQuery({ q: undefined, category: undefined })}>{t('Show all tools')}</Button>
        </Empty>
      )}
    </div>
  );
}

/** With the samples above them they fill a large screen. */
const FIRST_TOOLS = 24;
let wasShown = false;

/** Tools of the first categories. */
function firstTools(
  tools: readonly ShownOperation[],
  categories: ConsoleCatalog['categories'],
): readonly ShownOperation[] {
  return categories.flatMap(({ id }) => tools.filter(({ category }) => category === id)).slice(0, FIRST_TOOLS);
}

/** Whether all tools are shown: at first, those that can be seen without scrolling do not wait for the others. */
function useWholeList(): boolean {
  const [isWhole, setWhole] = useState(wasShown);
  useEffect(() => {
    wasShown = true;
    // After the first categories are drawn.
    const frame = requestAnimationFrame(() => void setTimeout(() => setWhole(true)));
    return () => cancelAnimationFrame(frame);
  }, []);
  return isWhole;
}

/** Favourites and recent tools. */
function Shortcuts() {
  const existing = (paths: readonly string[]): ShownOperation[] =>
    paths.map(operationOf).filter((operation) => operation !== undefined);
  const [liked, used] = [existing(favourites.value), existing(recent.value)];
  return (
    <>
      {liked.length > 0 ? <ToolList title={t('Favourites')} tools={liked} small /> : null}
      {used.length > 0 ? <ToolList title={t('Recently used')} tools={used} small /> : null}
    </>
  );
}

interface ToolListProps {
  readonly title: string;
  readonly tools: readonly ShownOperation[];
  readonly small?: boolean;
}

function ToolList({ title, tools, small = false }: ToolListProps) {
  return (
    <section class="tool-section">
      <h2>{title}</h2>
      <ul class={`tool-grid ${small ? 'small' : ''}`}>
        {tools.map((operation) => (
          <ToolCard key={operation.path} operation={operation} small={small} />
        ))}
      </ul>
    </section>
  );
}

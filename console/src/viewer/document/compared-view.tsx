import { useCallback, useRef, useState } from 'preact/hooks';
import { Segments } from '../../components/index.ts';
import type { ViewedDocument } from '../engine/index.ts';
import { useSize } from '../pages/use-size.ts';
import { t } from '../texts.ts';
import type { Position } from './layout.ts';
import { OutlinePanel } from './outline-panel.tsx';
import { PageList, type PageListHandle } from './page-list.tsx';
import { SearchBar } from './search-bar.tsx';
import { useSearch } from './use-search.ts';
import { useView } from './use-view.ts';
import { ViewToolbar } from './view-toolbar.tsx';

interface ComparedViewProps {
  readonly document: ViewedDocument;
  readonly name: string;
  readonly original: ViewedDocument;
  /** The page that is shown first, 0-based. */
  readonly page: number;
}

/** CSS pixels; narrower views show one of both. */
const BOTH_FROM = 640;

/** Original and result beside each other. They scroll together until people part them. */
export function ComparedView({ document, name, original, page }: ComparedViewProps) {
  const box = useRef<HTMLDivElement>(null);
  const { width } = useSize(box);
  const view = useView(document);
  const originals = useRef<PageListHandle | null>(null);
  const inOriginal = useSearch(original, view.searching ? view.query : { ...view.query, text: '' }, () => view.page);
  const [linked, setLinked] = useState(true);
  const [outline, setOutline] = useState(false);
  const [shown, setShown] = useState<'original' | 'result'>('result');
  const both = width >= BOTH_FROM;
  const follow = useCallback(
    (other: { readonly current: PageListHandle | null }) => (position: Position) => {
      if (linked) other.current?.goTo(position);
    },
    [linked],
  );
  const goTo = (page: number): void => {
    view.list.current?.goTo({ page, down: 0 });
    if (linked) originals.current?.goTo({ page, down: 0 });
  };
  const scrolledResult = useCallback(follow(originals), [follow]);
  const scrolledOriginal = useCallback(follow(view.list), [follow]);
  return (
    <div class="viewer" ref={box} onKeyDown={view.keys}>
      <ViewToolbar
        page={view.page}
        pageCount={document.pageCount}
        onPage={goTo}
        zoom={view.zoom}
        onZoom={view.setZoom}
        onStep={view.stepZoom}
        outline={outline}
        onOutline={setOutline}
        onSearch={() => view.setSearching(!view.searching)}
        linked={both ? linked : undefined}
        onLinked={setLinked}
      />
      {view.searching ? (
        <SearchBar
          query={view.query}
          onQuery={view.setQuery}
          found={view.found}
          inOriginal={inOriginal}
          current={view.current}
          onStep={view.stepMatch}
          onClose={() => view.setSearching(false)}
        />
      ) : null}
      {both || width === 0 ? null : (
        <div class="view-choice">
          <Segments
            label={t('Shown file')}
            value={shown}
            options={[
              { value: 'original', label: t('Original') },
              { value: 'result', label: t('Result') },
            ]}
            onValue={(value) => setShown(value as typeof shown)}
          />
        </div>
      )}
      <div class="viewer-body">
        {outline ? <OutlinePanel document={document} onPage={goTo} /> : null}
        {both || shown === 'original' ? (
          <figure class="view-side">
            {both ? <figcaption>{t('Original')}</figcaption> : null}
            <PageList
              document={original}
              label={t('Pages of the original')}
              start={page}
              zoom={view.zoom}
              onZoom={view.setZoom}
              onScroll={scrolledOriginal}
              onPage={both ? ignore : view.setPage}
              matches={inOriginal.byPage}
              current={undefined}
              handle={originals}
            />
          </figure>
        ) : null}
        {both || shown === 'result' ? (
          <figure class="view-side">
            {both ? <figcaption>{t('Result')}</figcaption> : null}
            <PageList
              document={document}
              label={t('Pages of “{name}”', { name })}
              start={page}
              zoom={view.zoom}
              onZoom={view.setZoom}
              onScroll={scrolledResult}
              onPage={view.setPage}
              matches={view.found.byPage}
              current={view.current}
              handle={view.list}
            />
          </figure>
        ) : null}
      </div>
    </div>
  );
}

function ignore(): void {
  // The page that is shown beside the result has no field of its own.
}

import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ViewedDocument } from '../engine/index.ts';
import { t } from '../texts.ts';
import type { Followed } from './followed.ts';
import { OutlinePanel } from './outline-panel.tsx';
import { PageList, type PageListHandle, type PageOverlay } from './page-list.tsx';
import { SearchBar } from './search-bar.tsx';
import { useView } from './use-view.ts';
import { useWanted, type Wanting } from './use-wanted.ts';
import { ViewToolbar } from './view-toolbar.tsx';

interface SingleViewProps extends Followed, Wanting {
  readonly document: ViewedDocument;
  readonly name: string;
  /** The page that is shown first. */
  readonly page: number;
  readonly overlay?: PageOverlay | undefined;
  /** Gets what scrolls the pages. */
  readonly handle?: { current: PageListHandle | null } | undefined;
}

export function SingleView(props: SingleViewProps) {
  const { document, name, page, overlay, handle, target, onPage } = props;
  const view = useView(document);
  const [outline, setOutline] = useState(false);
  const goTo = (page: number): void => view.list.current?.goTo({ page, down: 0 });
  const first = useRef(target);
  useEffect(() => {
    // The view begins at its first page, whatever was chosen before it was shown.
    if (target !== undefined && target !== first.current) goTo(target.page);
  }, [target]);
  useEffect(() => onPage?.(view.page), [view.page]);
  const places = useWanted(document, props);
  const [place] = places;
  const wanted = useMemo(() => new Map(place === undefined ? [] : [[place.page, places]]), [places]);
  useEffect(() => {
    if (place !== undefined) view.list.current?.show(place);
  }, [place]);
  return (
    <div class="viewer" onKeyDown={view.keys}>
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
      />
      {view.searching ? (
        <SearchBar
          query={view.query}
          onQuery={view.setQuery}
          found={view.found}
          inOriginal={undefined}
          current={view.current}
          onStep={view.stepMatch}
          onClose={() => view.setSearching(false)}
        />
      ) : null}
      <div class="viewer-body">
        {outline ? <OutlinePanel document={document} onPage={goTo} /> : null}
        <PageList
          document={document}
          start={page}
          label={t('Pages of “{name}”', { name })}
          zoom={view.zoom}
          onZoom={view.setZoom}
          onPage={view.setPage}
          matches={view.searching ? view.found.byPage : wanted}
          current={view.searching ? view.current : place}
          handle={(list) => {
            view.list.current = list;
            if (handle !== undefined) handle.current = list;
          }}
          overlay={overlay}
        />
      </div>
    </div>
  );
}

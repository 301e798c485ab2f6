import { useEffect, useState } from 'preact/hooks';
import { IconButton, Select } from '../../components/index.ts';
import { formatPercent } from '../../i18n/index.ts';
import { pageNumber } from '../pages/page-numbers.ts';
import { t } from '../texts.ts';
import type { Zoom } from './layout.ts';

interface ViewToolbarProps {
  /** 0-based. */
  readonly page: number;
  readonly pageCount: number;
  readonly onPage: (page: number) => void;
  readonly zoom: Zoom;
  readonly onZoom: (zoom: Zoom) => void;
  readonly onStep: (direction: 1 | -1) => void;
  readonly outline: boolean;
  readonly onOutline: (shown: boolean) => void;
  readonly onSearch: () => void;
  /** Whether original and result scroll together; undefined where only one is shown. */
  readonly linked?: boolean | undefined;
  readonly onLinked?: (linked: boolean) => void;
}

const shares = [0.5, 0.75, 1, 1.25, 1.5, 2, 3, 4];

/** Bookmarks, page, zoom and search. */
export function ViewToolbar(props: ViewToolbarProps) {
  const { page, pageCount, onPage, zoom, onZoom, onStep, outline, onOutline, onSearch, linked, onLinked } = props;
  return (
    <div class="view-toolbar" role="toolbar" aria-label={t('View')}>
      <IconButton
        icon="list-tree"
        label={outline ? t('Hide bookmarks') : t('Show bookmarks')}
        aria-pressed={outline}
        onClick={() => onOutline(!outline)}
      />
      <div class="view-group">
        <IconButton
          icon="chevron-up"
          label={t('Previous page')}
          disabled={page === 0}
          onClick={() => onPage(page - 1)}
        />
        <PageField page={page} pageCount={pageCount} onPage={onPage} />
        <IconButton
          icon="chevron-down"
          label={t('Next page')}
          disabled={page >= pageCount - 1}
          onClick={() => onPage(page + 1)}
        />
      </div>
      <div class="view-group">
        <IconButton icon="zoom-out" label={t('Smaller')} onClick={() => onStep(-1)} />
        <Select
          class="zoom-choice"
          aria-label={t('Zoom')}
          value={typeof zoom === 'number' ? String(zoom) : zoom}
          options={zoomOptions(zoom)}
          onValue={(value) => onZoom(value === 'width' || value === 'page' ? value : Number(value))}
        />
        <IconButton icon="zoom-in" label={t('Larger')} onClick={() => onStep(1)} />
      </div>
      <div class="view-group end">
        {linked === undefined ? null : (
          <IconButton
            icon={linked ? 'link' : 'unlink'}
            label={linked ? t('Scroll separately') : t('Scroll together')}
            aria-pressed={linked}
            onClick={() => onLinked?.(!linked)}
          />
        )}
        <IconButton icon="search" label={t('Find in the document')} onClick={onSearch} />
      </div>
    </div>
  );
}

function zoomOptions(zoom: Zoom): { value: string; label: string }[] {
  const known = typeof zoom === 'number' && !shares.includes(zoom) ? [...shares, zoom].sort((a, b) => a - b) : shares;
  return [
    { value: 'width', label: t('Fit width') },
    { value: 'page', label: t('Fit page') },
    ...known.map((share) => ({ value: String(share), label: formatPercent(share) })),
  ];
}

/** The number of the page in view; a typed number goes there. */
function PageField({ page, pageCount, onPage }: Pick<ViewToolbarProps, 'page' | 'pageCount' | 'onPage'>) {
  const [text, setText] = useState('');
  const shown = String(page + 1);
  useEffect(() => setText(shown), [shown]);
  const go = (): void => {
    const wanted = Number.parseInt(text, 10);
    if (Number.isNaN(wanted)) setText(shown);
    else onPage(Math.min(pageCount, Math.max(1, wanted)) - 1);
  };
  return (
    <form
      class="page-field"
      onSubmit={(event) => {
        event.preventDefault();
        go();
      }}
    >
      <input
        class="input"
        inputMode="numeric"
        aria-label={t('Page, of {count}', { count: pageCount })}
        value={text}
        size={Math.max(2, String(pageCount).length)}
        onInput={(event) => setText(event.currentTarget.value)}
        onFocus={(event) => event.currentTarget.select()}
        onBlur={go}
      />
      <span class="soft" aria-hidden="true">
        / {pageNumber(pageCount - 1)}
      </span>
    </form>
  );
}

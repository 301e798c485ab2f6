import { type PageFault, readPages } from '@quire/registry/page-syntax';
import { useId, useMemo, useRef, useState } from 'preact/hooks';
import { Button } from '../../components/index.ts';
import type { NamedFile } from '../document/named-file.ts';
import type { ViewedDocument } from '../engine/index.ts';
import { pageNumber } from '../pages/page-numbers.ts';
import { Thumbnail } from '../pages/thumbnail.tsx';
import { showCell, useGrid } from '../pages/use-grid.ts';
import { t } from '../texts.ts';
import { expressionOf, isTooLong, orderOf } from './page-expression.ts';
import { ShownFile } from './shown-file.tsx';

export interface PagePickerProps {
  /** The documents that the pages are of; the first is shown, the others can be chosen. */
  readonly files: readonly NamedFile[];
  /** Pages in the page syntax. */
  readonly value: string;
  readonly onValue: (value: string) => void;
  /** The order of the pages matters: they are used in the order in which they were chosen. */
  readonly ordered?: boolean;
}

/** Pages, chosen by clicking on small pictures of them; in step with the text in the page syntax. */
export function PagePicker({ files, value, onValue, ordered = false }: PagePickerProps) {
  return (
    <ShownFile files={files} place="page-grid">
      {(document) => <Pages document={document} value={value} onValue={onValue} ordered={ordered} />}
    </ShownFile>
  );
}

interface PagesProps {
  readonly document: ViewedDocument;
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly ordered: boolean;
}

function Pages({ document, value, onValue, ordered }: PagesProps) {
  const { pageCount } = document;
  const { pages, fault } = useMemo(() => readPages(value, pageCount), [value, pageCount]);
  const wrong = faultText(value, pages, fault);
  const write = (chosen: readonly number[]): void =>
    onValue(ordered ? orderOf(chosen) : expressionOf(chosen, pageCount));
  const all = Array.from({ length: pageCount }, (_, page) => page);
  const only = (rest: number): void => write(all.filter((page) => page % 2 === rest));
  return (
    <>
      <div class="row page-picks">
        <Button size="small" onClick={() => write(all)}>
          {t('All')}
        </Button>
        <Button size="small" onClick={() => only(0)}>
          {t('Odd')}
        </Button>
        <Button size="small" onClick={() => only(1)} disabled={pageCount < 2}>
          {t('Even')}
        </Button>
        <Button size="small" onClick={() => write(ordered ? [...pages].reverse() : inverse(pages, pageCount))}>
          {ordered ? t('Reverse') : t('Invert')}
        </Button>
        <Button size="small" onClick={() => onValue('')} disabled={pages.length === 0}>
          {t('None')}
        </Button>
        <span class={wrong === undefined ? 'soft small' : 'field-error'} role="status">
          {wrong ?? t.count(pages.length, '{count} page of {total}', '{count} pages of {total}', { total: pageCount })}
        </span>
      </div>
      <PageGrid document={document} chosen={pages} onChosen={write} ordered={ordered} />
    </>
  );
}

function inverse(pages: readonly number[], pageCount: number): number[] {
  const chosen = new Set(pages);
  return Array.from({ length: pageCount }, (_, page) => page).filter((page) => !chosen.has(page));
}

/** What is wrong with the text; undefined while nothing is typed. */
function faultText(value: string, pages: readonly number[], fault: PageFault | undefined): string | undefined {
  if (fault?.hint !== undefined) return t('“{found}” runs backwards.', { found: fault.found });
  if (fault !== undefined) return t('“{found}” is not a page, a range or a formula.', { found: fault.found });
  if (value.trim() !== '' && pages.length === 0) return t('This file has none of these pages.');
  return isTooLong(value) ? t('These are too many single pages. Choose ranges.') : undefined;
}

interface PageGridProps {
  readonly document: ViewedDocument;
  /** 0-based; in the order in which they are used. */
  readonly chosen: readonly number[];
  readonly onChosen: (pages: readonly number[]) => void;
  readonly ordered: boolean;
}

const CELL = { width: 104, extra: 30, share: 1.3, gap: 10 };

/** Small pictures of all pages, to choose from (WAI-ARIA, list box with several choices). */
function PageGrid({ document, chosen, onChosen, ordered }: PageGridProps) {
  const box = useRef<HTMLDivElement>(null);
  const id = useId();
  const { pageCount } = document;
  const grid = useGrid(box, pageCount, CELL);
  const [active, setActive] = useState(0);
  /** Where a range began that Shift extends. */
  const start = useRef(0);
  const places = useMemo(() => new Map(chosen.map((page, i) => [page, i])), [chosen]);

  const toggle = (page: number): void => {
    start.current = page;
    onChosen(places.has(page) ? chosen.filter((each) => each !== page) : [...chosen, page]);
  };
  const extend = (page: number): void => {
    const [from, to] = [Math.min(start.current, page), Math.max(start.current, page)];
    const range = Array.from({ length: to - from + 1 }, (_, i) => from + i);
    onChosen([...chosen, ...(start.current > page ? range.reverse() : range).filter((each) => !places.has(each))]);
  };
  const go = (page: number, extending: boolean): void => {
    const to = Math.max(0, Math.min(pageCount - 1, page));
    setActive(to);
    showCell(box.current, grid, to);
    if (extending) extend(to);
  };
  const keys = (event: KeyboardEvent): void => {
    const forward = globalThis.document.documentElement.dir === 'rtl' ? -1 : 1;
    const to: Record<string, number> = {
      ArrowRight: active + forward,
      ArrowLeft: active - forward,
      ArrowDown: active + grid.columns,
      ArrowUp: active - grid.columns,
      PageDown: active + grid.columns * 3,
      PageUp: active - grid.columns * 3,
      Home: 0,
      End: pageCount - 1,
    };
    const next = to[event.key];
    if (next !== undefined) go(next, event.shiftKey);
    else if (event.key === ' ' || event.key === 'Enter') toggle(active);
    else if (event.key.toLowerCase() === 'a' && (event.ctrlKey || event.metaKey))
      onChosen(Array.from({ length: pageCount }, (_, page) => page));
    else return;
    event.preventDefault();
  };
  const cells = Array.from({ length: Math.max(0, grid.to - grid.from + 1) }, (_, i) => grid.from + i);
  const activeShown = active >= grid.from && active <= grid.to;
  return (
    <div
      class="page-grid"
      ref={box}
      role="listbox"
      aria-multiselectable="true"
      aria-label={t('Pages')}
      tabIndex={0}
      aria-activedescendant={activeShown ? `${id}-${active}` : undefined}
      onKeyDown={keys}
    >
      <div class="page-grid-inner" role="presentation" style={{ height: `${grid.height}px` }}>
        {cells.map((page) => {
          const place = grid.place(page);
          const order = places.get(page);
          return (
            <div
              key={page}
              id={`${id}-${page}`}
              role="option"
              aria-selected={order !== undefined}
              aria-setsize={pageCount}
              aria-posinset={page + 1}
              aria-label={
                ordered && order !== undefined
                  ? t('Page {page}, at place {place}', { page: pageNumber(page), place: order + 1 })
                  : t('Page {page}', { page: pageNumber(page) })
              }
              class={`page-cell ${page === active ? 'active' : ''}`}
              style={{
                insetInlineStart: `${place.start}px`,
                top: `${place.top}px`,
                width: `${grid.cellWidth}px`,
                height: `${grid.cellHeight}px`,
              }}
              onClick={(event) => {
                setActive(page);
                if (event.shiftKey) extend(page);
                else toggle(page);
              }}
            >
              <div class="page-cell-picture">
                <Thumbnail
                  document={document}
                  page={page}
                  width={grid.cellWidth - 12}
                  height={grid.cellHeight - CELL.extra - 8}
                />
              </div>
              <span class="page-cell-number">{pageNumber(page)}</span>
              {order === undefined ? null : <span class="page-cell-mark">{ordered ? pageNumber(order) : '✓'}</span>}
            </div>
          );
        })}
      </div>
    </div>
  );
}

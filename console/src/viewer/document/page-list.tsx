import { useEffect, useImperativeHandle, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ComponentChildren, Ref } from 'preact';
import type { PageBox, PixelRect, SearchMatch, ViewedDocument } from '../engine/index.ts';
import { PRIORITY } from '../engine/index.ts';
import { PageCanvas } from '../pages/page-canvas.tsx';
import { pageNumber } from '../pages/page-numbers.ts';
import { useSize } from '../pages/use-size.ts';
import { TextLayer } from '../pages/text-layer.tsx';
import { t } from '../texts.ts';
import { LARGEST_ZOOM, Layout, PIXELS_PER_POINT, SMALLEST_ZOOM, type Position, type Zoom } from './layout.ts';

export interface PageListHandle {
  goTo(position: Position): void;
  /** Shows a match in the middle of the view. */
  show(match: SearchMatch): void;
  /** The zoom as a share of the size on paper. */
  zoom(): number;
}

/** A page that exists in the view. */
export interface ListedPage {
  /** 0-based. */
  readonly page: number;
  readonly box: PageBox;
  /** CSS pixels per point. */
  readonly scale: number;
}

/** What is drawn above a page. */
export type PageOverlay = (page: ListedPage) => ComponentChildren;

interface PageListProps {
  readonly document: ViewedDocument;
  readonly label: string;
  /** The page that is shown first. */
  readonly start?: number;
  readonly zoom: Zoom;
  readonly onZoom: (zoom: number) => void;
  /** Called when people scroll, not after `goTo` with `quiet`. */
  readonly onScroll?: (position: Position) => void;
  readonly onPage: (page: number) => void;
  readonly matches: ReadonlyMap<number, readonly SearchMatch[]>;
  readonly current: SearchMatch | undefined;
  readonly handle: Ref<PageListHandle>;
  readonly overlay?: PageOverlay | undefined;
}

/** How far from the upper edge of the view the place is that stays when the zoom changes. */
interface Anchor {
  readonly position: Position;
  readonly fromTop: number;
}

const WHEEL_ZOOM = 0.0018;
/** Pages drawn beside the visible ones. */
const NEAR = 1;

/** All pages of a document below each other; only those in view exist. */
export function PageList(props: PageListProps) {
  const { document, label, start = 0, zoom, onZoom, onScroll, onPage, matches, current, handle, overlay } = props;
  const box = useRef<HTMLDivElement>(null);
  const view = useSize(box);
  const sizes = useMemo(() => Array.from({ length: document.pageCount }, (_, page) => document.size(page)), [document]);
  const layout = useMemo(() => new Layout(sizes, zoom, view), [sizes, zoom, view.width, view.height]);
  const [scroll, setScroll] = useState({ top: 0, left: 0 });
  const anchor = useRef<Anchor>({ position: { page: start, down: start === 0 ? -1 : 0 }, fromTop: 0 });
  /** The place that the program scrolled to, which is not reported as people's scrolling. */
  const expected = useRef(-1);
  const latest = useRef(layout);
  latest.current = layout;

  const scrollTo = (top: number): void => {
    const element = box.current;
    if (element === null) return;
    element.scrollTop = top;
    expected.current = element.scrollTop;
    setScroll({ top: element.scrollTop, left: element.scrollLeft });
  };

  useLayoutEffect(() => {
    const { position, fromTop } = anchor.current;
    if (view.height > 0) scrollTo(position.down < 0 ? 0 : layout.yOf(position) - fromTop);
    const element = box.current;
    if (element !== null) element.scrollLeft = (layout.width - view.width) / 2;
  }, [layout]);

  useImperativeHandle(handle, () => ({
    goTo: (position) => {
      anchor.current = { position, fromTop: 0 };
      scrollTo(latest.current.yOf(position));
    },
    show: ({ page, rects }) => {
      const [first] = rects;
      const y = latest.current.top(page) + (first?.y ?? 0) * latest.current.scale(page);
      scrollTo(y - view.height / 3);
      report(true);
    },
    zoom: () => layout.scale(latest.current.pageAt(scroll.top)) / PIXELS_PER_POINT,
  }));

  const report = (byPeople: boolean): void => {
    const element = box.current;
    if (element === null) return;
    const position = latest.current.positionAt(element.scrollTop);
    anchor.current = { position: element.scrollTop === 0 ? { page: 0, down: -1 } : position, fromTop: 0 };
    if (byPeople) onScroll?.(position);
  };

  useEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    let frame = 0;
    const scrolled = (): void => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => {
        setScroll({ top: element.scrollTop, left: element.scrollLeft });
        const byProgram = Math.abs(element.scrollTop - expected.current) < 2;
        expected.current = -1;
        report(!byProgram);
      });
    };
    const wheel = (event: WheelEvent): void => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const fromTop = event.clientY - element.getBoundingClientRect().top;
      const y = element.scrollTop + fromTop;
      anchor.current = { position: latest.current.positionAt(y), fromTop };
      const before = latest.current.scale(latest.current.pageAt(y)) / PIXELS_PER_POINT;
      onZoom(Math.min(LARGEST_ZOOM, Math.max(SMALLEST_ZOOM, before * Math.exp(-event.deltaY * WHEEL_ZOOM))));
    };
    element.addEventListener('scroll', scrolled, { passive: true });
    element.addEventListener('wheel', wheel, { passive: false });
    return () => {
      cancelAnimationFrame(frame);
      element.removeEventListener('scroll', scrolled);
      element.removeEventListener('wheel', wheel);
    };
  }, [onScroll, onZoom]);

  const first = layout.pageAt(scroll.top);
  const last = layout.pageAt(scroll.top + view.height);
  const middle = layout.pageAt(scroll.top + view.height / 2);
  useEffect(() => onPage(middle), [middle]);
  const from = Math.max(0, first - NEAR);
  const to = Math.min(layout.pageCount - 1, last + NEAR);
  const pages = view.width === 0 ? [] : Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i);
  return (
    <div class="page-list" ref={box} tabIndex={0} role="region" aria-label={label} dir="ltr">
      <div class="page-list-inner" style={{ width: `${layout.width}px`, height: `${layout.height}px` }}>
        {pages.map((page) => {
          const { width, height } = layout.size(page);
          const [left, top] = [layout.left(page), layout.top(page)];
          return (
            <section
              key={page}
              class="viewer-page"
              aria-label={t('Page {page}', { page: pageNumber(page) })}
              style={{ left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` }}
            >
              <PageCanvas
                document={document}
                page={page}
                width={width}
                height={height}
                priority={page < first || page > last ? PRIORITY.near : PRIORITY.visible}
                visible={visiblePart({ left, top, width, height }, scroll, view)}
              />
              <Matches found={matches.get(page)} current={current} scale={layout.scale(page)} />
              <TextLayer document={document} page={page} scale={layout.scale(page)} />
              {overlay?.({ page, box: document.box(page), scale: layout.scale(page) })}
            </section>
          );
        })}
      </div>
    </div>
  );
}

interface MatchesProps {
  readonly found: readonly SearchMatch[] | undefined;
  readonly current: SearchMatch | undefined;
  readonly scale: number;
}

function Matches({ found = [], current, scale }: MatchesProps) {
  return (
    <div class="matches" aria-hidden="true">
      {found.flatMap((match) =>
        match.rects.map((rect, i) => (
          <div
            key={`${rect.x},${rect.y},${i}`}
            class={match === current ? 'match current' : 'match'}
            style={{
              left: `${rect.x * scale}px`,
              top: `${rect.y * scale}px`,
              width: `${rect.width * scale}px`,
              height: `${rect.height * scale}px`,
            }}
          />
        )),
      )}
    </div>
  );
}

/** The part of a page in the view, in CSS pixels of the page. */
function visiblePart(
  page: { readonly left: number; readonly top: number; readonly width: number; readonly height: number },
  scroll: { readonly top: number; readonly left: number },
  view: { readonly width: number; readonly height: number },
): PixelRect | undefined {
  const x = Math.max(0, scroll.left - page.left);
  const y = Math.max(0, scroll.top - page.top);
  const width = Math.min(page.width, scroll.left + view.width - page.left) - x;
  const height = Math.min(page.height, scroll.top + view.height - page.top) - y;
  return width > 0 && height > 0 ? { x, y, width, height } : undefined;
}

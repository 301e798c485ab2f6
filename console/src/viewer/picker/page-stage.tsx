import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { IconButton } from '../../components/index.ts';
import type { PageBox, ViewedDocument } from '../engine/index.ts';
import { PageCanvas } from '../pages/page-canvas.tsx';
import { pageNumber } from '../pages/page-numbers.ts';
import { useSize } from '../pages/use-size.ts';
import { t } from '../texts.ts';
import { ShownFile } from './shown-file.tsx';
import type { NamedFile } from '../document/named-file.ts';

/** A page as it is shown. */
export interface Stage {
  readonly box: PageBox;
  /** CSS pixels per point. */
  readonly scale: number;
  /** CSS pixels. */
  readonly width: number;
  readonly height: number;
}

export interface StagePages {
  /** The page that is shown first, 0-based. */
  readonly start?: number;
  /** Called with the page that is shown. */
  readonly onPage?: (page: number) => void;
}

interface PageStageProps extends StagePages {
  readonly files: readonly NamedFile[];
  /** Drawn above the page. */
  readonly children: (stage: Stage) => ComponentChildren;
  /** Below the page. */
  readonly note?: ComponentChildren;
}

const TALLEST = 520;
/** Left and right, which `clientWidth` contains. */
const PADDING = 24;

/** A page to point at, and the choice of the page. */
export function PageStage({ files, children, note, ...pages }: PageStageProps) {
  return (
    <ShownFile files={files} place="page-stage-frame">
      {(document) => (
        <StagePage document={document} note={note} {...pages}>
          {children}
        </StagePage>
      )}
    </ShownFile>
  );
}

function StagePage({
  document,
  children,
  note,
  start = 0,
  onPage,
}: Omit<PageStageProps, 'files'> & { readonly document: ViewedDocument }) {
  const [wanted, setPage] = useState(start);
  useEffect(() => setPage(start), [document, start]);
  const page = Math.min(wanted, document.pageCount - 1);
  useEffect(() => onPage?.(page), [page]);
  const frame = useRef<HTMLDivElement>(null);
  const { width: room } = useSize(frame);
  const size = document.size(page);
  // Not rounded, so that a pixel is as many points in both directions.
  const scale = Math.min(Math.max(1, room - PADDING) / size.width, TALLEST / size.height);
  const shown = { width: size.width * scale, height: size.height * scale };
  const stage = { ...shown, box: document.box(page), scale };
  return (
    <>
      <div class="page-stage-frame" ref={frame} dir="ltr">
        {room === 0 ? null : (
          <div class="page-stage" style={{ width: `${shown.width}px`, height: `${shown.height}px` }}>
            <PageCanvas document={document} page={page} {...shown} />
            {children(stage)}
          </div>
        )}
      </div>
      <div class="row between page-stage-foot">
        <div class="view-group">
          <IconButton
            size="small"
            icon="chevron-up"
            label={t('Previous page')}
            disabled={page === 0}
            onClick={() => setPage(page - 1)}
          />
          <span class="small">
            {t('Page {page} of {count}', { page: pageNumber(page), count: pageNumber(document.pageCount - 1) })}
          </span>
          <IconButton
            size="small"
            icon="chevron-down"
            label={t('Next page')}
            disabled={page === document.pageCount - 1}
            onClick={() => setPage(page + 1)}
          />
        </div>
        {note}
      </div>
    </>
  );
}

import { useRef, useState } from 'preact/hooks';
import { Dialog } from '../../components/index.ts';
import type { NamedFile } from '../document/named-file.ts';
import { PdfView } from '../document/pdf-view.tsx';
import type { ViewedDocument } from '../engine/index.ts';
import { pageNumber } from '../pages/page-numbers.ts';
import { Thumbnail } from '../pages/thumbnail.tsx';
import { useGrid } from '../pages/use-grid.ts';
import { t } from '../texts.ts';
import { ShownFile } from './shown-file.tsx';

const CELL = { width: 104, extra: 30, share: 1.3, gap: 10 };

interface Captions {
  /** What is written below the picture of a page, 0-based; its number if absent. */
  readonly caption?: (page: number) => string;
  /** The page that is marked. */
  readonly chosen?: number;
  /** What a click does, instead of showing the page large. */
  readonly onPage?: (page: number) => void;
}

/** Small pictures of all pages of the files; a click shows the page large. */
export function PageThumbnails({ files, ...captions }: Captions & { readonly files: readonly NamedFile[] }) {
  return (
    <ShownFile files={files} place="page-grid">
      {(document, file) => <Thumbnails document={document} file={file} {...captions} />}
    </ShownFile>
  );
}

type ThumbnailsProps = Captions & { readonly document: ViewedDocument; readonly file: NamedFile };

function Thumbnails({ document, file, caption = pageNumber, chosen, onPage }: ThumbnailsProps) {
  const box = useRef<HTMLDivElement>(null);
  const grid = useGrid(box, document.pageCount, CELL);
  const [large, setLarge] = useState<number | undefined>();
  const cells = Array.from({ length: Math.max(0, grid.to - grid.from + 1) }, (_, i) => grid.from + i);
  return (
    <>
      <p class="soft small">{t.count(document.pageCount, '{count} page', '{count} pages')}</p>
      <div class="page-grid" ref={box} role="region" aria-label={t('Pages')} tabIndex={0}>
        <div class="page-grid-inner" style={{ height: `${grid.height}px` }}>
          {cells.map((page) => {
            const place = grid.place(page);
            return (
              <button
                type="button"
                key={page}
                class="page-cell"
                aria-label={
                  onPage === undefined
                    ? t('Show page {page}', { page: pageNumber(page) })
                    : `${t('Page {page}', { page: pageNumber(page) })}: ${caption(page)}`
                }
                aria-pressed={onPage === undefined ? undefined : page === chosen}
                style={{
                  insetInlineStart: `${place.start}px`,
                  top: `${place.top}px`,
                  width: `${grid.cellWidth}px`,
                  height: `${grid.cellHeight}px`,
                }}
                onClick={() => (onPage ?? setLarge)(page)}
              >
                <span class="page-cell-picture">
                  <Thumbnail
                    document={document}
                    page={page}
                    width={grid.cellWidth - 12}
                    height={grid.cellHeight - CELL.extra - 8}
                  />
                </span>
                <span class="page-cell-number">{caption(page)}</span>
              </button>
            );
          })}
        </div>
      </div>
      {large === undefined ? null : (
        <Dialog title={file.name} size="large" onClose={() => setLarge(undefined)}>
          <PdfView {...file} page={large} />
        </Dialog>
      )}
    </>
  );
}

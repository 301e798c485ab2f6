import { useEffect, useRef, useState } from 'preact/hooks';
import { Button, IconButton, Segments } from '../../../components/index.ts';
import { pageNumber } from '../../../viewer/index.ts';
import { PageCanvas } from '../../../viewer/pages/page-canvas.tsx';
import { TextLayer } from '../../../viewer/pages/text-layer.tsx';
import { useSize } from '../../../viewer/pages/use-size.ts';
import { ShownFile } from '../../../viewer/picker/shown-file.tsx';
import type { ViewedDocument } from '../../../viewer/engine/index.ts';
import { workbench } from '../workbench.ts';
import { AreaLayer } from './area-layer.tsx';
import { MatchLayer, topOf } from './match-layer.tsx';
import type { Redaction } from './redaction.ts';
import { areasOfSelection, middleOf } from './places.ts';
import { t } from './texts.ts';

interface PageViewProps {
  readonly redaction: Redaction;
  readonly file: File;
  readonly onSearchFor: (text: string) => void;
}

/** The page with its matches and areas, to be marked by hand. */
export function PageView({ redaction, file, onSearchFor }: PageViewProps) {
  return (
    <ShownFile files={[{ file, name: file.name }]} place="redact-frame">
      {(document) => <Page redaction={redaction} document={document} onSearchFor={onSearchFor} />}
    </ShownFile>
  );
}

interface PageProps extends Omit<PageViewProps, 'file'> {
  readonly document: ViewedDocument;
}

const ZOOMS = [1, 1.5, 2, 3] as const;
/** Of the frame, left and right. */
const EDGE = 24;

function Page({ redaction, document, onSearchFor }: PageProps) {
  const page = Math.min(workbench.page.value, document.pageCount - 1);
  const [mode, setMode] = useState<'draw' | 'select'>('draw');
  const [zoom, setZoom] = useState(0);
  const [selected, setSelected] = useState('');
  const frame = useRef<HTMLDivElement>(null);
  const sheet = useRef<HTMLDivElement>(null);
  const { width: room } = useSize(frame);
  const size = document.size(page);
  const box = document.box(page);
  const scale = (Math.max(1, room - EDGE) / size.width) * (ZOOMS[zoom] ?? 1);
  const [width, height] = [size.width * scale, size.height * scale];
  const goTo = (next: number): void => void (workbench.page.value = next);
  const current = redaction.current.value;

  useEffect(() => {
    const match = redaction.matches.value.find(({ id }) => id === current);
    const element = frame.current;
    if (match === undefined || element === null || match.page - 1 !== page) return;
    const top = topOf(match, box) * scale;
    if (top < element.scrollTop || top > element.scrollTop + element.clientHeight - 80)
      element.scrollTop = top - element.clientHeight / 3;
  }, [current, page, scale]);
  useEffect(() => {
    const changed = (): void => {
      const selection = getSelection();
      const inside = sheet.current !== null && selection !== null && sheet.current.contains(selection.anchorNode);
      setSelected(inside ? selection.toString().trim() : '');
    };
    globalThis.document.addEventListener('selectionchange', changed);
    return () => globalThis.document.removeEventListener('selectionchange', changed);
  }, []);
  const redactSelection = (): void => {
    const areas = areasOfSelection(getSelection(), sheet.current, box, scale);
    if (areas.length > 0) redaction.add(page, areas);
    getSelection()?.removeAllRanges();
  };
  const wiped = redaction.pages.value.includes(page);
  return (
    <div class="redact-view">
      <div class="redact-bar">
        <Segments
          label={t('What the pointer does')}
          value={mode}
          options={[
            { value: 'draw', label: t('Draw areas') },
            { value: 'select', label: t('Select text') },
          ]}
          onValue={(next) => setMode(next as typeof mode)}
        />
        <div class="view-group">
          <IconButton
            icon="undo-2"
            label={t('Undo the last mark')}
            disabled={!redaction.canUndo.value}
            onClick={() => redaction.undo()}
          />
          <IconButton
            icon="redo-2"
            label={t('Mark again')}
            disabled={!redaction.canRedo.value}
            onClick={() => redaction.redo()}
          />
        </div>
        <div class="view-group end">
          <IconButton icon="zoom-out" label={t('Smaller')} disabled={zoom === 0} onClick={() => setZoom(zoom - 1)} />
          <IconButton
            icon="zoom-in"
            label={t('Larger')}
            disabled={zoom === ZOOMS.length - 1}
            onClick={() => setZoom(zoom + 1)}
          />
        </div>
      </div>
      <div class="redact-bar">
        <div class="view-group">
          <IconButton
            icon="chevron-up"
            label={t('Previous page')}
            disabled={page === 0}
            onClick={() => goTo(page - 1)}
          />
          <span class="small">
            {t('Page {page} of {count}', { page: pageNumber(page), count: pageNumber(document.pageCount - 1) })}
          </span>
          <IconButton
            icon="chevron-down"
            label={t('Next page')}
            disabled={page === document.pageCount - 1}
            onClick={() => goTo(page + 1)}
          />
        </div>
        {mode === 'draw' ? (
          <Button size="small" icon="square-dashed" onClick={() => redaction.add(page, [middleOf(box)])}>
            {t('Add an area')}
          </Button>
        ) : (
          <>
            <Button size="small" icon="eraser" disabled={selected === ''} onClick={redactSelection}>
              {t('Redact this')}
            </Button>
            <Button size="small" icon="search" disabled={selected === ''} onClick={() => onSearchFor(selected)}>
              {t('Search for it')}
            </Button>
          </>
        )}
        <label class="check">
          <input
            type="checkbox"
            checked={wiped}
            onChange={() =>
              redaction.setPages(
                wiped ? redaction.pages.value.filter((each) => each !== page) : [...redaction.pages.value, page],
              )
            }
          />
          <span>{t('Redact the whole page')}</span>
        </label>
      </div>
      <div class="redact-frame" ref={frame} dir="ltr" tabIndex={0} role="region" aria-label={t('The page')}>
        {room === 0 ? null : (
          <div class={`redact-sheet ${mode}`} ref={sheet} style={{ width: `${width}px`, height: `${height}px` }}>
            <PageCanvas document={document} page={page} width={width} height={height} />
            <MatchLayer redaction={redaction} page={page} box={box} scale={scale} />
            <TextLayer document={document} page={page} scale={scale} />
            <AreaLayer redaction={redaction} page={page} box={box} scale={scale} drawing={mode === 'draw'} />
            {wiped ? <div class="redact-wiped">{t('The whole page goes')}</div> : null}
          </div>
        )}
      </div>
    </div>
  );
}

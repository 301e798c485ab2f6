import { useId, useRef, useState } from 'preact/hooks';
import { Icon, IconButton } from '../../components/index.ts';
import { fit, pageNumber, showCell, Thumbnail, useGrid, type Grid } from '../../viewer/index.ts';
import { deletePages } from './delete-pages.ts';
import { placeAt, useDrag } from './drag.ts';
import { organiser, type Entries } from './organiser.ts';
import { t } from './texts.ts';

const WIDE = { width: 148, extra: 44, share: 1.32, gap: 12 };
const NARROW = { width: 104, extra: 38, share: 1.32, gap: 8 };
/** CSS pixels of the window. */
const WIDE_FROM = 640;

interface OrganiserGridProps {
  /** Files that were dropped between the pages. */
  readonly onFiles: (data: DataTransfer, at: number) => void;
}

/** The pages of the result: drag them, or move them with the keyboard. */
export function OrganiserGrid({ onFiles }: OrganiserGridProps) {
  const box = useRef<HTMLDivElement>(null);
  const id = useId();
  const entries = organiser.entries.value;
  const selected = organiser.selected.value;
  const cell = innerWidth < WIDE_FROM ? NARROW : WIDE;
  const grid = useGrid(box, entries.length, cell);
  const [filesAt, setFilesAt] = useState<number | undefined>();
  const at = Math.max(
    0,
    entries.findIndex((entry) => entry.id === organiser.active.value),
  );
  const active = entries[at];
  const keys = useKeys(entries, at, grid, (index) => showCell(box.current, grid, index));
  const { drop, down } = useDrag({
    box,
    grid,
    count: entries.length,
    onStart: (index) => {
      const entry = entries[index];
      if (entry === undefined) return;
      organiser.active.value = entry.id;
      if (!selected.has(entry.id)) organiser.selected.value = new Set([entry.id]);
    },
    onDrop: (to) => organiser.move(organiser.selected.value, to),
  });
  const mark = drop?.to ?? filesAt;
  const cells = Array.from({ length: Math.max(0, grid.to - grid.from + 1) }, (_, i) => grid.from + i);
  return (
    <div
      class={`organiser-grid page-grid ${drop === undefined ? '' : 'dragging'}`}
      ref={box}
      role="listbox"
      aria-multiselectable="true"
      aria-label={t('Pages of the new document')}
      aria-describedby={`${id}h`}
      tabIndex={0}
      aria-activedescendant={
        at >= grid.from && at <= grid.to && active !== undefined ? `${id}-${active.id}` : undefined
      }
      onKeyDown={keys}
      onDragOver={(event) => {
        if (event.dataTransfer?.types.includes('Files') !== true || box.current === null) return;
        event.preventDefault();
        setFilesAt(placeAt(box.current, grid, event));
      }}
      onDragLeave={() => setFilesAt(undefined)}
      onDrop={(event) => {
        if (event.dataTransfer === null || box.current === null) return;
        event.preventDefault();
        event.stopPropagation();
        setFilesAt(undefined);
        onFiles(event.dataTransfer, placeAt(box.current, grid, event));
      }}
    >
      <p id={`${id}h`} class="hidden-visually">
        {t('Arrow keys go from page to page. Space selects, Alt with arrow keys moves, Delete removes, R rotates.')}
      </p>
      <div class="page-grid-inner" role="presentation" style={{ height: `${grid.height}px` }}>
        {cells.map((index) => {
          const entry = entries[index];
          return entry === undefined ? null : (
            <Cell
              key={entry.id}
              elementId={`${id}-${entry.id}`}
              entries={entries}
              index={index}
              grid={grid}
              extra={cell.extra}
              active={index === at}
              selected={selected.has(entry.id)}
              onDown={down}
            />
          );
        })}
        {mark === undefined ? null : <DropMark grid={grid} gap={cell.gap} to={mark} count={entries.length} />}
      </div>
      {drop === undefined ? null : (
        <div
          class="drag-badge"
          style={{ left: `min(${drop.x + 14}px, 100vw - 7em)`, top: `${drop.y + 14}px` }}
          aria-hidden="true"
        >
          {t.count(selected.size, '{count} page', '{count} pages')}
        </div>
      )}
    </div>
  );
}

interface DropMarkProps {
  readonly grid: Grid;
  readonly gap: number;
  readonly to: number;
  readonly count: number;
}

/** A line between two pages. */
function DropMark({ grid, gap, to, count }: DropMarkProps) {
  const last = to >= count;
  const place = grid.place(last ? Math.max(0, count - 1) : to);
  const start = last ? place.start + grid.cellWidth + gap / 2 : place.start - gap / 2;
  return (
    <div
      class="drop-mark"
      style={{ insetInlineStart: `${start - 2}px`, top: `${place.top}px`, height: `${grid.cellHeight}px` }}
    />
  );
}

interface CellProps {
  readonly elementId: string;
  readonly entries: Entries;
  readonly index: number;
  readonly grid: Grid;
  /** Height that the picture does not have. */
  readonly extra: number;
  readonly active: boolean;
  readonly selected: boolean;
  readonly onDown: (event: PointerEvent, index: number) => void;
}

function Cell({ elementId, entries, index, grid, extra, active, selected, onDown }: CellProps) {
  const entry = entries[index]!;
  const { source, page, turns, size } = entry;
  const place = grid.place(index);
  const [width, height] = [grid.cellWidth - 16, grid.cellHeight - extra - 8];
  const origin =
    source === undefined
      ? t('Blank page')
      : organiser.used.value.length > 1
        ? t('Page {page} of “{name}”', { page: pageNumber(page), name: source.name })
        : t('Page {page} of the file', { page: pageNumber(page) });
  const one = new Set([entry.id]);
  return (
    <div
      id={elementId}
      role="option"
      aria-selected={selected}
      aria-setsize={entries.length}
      aria-posinset={index + 1}
      aria-label={`${pageNumber(index)}: ${origin}${turns === 0 ? '' : `, ${t('rotated')}`}`}
      title={origin}
      class={`page-cell organiser-cell ${active ? 'active' : ''}`}
      data-file={source?.colour === undefined ? undefined : source.colour % 6}
      style={{
        insetInlineStart: `${place.start}px`,
        top: `${place.top}px`,
        width: `${grid.cellWidth}px`,
        height: `${grid.cellHeight}px`,
      }}
      onPointerDown={(event) => onDown(event, index)}
      onClick={(event) => select(entries, index, event)}
    >
      <div class="page-cell-picture">
        {source === undefined ? (
          <BlankSheet turns={turns} size={size} width={width} height={height} />
        ) : (
          <Thumbnail document={source.document} page={page} width={width} height={height} turns={turns} />
        )}
      </div>
      <span class="page-cell-number">
        {organiser.used.value.length > 1 && source !== undefined ? <span class="file-dot" aria-hidden="true" /> : null}
        {pageNumber(index)}
      </span>
      {selected ? (
        <span class="page-cell-mark">
          <Icon name="check" size={14} />
        </span>
      ) : null}
      <div class="cell-buttons" aria-hidden="true">
        <IconButton
          size="small"
          kind="plain"
          icon="rotate-cw"
          label={t('Rotate')}
          tabIndex={-1}
          onClick={() => organiser.turn(1, one)}
        />
        <IconButton
          size="small"
          kind="plain"
          icon="trash-2"
          label={t('Delete')}
          tabIndex={-1}
          onClick={() => deletePages(one)}
        />
      </div>
    </div>
  );
}

interface BlankSheetProps {
  readonly turns: number;
  readonly size: { readonly width: number; readonly height: number } | undefined;
  readonly width: number;
  readonly height: number;
}

function BlankSheet({ turns, size = { width: 595, height: 842 }, width, height }: BlankSheetProps) {
  const shape = turns % 2 === 0 ? size : { width: size.height, height: size.width };
  const shown = fit(shape, width, height);
  return <div class="thumbnail blank" style={{ width: `${shown.width}px`, height: `${shown.height}px` }} />;
}

/** A click selects one page; with Ctrl it adds or removes one, with Shift it selects up to it. */
function select(entries: Entries, index: number, event: MouseEvent): void {
  if ((event.target as Element).closest('button') !== null) return;
  const entry = entries[index];
  if (entry === undefined) return;
  const touch = (event as PointerEvent).pointerType === 'touch';
  if (event.shiftKey) extend(entries, index);
  else if (event.ctrlKey || event.metaKey || touch) toggle(entry.id);
  else organiser.selected.value = new Set([entry.id]);
  organiser.active.value = entry.id;
}

function toggle(id: number): void {
  const next = new Set(organiser.selected.value);
  if (!next.delete(id)) next.add(id);
  organiser.selected.value = next;
}

/** Selects everything between the active entry and this one. */
function extend(entries: Entries, index: number): void {
  const from = Math.max(
    0,
    entries.findIndex(({ id }) => id === organiser.active.value),
  );
  const range = entries.slice(Math.min(from, index), Math.max(from, index) + 1).map(({ id }) => id);
  organiser.selected.value = new Set([...organiser.selected.value, ...range]);
}

function useKeys(
  entries: Entries,
  at: number,
  grid: Grid,
  show: (index: number) => void,
): (event: KeyboardEvent) => void {
  const go = (to: number, extending: boolean): void => {
    const index = Math.max(0, Math.min(entries.length - 1, to));
    const entry = entries[index];
    if (entry === undefined) return;
    if (extending) extend(entries, index);
    organiser.active.value = entry.id;
    show(index);
  };
  const move = (by: number): void => {
    const active = entries[at];
    if (active !== undefined && !organiser.selected.value.has(active.id))
      organiser.selected.value = new Set([active.id]);
    organiser.moveBy(by);
    const index = organiser.entries.value.findIndex(({ id }) => id === active?.id);
    organiser.said.value = t('Now at place {place}', { place: pageNumber(index) });
    show(index);
  };
  return (event) => {
    if (event.defaultPrevented) return;
    const forward = document.documentElement.dir === 'rtl' ? -1 : 1;
    const command = event.ctrlKey || event.metaKey;
    const steps: Record<string, number> = {
      ArrowRight: forward,
      ArrowLeft: -forward,
      ArrowDown: grid.columns,
      ArrowUp: -grid.columns,
    };
    const step = steps[event.key];
    const active = entries[at];
    const chosen = organiser.selected.value.size > 0 || active === undefined ? undefined : new Set([active.id]);
    if (step !== undefined && (event.altKey || command)) move(step);
    else if (step !== undefined) go(at + step, event.shiftKey);
    else if (event.key === 'Home') go(0, event.shiftKey);
    else if (event.key === 'End') go(entries.length - 1, event.shiftKey);
    else if (event.key === 'PageDown') go(at + grid.columns * 3, event.shiftKey);
    else if (event.key === 'PageUp') go(at - grid.columns * 3, event.shiftKey);
    else if (event.key === ' ' && active !== undefined) toggle(active.id);
    else if (event.key === 'Delete' || event.key === 'Backspace') deletePages(chosen);
    else if (event.key === 'Escape') organiser.selected.value = new Set();
    else if (event.key.toLowerCase() === 'r' && !command) organiser.turn(event.shiftKey ? -1 : 1, chosen);
    else if (event.key.toLowerCase() === 'a' && command)
      organiser.selected.value = new Set(entries.map(({ id }) => id));
    else if (event.key.toLowerCase() === 'd' && command) organiser.duplicate();
    else return;
    event.preventDefault();
  };
}

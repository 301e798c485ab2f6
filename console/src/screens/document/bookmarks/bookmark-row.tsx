import { useState } from 'preact/hooks';
import { formatNumber } from '../../../i18n/index.ts';
import { t } from '../texts.ts';
import type { Entry, Place, Step } from './tree.ts';

interface BookmarkRowProps {
  readonly entry: Entry;
  readonly chosen: boolean;
  readonly onChoose: () => void;
  readonly onKey: (step: Step) => void;
  readonly onRemove: () => void;
  /** Another bookmark was dropped here. */
  readonly onDrop: (dragged: number, place: Place) => void;
}

const KIND = 'application/x-quire-bookmark';
/** CSS pixels that a level is indented by; deep ones stay readable on narrow pages. */
const INDENT = 20;
const DEEPEST = 8;

/** A bookmark of the list: chosen by a click, moved by dragging or by Alt with the arrow keys. */
export function BookmarkRow({ entry, chosen, onChoose, onKey, onRemove, onDrop }: BookmarkRowProps) {
  const [over, setOver] = useState<Place | undefined>();
  const words = entry.title === '' ? t('Without a title') : entry.title;
  const keys = (event: KeyboardEvent): void => {
    const rtl = document.documentElement.dir === 'rtl';
    const steps: Readonly<Record<string, Step>> = {
      ArrowUp: 'up',
      ArrowDown: 'down',
      ArrowLeft: rtl ? 'in' : 'out',
      ArrowRight: rtl ? 'out' : 'in',
    };
    const step = event.altKey ? steps[event.key] : undefined;
    if (step === undefined && event.key !== 'Delete') return;
    event.preventDefault();
    if (step === undefined) onRemove();
    else onKey(step);
  };
  return (
    <li
      class={`bookmark-row ${over === undefined ? '' : `over-${over}`}`}
      style={{ paddingInlineStart: `${Math.min(entry.depth, DEEPEST) * INDENT}px` }}
      onDragOver={(event) => {
        if (event.dataTransfer?.types.includes(KIND) !== true) return;
        event.preventDefault();
        setOver(placeOf(event));
      }}
      onDragLeave={() => setOver(undefined)}
      onDrop={(event) => {
        setOver(undefined);
        const dragged = Number(event.dataTransfer?.getData(KIND) ?? '');
        if (!(dragged > 0)) return;
        event.preventDefault();
        onDrop(dragged, placeOf(event));
      }}
    >
      <button
        type="button"
        draggable
        aria-current={chosen ? 'true' : undefined}
        aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown Alt+ArrowLeft Alt+ArrowRight Delete"
        onDragStart={(event) => {
          event.dataTransfer?.setData(KIND, String(entry.id));
          if (event.dataTransfer !== null) event.dataTransfer.effectAllowed = 'move';
        }}
        onClick={onChoose}
        onKeyDown={keys}
      >
        <span class="grow break" dir="auto">
          {words}
        </span>
        <span class="soft">
          <span class="hidden-visually">
            {t('Level {level}', { level: formatNumber(entry.depth + 1) })}, {t('Page')}{' '}
          </span>
          {formatNumber(entry.page, { useGrouping: false })}
        </span>
      </button>
    </li>
  );
}

/** The upper and the lower third of a row stand for before and behind it, its middle for below it. */
function placeOf(event: DragEvent): Place {
  const { top, height } = (event.currentTarget as Element).getBoundingClientRect();
  const share = (event.clientY - top) / height;
  return share < 1 / 3 ? 'before' : share > 2 / 3 ? 'after' : 'into';
}

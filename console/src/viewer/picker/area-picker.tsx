import { useRef, useState } from 'preact/hooks';
import { Button } from '../../components/index.ts';
import { formatNumber } from '../../i18n/index.ts';
import { type Frame, type PageArea, type PageRect, type Point, rectFromFrame } from '../engine/index.ts';
import { t } from '../texts.ts';
import type { NamedFile } from '../document/pdf-view.tsx';
import { PageStage, type Stage } from './page-stage.tsx';
import { between, type Handle, handles, moved, resized, SMALLEST, tenth, toArea } from './rectangle.ts';

export interface AreaPickerProps {
  readonly files: readonly NamedFile[];
  readonly frame: Frame;
  /** Undefined while there is none. */
  readonly value: PageArea | undefined;
  readonly onValue: (area: PageArea | undefined) => void;
  readonly label: string;
}

/** A rectangle that is drawn, moved and resized on a page, with the pointer or the arrow keys. */
export function AreaPicker({ files, frame, value, onValue, label }: AreaPickerProps) {
  return (
    <PageStage
      files={files}
      note={
        value === undefined ? (
          <span class="soft small">{t('Draw a rectangle on the page.')}</span>
        ) : (
          <Button size="small" kind="quiet" icon="x" onClick={() => onValue(undefined)}>
            {t('Clear')}
          </Button>
        )
      }
    >
      {(stage) => <AreaLayer stage={stage} frame={frame} value={value} onValue={onValue} label={label} />}
    </PageStage>
  );
}

interface AreaLayerProps extends Omit<AreaPickerProps, 'files'> {
  readonly stage: Stage;
}

/** What the pointer does: it draws a new rectangle, moves the one that is there, or one of its handles. */
interface Drag {
  readonly from: Point;
  readonly kind: 'draw' | 'move' | Handle;
  readonly rect: PageRect;
}

function AreaLayer({ stage, frame, value, onValue, label }: AreaLayerProps) {
  const { box, scale } = stage;
  const layer = useRef<HTMLDivElement>(null);
  const drag = useRef<Drag | undefined>(undefined);
  const [drawn, setDrawn] = useState<PageRect | undefined>();
  const rect = drawn ?? (value === undefined ? undefined : rectFromFrame(box, frame, value));

  const pointOf = (event: PointerEvent): Point => {
    const edge = layer.current?.getBoundingClientRect();
    return { x: (event.clientX - (edge?.left ?? 0)) / scale, y: (event.clientY - (edge?.top ?? 0)) / scale };
  };
  const down = (event: PointerEvent): void => {
    if (event.button !== 0) return;
    event.preventDefault();
    layer.current?.setPointerCapture(event.pointerId);
    const kind = ((event.target as HTMLElement).dataset['kind'] as Drag['kind'] | undefined) ?? 'draw';
    const from = pointOf(event);
    drag.current = {
      from,
      kind,
      rect: rect !== undefined && kind !== 'draw' ? rect : { ...from, width: 0, height: 0 },
    };
    if (kind !== 'draw') (layer.current?.querySelector('.area') as HTMLElement | null)?.focus();
  };
  const move = (event: PointerEvent): void => {
    const { current } = drag;
    if (current === undefined) return;
    const to = pointOf(event);
    const [dx, dy] = [to.x - current.from.x, to.y - current.from.y];
    if (current.kind === 'draw') setDrawn(between(box, current.from, to));
    else if (current.kind === 'move') setDrawn(moved(box, current.rect, dx, dy));
    else setDrawn(resized(box, current.rect, current.kind, dx, dy));
  };
  const up = (): void => {
    drag.current = undefined;
    setDrawn(undefined);
    if (drawn === undefined || drawn.width < SMALLEST || drawn.height < SMALLEST) return;
    onValue(toArea(box, frame, drawn));
  };
  const keys = (event: KeyboardEvent): void => {
    const by = event.shiftKey ? 10 : 1;
    const step = {
      ArrowLeft: [-by, 0],
      ArrowRight: [by, 0],
      ArrowUp: [0, -by],
      ArrowDown: [0, by],
    }[event.key] as readonly [number, number] | undefined;
    if (step !== undefined && rect !== undefined) {
      const changed = event.altKey || event.ctrlKey ? resized(box, rect, 'se', ...step) : moved(box, rect, ...step);
      if (changed.width >= 1 && changed.height >= 1) onValue(toArea(box, frame, changed));
    } else if (event.key === 'Delete' || event.key === 'Backspace') onValue(undefined);
    else if ((event.key === 'Enter' || event.key === ' ') && rect === undefined) onValue(middleOf(stage, frame));
    else return;
    event.preventDefault();
  };
  return (
    <div
      class="area-layer"
      ref={layer}
      onPointerDown={down}
      onPointerMove={move}
      onPointerUp={up}
      onPointerCancel={() => {
        drag.current = undefined;
        setDrawn(undefined);
      }}
    >
      <div
        class={rect === undefined ? 'area none' : 'area'}
        data-kind={rect === undefined ? undefined : 'move'}
        role="application"
        tabIndex={0}
        aria-roledescription={t('Area')}
        aria-label={`${label}: ${rect === undefined ? t('none; Enter makes one') : areaText(toArea(box, frame, rect))}`}
        title={rect === undefined ? undefined : t('Arrow keys move it, with Alt they resize it')}
        onKeyDown={keys}
        style={
          rect === undefined
            ? {}
            : {
                left: `${rect.x * scale}px`,
                top: `${rect.y * scale}px`,
                width: `${rect.width * scale}px`,
                height: `${rect.height * scale}px`,
              }
        }
      >
        {rect === undefined ? null : handles.map((handle) => <i key={handle} class={handle} data-kind={handle} />)}
      </div>
    </div>
  );
}

/** Half the page, in its middle. */
function middleOf({ box, width, height, scale }: Stage, frame: Frame): PageArea {
  const [w, h] = [width / scale / 2, height / scale / 2];
  return toArea(box, frame, { x: w / 2, y: h / 2, width: w, height: h });
}

function areaText({ left, bottom, right, top }: PageArea): string {
  return t('{width} by {height} points, {left} from the left, {bottom} from the bottom', {
    width: formatNumber(tenth(right - left)),
    height: formatNumber(tenth(top - bottom)),
    left: formatNumber(left),
    bottom: formatNumber(bottom),
  });
}

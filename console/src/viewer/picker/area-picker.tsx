import { useRef, useState } from 'preact/hooks';
import { Button } from '../../components/index.ts';
import { formatNumber } from '../../i18n/index.ts';
import { type Frame, type PageArea, type PageRect, type Point, rectFromFrame } from '../engine/index.ts';
import { t } from '../texts.ts';
import type { NamedFile } from '../document/named-file.ts';
import { PageStage, type Stage, type StagePages } from './page-stage.tsx';
import type { ShownPicture } from './picture.ts';
import {
  between,
  corners,
  type Handle,
  handles,
  moved,
  proportionate,
  resized,
  SMALLEST,
  tenth,
  toArea,
} from './rectangle.ts';

export interface AreaPickerProps extends StagePages {
  readonly files: readonly NamedFile[];
  readonly frame: Frame;
  /** Undefined while there is none. */
  readonly value: PageArea | undefined;
  readonly onValue: (area: PageArea | undefined) => void;
  readonly label: string;
  /** Shown in the rectangle, which keeps its proportions. */
  readonly picture?: ShownPicture | undefined;
}

/** A rectangle that is drawn, moved and resized on a page, with the pointer or the arrow keys. */
export function AreaPicker({ files, frame, value, onValue, label, picture, ...pages }: AreaPickerProps) {
  return (
    <PageStage
      files={files}
      {...pages}
      note={
        value === undefined ? (
          <span class="soft small">
            {picture === undefined ? t('Draw a rectangle on the page.') : t('Click where the picture belongs.')}
          </span>
        ) : (
          <Button size="small" kind="quiet" icon="x" onClick={() => onValue(undefined)}>
            {t('Clear')}
          </Button>
        )
      }
    >
      {(stage) => (
        <AreaLayer stage={stage} frame={frame} value={value} onValue={onValue} label={label} picture={picture} />
      )}
    </PageStage>
  );
}

interface AreaLayerProps extends Omit<AreaPickerProps, 'files' | keyof StagePages> {
  readonly stage: Stage;
}

/** What the pointer does: it draws a new rectangle, moves the one that is there, or one of its handles. */
interface Drag {
  readonly from: Point;
  readonly kind: 'draw' | 'move' | Handle;
  readonly rect: PageRect;
}

function AreaLayer({ stage, frame, value, onValue, label, picture }: AreaLayerProps) {
  const { box, scale } = stage;
  const ratio = picture === undefined ? undefined : picture.width / picture.height;
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
    if (current.kind === 'move') setDrawn(moved(box, current.rect, dx, dy));
    else if (current.kind !== 'draw') setDrawn(resized(box, current.rect, current.kind, { x: dx, y: dy }, ratio));
    else if (ratio === undefined) setDrawn(between(box, current.from, to));
    else setDrawn(proportionate(box, current.from, to, ratio));
  };
  const up = (): void => {
    const { current } = drag;
    drag.current = undefined;
    setDrawn(undefined);
    if (drawn !== undefined && drawn.width >= SMALLEST && drawn.height >= SMALLEST) onValue(toArea(box, frame, drawn));
    else if (picture !== undefined && current?.kind === 'draw')
      onValue(toArea(box, frame, around(stage, current.from, rect ?? usualSize(stage, picture))));
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
      const [x, y] = step;
      const changed =
        event.altKey || event.ctrlKey ? resized(box, rect, 'se', { x, y }, ratio) : moved(box, rect, x, y);
      if (changed.width >= 1 && changed.height >= 1) onValue(toArea(box, frame, changed));
    } else if (event.key === 'Delete' || event.key === 'Backspace') onValue(undefined);
    else if ((event.key === 'Enter' || event.key === ' ') && rect === undefined)
      onValue(toArea(box, frame, around(stage, middleOf(stage), usualSize(stage, picture))));
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
        class={`area ${rect === undefined ? 'none' : picture === undefined ? '' : 'with-picture'}`}
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
        {rect === undefined || picture === undefined ? null : <img class="area-picture" src={picture.url} alt="" />}
        {rect === undefined
          ? null
          : (picture === undefined ? handles : corners).map((handle) => (
              <i key={handle} class={handle} data-kind={handle} />
            ))}
      </div>
    </div>
  );
}

function middleOf({ width, height, scale }: Stage): Point {
  return { x: width / scale / 2, y: height / scale / 2 };
}

type Size = Pick<PageRect, 'width' | 'height'>;

/** Half the page; a picture at a pixel per point, but at most as large as half the page. */
function usualSize({ width, height, scale }: Stage, picture: ShownPicture | undefined): Size {
  const half = { width: width / scale / 2, height: height / scale / 2 };
  if (picture === undefined) return half;
  const share = Math.min(1, half.width / picture.width, half.height / picture.height);
  return { width: picture.width * share, height: picture.height * share };
}

/** A rectangle of this size around a point, moved into the page. */
function around({ box }: Stage, { x, y }: Point, { width, height }: Size): PageRect {
  return moved(box, { x: x - width / 2, y: y - height / 2, width, height }, 0, 0);
}

function areaText({ left, bottom, right, top }: PageArea): string {
  return t('{width} by {height} points, {left} from the left, {bottom} from the bottom', {
    width: formatNumber(tenth(right - left)),
    height: formatNumber(tenth(top - bottom)),
    left: formatNumber(left),
    bottom: formatNumber(bottom),
  });
}

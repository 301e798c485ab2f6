import { useEffect, useRef, useState } from 'preact/hooks';
import { formatNumber } from '../../../i18n/index.ts';
import { type PageBox, type PageRect, type Point, rectFromFrame } from '../../../viewer/engine/index.ts';
import { between, type Handle, handles, moved, resized, SMALLEST } from '../../../viewer/picker/rectangle.ts';
import type { Area } from './calls.ts';
import { matchAt } from './match-layer.tsx';
import { areaOf } from './places.ts';
import type { Redaction } from './redaction.ts';
import { t } from './texts.ts';

interface AreaLayerProps {
  readonly redaction: Redaction;
  /** 0-based. */
  readonly page: number;
  readonly box: PageBox;
  /** CSS pixels per point. */
  readonly scale: number;
  /** The pointer draws; else text below can be selected. */
  readonly drawing: boolean;
}

/** What the pointer does: it draws a new area, moves one, or one of its handles. */
interface Drag {
  readonly kind: 'draw' | 'move' | Handle;
  readonly from: Point;
  readonly rect: PageRect;
  readonly area: Area | undefined;
}

/** The areas of a page. A click on a match lets it stay, or go. */
export function AreaLayer({ redaction, page, box, scale, drawing }: AreaLayerProps) {
  const layer = useRef<HTMLDivElement>(null);
  const drag = useRef<Drag | undefined>(undefined);
  const [drawn, setDrawn] = useState<{ readonly id: number | undefined; readonly rect: PageRect } | undefined>();
  const areas = redaction.areas.value.filter((area) => area.page === page);
  const chosen = redaction.chosenArea.value;
  const before = useRef(redaction.areas.value.length);
  useEffect(() => {
    // An area that was added gets the focus, so that the arrow keys move it.
    if (redaction.areas.value.length > before.current && chosen !== undefined)
      layer.current?.querySelector<HTMLElement>(`[data-area="${chosen}"]`)?.focus({ preventScroll: true });
    before.current = redaction.areas.value.length;
  }, [redaction.areas.value, chosen]);

  const pointOf = (event: PointerEvent): Point => {
    const edge = layer.current?.getBoundingClientRect();
    return { x: (event.clientX - (edge?.left ?? 0)) / scale, y: (event.clientY - (edge?.top ?? 0)) / scale };
  };
  const down = (event: PointerEvent): void => {
    if (event.button !== 0) return;
    const target = (event.target as HTMLElement).closest<HTMLElement>('[data-kind]');
    const area = areas.find(({ id }) => String(id) === target?.closest<HTMLElement>('[data-area]')?.dataset['area']);
    if (!drawing && area === undefined) return;
    event.preventDefault();
    layer.current?.setPointerCapture(event.pointerId);
    const from = pointOf(event);
    const kind = area === undefined ? 'draw' : ((target?.dataset['kind'] ?? 'move') as Drag['kind']);
    const rect = area === undefined ? { ...from, width: 0, height: 0 } : rectFromFrame(box, 'page', area);
    drag.current = { kind, from, rect, area };
    if (area === undefined) return;
    redaction.chosenArea.value = area.id;
    layer.current?.querySelector<HTMLElement>(`[data-area="${area.id}"]`)?.focus({ preventScroll: true });
  };
  const move = (event: PointerEvent): void => {
    const { current } = drag;
    if (current === undefined) return;
    const to = pointOf(event);
    setDrawn({ id: current.area?.id, rect: draggedTo(box, current, to) });
  };
  const up = (event: PointerEvent): void => {
    const { current } = drag;
    drag.current = undefined;
    setDrawn(undefined);
    if (current === undefined) return;
    const rect = draggedTo(box, current, pointOf(event));
    const small = rect.width < SMALLEST || rect.height < SMALLEST;
    if (current.area === undefined && small) {
      const match = matchAt(redaction.matches.value, page, box, current.from.x, current.from.y);
      if (match === undefined) return;
      redaction.keep([match.id], !redaction.kept.value.has(match.id));
      redaction.current.value = match.id;
    } else if (current.area === undefined) redaction.add(page, [areaOf(box, rect)]);
    else if (!small && !isSame(rect, current.rect)) redaction.move(current.area.id, areaOf(box, rect));
  };
  const keys = (event: KeyboardEvent, area: Area): void => {
    const by = event.shiftKey ? 10 : 1;
    const step = { ArrowLeft: [-by, 0], ArrowRight: [by, 0], ArrowUp: [0, -by], ArrowDown: [0, by] }[event.key] as
      | readonly [number, number]
      | undefined;
    if (step !== undefined) {
      const rect = rectFromFrame(box, 'page', area);
      const changed =
        event.altKey || event.ctrlKey
          ? resized(box, rect, 'se', { x: step[0], y: step[1] })
          : moved(box, rect, ...step);
      if (changed.width >= 1 && changed.height >= 1) redaction.move(area.id, areaOf(box, changed));
    } else if (event.key === 'Delete' || event.key === 'Backspace') {
      redaction.delete(area.id);
      layer.current?.closest<HTMLElement>('.redact-frame')?.focus();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div
      class={`redact-areas ${drawing ? 'drawing' : ''}`}
      ref={layer}
      onPointerDown={down}
      onPointerMove={move}
      onPointerUp={up}
      onPointerCancel={() => {
        drag.current = undefined;
        setDrawn(undefined);
      }}
    >
      {areas.map((area) => {
        const rect = drawn?.id === area.id ? drawn.rect : rectFromFrame(box, 'page', area);
        return (
          <div
            key={area.id}
            class={`redact-area ${area.id === chosen ? 'chosen' : ''}`}
            data-area={area.id}
            data-kind="move"
            role="application"
            tabIndex={0}
            aria-roledescription={t('Area')}
            aria-label={areaWords(box, area)}
            title={t('Arrow keys move it, with Alt they resize it, Delete removes it')}
            onFocus={() => (redaction.chosenArea.value = area.id)}
            onKeyDown={(event) => keys(event, area)}
            style={placed(rect, scale)}
          >
            {area.id === chosen ? handles.map((handle) => <i key={handle} class={handle} data-kind={handle} />) : null}
          </div>
        );
      })}
      {drawn !== undefined && drawn.id === undefined ? (
        <div class="redact-area chosen" style={placed(drawn.rect, scale)} />
      ) : null}
    </div>
  );
}

function draggedTo(box: PageBox, { kind, from, rect }: Drag, to: Point): PageRect {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  if (kind === 'draw') return between(box, from, to);
  return kind === 'move' ? moved(box, rect, dx, dy) : resized(box, rect, kind, { x: dx, y: dy });
}

function isSame(a: PageRect, b: PageRect): boolean {
  return a.x === b.x && a.y === b.y && a.width === b.width && a.height === b.height;
}

function placed({ x, y, width, height }: PageRect, scale: number): Record<string, string> {
  return {
    left: `${x * scale}px`,
    top: `${y * scale}px`,
    width: `${width * scale}px`,
    height: `${height * scale}px`,
  };
}

/** Where an area is, as the page is displayed. */
export function areaWords(box: PageBox, area: Area): string {
  const { x, y, width, height } = rectFromFrame(box, 'page', area);
  const [fromLeft, fromTop, wide, high] = [x, y, width, height].map((value) => formatNumber(Math.round(value)));
  return t('{width} by {height} points, {left} from the left, {top} from the top', {
    width: wide ?? '',
    height: high ?? '',
    left: fromLeft ?? '',
    top: fromTop ?? '',
  });
}

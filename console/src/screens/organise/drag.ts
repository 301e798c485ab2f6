import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Grid } from '../../viewer/index.ts';

/** Where dragged pages would be put: before the entry at `to`. */
export interface Drop {
  readonly to: number;
  readonly x: number;
  readonly y: number;
}

interface DragOptions {
  readonly box: RefObject<HTMLElement | null>;
  readonly grid: Grid;
  readonly count: number;
  /** The entry that was pressed becomes part of the selection. */
  readonly onStart: (index: number) => void;
  readonly onDrop: (to: number) => void;
}

/** CSS pixels before a press is a drag. */
const THRESHOLD = 6;
/** A finger that stays for so long drags; one that moves earlier scrolls. */
const LONG_PRESS_MS = 350;
/** CSS pixels from an edge in which the list scrolls, and how far in each frame. */
const EDGE = 56;
const SPEED = 14;

/** Dragging of grid cells with mouse, pen or finger. Returns what to listen to, and where they would be dropped. */
export function useDrag({ box, grid, count, onStart, onDrop }: DragOptions) {
  const [drop, setDrop] = useState<Drop | undefined>();
  const latest = useRef({ grid, count, onStart, onDrop, drop });
  latest.current = { grid, count, onStart, onDrop, drop };
  const press = useRef<{ readonly stop: () => void } | undefined>(undefined);
  useEffect(() => () => press.current?.stop(), []);

  const down = (event: PointerEvent, index: number): void => {
    if (event.button !== 0 || press.current !== undefined) return;
    if ((event.target as Element).closest('button, input') !== null) return;
    const { pointerId, pointerType, clientX, clientY } = event;
    const touch = pointerType === 'touch';
    let dragging = false;
    let last = { clientX, clientY };
    let frame = 0;

    const begin = (): void => {
      dragging = true;
      latest.current.onStart(index);
      follow();
    };
    const timer = touch ? setTimeout(begin, LONG_PRESS_MS) : undefined;
    const follow = (): void => {
      const element = box.current;
      if (element === null || !dragging) return;
      const edge = element.getBoundingClientRect();
      const fromTop = last.clientY - edge.top;
      if (fromTop < EDGE) element.scrollTop -= SPEED * (1 - Math.max(0, fromTop) / EDGE);
      const fromBottom = edge.bottom - last.clientY;
      if (fromBottom < EDGE) element.scrollTop += SPEED * (1 - Math.max(0, fromBottom) / EDGE);
      setDrop({ to: placeAt(element, latest.current.grid, last), x: last.clientX, y: last.clientY });
      frame = requestAnimationFrame(follow);
    };
    const move = (moving: PointerEvent): void => {
      if (moving.pointerId !== pointerId) return;
      last = { clientX: moving.clientX, clientY: moving.clientY };
      const far = Math.hypot(moving.clientX - clientX, moving.clientY - clientY) > THRESHOLD;
      if (dragging) moving.preventDefault();
      else if (far && touch) stop();
      else if (far) begin();
    };
    const up = (): void => {
      const { drop: found } = latest.current;
      const dropped = dragging && found !== undefined;
      stop();
      if (dropped) latest.current.onDrop(found.to);
    };
    const escape = (key: KeyboardEvent): void => {
      if (key.key !== 'Escape' || !dragging) return;
      key.preventDefault();
      stop();
    };
    const scrolls = (moving: TouchEvent): void => {
      if (dragging) moving.preventDefault();
    };
    const stop = (): void => {
      clearTimeout(timer);
      cancelAnimationFrame(frame);
      dragging = false;
      press.current = undefined;
      setDrop(undefined);
      removeEventListener('pointermove', move);
      removeEventListener('pointerup', up);
      removeEventListener('pointercancel', stop);
      removeEventListener('keydown', escape, true);
      removeEventListener('touchmove', scrolls);
    };
    press.current = { stop };
    addEventListener('pointermove', move);
    addEventListener('pointerup', up);
    addEventListener('pointercancel', stop);
    addEventListener('keydown', escape, true);
    // A drag must not scroll the page under the finger.
    addEventListener('touchmove', scrolls, { passive: false });
  };
  return { drop, down };
}

/** The place in the list that a point of the screen stands for. */
export function placeAt(
  box: HTMLElement,
  grid: Grid,
  { clientX, clientY }: { readonly clientX: number; readonly clientY: number },
): number {
  const edge = box.getBoundingClientRect();
  const start = document.documentElement.dir === 'rtl' ? edge.right - clientX : clientX - edge.left;
  const { index, after } = grid.nearest(start, clientY - edge.top + box.scrollTop);
  return index + (after ? 1 : 0);
}

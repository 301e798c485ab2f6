import { useEffect, useRef } from 'preact/hooks';
import type { TextRun, ViewedDocument } from '../engine/index.ts';

interface TextLayerProps {
  readonly document: ViewedDocument;
  /** 0-based. */
  readonly page: number;
  /** CSS pixels per point. */
  readonly scale: number;
}

/** Text is laid out at this size and scaled, so that a browser's smallest font size changes nothing. */
const LAYOUT_PX = 16;

let measure: CanvasRenderingContext2D | null | undefined;

/** The page's words, invisible above its picture: to be selected, copied, found by the browser, and read aloud. */
export function TextLayer({ document, page, scale }: TextLayerProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const stop = new AbortController();
    document.text(page, stop.signal).then(
      (runs) => box.current?.replaceChildren(...runs.flatMap(spansOf)),
      // A page without its text is still a page.
      () => undefined,
    );
    return () => stop.abort();
  }, [document, page]);
  useEffect(() => box.current?.style.setProperty('--scale', String(scale)), [scale]);
  return <div class="text-layer" ref={box} />;
}

function spansOf(run: TextRun): Node[] {
  const span = globalThis.document.createElement('span');
  span.textContent = run.text;
  span.dir = 'auto';
  measure ??= globalThis.document.createElement('canvas').getContext('2d');
  if (measure !== null) measure.font = `${LAYOUT_PX}px sans-serif`;
  const natural = measure?.measureText(run.text).width ?? 0;
  const stretch = natural > 0 ? run.width / natural : 1;
  span.style.left = `calc(${run.x}px * var(--scale))`;
  span.style.top = `calc(${run.y}px * var(--scale))`;
  span.style.transform =
    `rotate(${run.angle}deg) scale(calc(${stretch} * var(--scale)), ` +
    `calc(${run.height / LAYOUT_PX} * var(--scale)))`;
  return run.ends ? [span, globalThis.document.createElement('br')] : [span];
}

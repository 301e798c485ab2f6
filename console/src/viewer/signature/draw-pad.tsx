import { useEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../../components/index.ts';
import { useSize } from '../pages/use-size.ts';
import { t } from '../texts.ts';
import type { PadProps } from './pad-props.ts';
import { drawStrokes, type InkPoint, type Stroke, strokesToPng } from './strokes.ts';

/** Draws with the pointer. The pad shows paper and ink in every theme, as on the page. */
export function DrawPad({ colour, onPng }: PadProps) {
  const frame = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [strokes, setStrokes] = useState<readonly Stroke[]>([]);
  const open = useRef<InkPoint[] | undefined>(undefined);
  const { width, height } = useSize(frame);

  const show = (): void => {
    const context = canvas.current?.getContext('2d');
    if (context === null || context === undefined) return;
    context.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
    context.clearRect(0, 0, width, height);
    drawStrokes(context, open.current === undefined ? strokes : [...strokes, open.current], colour);
  };
  useEffect(show, [strokes, colour, width, height]);
  useEffect(() => {
    let left = false;
    void strokesToPng(strokes, colour).then((png) => left || onPng(png));
    return () => void (left = true);
  }, [strokes, colour]);

  const pointOf = (event: PointerEvent): InkPoint => {
    const edge = canvas.current?.getBoundingClientRect();
    return {
      x: event.clientX - (edge?.left ?? 0),
      y: event.clientY - (edge?.top ?? 0),
      pressure: event.pressure > 0 ? event.pressure : 0.5,
    };
  };
  const end = (): void => {
    if (open.current === undefined) return;
    const stroke = open.current;
    open.current = undefined;
    setStrokes([...strokes, stroke]);
  };
  return (
    <div class="draw-pad">
      <div class="ink-paper" ref={frame}>
        <canvas
          ref={canvas}
          role="img"
          aria-label={strokes.length === 0 ? t('Empty: draw here, or type your name') : t('Your drawn signature')}
          width={Math.round(width * devicePixelRatio)}
          height={Math.round(height * devicePixelRatio)}
          onPointerDown={(event) => {
            if (event.button !== 0) return;
            event.preventDefault();
            canvas.current?.setPointerCapture(event.pointerId);
            open.current = [pointOf(event)];
            show();
          }}
          onPointerMove={(event) => {
            if (open.current === undefined) return;
            const all = event.getCoalescedEvents?.() ?? [];
            open.current.push(...(all.length === 0 ? [event] : all).map(pointOf));
            show();
          }}
          onPointerUp={end}
          onPointerCancel={end}
        />
        {strokes.length === 0 && open.current === undefined ? (
          <span class="ink-hint" aria-hidden="true">
            {t('Sign here')}
          </span>
        ) : null}
      </div>
      <div class="row">
        <Button
          size="small"
          icon="undo-2"
          disabled={strokes.length === 0}
          onClick={() => setStrokes(strokes.slice(0, -1))}
        >
          {t('Undo the last stroke')}
        </Button>
        <Button size="small" icon="eraser" disabled={strokes.length === 0} onClick={() => setStrokes([])}>
          {t('Clear')}
        </Button>
      </div>
    </div>
  );
}

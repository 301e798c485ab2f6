import { useEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../../components/index.ts';
import { useSize } from '../pages/use-size.ts';
import { t } from '../texts.ts';
import type { PadProps } from './pad-props.ts';
import { drawStrokes, type InkPoint, type Stroke, strokesToPng } from './strokes.ts';

interface DrawPadProps extends PadProps {
  readonly strokes: readonly Stroke[];
  readonly onStrokes: (strokes: readonly Stroke[]) => void;
}

/** A stroke that is being drawn. */
interface OpenStroke {
  /** Of other pointers, such as the palm beside a pen, nothing is drawn. */
  readonly pointer: number;
  readonly points: InkPoint[];
}

/** Draws with the pointer. The pad shows paper and ink in every theme, as on the page. */
export function DrawPad({ colour, onPng, strokes, onStrokes }: DrawPadProps) {
  const frame = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const open = useRef<OpenStroke | undefined>(undefined);
  const [drawing, setDrawing] = useState(false);
  const { width, height } = useSize(frame);

  const show = (): void => {
    const context = canvas.current?.getContext('2d');
    if (context === null || context === undefined) return;
    context.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
    context.clearRect(0, 0, width, height);
    drawStrokes(context, open.current === undefined ? strokes : [...strokes, open.current.points], colour);
  };
  useEffect(show, [strokes, colour, width, height]);
  useEffect(() => {
    let left = false;
    void strokesToPng(strokes, colour).then((png) => left || onPng(png));
    return () => void (left = true);
  }, [strokes, colour]);

  const pointOf = (event: PointerEvent): InkPoint => {
    const edge = canvas.current?.getBoundingClientRect();
    const [x, y] = [event.clientX - (edge?.left ?? 0), event.clientY - (edge?.top ?? 0)];
    return {
      // The pointer may leave the paper, what is drawn may not.
      x: Math.max(0, Math.min(width, x)),
      y: Math.max(0, Math.min(height, y)),
      pressure: event.pressure > 0 ? event.pressure : 0.5,
    };
  };
  const end = (event: PointerEvent): void => {
    if (open.current?.pointer !== event.pointerId) return;
    const { points } = open.current;
    open.current = undefined;
    setDrawing(false);
    onStrokes([...strokes, points]);
  };
  const undo = (): void => onStrokes(strokes.slice(0, -1));
  useEffect(() => {
    const keys = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'z' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      undo();
    };
    // Drawing gives the focus to nothing.
    addEventListener('keydown', keys);
    return () => removeEventListener('keydown', keys);
  }, [strokes]);
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
            if (event.button !== 0 || open.current !== undefined) return;
            event.preventDefault();
            canvas.current?.setPointerCapture(event.pointerId);
            open.current = { pointer: event.pointerId, points: [pointOf(event)] };
            setDrawing(true);
            show();
          }}
          onPointerMove={(event) => {
            if (open.current?.pointer !== event.pointerId) return;
            const all = event.getCoalescedEvents?.() ?? [];
            open.current.points.push(...(all.length === 0 ? [event] : all).map(pointOf));
            show();
          }}
          onPointerUp={end}
          onPointerCancel={end}
        />
        {strokes.length === 0 && !drawing ? (
          <span class="ink-hint" aria-hidden="true">
            {t('Sign here')}
          </span>
        ) : null}
      </div>
      <div class="row">
        <Button size="small" icon="undo-2" disabled={strokes.length === 0} onClick={undo}>
          {t('Undo the last stroke')}
        </Button>
        <Button size="small" icon="eraser" disabled={strokes.length === 0} onClick={() => onStrokes([])}>
          {t('Clear')}
        </Button>
      </div>
    </div>
  );
}

import { useEffect, useRef, useState } from 'preact/hooks';
import { Button, IconButton } from '../../../components/index.ts';
import { t } from '../texts.ts';
import type { Page } from './page.ts';
import { isConvex, WHOLE, type Point, type Quad } from './quad.ts';

/** How far an arrow key moves a corner. */
const STEP = 0.01;
const arrows: Readonly<Record<string, Point>> = {
  ArrowLeft: { x: -STEP, y: 0 },
  ArrowRight: { x: STEP, y: 0 },
  ArrowUp: { x: 0, y: -STEP },
  ArrowDown: { x: 0, y: STEP },
};
const names = (): readonly string[] => [
  t('Upper left corner'),
  t('Upper right corner'),
  t('Lower right corner'),
  t('Lower left corner'),
];

interface CornersProps {
  readonly page: Page;
  readonly onDone: (quad: Quad) => void;
  readonly onClose: () => void;
}

/** Moves the four corners of the page in the picture, by touch or by arrow keys. */
export function Corners({ page, onDone, onClose }: CornersProps) {
  const [quad, setQuad] = useState(page.quad);
  const [url, setUrl] = useState('');
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const made = URL.createObjectURL(page.picture);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [page.picture]);
  const move = (i: number, { x, y }: Point): void => {
    const point = { x: Math.min(1, Math.max(0, x)), y: Math.min(1, Math.max(0, y)) };
    setQuad((before) => {
      const after = before.map((each, j) => (j === i ? point : each)) as unknown as Quad;
      return isConvex(after) ? after : before;
    });
  };
  const drag = (i: number, event: PointerEvent): void => {
    if (!(event.currentTarget as Element).hasPointerCapture(event.pointerId) || frame.current === null) return;
    const { left, top, width, height } = frame.current.getBoundingClientRect();
    move(i, { x: (event.clientX - left) / width, y: (event.clientY - top) / height });
  };
  return (
    <section class="stack" aria-label={t('Crop')}>
      <p class="small soft">{t('Move the corners to those of the page. It is straightened then.')}</p>
      <div ref={frame} class="scan-frame">
        {url === '' ? null : <img src={url} alt={t('The picture that was taken')} />}
        <svg viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true">
          <polygon points={quad.map(({ x, y }) => `${x},${y}`).join(' ')} />
        </svg>
        {quad.map(({ x, y }, i) => (
          <button
            key={i}
            type="button"
            class="scan-corner"
            aria-label={names()[i]}
            style={{ left: `${x * 100}%`, top: `${y * 100}%` }}
            onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
            onPointerMove={(event) => drag(i, event)}
            onKeyDown={(event) => {
              const by = arrows[event.key];
              if (by === undefined) return;
              event.preventDefault();
              move(i, { x: x + by.x, y: y + by.y });
            }}
          />
        ))}
      </div>
      <div class="row scan-corner-actions">
        <IconButton icon="x" label={t('Cancel')} onClick={onClose} />
        <Button onClick={() => setQuad(WHOLE)}>{t('Whole picture')}</Button>
        <Button kind="primary" icon="check" onClick={() => onDone(quad)}>
          {t('Crop')}
        </Button>
      </div>
    </section>
  );
}

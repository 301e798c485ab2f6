import { useRef } from 'preact/hooks';
import { Button } from '../../components/index.ts';
import { formatNumber } from '../../i18n/index.ts';
import { displaySize, type Frame, fromFrame, type Point, toFrame } from '../engine/index.ts';
import { t } from '../texts.ts';
import type { NamedFile } from '../document/named-file.ts';
import { PageStage, type Stage, type StagePages } from './page-stage.tsx';
import { tenth } from './rectangle.ts';

export interface PointPickerProps extends StagePages {
  readonly files: readonly NamedFile[];
  readonly frame: Frame;
  readonly value: Point | undefined;
  readonly onValue: (point: Point | undefined) => void;
  readonly label: string;
}

/** A place on a page, chosen with the pointer or the arrow keys. */
export function PointPicker({ files, frame, value, onValue, label, ...pages }: PointPickerProps) {
  return (
    <PageStage
      files={files}
      {...pages}
      note={
        value === undefined ? (
          <span class="soft small">{t('Click on the page.')}</span>
        ) : (
          <Button size="small" kind="quiet" icon="x" onClick={() => onValue(undefined)}>
            {t('Clear')}
          </Button>
        )
      }
    >
      {(stage) => <PointLayer stage={stage} frame={frame} value={value} onValue={onValue} label={label} />}
    </PageStage>
  );
}

function PointLayer({
  stage,
  frame,
  value,
  onValue,
  label,
}: Omit<PointPickerProps, 'files'> & { readonly stage: Stage }) {
  const { box, scale } = stage;
  const layer = useRef<HTMLDivElement>(null);
  const size = displaySize(box);
  const at = value === undefined ? undefined : fromFrame(box, frame, value);
  const put = (x: number, y: number): void => {
    const point = toFrame(box, frame, {
      x: Math.max(0, Math.min(size.width, x)),
      y: Math.max(0, Math.min(size.height, y)),
    });
    onValue({ x: tenth(point.x), y: tenth(point.y) });
  };
  const point = (event: PointerEvent): void => {
    const edge = layer.current?.getBoundingClientRect();
    put((event.clientX - (edge?.left ?? 0)) / scale, (event.clientY - (edge?.top ?? 0)) / scale);
  };
  const keys = (event: KeyboardEvent): void => {
    const by = event.shiftKey ? 10 : 1;
    const step = { ArrowLeft: [-by, 0], ArrowRight: [by, 0], ArrowUp: [0, -by], ArrowDown: [0, by] }[event.key];
    const from = at ?? { x: size.width / 2, y: size.height / 2 };
    if (step !== undefined) put(from.x + (step[0] ?? 0), from.y + (step[1] ?? 0));
    else if (event.key === 'Enter' || event.key === ' ') put(from.x, from.y);
    else if (event.key === 'Delete' || event.key === 'Backspace') onValue(undefined);
    else return;
    event.preventDefault();
  };
  return (
    <div
      class="area-layer"
      ref={layer}
      role="application"
      tabIndex={0}
      aria-roledescription={t('Place')}
      aria-label={`${label}: ${
        value === undefined
          ? t('none; Enter makes one')
          : t('{left} points from the left, {bottom} from the bottom', {
              left: formatNumber(value.x),
              bottom: formatNumber(value.y),
            })
      }`}
      onKeyDown={keys}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        layer.current?.setPointerCapture(event.pointerId);
        point(event);
      }}
      onPointerMove={(event) => layer.current?.hasPointerCapture(event.pointerId) === true && point(event)}
    >
      {at === undefined ? null : (
        <div class="point-mark" style={{ left: `${at.x * scale}px`, top: `${at.y * scale}px` }} />
      )}
    </div>
  );
}

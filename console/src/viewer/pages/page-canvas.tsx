import { useEffect, useRef, useState } from 'preact/hooks';
import { Icon } from '../../components/index.ts';
import { PRIORITY, ViewError, type PixelRect, type ViewedDocument, type ViewFailure } from '../engine/index.ts';
import { failureText } from '../failures.ts';

/** Larger pages are drawn coarser, and their visible part sharp above it. */
const MOST_PIXELS = 4_000_000;
/** A part is drawn when scrolling has paused for so long. */
const DETAIL_AFTER_MS = 120;

interface PageCanvasProps {
  readonly document: ViewedDocument;
  /** 0-based. */
  readonly page: number;
  /** CSS pixels of the page as shown. */
  readonly width: number;
  readonly height: number;
  /** Clockwise quarter turns in addition to the page's own rotation. */
  readonly turns?: number;
  /** Smaller is more urgent. */
  readonly priority?: number;
  /** The part that is visible, in CSS pixels; drawn sharp on a page that is too large to be drawn sharp as a whole. */
  readonly visible?: PixelRect | undefined;
  /** Failures are shown as a picture only, where there is no room for words. */
  readonly small?: boolean;
}

/** The picture of a page. The old one stays, stretched, until a new size is drawn. */
export function PageCanvas(props: PageCanvasProps) {
  const { document, page, width, height, turns = 0, priority = PRIORITY.visible, visible, small = false } = props;
  const canvas = useRef<HTMLCanvasElement>(null);
  const [failure, setFailure] = useState<ViewFailure | undefined>();
  const ratio = devicePixelRatio;
  const scale = Math.min(ratio, Math.sqrt(MOST_PIXELS / Math.max(1, width * height)));
  const pixels = { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };

  useEffect(() => {
    const stop = new AbortController();
    setFailure(undefined);
    document.render({ page, ...pixels, turns }, priority, stop.signal).then(
      (bitmap) => draw(canvas.current, bitmap),
      (error: unknown) => {
        if (error instanceof ViewError) setFailure(error.code);
      },
    );
    return () => stop.abort();
  }, [document, page, pixels.width, pixels.height, turns, priority]);

  return (
    <div class="page-picture">
      <canvas ref={canvas} aria-hidden="true" />
      {scale < ratio && visible !== undefined ? (
        <Detail document={document} page={page} width={width} height={height} turns={turns} visible={visible} />
      ) : null}
      {failure === undefined ? null : (
        <div class={`page-failure ${small ? 'small' : ''}`} role={small ? undefined : 'alert'}>
          <Icon name="file-x" size={small ? 18 : 24} label={failureText(failure)} />
          {small ? null : <p aria-hidden="true">{failureText(failure)}</p>}
        </div>
      )}
    </div>
  );
}

type DetailProps = Required<Pick<PageCanvasProps, 'document' | 'page' | 'width' | 'height' | 'turns'>> & {
  readonly visible: PixelRect;
};

/** The visible part of a page in all its pixels. */
function Detail({ document, page, width, height, turns, visible }: DetailProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const { x, y, width: shownWidth, height: shownHeight } = visible;
  useEffect(() => {
    const stop = new AbortController();
    const timer = setTimeout(() => {
      const ratio = devicePixelRatio;
      const clip = {
        x: Math.floor(x * ratio),
        y: Math.floor(y * ratio),
        width: Math.max(1, Math.ceil(shownWidth * ratio)),
        height: Math.max(1, Math.ceil(shownHeight * ratio)),
      };
      const whole = { width: Math.round(width * ratio), height: Math.round(height * ratio) };
      document.render({ page, ...whole, turns, clip }, PRIORITY.visible, stop.signal).then(
        (bitmap) => {
          const element = canvas.current;
          if (element === null) return;
          draw(element, bitmap);
          // In shares of the page, so that it stays in place while the page is stretched by another zoom.
          element.style.left = `${(clip.x / whole.width) * 100}%`;
          element.style.top = `${(clip.y / whole.height) * 100}%`;
          element.style.width = `${(clip.width / whole.width) * 100}%`;
          element.style.height = `${(clip.height / whole.height) * 100}%`;
          element.hidden = false;
        },
        () => undefined,
      );
    }, DETAIL_AFTER_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [document, page, width, height, turns, x, y, shownWidth, shownHeight]);
  return <canvas ref={canvas} class="page-detail" aria-hidden="true" hidden />;
}

function draw(canvas: HTMLCanvasElement | null, bitmap: ImageBitmap): void {
  if (canvas === null) return;
  canvas.width = bitmap.width;
  canvas.height = bitmap.height;
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0);
}

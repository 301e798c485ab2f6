/** A point of a stroke in CSS pixels, and how hard the pen pressed, between 0 and 1. */
export interface InkPoint {
  readonly x: number;
  readonly y: number;
  readonly pressure: number;
}

export type Stroke = readonly InkPoint[];

/** Pixels of the picture per CSS pixel: sharp in print. */
const SCALE = 4;
const MARGIN = 6;
const THINNEST = 1.2;
const THICKEST = 3.6;
/** CSS pixels between two points at which a line is thinnest. */
const FAST = 22;

/** Draws strokes as ink: thinner where the pen was fast, smooth between the points. */
export function drawStrokes(context: CanvasRenderingContext2D, strokes: readonly Stroke[], colour: string): void {
  context.fillStyle = colour;
  context.strokeStyle = colour;
  context.lineCap = 'round';
  context.lineJoin = 'round';
  for (const stroke of strokes) {
    const [first, ...rest] = stroke;
    if (first === undefined) continue;
    if (rest.length === 0) {
      context.beginPath();
      context.arc(first.x, first.y, THICKEST / 2, 0, 2 * Math.PI);
      context.fill();
      continue;
    }
    drawLine(context, stroke);
  }
}

function drawLine(context: CanvasRenderingContext2D, stroke: Stroke): void {
  let width = widthOf(stroke[0]!, stroke[1]!);
  let from = stroke[0]!;
  for (let i = 1; i < stroke.length; i++) {
    const [before, point] = [stroke[i - 1]!, stroke[i]!];
    const middle = { x: (before.x + point.x) / 2, y: (before.y + point.y) / 2 };
    const end = i === stroke.length - 1 ? point : middle;
    // Smoothed, since speed jumps from point to point.
    width = width * 0.7 + widthOf(before, point) * 0.3;
    context.lineWidth = width;
    context.beginPath();
    context.moveTo(from.x, from.y);
    context.quadraticCurveTo(before.x, before.y, end.x, end.y);
    context.stroke();
    from = { ...end, pressure: point.pressure };
  }
}

function widthOf(a: InkPoint, b: InkPoint): number {
  const speed = Math.min(1, Math.hypot(b.x - a.x, b.y - a.y) / FAST);
  // Mice report 0.5 while a button is pressed; pens report what they feel.
  return (THICKEST - (THICKEST - THINNEST) * speed) * (0.5 + b.pressure);
}

/** The strokes as a picture with a transparent background, cut to what is drawn; undefined if nothing is. */
export async function strokesToPng(strokes: readonly Stroke[], colour: string): Promise<Blob | undefined> {
  const points = strokes.flat();
  if (points.length === 0) return undefined;
  const [left, top] = [Math.min(...points.map(({ x }) => x)) - MARGIN, Math.min(...points.map(({ y }) => y)) - MARGIN];
  const width = Math.max(...points.map(({ x }) => x)) + MARGIN - left;
  const height = Math.max(...points.map(({ y }) => y)) + MARGIN - top;
  const canvas = new OffscreenCanvas(Math.ceil(width * SCALE), Math.ceil(height * SCALE));
  const context = canvas.getContext('2d');
  if (context === null) return undefined;
  context.scale(SCALE, SCALE);
  context.translate(-left, -top);
  drawStrokes(context as unknown as CanvasRenderingContext2D, strokes, colour);
  return canvas.convertToBlob({ type: 'image/png' });
}

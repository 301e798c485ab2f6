import { type PageBox, toDisplay } from '../geometry.ts';
import type { TextRun } from '../protocol.ts';
import { type Letters, letterText } from './letters.ts';

/** In letter heights: a larger step sideways begins a new run. */
const WIDEST_GAP = 1.2;
/** In letter heights: a larger step across begins a new run (a line, a superscript). */
const HIGHEST_STEP = 0.4;
/** Radians. */
const SAME_ANGLE = 0.02;
const LINE_FEED = 10;
const RETURN = 13;
const SPACE = 32;

/** Edges along the text (u) and across it (v), with v upwards. */
interface Extent {
  u0: number;
  u1: number;
  v0: number;
  v1: number;
}

interface Run extends Extent {
  text: string;
  readonly angle: number;
  /** Position of the last letter's origin. */
  u: number;
  v: number;
  ends: boolean;
}

/** Joins letters to runs, whose place is given in points of the page as displayed. */
export function textRuns(letters: Letters, box: PageBox): TextRun[] {
  const runs: Run[] = [];
  let open: Run | undefined;
  for (let i = 0; i < letters.count; i++) {
    const code = letters.codes[i] ?? 0;
    if (code === LINE_FEED || code === RETURN) {
      const last = runs.at(-1);
      if (last !== undefined) last.ends = true;
      open = undefined;
    } else if (letters.generated[i] === 1) {
      const last = runs.at(-1);
      if (code === SPACE && last !== undefined && !last.ends && !last.text.endsWith(' ')) last.text += ' ';
    } else {
      const before: Run | undefined = open;
      open = place(letters, i, open);
      if (open === undefined || open === before) continue;
      if (before !== undefined && !before.text.endsWith(' ')) before.text += ' ';
      runs.push(open);
    }
  }
  return runs.filter(({ text }) => text.trim() !== '').map((run) => displayed(run, box));
}

/** Adds a letter to the run, or begins a new one. */
function place(letters: Letters, i: number, run: Run | undefined): Run | undefined {
  const text = letterText(letters.codes[i] ?? 0);
  if (text === '') return run;
  const angle = letters.angles[i] ?? 0;
  const extent = extentOf(letters, i, angle);
  const [u, v] = turned(letters.origins[i * 2] ?? 0, letters.origins[i * 2 + 1] ?? 0, angle);
  if (run === undefined || !continues(run, extent, angle, u, v)) return { ...extent, text, angle, u, v, ends: false };
  run.text += text;
  run.u0 = Math.min(run.u0, extent.u0);
  run.u1 = Math.max(run.u1, extent.u1);
  run.v0 = Math.min(run.v0, extent.v0);
  run.v1 = Math.max(run.v1, extent.v1);
  run.u = u;
  return run;
}

function continues(run: Run, extent: Extent, angle: number, u: number, v: number): boolean {
  const height = Math.max(run.v1 - run.v0, extent.v1 - extent.v0, 1);
  const gap = Math.max(extent.u0 - run.u1, run.u0 - extent.u1, 0);
  return (
    Math.abs(Math.sin((angle - run.angle) / 2)) < SAME_ANGLE / 2 &&
    Math.abs(v - run.v) < HIGHEST_STEP * height &&
    gap < WIDEST_GAP * height &&
    Math.abs(u - run.u) < 4 * height + extent.u1 - extent.u0
  );
}

/** The letter's box, turned so that its baseline is horizontal. */
function extentOf({ boxes }: Letters, i: number, angle: number): Extent {
  const [left = 0, bottom = 0, right = 0, top = 0] = boxes.subarray(i * 4, i * 4 + 4);
  const corners = [
    turned(left, bottom, angle),
    turned(right, bottom, angle),
    turned(left, top, angle),
    turned(right, top, angle),
  ];
  const us = corners.map(([u]) => u);
  const vs = corners.map(([, v]) => v);
  return { u0: Math.min(...us), u1: Math.max(...us), v0: Math.min(...vs), v1: Math.max(...vs) };
}

function turned(x: number, y: number, angle: number): [number, number] {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return [x * cos + y * sin, y * cos - x * sin];
}

function displayed(run: Run, box: PageBox): TextRun {
  const [x, y] = turned(run.u0, run.v1, -run.angle);
  const degrees = (-run.angle * 180) / Math.PI + box.rotation;
  return {
    ...toDisplay(box, { x, y }),
    text: run.text,
    width: run.u1 - run.u0,
    height: run.v1 - run.v0,
    angle: Math.round((((degrees % 360) + 360) % 360) * 10) / 10,
    ends: run.ends,
  };
}

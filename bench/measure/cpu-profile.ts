import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

interface ProfileNode {
  readonly id: number;
  readonly callFrame: {
    readonly functionName: string;
    readonly url: string;
    readonly lineNumber: number;
    readonly columnNumber: number;
  };
  readonly children?: readonly number[];
}

interface Profile {
  readonly nodes: readonly ProfileNode[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/** A function and the module that it is in: `takeBack core/isolation/task-files.ts`. */
export type Frame = string;

/** Time in microseconds of each stack that was seen, outermost frame first. */
export type Stacks = ReadonlyMap<readonly Frame[], number>;

/** Reads a `.cpuprofile` of V8; the first `skipMs` are left out. */
export async function readProfile(path: string, skipMs = 0): Promise<Stacks> {
  const { nodes, samples, timeDeltas } = JSON.parse(await readFile(path, 'utf8')) as Profile;
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const stackOf = (id: number): Frame[] => {
    const stack: Frame[] = [];
    for (let at: number | undefined = id; at !== undefined; at = parents.get(at)) {
      const node = byId.get(at);
      if (node !== undefined) stack.unshift(frameOf(node));
    }
    return stack;
  };
  const stacks = new Map<number, readonly Frame[]>();
  const times = new Map<readonly Frame[], number>();
  let at = 0;
  for (const [i, id] of samples.entries()) {
    const delta = timeDeltas[i] ?? 0;
    at += delta;
    if (at < skipMs * 1000) continue;
    let stack = stacks.get(id);
    if (stack === undefined) stacks.set(id, (stack = stackOf(id)));
    times.set(stack, (times.get(stack) ?? 0) + delta);
  }
  return times;
}

function frameOf({ callFrame }: ProfileNode): Frame {
  const { functionName, url } = callFrame;
  const module = /(?:node_modules|core|document|registry|plugins)\/.*$/.exec(sourceOf(callFrame))?.[0] ?? url;
  return `${functionName === '' ? '(anonymous)' : functionName} ${module}`.trim();
}

const maps = new Map<string, SourceMap | undefined>();

/** The source file of a function: bundles (tools/bundle.mjs) contain many. */
function sourceOf({ url, lineNumber, columnNumber }: ProfileNode['callFrame']): string {
  if (!url.startsWith('file:')) return url;
  const file = fileURLToPath(url);
  if (!maps.has(file)) maps.set(file, existsSync(`${file}.map`) ? mapAt(`${file}.map`) : undefined);
  const found = maps.get(file)?.findEntry(lineNumber, columnNumber);
  return found !== undefined && 'originalSource' in found ? resolve(dirname(file), found.originalSource) : url;
}

const mapAt = (path: string): SourceMap => new SourceMap(JSON.parse(readFileSync(path, 'utf8')) as SourceMapPayload);

/** Name of a stage, and what its frames look like. */
export type Stage = readonly [name: string, frames: RegExp];

/** Time in microseconds of each stage: that of the innermost frame which belongs to one. Idle time is left out. */
export function timesOf(stacks: Stacks, stages: readonly Stage[], otherwise: string): Map<string, number> {
  const times = new Map<string, number>();
  for (const [stack, time] of stacks) {
    if (isIdle(stack)) continue;
    const name = stageOf(stack, stages) ?? otherwise;
    times.set(name, (times.get(name) ?? 0) + time);
  }
  return times;
}

function stageOf(stack: readonly Frame[], stages: readonly Stage[]): string | undefined {
  for (const frame of stack.toReversed()) {
    const found = stages.find(([, frames]) => frames.test(frame));
    if (found !== undefined) return found[0];
  }
  return undefined;
}

const isIdle = (stack: readonly Frame[]): boolean => ['(idle)', '(root)'].includes(stack.at(-1) ?? '');

const WIDTH = 1200;
const ROW = 17;
/** Narrower frames are not drawn. */
const LEAST = 1.5;

interface Box {
  readonly frame: Frame;
  time: number;
  readonly inner: Map<Frame, Box>;
}

/** Draws stacks as a flame graph: width is time, the outermost frame is at the bottom. */
export function flameGraph(stacks: Stacks, title: string): string {
  const root: Box = { frame: 'all', time: 0, inner: new Map() };
  for (const [stack, time] of stacks) {
    if (isIdle(stack)) continue;
    let box = root;
    box.time += time;
    for (const frame of stack.slice(1)) {
      let next = box.inner.get(frame);
      if (next === undefined) box.inner.set(frame, (next = { frame, time: 0, inner: new Map() }));
      next.time += time;
      box = next;
    }
  }
  const rows: string[] = [];
  const depth = draw(root, 0, 0, WIDTH / Math.max(1, root.time), rows);
  const height = (depth + 1) * ROW + 30;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" ` +
    'font-family="sans-serif" font-size="11">' +
    `<rect width="100%" height="100%" fill="#fff"/><text x="4" y="16" font-size="14">${escape(title)}</text>` +
    `<g transform="translate(0 ${height - ROW})">${rows.join('')}</g></svg>\n`
  );
}

/** Returns the number of rows above. */
function draw(box: Box, level: number, x: number, scale: number, rows: string[]): number {
  const width = box.time * scale;
  if (width < LEAST) return level - 1;
  const y = -level * ROW;
  const text = box.frame.slice(0, Math.max(0, Math.floor(width / 6.2) - 1));
  rows.push(
    `<g><title>${escape(box.frame)} (${(box.time / 1000).toFixed(1)} ms)</title>` +
      `<rect x="${x.toFixed(1)}" y="${y}" width="${(width - 0.5).toFixed(1)}" height="${ROW - 1}" ` +
      `fill="${colour(box.frame)}"/>` +
      `${text.length > 2 ? `<text x="${(x + 3).toFixed(1)}" y="${y + 12}">${escape(text)}</text>` : ''}</g>`,
  );
  let deepest = level;
  let at = x;
  for (const inner of [...box.inner.values()].toSorted((a, b) => b.time - a.time)) {
    deepest = Math.max(deepest, draw(inner, level + 1, at, scale, rows));
    at += inner.time * scale;
  }
  return deepest;
}

/** Our own code is orange, packages yellow, Node and V8 grey. */
function colour(frame: Frame): string {
  if (/ (?:core|document|registry|plugins)\//.test(frame)) return '#f6a15a';
  return frame.includes('node_modules/') ? '#f3dc7a' : '#d5d9dd';
}

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

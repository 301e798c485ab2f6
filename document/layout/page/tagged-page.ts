import type { Artefact, Block } from '../model.js';
import type { Word } from '../page-content.js';
import type { Line } from '../prose/line.js';
import { linesOf } from '../prose/lines.js';
import { runsOf } from '../prose/runs.js';
import type { PageBody } from './page-body.js';
import type { BlockMaker } from './block-maker.js';
import type { PreparedPage } from './prepare.js';
import { TagReader } from './tag-reader.js';

/** Tags must hold so much of the page's letters. */
const COVERED = 0.85;
/** The body of a page by its tags; undefined where these are missing or do not hold most of its text. */
export function taggedPage(
  prepared: PreparedPage,
  maker: BlockMaker,
  running: ReadonlyMap<Line, Artefact['kind']>,
): PageBody | undefined {
  const { content } = prepared;
  if (content.tags.length === 0) return undefined;
  const inRunning = new Set([...running.keys()].flatMap(({ words }) => words));
  const byId = new Map<number, Word[]>();
  let all = 0;
  for (const word of content.words) {
    if (inRunning.has(word)) continue;
    all += word.text.length;
    if (word.mcid < 0) continue;
    const list = byId.get(word.mcid);
    if (list === undefined) byId.set(word.mcid, [word]);
    else list.push(word);
  }
  const reader = new TagReader(prepared, maker, byId);
  if (all === 0 || reader.letters(content.tags) < COVERED * all) return undefined;
  const blocks = reader.children(content.tags);
  // A single element for everything says nothing about the page.
  if (blocks.length < 2 && prepared.lines.length > 12) return undefined;
  const left = content.words.filter((word) => word.angle === 0 && !inRunning.has(word) && !reader.taken.has(word));
  return {
    blocks: withUntagged(blocks, prepared, maker),
    footnotes: reader.footnotes,
    artefacts: leftOver(left, prepared, maker),
  };
}

/** Untagged images are placed before the content below them: writers leave meaningful images untagged. */
function withUntagged(blocks: readonly Block[], { figures }: PreparedPage, maker: BlockMaker): Block[] {
  const placed = new Set<number | undefined>();
  const note = (list: readonly Block[]): void => {
    for (const block of list) {
      if (block.kind === 'figure') placed.add(block.picture.index);
      else if (block.kind === 'list') for (const item of block.items) note(item.blocks);
      else if (block.kind === 'table') for (const { cells } of block.rows) for (const cell of cells) note(cell.blocks);
    }
  };
  note(blocks);
  const all = [...blocks];
  for (const figure of figures) {
    if (figure.picture.source !== 'image' || placed.has(figure.picture.index)) continue;
    const middle = (figure.box.top + figure.box.bottom) / 2;
    const at = all.findIndex(
      ({ box }) => box.top > middle && box.left < figure.box.right && box.right > figure.box.left,
    );
    all.splice(at < 0 ? all.length : at, 0, maker.figure(figure));
  }
  return all;
}

/** Text without tags is an artefact (ISO 32000-1, 14.8.2.2). */
function leftOver(
  words: readonly Word[],
  { content: { number, height } }: PreparedPage,
  maker: BlockMaker,
): Artefact[] {
  return linesOf(words).lines.map((line): Artefact => ({
    kind: line.box.bottom < 0.13 * height ? 'header' : line.box.top > 0.87 * height ? 'footer' : 'other',
    page: number,
    box: line.box,
    runs: runsOf([line], maker.context),
  }));
}

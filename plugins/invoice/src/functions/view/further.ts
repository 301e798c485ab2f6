import type { Block, Row } from '@quire/document/composition';
import type { Language } from '@quire/document/invoices/labels';
import { wordOf } from './words.js';

/** An element of the XML that the model has no place for. */
export interface UnreadElement {
  readonly name: string;
  readonly text: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly UnreadElement[];
  readonly parent?: UnreadElement | undefined;
}

/** Names in a path that are shown; of a deeper one the last. */
const MAX_STEPS = 12;

/** Lists every text and attribute of these elements with its path. */
export function furtherOf(unread: readonly UnreadElement[], language: Language): Block[] {
  const rows = unread.flatMap((element) => [...rowsOf(element)]);
  if (rows.length === 0) return [];
  const text = wordOf('further', language);
  return [
    { kind: 'heading', level: 2, text },
    { kind: 'paragraph', text: wordOf('furtherNote', language), tone: 'muted' },
    {
      kind: 'table',
      caption: text,
      columns: [
        { title: wordOf('path', language), align: 'start', width: 55 },
        { title: wordOf('value', language), align: 'start', width: 45 },
      ],
      rows,
      rowHeader: 0,
    },
  ];
}

/** Without recursion: the depth of a document is its author's. */
function* rowsOf(top: UnreadElement): Generator<Row> {
  const waiting = [top];
  for (let element = waiting.pop(); element !== undefined; element = waiting.pop()) {
    const text = element.text.trim();
    const path = pathOf(element);
    if (text !== '' && element.children.length === 0) yield rowOf(path, text);
    for (const [name, value] of element.attributes) yield rowOf(`${path}/@${name}`, value);
    waiting.push(...element.children.toReversed());
  }
}

function rowOf(path: string, value: string): Row {
  return { cells: [[{ text: path, tone: 'muted' }], [{ text: value }]] };
}

function pathOf(element: UnreadElement): string {
  const names: string[] = [];
  let at: UnreadElement | undefined = element;
  for (; at !== undefined && names.length < MAX_STEPS; at = at.parent) names.unshift(at.name);
  return `${at === undefined ? '/' : '…/'}${names.join('/')}`;
}

import type { Block, Row } from '@quire/document/composition';
import type { Language } from '@quire/document/invoices/labels';
import { wordOf } from './words.js';

/** Content of the XML that the model has no place for. */
export interface FurtherValue {
  /** Where it is: an XPath. */
  readonly path: string;
  readonly value: string;
}

/** Lists such content, each value with its path. */
export function furtherOf(values: readonly FurtherValue[], language: Language): Block[] {
  const rows = values.map(({ path, value }): Row => ({ cells: [[{ text: path, tone: 'muted' }], [{ text: value }]] }));
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

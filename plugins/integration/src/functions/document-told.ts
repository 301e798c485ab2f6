import { isoDate, infoOf } from '@quire/document/structure/metadata';
import { asText, entry, nameText } from '@quire/document/file/objects';
import type { OpenedPdf } from '@quire/document/file/open';
import { NOTHING_TOLD, type DocumentTold } from './call-context.js';
import type { JsonValue } from './connection-types.js';
import { isDeeper } from './json-depth.js';
import { isLabelProperty, readLabels } from './sensitivity-labels.js';

const MOST_PROPERTIES = 1000;
const LONGEST = 4000;
const LONGEST_JSON = 64 * 1024;

/** The entries of the information dictionary that are properties of labels. */
export function labelProperties({ document: { context } }: Pick<OpenedPdf, 'document'>): Record<string, string> {
  const info = infoOf(context);
  const found: Record<string, string> = {};
  let count = 0;
  for (const [key, value] of info?.entries() ?? []) {
    const name = nameText(key);
    if (!isLabelProperty(name) || ++count > MOST_PROPERTIES) continue;
    const text = asText(context, value);
    if (text !== undefined) found[name] = text.slice(0, LONGEST);
  }
  return found;
}

/** Reads the facts of a PDF; all unknown if it does not open. Never throws. */
export async function documentTold(path: string): Promise<DocumentTold> {
  const [{ inspectPdf }, { withPdf }] = await Promise.all([
    import('@quire/document/file/inspection'),
    import('@quire/document/file/open'),
  ]);
  const facts = await inspectPdf({ path }, { allowLocked: true }).catch(() => undefined);
  if (facts === undefined) return NOTHING_TOLD;
  if (!facts.opensWithoutPassword) return { ...NOTHING_TOLD, encrypted: true };
  const counted = { ...NOTHING_TOLD, pageCount: facts.pages, encrypted: facts.encrypted };
  return withPdf({ path }, {}, (opened): DocumentTold => {
    const { context } = opened.document;
    const info = infoOf(context);
    const text = (key: string): string | null =>
      (info === undefined ? undefined : asText(context, entry(info, key)))?.slice(0, LONGEST) ?? null;
    const date = (key: string): string | null => isoDate(text(key) ?? undefined) ?? null;
    return {
      ...counted,
      title: text('Title'),
      author: text('Author'),
      subject: text('Subject'),
      keywords: text('Keywords'),
      creator: text('Creator'),
      producer: text('Producer'),
      created: date('CreationDate'),
      modified: date('ModDate'),
      classification: jsonOf(info === undefined ? undefined : asText(context, entry(info, 'Classification'))),
      label: readLabels(labelProperties(opened))[0] ?? null,
    };
  }).catch(() => counted);
}

function jsonOf(text: string | undefined): JsonValue {
  if (text === undefined || text.length > LONGEST_JSON) return null;
  try {
    const value = JSON.parse(text) as JsonValue;
    return isDeeper(value) ? null : value;
  } catch {
    return text;
  }
}

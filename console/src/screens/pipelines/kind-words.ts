import { formatList } from '../../i18n/index.ts';
import type { Flowing } from './model/flow.ts';
import { t } from './texts.ts';

/** More kinds than these would only be a long list. */
const MOST = 4;

/** Kinds of files in words: `PDF`, `PNG and JPEG`, `any file`. */
function kindWords(kinds: readonly string[] | undefined): string {
  if (kinds === undefined) return t('Any file');
  const names = kinds.map((kind) => kind.toUpperCase());
  return names.length > MOST ? `${names.slice(0, MOST).join(', ')} …` : formatList(names);
}

/** Files in words: their kinds, and whether there may be several. */
export function flowWords({ kinds, many }: Flowing): string {
  const words = kindWords(kinds);
  return many ? t('{kinds}, one or several files', { kinds: words }) : words;
}

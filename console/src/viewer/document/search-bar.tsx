import { useEffect, useRef } from 'preact/hooks';
import { IconButton } from '../../components/index.ts';
import { formatNumber, formatPercent } from '../../i18n/index.ts';
import type { SearchMatch, SearchQuery } from '../engine/index.ts';
import { pageNumber } from '../pages/page-numbers.ts';
import { t } from '../texts.ts';
import type { Found } from './use-search.ts';

interface SearchBarProps {
  readonly query: SearchQuery;
  readonly onQuery: (query: SearchQuery) => void;
  readonly found: Found;
  /** Found in the original, where both are shown. */
  readonly inOriginal: Found | undefined;
  readonly current: SearchMatch | undefined;
  readonly onStep: (direction: 1 | -1) => void;
  readonly onClose: () => void;
}

/** Finds words in the document. Enter goes to the next match, Shift and Enter to the one before. */
export function SearchBar({ query, onQuery, found, inOriginal, current, onStep, onClose }: SearchBarProps) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.select(), []);
  const keys = (event: KeyboardEvent): void => {
    if (event.isComposing) return;
    if (event.key === 'Enter') {
      event.preventDefault();
      onStep(event.shiftKey ? -1 : 1);
    } else if (event.key === 'Escape') {
      event.preventDefault();
      event.stopPropagation();
      onClose();
    }
  };
  return (
    <div class="search-bar" role="search">
      <input
        ref={input}
        type="search"
        class="input"
        aria-label={t('Find in the document')}
        placeholder={t('Find in the document')}
        value={query.text}
        onInput={(event) => onQuery({ ...query, text: event.currentTarget.value })}
        onKeyDown={keys}
      />
      <IconButton
        icon="case-sensitive"
        label={t('Match upper and lower case')}
        aria-pressed={query.matchCase}
        onClick={() => onQuery({ ...query, matchCase: !query.matchCase })}
      />
      <IconButton
        icon="whole-word"
        label={t('Whole words only')}
        aria-pressed={query.wholeWords}
        onClick={() => onQuery({ ...query, wholeWords: !query.wholeWords })}
      />
      <span class="search-count" role="status">
        {query.text.trim() === '' ? '' : countText(found, inOriginal, current)}
      </span>
      <IconButton
        icon="chevron-up"
        label={t('Previous match')}
        disabled={found.matches.length === 0}
        onClick={() => onStep(-1)}
      />
      <IconButton
        icon="chevron-down"
        label={t('Next match')}
        disabled={found.matches.length === 0}
        onClick={() => onStep(1)}
      />
      <IconButton icon="x" label={t('Close the search')} onClick={onClose} />
    </div>
  );
}

function countText(found: Found, inOriginal: Found | undefined, current: SearchMatch | undefined): string {
  const at = current === undefined ? -1 : found.matches.indexOf(current);
  const total = found.matches.length;
  const text =
    total === 0
      ? found.running
        ? t('Searching… {share}', { share: formatPercent(found.done) })
        : t('No matches')
      : at >= 0
        ? t('{at} of {total}, page {page}', { at: at + 1, total, page: pageNumber(current?.page ?? 0) })
        : t.count(total, '{count} match', '{count} matches');
  return inOriginal === undefined
    ? text
    : `${text} · ${t('Original: {count}', { count: formatNumber(inOriginal.matches.length) })}`;
}

import { useEffect, useState } from 'preact/hooks';
import { IconButton } from '../../components/index.ts';
import type { OutlineEntry, ViewedDocument } from '../engine/index.ts';
import { pageNumber } from '../pages/page-numbers.ts';
import { t } from '../texts.ts';

/** Entries of the top level that are shown with those below them. */
const OPEN_UP_TO = 12;

interface OutlinePanelProps {
  readonly document: ViewedDocument;
  readonly onPage: (page: number) => void;
}

/** The document's bookmarks. */
export function OutlinePanel({ document, onPage }: OutlinePanelProps) {
  const [outline, setOutline] = useState<readonly OutlineEntry[] | undefined>();
  useEffect(() => {
    let left = false;
    setOutline(undefined);
    document.outline().then(
      (found) => left || setOutline(found),
      () => left || setOutline([]),
    );
    return () => void (left = true);
  }, [document]);
  return (
    <nav class="outline" aria-label={t('Bookmarks')}>
      {outline === undefined ? null : outline.length === 0 ? (
        <p class="soft small">{t('This document has no bookmarks.')}</p>
      ) : (
        <Entries entries={outline} open={outline.length <= OPEN_UP_TO} onPage={onPage} />
      )}
    </nav>
  );
}

interface EntriesProps {
  readonly entries: readonly OutlineEntry[];
  /** Whether the entries below are shown. */
  readonly open: boolean;
  readonly onPage: (page: number) => void;
}

function Entries({ entries, open, onPage }: EntriesProps) {
  return (
    <ul>
      {entries.map((entry, i) => (
        <Entry key={i} entry={entry} open={open} onPage={onPage} />
      ))}
    </ul>
  );
}

function Entry({ entry, open: initially, onPage }: Omit<EntriesProps, 'entries'> & { readonly entry: OutlineEntry }) {
  const [open, setOpen] = useState(initially);
  const { title, page, children } = entry;
  const words = title === '' ? t('Without a title') : title;
  return (
    <li>
      <div class="outline-entry">
        {children.length === 0 ? (
          <span class="outline-space" />
        ) : (
          <IconButton
            size="small"
            icon={open ? 'chevron-down' : 'chevron-right'}
            class="outline-toggle"
            label={
              open
                ? t('Hide the bookmarks below “{title}”', { title: words })
                : t('Show the bookmarks below “{title}”', { title: words })
            }
            aria-expanded={open}
            onClick={() => setOpen(!open)}
          />
        )}
        <button
          type="button"
          class="outline-link"
          dir="auto"
          disabled={page === undefined}
          onClick={() => page !== undefined && onPage(page)}
        >
          <span>{words}</span>
          {page === undefined ? null : <span class="soft">{pageNumber(page)}</span>}
        </button>
      </div>
      {open && children.length > 0 ? <Entries entries={children} open={false} onPage={onPage} /> : null}
    </li>
  );
}

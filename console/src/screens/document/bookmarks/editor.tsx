import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { asProblem, type Problem } from '../../../api/index.ts';
import { Button, Empty, ProblemNotice, toast } from '../../../components/index.ts';
import { formatNumber } from '../../../i18n/index.ts';
import { ApplyBar } from '../apply-bar.tsx';
import type { PartProps } from '../part.ts';
import { t } from '../texts.ts';
import { workbench } from '../workbench.ts';
import { BookmarkForm } from './bookmark-form.tsx';
import { BookmarkRow } from './bookmark-row.tsx';
import { added, type Bookmark, changed, type Entries, fromTree, moved, placed, removed, toTree } from './tree.ts';

interface EditorProps extends PartProps {
  readonly bookmarks: readonly Bookmark[];
  readonly pageCount: number | undefined;
  /** Shows a page, counted from 1. */
  readonly onPage: (page: number) => void;
}

/** The bookmarks as they shall be; applied together. */
export function Editor({ bookmarks, pageCount, onPage, apply, setEdited }: EditorProps) {
  const [first, setFirst] = useState<Entries>(() => fromTree(bookmarks));
  const [entries, setEntries] = useState(first);
  const [chosen, setChosen] = useState<number | undefined>();
  const [problem, setProblem] = useState<Problem | undefined>();
  const title = useRef<HTMLInputElement>(null);
  const edited = entries !== first;
  useLayoutEffect(() => setEdited(edited), [edited]);
  const selected = entries.find(({ id }) => id === chosen);
  const reset = (): void => {
    const again = fromTree(bookmarks);
    setFirst(again);
    setEntries(again);
    setChosen(undefined);
    setProblem(undefined);
  };
  useEffect(reset, [bookmarks]);
  const add = (): void => {
    const page = workbench.page.value + 1;
    const words = t('Page {page}', { page: formatNumber(page, { useGrouping: false }) });
    const next = added(entries, chosen, words, page);
    setEntries(next);
    setChosen(next.find((entry) => !entries.includes(entry))?.id);
    setTimeout(() => title.current?.select());
  };
  const remove = (id: number): void => {
    const at = entries.findIndex((entry) => entry.id === id);
    const next = removed(entries, id);
    setEntries(next);
    setChosen(next[Math.min(at, next.length - 1)]?.id);
  };
  const save = async (): Promise<void> => {
    setProblem(undefined);
    try {
      await apply({
        title: t('Bookmarks changed'),
        operation: 'general/edit-table-of-contents',
        fields: { bookmarkData: JSON.stringify(toTree(entries)) },
      });
      setFirst(entries);
      toast(t('Bookmarks changed'));
    } catch (error) {
      setProblem(asProblem(error));
    }
  };
  return (
    <>
      <div class="row between">
        <h2>{t.count(entries.length, '{count} bookmark', '{count} bookmarks')}</h2>
        <Button icon="bookmark-plus" onClick={add}>
          {t('Add for page {page}', { page: formatNumber(workbench.page.value + 1, { useGrouping: false }) })}
        </Button>
      </div>
      {selected === undefined ? null : (
        <BookmarkForm
          key={selected.id}
          title={title}
          entry={selected}
          pageCount={pageCount}
          onChange={(values) => setEntries(changed(entries, selected.id, values))}
          onMove={(step) => setEntries(moved(entries, selected.id, step))}
          onRemove={() => remove(selected.id)}
        />
      )}
      {entries.length === 0 ? (
        <Empty icon="list-tree" title={t('This document has no bookmarks')}>
          <p class="soft">{t('Go to a page and add one for it.')}</p>
        </Empty>
      ) : (
        <ul class="bookmark-list" aria-label={t('Bookmarks')}>
          {entries.map((entry) => (
            <BookmarkRow
              key={entry.id}
              entry={entry}
              chosen={entry.id === chosen}
              onChoose={() => {
                setChosen(entry.id);
                onPage(entry.page);
              }}
              onKey={(step) => setEntries(moved(entries, entry.id, step))}
              onRemove={() => remove(entry.id)}
              onDrop={(dragged, place) => {
                setEntries(placed(entries, dragged, entry.id, place));
                setChosen(dragged);
              }}
            />
          ))}
        </ul>
      )}
      {problem === undefined ? null : <ProblemNotice problem={problem} />}
      <ApplyBar edited={edited} onApply={save} onDiscard={reset}>
        {t('Applying makes every bookmark lead to the top of its page.')}
      </ApplyBar>
    </>
  );
}

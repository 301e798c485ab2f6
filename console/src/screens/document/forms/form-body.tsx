import type { RefObject } from 'preact';
import { useCallback, useRef, useState } from 'preact/hooks';
import { Segments } from '../../../components/index.ts';
import { type ListedPage, OverlaidView, type PageListHandle, useSize } from '../../../viewer/index.ts';
import { workbench } from '../workbench.ts';
import { FieldList } from './field-list.tsx';
import type { FilledForm, Placed } from './filled-form.ts';
import { PageLayer } from './page-layer.tsx';
import { t } from './texts.ts';

interface FormBodyProps {
  readonly form: FilledForm;
  readonly file: File;
  /** Gets what shows a field to people. */
  readonly show: RefObject<(name: string) => void>;
}

type View = 'pages' | 'list';

/** CSS pixels; narrower views show either the pages or the list. */
const BOTH_FROM = 760;

/** The pages with their fields, and the list of fields. */
export function FormBody({ form, file, show }: FormBodyProps) {
  const box = useRef<HTMLDivElement>(null);
  const { width } = useSize(box);
  const pages = useRef<PageListHandle | null>(null);
  const [view, setView] = useState<View>('list');
  const both = width >= BOTH_FROM;
  const onPage = (place: Placed): void => {
    form.current.value = place.field.name;
    form.wanted.value = place.key;
    if (stopOf(box.current, place.key) === null) pages.current?.goTo({ page: place.widget.pageIndex, down: 0 });
  };
  const showOnPage = (name: string): void => {
    const place = form.firstPlace(name);
    if (place === undefined) return;
    // Pages that are not shown yet begin at this one.
    workbench.page.value = place.widget.pageIndex;
    if (!both) setView('pages');
    onPage(place);
  };
  show.current = (name) => {
    if (both || view === 'pages') showOnPage(name);
    if (both || view === 'list') form.current.value = name;
    if (!both && view === 'list') form.wantedRow.value = name;
  };
  const overlay = useCallback((listed: ListedPage) => <PageLayer {...listed} form={form} file={file} />, [form, file]);
  return (
    <div class={`form-body ${both ? 'both' : ''}`} ref={box}>
      {both || width === 0 ? null : (
        <Segments
          label={t('View')}
          value={view}
          options={[
            { value: 'list', label: t('Fields') },
            { value: 'pages', label: t('Pages') },
          ]}
          onValue={(value) => setView(value as View)}
        />
      )}
      {both || view === 'pages' ? (
        <div class="form-pages" onKeyDown={(event) => moveByTab(event, form, onPage)}>
          <OverlaidView
            file={file}
            overlay={overlay}
            handle={pages}
            page={workbench.page.peek()}
            onPage={(page) => (workbench.page.value = page)}
          />
        </div>
      ) : null}
      {width > 0 && (both || view === 'list') ? <FieldList form={form} file={file} onShow={showOnPage} /> : null}
    </div>
  );
}

function stopOf(box: HTMLElement | null, key: string): HTMLElement | null {
  return box?.querySelector<HTMLElement>(`[data-stop="${key}"]`) ?? null;
}

/** The tab key goes through the document in its own order, also to pages that are not in view. */
function moveByTab(event: KeyboardEvent, form: FilledForm, onPage: (place: Placed) => void): void {
  if (event.key !== 'Tab' || event.altKey || event.ctrlKey || event.metaKey) return;
  const key = (event.target as HTMLElement).dataset['stop'];
  if (key === undefined) return;
  const stops = form.stops(key);
  const next = stops[stops.findIndex((stop) => stop.key === key) + (event.shiftKey ? -1 : 1)];
  if (next === undefined) return;
  event.preventDefault();
  onPage(next);
}

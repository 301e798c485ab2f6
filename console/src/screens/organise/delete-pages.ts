import { effect } from '@preact/signals';
import { toast } from '../../components/index.ts';
import { organiser } from './organiser.ts';
import { t } from './texts.ts';

/** Deletes pages, by default the selected ones, and offers to take it back until something else is changed. */
export function deletePages(ids: ReadonlySet<number> = organiser.selected.value): void {
  if (ids.size === 0) return;
  organiser.remove(ids);
  const left = organiser.entries.value;
  const close = toast(t.count(ids.size, '{count} page deleted', '{count} pages deleted'), 'done', {
    label: t('Undo'),
    run: () => organiser.undo(),
  });
  const stop = effect(() => {
    if (organiser.entries.value === left) return;
    close();
    stop();
  });
}

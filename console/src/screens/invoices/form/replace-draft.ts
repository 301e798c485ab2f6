import { toast } from '../../../components/index.ts';
import { t } from '../texts.ts';
import { draft } from './draft.ts';

/** Replaces what was entered, and offers it back if it is in no file yet. */
export function replaceDraft(replace: () => void): void {
  const [before, wasEdited] = [draft.texts.value, draft.edited.value];
  replace();
  if (!wasEdited) return;
  toast(t('What you had entered was replaced'), 'info', {
    label: t('Undo'),
    run: () => {
      draft.reset(before);
      draft.edited.value = true;
    },
  });
}

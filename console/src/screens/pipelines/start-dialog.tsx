import { useLoaded } from '../../components/index.ts';
import { ChoiceDialog, isFound } from '../tools/choice-dialog.tsx';
import { listSaved } from './saved/saved.ts';
import { startsOf, type Start } from './starts.ts';
import { titleOf } from './step-icons.tsx';
import { t } from './texts.ts';

interface StartDialogProps {
  readonly onChoose: (start: Start) => void;
  readonly onClose: () => void;
}

/** Chooses steps to begin with: those of a saved pipeline, of one in this browser, or of a template. */
export function StartDialog({ onChoose, onClose }: StartDialogProps) {
  const { data: saved = [] } = useLoaded(listSaved, []);
  return (
    <ChoiceDialog
      title={t('Use steps of a pipeline')}
      placeholder={t('From which pipeline or template?')}
      choicesFor={(query) =>
        startsOf(saved)
          .filter(({ title }) => isFound(title, query))
          .map((start) => ({
            key: start.key,
            icon: start.icon,
            title: start.title,
            summary: start.tools.map(titleOf).join(' → '),
            category: start.origin,
            choose: () => {
              onClose();
              onChoose(start);
            },
          }))
      }
      empty={t('No pipeline matches.')}
      onClose={onClose}
    />
  );
}

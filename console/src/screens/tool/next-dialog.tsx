import { useEffect } from 'preact/hooks';
import { catalog, loadCatalog } from '../../api/index.ts';
import { openScreenWith, openToolWith } from '../../app/hand-over.ts';
import { rt } from '../../i18n/index.ts';
import { ChoiceDialog, type Choice } from '../tools/choice-dialog.tsx';
import { plain, searchTools } from '../tools/search.ts';
import { toolsFor } from './next-tools.ts';
import { t } from './texts.ts';

interface NextDialogProps {
  readonly from: string;
  /** Names the kind of the files. */
  readonly name: string;
  readonly read: () => Promise<readonly File[]>;
  /** False where the document workbench itself asks. */
  readonly edits?: boolean;
  readonly onClose: () => void;
}

/** Chooses the tool that goes on with a result; the result is not downloaded for that. */
export function NextDialog({ from, name, read, edits = true, onClose }: NextDialogProps) {
  useEffect(() => void loadCatalog(), []);
  const loading = catalog.value === undefined;
  return (
    <ChoiceDialog
      title={t('Next tool')}
      placeholder={t('What should happen next?')}
      choicesFor={(query) =>
        stepsFor(name, from, query, edits).map(({ open, ...step }) => ({
          ...step,
          choose: () => void read().then(open),
        }))
      }
      empty={loading ? t('Loading the tools') : t('No tool takes this file.')}
      onClose={onClose}
    />
  );
}

/** What can go on with a file: a tool, or the document workbench. */
interface NextStep extends Omit<Choice, 'choose'> {
  readonly open: (files: readonly File[]) => void;
}

function stepsFor(name: string, from: string, query: string, edits: boolean): readonly NextStep[] {
  const workbench = {
    key: 'document',
    icon: 'file-pen-line',
    title: t('Edit the document'),
    summary: t('Look at it and change it step by step, with undo'),
    open: (files: readonly File[]) => openScreenWith('document', files),
  };
  // With the tools, so that what is chosen by Enter does not change when these come.
  const shown = edits && catalog.value !== undefined && /\.pdf$/i.test(name);
  const fits = shown && plain(workbench.title).includes(plain(query.trim()));
  const tools = searchTools(toolsFor(name, from), query).map(({ path, icon, title, summary }): NextStep => ({
    key: path,
    icon,
    title: rt(title),
    summary: rt(summary),
    open: (files) => openToolWith(path, files),
  }));
  return fits ? [workbench, ...tools] : tools;
}

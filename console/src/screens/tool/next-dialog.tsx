import { useEffect, useState } from 'preact/hooks';
import { catalog, loadCatalog } from '../../api/index.ts';
import { openScreenWith, openToolWith } from '../../app/hand-over.ts';
import { Combobox, Dialog, ToolIcon } from '../../components/index.ts';
import { rt } from '../../i18n/index.ts';
import { plain, searchTools } from '../tools/search.ts';
import '../tools/tools.css';
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

/** What can go on with a file: a tool, or the document workbench. */
interface NextStep {
  readonly id: string;
  readonly icon: string;
  readonly title: string;
  readonly summary: string;
  readonly open: (files: readonly File[]) => void;
}

/** Chooses the tool that goes on with a result; the result is not downloaded for that. */
export function NextDialog({ from, name, read, edits = true, onClose }: NextDialogProps) {
  const [query, setQuery] = useState('');
  useEffect(() => void loadCatalog(), []);
  const loading = catalog.value === undefined;
  return (
    <Dialog kind="palette" title={t('Next tool')} onClose={onClose}>
      <Combobox
        always
        autoFocus
        label={t('Next tool')}
        placeholder={t('What should happen next?')}
        value={query}
        onText={setQuery}
        items={stepsFor(name, from, query, edits)}
        itemKey={({ id }) => id}
        itemText={({ icon, title, summary }) => (
          <span class="palette-item">
            <ToolIcon icon={icon} size={18} />
            <span class="palette-title">{title}</span>
            <span class="palette-aside">{summary}</span>
          </span>
        )}
        onChoose={({ open }) => void read().then(open)}
        empty={<p class="palette-empty soft">{loading ? t('Loading the tools') : t('No tool takes this file.')}</p>}
      />
    </Dialog>
  );
}

function stepsFor(name: string, from: string, query: string, edits: boolean): readonly NextStep[] {
  const workbench = {
    id: 'document',
    icon: 'file-pen-line',
    title: t('Edit the document'),
    summary: t('Look at it and change it step by step, with undo'),
    open: (files: readonly File[]) => openScreenWith('document', files),
  };
  // With the tools, so that what is chosen by Enter does not change when these come.
  const shown = edits && catalog.value !== undefined && /\.pdf$/i.test(name);
  const fits = shown && plain(workbench.title).includes(plain(query.trim()));
  const tools = searchTools(toolsFor(name, from), query).map(({ path, icon, title, summary }): NextStep => ({
    id: path,
    icon,
    title: rt(title),
    summary: rt(summary),
    open: (files) => openToolWith(path, files),
  }));
  return fits ? [workbench, ...tools] : tools;
}

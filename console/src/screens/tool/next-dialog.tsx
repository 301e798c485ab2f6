import { useEffect, useState } from 'preact/hooks';
import { catalog, loadCatalog } from '../../api/index.ts';
import { openToolWith } from '../../app/hand-over.ts';
import { Combobox, Dialog, ToolIcon } from '../../components/index.ts';
import { rt } from '../../i18n/index.ts';
import { searchTools } from '../tools/search.ts';
import '../tools/tools.css';
import { toolsFor } from './next-tools.ts';
import { t } from './texts.ts';

interface NextDialogProps {
  readonly from: string;
  /** Names the kind of the files. */
  readonly name: string;
  readonly read: () => Promise<readonly File[]>;
  readonly onClose: () => void;
}

/** Chooses the tool that goes on with a result; the result is not downloaded for that. */
export function NextDialog({ from, name, read, onClose }: NextDialogProps) {
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
        items={searchTools(toolsFor(name, from), query)}
        itemKey={({ path }) => path}
        itemText={({ icon, title, summary }) => (
          <span class="palette-item">
            <ToolIcon icon={icon} size={18} />
            <span class="palette-title">{rt(title)}</span>
            <span class="palette-aside">{rt(summary)}</span>
          </span>
        )}
        onChoose={({ path }) => void read().then((files) => openToolWith(path, files))}
        empty={<p class="palette-empty soft">{loading ? t('Loading the tools') : t('No tool takes this file.')}</p>}
      />
    </Dialog>
  );
}

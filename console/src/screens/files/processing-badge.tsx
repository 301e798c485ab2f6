import { Icon } from '../../components/index.ts';
import type { ProcessingFolder } from './stored-files.ts';
import { t } from './texts.ts';

/** Says that a folder processes its files, and leads to what it does. */
export function ProcessingBadge({ folder }: { readonly folder: ProcessingFolder | undefined }) {
  if (folder === undefined) return null;
  return (
    <a class="badge accent" href={`automations/${encodeURIComponent(folder.id)}`}>
      <Icon name="zap" size={14} />
      {t('Processes its files')}
    </a>
  );
}

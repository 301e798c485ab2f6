import { Icon } from '../../components/index.ts';
import type { ProcessingFolder } from './stored-files.ts';
import { t } from './texts.ts';

/** Says that a folder processes its files, and leads to what it does. */
export function ProcessingBadge({ folder }: { readonly folder: ProcessingFolder | undefined }) {
  if (folder === undefined) return null;
  const { id, enabled } = folder;
  return (
    <a class={`badge ${enabled ? 'accent' : ''}`} href={`automations/${encodeURIComponent(id)}`}>
      <Icon name={enabled ? 'zap' : 'circle-slash'} size={14} />
      {enabled ? t('Processes its files') : t('Processing is paused')}
    </a>
  );
}

/** What the action is called that leads to the processing of a folder. */
export function processingWords(processes: boolean): string {
  return processes ? t('Change processing…') : t('Process files automatically…');
}

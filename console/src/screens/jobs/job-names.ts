import { operationOf, type Job, type ListedJob } from '../../api/index.ts';
import { rt } from '../../i18n/index.ts';
import { t } from './texts.ts';

/** The title of the tool, the name of the pipeline, or what has started the job. */
export function titleOf({ kind, path }: Pick<ListedJob, 'kind' | 'path'>): string {
  if (path.startsWith('automations/')) return t('Run of an automation');
  if (path.startsWith('watched-folders/')) return t('Run of a watched folder');
  if (kind === 'pipeline') return path === '' ? t('Pipeline') : t('Pipeline “{name}”', { name: path });
  const operation = operationOf(path);
  return operation === undefined ? path : rt(operation.title);
}

export function iconOf({ kind, path }: Pick<ListedJob, 'kind' | 'path'>): string {
  return kind === 'pipeline' ? 'workflow' : (operationOf(path)?.icon ?? 'file-cog');
}

interface StatusLook {
  readonly label: string;
  readonly badge: string;
  readonly icon: string;
}

export function statusLook(status: Job['status']): StatusLook {
  switch (status) {
    case 'queued':
      return { label: t('Waiting'), badge: '', icon: 'clock' };
    case 'running':
      return { label: t('Running'), badge: 'accent', icon: 'loader' };
    case 'succeeded':
      return { label: t('Finished'), badge: 'done', icon: 'circle-check' };
    case 'failed':
      return { label: t('Failed'), badge: 'danger', icon: 'circle-alert' };
    case 'cancelled':
      return { label: t('Cancelled'), badge: '', icon: 'circle-slash' };
  }
}

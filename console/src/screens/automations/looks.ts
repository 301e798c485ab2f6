import type { FileState, Run } from './model/automation.ts';
import { t } from './texts.ts';

interface Look {
  readonly label: string;
  readonly badge: string;
  readonly icon: string;
}

/** How the state of a file is shown. */
export function fileLook(state: FileState): Look {
  switch (state) {
    case 'waiting':
      return { label: t('Waiting'), badge: '', icon: 'clock' };
    case 'running':
      return { label: t('Running'), badge: 'accent', icon: 'loader' };
    case 'delivering':
      return { label: t('Being delivered'), badge: 'accent', icon: 'send' };
    case 'delivered':
      return { label: t('Delivered'), badge: 'done', icon: 'circle-check' };
    case 'parked':
      return { label: t('Parked'), badge: 'danger', icon: 'circle-alert' };
  }
}

/** How the state of a run is shown. */
export function runLook(state: Run['state']): Look {
  switch (state) {
    case 'running':
      return { label: t('Running'), badge: 'accent', icon: 'loader' };
    case 'delivering':
      return { label: t('Being delivered'), badge: 'accent', icon: 'send' };
    case 'completed':
      return { label: t('Finished'), badge: 'done', icon: 'circle-check' };
    case 'failed':
      return { label: t('Failed'), badge: 'danger', icon: 'circle-alert' };
    case 'cancelled':
      return { label: t('Cancelled'), badge: '', icon: 'circle-slash' };
  }
}

/** What started a run. */
export function triggerWords(trigger: Run['trigger']): string {
  switch (trigger) {
    case 'manual':
      return t('Started by hand');
    case 'schedule':
      return t('Started by the schedule');
    case 'arrival':
      return t('A file arrived');
    case 'upload':
      return t('Run with own files');
  }
}

import { useState } from 'preact/hooks';
import { callJson } from '../../../api/index.ts';
import { ActionDialog, Button, LinkButton, toast, useAttempt } from '../../../components/index.ts';
import { getAutomation, switchAutomation } from '../../automations/model/automation.ts';
import { ProcessingBadge } from '../processing-badge.tsx';
import type { Folder, ProcessingFolder } from '../stored-files.ts';
import { t } from '../texts.ts';

interface ProcessingStateProps {
  readonly processing: ProcessingFolder;
  readonly folder: Folder;
  readonly onEnded: () => void;
}

/** Whether a folder processes its files now, what became of them, and what can be done at once. */
export function ProcessingState({ processing, folder, onEnded }: ProcessingStateProps) {
  const { id } = processing;
  const [enabled, setEnabled] = useState(processing.enabled);
  const { busy, attempt } = useAttempt<'start' | 'switch'>();
  const [ending, setEnding] = useState(false);
  const path = `processing-folders/${encodeURIComponent(id)}`;
  // Not by saving the folder: steps that have become wrong do not keep anybody from pausing it.
  const toggle = async (): Promise<void> => {
    const changed = await switchAutomation(await getAutomation(id), !enabled);
    setEnabled(changed.enabled);
  };
  const start = async (): Promise<void> => {
    const { runIds } = await callJson<{ readonly runIds: readonly string[] }>(`${path}/sweep`, { method: 'POST' });
    const taken = runIds.length;
    toast(
      taken === 0
        ? t('There is no new file in the folder.')
        : t.count(taken, '{count} new file is processed', '{count} new files are processed'),
    );
  };
  return (
    <section class="card row between" aria-label={t('Processing')}>
      <div class="row" role="status">
        <ProcessingBadge folder={{ ...processing, enabled }} />
      </div>
      <div class="row">
        <Button size="small" icon="play" busy={busy === 'start'} onClick={() => void attempt('start', start)}>
          {t('Start now')}
        </Button>
        <Button
          size="small"
          icon={enabled ? 'pause' : 'zap'}
          busy={busy === 'switch'}
          onClick={() => void attempt('switch', toggle)}
        >
          {enabled ? t('Pause') : t('Resume')}
        </Button>
        <LinkButton size="small" icon="history" href={`automations/${encodeURIComponent(id)}`}>
          {t('What became of the files')}
        </LinkButton>
        <Button size="small" icon="trash-2" onClick={() => setEnding(true)}>
          {t('End processing')}
        </Button>
      </div>
      {ending ? (
        <ActionDialog
          title={t('End the processing of “{name}”?', { name: folder.name })}
          action={t('End processing')}
          danger
          run={async () => {
            await callJson(path, { method: 'DELETE' });
            onEnded();
          }}
          onClose={() => setEnding(false)}
        >
          <p>{t('The folder and its files stay, and runs that have begun go on. Its history is deleted.')}</p>
        </ActionDialog>
      ) : null}
    </section>
  );
}

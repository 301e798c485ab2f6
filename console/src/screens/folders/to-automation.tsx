import { useState } from 'preact/hooks';
import { callJson } from '../../api/index.ts';
import { ActionDialog, Button, Dialog, LoadedView, useLoaded } from '../../components/index.ts';
import { ImportReportView } from '../automations/import-report.tsx';
import type { ImportEntry } from '../automations/model/import.ts';
import { t } from './texts.ts';

/** Makes an automation of a folder, or only reports what would differ. */
function toAutomation(folderId: string, dryRun: boolean, signal?: AbortSignal): Promise<ImportEntry> {
  return callJson('automations/import/watched-folder', {
    method: 'POST',
    body: { folderId, dryRun },
    ...(signal && { signal }),
  });
}

interface ToAutomationProps {
  readonly folder: string;
  /** Whether there is a pipeline of which an automation can be made. */
  readonly possible: boolean;
  readonly onMade: () => void;
}

/** The button that makes an automation of a folder. */
export function ToAutomation({ folder, possible, onMade }: ToAutomationProps) {
  const [shown, setShown] = useState<'preview' | ImportEntry | undefined>();
  const close = (): void => {
    setShown(undefined);
    onMade();
  };
  return (
    <>
      {possible ? (
        <Button icon="workflow" onClick={() => setShown('preview')}>
          {t('Make an automation of it')}
        </Button>
      ) : null}
      {shown === undefined ? null : shown === 'preview' ? (
        <Preview
          folder={folder}
          onMade={setShown}
          // The dialog also closes when the automation is made: then its report follows.
          onClose={() => setShown((now) => (now === 'preview' ? undefined : now))}
        />
      ) : (
        <Dialog
          size="large"
          title={t('The automation is ready')}
          onClose={close}
          actions={
            <Button kind="primary" onClick={close}>
              {t('Close')}
            </Button>
          }
        >
          <ImportReportView report={{ created: 1, refused: 0, entries: [shown] }} />
        </Dialog>
      )}
    </>
  );
}

interface PreviewProps {
  readonly folder: string;
  readonly onMade: (entry: ImportEntry) => void;
  readonly onClose: () => void;
}

/** What would differ, before anything is moved. */
function Preview({ folder, onMade, onClose }: PreviewProps) {
  const loaded = useLoaded((signal) => toAutomation(folder, true, signal), [folder]);
  return (
    <ActionDialog
      size="large"
      title={t('Make an automation of it')}
      action={t('Make the automation')}
      valid={loaded.data !== undefined}
      run={async () => onMade(await toAutomation(folder, false))}
      onClose={onClose}
    >
      <p>{t('The pipeline file is moved aside. Files wait in the folder until you switch the automation on.')}</p>
      <LoadedView loaded={loaded}>
        {(entry) => <ImportReportView report={{ created: 0, refused: 0, entries: [entry] }} />}
      </LoadedView>
    </ActionDialog>
  );
}

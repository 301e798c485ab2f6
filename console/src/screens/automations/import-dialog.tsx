import { useRef, useState } from 'preact/hooks';
import { asProblem, type Problem } from '../../api/index.ts';
import { Button, Dialog, ProblemNotice } from '../../components/index.ts';
import { filesOfTransfer } from '../../files/index.ts';
import { ImportReportView } from './import-report.tsx';
import { importAutomations, type ImportReport } from './model/import.ts';
import { t } from './texts.ts';

interface ImportDialogProps {
  readonly onClose: () => void;
  /** Called when automations were made. */
  readonly onImported: () => void;
}

/** Makes automations of files: first shows what would differ, then imports. */
export function ImportDialog({ onClose, onImported }: ImportDialogProps) {
  const [files, setFiles] = useState<readonly File[]>([]);
  const [report, setReport] = useState<ImportReport | undefined>();
  const [problem, setProblem] = useState<Problem | undefined>();
  const [busy, setBusy] = useState(false);
  const [done, setDone] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const send = async (chosen: readonly File[], dryRun: boolean): Promise<void> => {
    if (chosen.length === 0 || busy) return;
    setBusy(true);
    setProblem(undefined);
    setFiles(chosen);
    try {
      setReport(await importAutomations(chosen, dryRun));
      if (dryRun) return;
      setDone(true);
      onImported();
    } catch (error) {
      if (dryRun) setReport(undefined);
      setProblem(asProblem(error));
    } finally {
      setBusy(false);
    }
  };
  const count = report?.entries.filter(({ outcome }) => outcome === 'ready').length ?? 0;
  const choose = (
    <Button
      kind={report === undefined ? 'primary' : 'plain'}
      icon="folder-open"
      busy={busy && report === undefined}
      onClick={() => input.current?.click()}
    >
      {t('Choose files')}
    </Button>
  );
  return (
    <Dialog
      size="large"
      title={t('Import automations')}
      onClose={onClose}
      actions={
        done ? (
          <Button kind="primary" onClick={onClose}>
            {t('Close')}
          </Button>
        ) : (
          <>
            {choose}
            {count === 0 ? null : (
              <Button kind="primary" icon="check" busy={busy} onClick={() => void send(files, false)}>
                {t.count(count, 'Import {count} automation', 'Import {count} automations')}
              </Button>
            )}
          </>
        )
      }
    >
      <div
        class="stack"
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          if (event.dataTransfer === null || done) return;
          event.preventDefault();
          void filesOfTransfer(event.dataTransfer).then((dropped) => send(dropped, true));
        }}
      >
        {done ? null : (
          <p class="soft">
            {t('Choose or drop exported automations, policies, pipelines of watched folders, or a ZIP of them.')}{' '}
            {t('They stay switched off until you have looked at them.')}
          </p>
        )}
        {problem === undefined ? null : <ProblemNotice problem={problem} />}
        {report === undefined ? null : <ImportReportView report={report} />}
      </div>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        accept=".json,.zip,application/json,application/zip"
        aria-label={t('Choose files')}
        onChange={(event) => {
          const chosen = [...(event.currentTarget.files ?? [])];
          event.currentTarget.value = '';
          void send(chosen, true);
        }}
      />
    </Dialog>
  );
}

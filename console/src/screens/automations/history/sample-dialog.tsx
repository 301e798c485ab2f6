import { useRef, useState } from 'preact/hooks';
import { asProblem, upload, type Problem } from '../../../api/index.ts';
import { Button, Dialog, ProblemNotice, Progress } from '../../../components/index.ts';
import { fileNameOf } from '../../../files/index.ts';
import { FileRows } from '../../tool/run/file-rows.tsx';
import { filesOfResult } from '../../tool/result-files.ts';
import { addressOf, filesForm, type Automation } from '../model/automation.ts';
import { t } from '../texts.ts';

interface SampleDialogProps {
  readonly automation: Automation;
  readonly onClose: () => void;
}

/** Runs what the automation runs on a sample, and shows the results; nothing is delivered or noted. */
export function SampleDialog({ automation, onClose }: SampleDialogProps) {
  const chooser = useRef<HTMLInputElement>(null);
  const [busy, setBusy] = useState(false);
  const [results, setResults] = useState<readonly File[] | undefined>();
  const [problem, setProblem] = useState<Problem | undefined>();
  const attempt = async (files: readonly File[]): Promise<void> => {
    setBusy(true);
    setResults(undefined);
    setProblem(undefined);
    try {
      setResults(await tried(automation, files));
    } catch (error) {
      setProblem(asProblem(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog title={t('Try with a sample')} onClose={onClose} actions={<Button onClick={onClose}>{t('Close')}</Button>}>
      <div class="stack" data-sample-dialog>
        <p class="soft">{t('Its pipeline runs on your file. Nothing is delivered, and nothing is noted.')}</p>
        <div class="row">
          <Button kind="primary" icon="upload" busy={busy} onClick={() => chooser.current?.click()}>
            {t('Choose a file')}
          </Button>
        </div>
        <input
          ref={chooser}
          type="file"
          hidden
          aria-label={t('Sample')}
          onChange={({ currentTarget }) => {
            const files = [...(currentTarget.files ?? [])];
            currentTarget.value = '';
            if (files.length > 0) void attempt(files);
          }}
        />
        {busy ? <Progress label={t('Working …')} /> : null}
        {problem === undefined ? null : <ProblemNotice problem={problem} />}
        {results === undefined ? null : results.length === 0 ? (
          <p role="status">{t('No file is left.')}</p>
        ) : (
          <FileRows files={results} label={t('Results')} read={(file) => Promise.resolve(file)} />
        )}
      </div>
    </Dialog>
  );
}

async function tried({ id }: Automation, files: readonly File[]): Promise<readonly File[]> {
  const { blob, status, header } = await upload(addressOf(id, 'try'), () => filesForm(files));
  if (status === 204) return [];
  const found = await filesOfResult(blob, fileNameOf(header('content-disposition')) ?? 'result', true);
  return Promise.all(found.map((file) => file.read()));
}

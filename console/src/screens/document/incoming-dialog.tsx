import { useState } from 'preact/hooks';
import { asProblem, type Problem } from '../../api/index.ts';
import { Button, Dialog, ProblemNotice } from '../../components/index.ts';
import { saveDocument } from './save.ts';
import { t } from './texts.ts';
import { workbench } from './workbench.ts';

export interface Incoming {
  readonly file: File;
  /** Another screen handed it over: it may be what a tool made of the open document. */
  readonly handed: boolean;
}

interface IncomingDialogProps {
  readonly incoming: Incoming;
  readonly onClose: () => void;
}

/** Asks what to do with another file while a document is open. */
export function IncomingDialog({ incoming: { file, handed }, onClose }: IncomingDialogProps) {
  const [problem, setProblem] = useState<Problem | undefined>();
  const name = workbench.file?.name ?? '';
  const unsaved = workbench.versions.unsaved.value || workbench.edited.value;
  const done = (what: () => unknown): void => {
    onClose();
    what();
  };
  const saveFirst = async (): Promise<void> => {
    try {
      await saveDocument();
      done(() => workbench.open(file));
    } catch (error) {
      setProblem(asProblem(error));
    }
  };
  return (
    <Dialog title={t('Open “{name}”?', { name: file.name })} size="small" onClose={onClose}>
      <p class="break">
        {unsaved ? t('“{name}” has changes that are not saved.', { name }) : t('“{name}” is open here.', { name })}
      </p>
      {problem === undefined ? null : <ProblemNotice problem={problem} />}
      <div class="choices">
        {handed ? (
          <Button
            kind="primary"
            icon="git-commit-horizontal"
            onClick={() => done(() => workbench.continueWith(file, t('Result of a tool')))}
          >
            {t('Use it as the next version')}
          </Button>
        ) : null}
        {unsaved ? (
          <Button kind={handed ? 'plain' : 'primary'} icon="download" onClick={() => void saveFirst()}>
            {t('Save, then open it')}
          </Button>
        ) : null}
        <Button kind={unsaved ? 'danger' : 'plain'} icon="file-input" onClick={() => done(() => workbench.open(file))}>
          {unsaved ? t('Open it without saving') : t('Open it instead')}
        </Button>
        <Button onClick={onClose}>{t('Cancel')}</Button>
      </div>
    </Dialog>
  );
}

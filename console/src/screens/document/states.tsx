import { useState } from 'preact/hooks';
import { Button, Dialog, Notice, ProblemNotice, Progress } from '../../components/index.ts';
import { failureText, PasswordForm } from '../../viewer/index.ts';
import { t } from './texts.ts';
import { workbench } from './workbench.ts';

/** Why a file is not open: it needs its password, or cannot be read. */
export function Refused() {
  const refused = workbench.refused.value;
  if (refused === undefined) return null;
  const { file, failure, problem } = refused;
  const close = <Button onClick={() => workbench.dismiss()}>{t('Close')}</Button>;
  if (failure === 'password' || failure === 'wrongPassword')
    return (
      <Dialog title={t('Locked file')} size="small" onClose={() => workbench.dismiss()}>
        <PasswordForm file={file} name={file.name} failure={failure} onEntered={() => void workbench.open(file)} />
      </Dialog>
    );
  if (problem !== undefined) return <ProblemNotice problem={problem} actions={close} />;
  return (
    <Notice
      kind="error"
      title={file.name}
      actions={
        <>
          {failure === 'damaged' ? (
            <Button kind="primary" icon="wrench" onClick={() => void workbench.repair(file)}>
              {t('Repair and open it')}
            </Button>
          ) : null}
          {close}
        </>
      }
    >
      <p>{failure === undefined ? '' : failureText(failure)}</p>
    </Notice>
  );
}

/** A change that is under way. */
export function Running() {
  const running = workbench.running.value;
  if (running === undefined) return null;
  return (
    <div class="row document-running" role="status">
      <div class="grow">
        <Progress label={running.title} value={running.sent} />
      </div>
      <Button onClick={() => workbench.cancel()}>{t('Cancel')}</Button>
    </div>
  );
}

/** What the server said about the change that made this version. */
export function Remarks() {
  const [closed, setClosed] = useState<File | undefined>();
  const version = workbench.versions.current.value;
  if (version === undefined || version.warnings.length === 0 || closed === version.file) return null;
  return (
    <Notice
      kind="warning"
      title={version.title}
      actions={<Button onClick={() => setClosed(version.file)}>{t('Close')}</Button>}
    >
      {version.warnings.map((warning) => (
        <p key={warning} class="break">
          {warning}
        </p>
      ))}
    </Notice>
  );
}

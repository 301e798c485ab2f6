import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { asProblem, type Problem } from '../api/index.ts';
import { t } from '../i18n/frame.ts';
import { Button } from './button.tsx';
import { Dialog, type DialogProps } from './dialog.tsx';
import { ProblemNotice } from './notice.tsx';

export interface ActionDialogProps extends Pick<DialogProps, 'title' | 'size'> {
  /** What the button says. */
  readonly action: string;
  readonly danger?: boolean;
  /** False while what was entered cannot be sent. */
  readonly valid?: boolean;
  /** Does it; the dialog closes when it resolves, and shows the problem when it rejects. */
  readonly run: () => Promise<void>;
  readonly onClose: () => void;
  /** Takes the place of "Cancel" where the action has to be done: the dialog then cannot be closed otherwise. */
  readonly instead?: { readonly label: string; readonly run: () => void } | undefined;
  readonly children?: ComponentChildren;
}

/** A dialog that does one thing: fields, one button, and the server's words when it refuses. */
export function ActionDialog({
  title,
  size = 'small',
  action,
  danger = false,
  valid = true,
  run,
  onClose,
  instead,
  children,
}: ActionDialogProps) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | undefined>();
  const attempt = async (): Promise<void> => {
    setBusy(true);
    setProblem(undefined);
    try {
      await run();
      onClose();
    } catch (error) {
      setProblem(asProblem(error));
      setBusy(false);
    }
  };
  return (
    <Dialog size={size} title={title} onClose={onClose} closable={instead === undefined}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (valid && !busy) void attempt();
        }}
      >
        {children}
        {problem === undefined ? null : <ProblemNotice problem={problem} />}
        <div class="dialog-actions">
          <Button onClick={instead?.run ?? onClose}>{instead?.label ?? t('Cancel')}</Button>
          <Button kind={danger ? 'danger' : 'primary'} type="submit" busy={busy} disabled={!valid}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

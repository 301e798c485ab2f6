import { useEffect, useState } from 'preact/hooks';
import { guardLeaving } from '../../app/router.ts';
import { Button, Dialog } from '../../components/index.ts';
import { t } from './texts.ts';
import { workbench } from './workbench.ts';

/** Asks before edits that are not applied are lost. */
export interface LeaveAsk {
  /** Does it at once, or once people agree to lose their edits. */
  readonly ask: (go: () => void) => void;
  readonly waiting: (() => void) | undefined;
  readonly answer: (agreed: boolean) => void;
}

export function useLeaveGuard(): LeaveAsk {
  const [waiting, setWaiting] = useState<{ readonly go: () => void } | undefined>();
  const ask = (go: () => void): void => {
    if (workbench.edited.value) setWaiting({ go });
    else go();
  };
  useEffect(
    () =>
      guardLeaving((_to, go) => {
        if (!workbench.edited.value) return true;
        setWaiting({ go });
        return false;
      }),
    [],
  );
  const answer = (agreed: boolean): void => {
    setWaiting(undefined);
    if (!agreed) return;
    workbench.edited.value = false;
    waiting?.go();
  };
  return { ask, waiting: waiting?.go, answer };
}

export function LeaveQuestion({ question }: { readonly question: LeaveAsk }) {
  if (question.waiting === undefined) return null;
  return (
    <Dialog
      size="small"
      title={t('Discard your edits?')}
      onClose={() => question.answer(false)}
      actions={
        <>
          <Button onClick={() => question.answer(false)}>{t('Keep editing')}</Button>
          <Button kind="danger" onClick={() => question.answer(true)}>
            {t('Discard')}
          </Button>
        </>
      }
    >
      <p>{t('What you have entered here is not applied to the document yet.')}</p>
    </Dialog>
  );
}

/** Before the first change of a signed document. */
export function SignedQuestion() {
  const question = workbench.signedQuestion.value;
  if (question === undefined) return null;
  const { breaks, answer } = question;
  return (
    <Dialog
      size="small"
      title={t('This document is signed')}
      onClose={() => answer(false)}
      actions={
        <>
          <Button onClick={() => answer(false)}>{t('Cancel')}</Button>
          <Button kind={breaks ? 'danger' : 'primary'} onClick={() => answer(true)}>
            {t('Change it anyway')}
          </Button>
        </>
      }
    >
      <p>
        {breaks
          ? t('This change makes its signatures invalid, or removes them. Undo brings them back.')
          : t('The change is added behind what was signed. Readers will say that the document was changed since.')}
      </p>
    </Dialog>
  );
}

import { useEffect, useRef, useState } from 'preact/hooks';
import { Button, Dialog } from '../components/index.ts';
import { t } from '../i18n/frame.ts';
import { guardLeaving } from './router.ts';

/** Asks before edits that are not saved are lost. */
export interface LeaveAsk {
  /** Does it at once, or once people agree to lose their edits. */
  readonly ask: (go: () => void) => void;
  readonly waiting: (() => void) | undefined;
  readonly answer: (agreed: boolean) => void;
}

/** `isEdited` is asked when somebody leaves; `discard` is called when they agree to lose their edits. */
export function useLeaveGuard(isEdited: () => boolean, discard: () => void): LeaveAsk {
  const [waiting, setWaiting] = useState<{ readonly go: () => void } | undefined>();
  const ask = (go: () => void): void => {
    if (isEdited()) setWaiting({ go });
    else go();
  };
  useEffect(
    () =>
      guardLeaving((_to, go) => {
        if (!isEdited()) return true;
        setWaiting({ go });
        return false;
      }),
    [],
  );
  const answer = (agreed: boolean): void => {
    setWaiting(undefined);
    if (!agreed) return;
    discard();
    waiting?.go();
  };
  return { ask, waiting: waiting?.go, answer };
}

/**
 * Asks before what was entered is lost, also when the browser leaves the page. `sent`: what would be saved now;
 * `forget` when it is saved.
 */
export function useEditGuard(sent: () => unknown): { readonly leave: LeaveAsk; readonly forget: () => void } {
  const saved = useRef<string | undefined>(JSON.stringify(sent()));
  const isEdited = (): boolean => saved.current !== undefined && saved.current !== JSON.stringify(sent());
  const forget = (): void => {
    saved.current = undefined;
  };
  const leave = useLeaveGuard(isEdited, forget);
  useEffect(() => {
    const ask = (event: Event): void => {
      if (isEdited()) event.preventDefault();
    };
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, []);
  return { leave, forget };
}

export function LeaveQuestion({ question, text }: { readonly question: LeaveAsk; readonly text: string }) {
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
      <p>{text}</p>
    </Dialog>
  );
}

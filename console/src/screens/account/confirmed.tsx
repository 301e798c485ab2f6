import { useState } from 'preact/hooks';
import { asProblem } from '../../api/index.ts';
import { ActionDialog, Field, PasswordInput, toast } from '../../components/index.ts';
import { t } from './texts.ts';

type Work = (password: string | undefined) => Promise<void>;

/**
 * Runs changes for which the server wants to be sure that the owner of the account makes them: after PASSWORD_REQUIRED
 * the password is asked for, and the change is repeated with it.
 */
export function useConfirmed() {
  const [waiting, setWaiting] = useState<Work | undefined>();
  const [password, setPassword] = useState('');
  const attempt = async (work: Work): Promise<void> => {
    try {
      await work(undefined);
    } catch (error) {
      const problem = asProblem(error);
      if (problem.code !== 'PASSWORD_REQUIRED') throw problem;
      setPassword('');
      setWaiting(() => work);
    }
  };
  /** The same, with the problem as a message. */
  const attemptAloud = (work: Work): void => {
    attempt(work).catch((error: unknown) => {
      // The user closed the browser's own dialog.
      if (error instanceof DOMException && error.name === 'NotAllowedError') return;
      toast(asProblem(error).message, 'error');
    });
  };
  const dialog =
    waiting === undefined ? null : (
      <ActionDialog
        title={t('Confirm with your password')}
        action={t('Confirm')}
        valid={password !== ''}
        onClose={() => setWaiting(undefined)}
        run={() => waiting(password)}
      >
        <p class="soft">{t('Your login was a while ago.')}</p>
        <Field label={t('Password')} required>
          {(control) => <PasswordInput control={control} autoFocus value={password} onText={setPassword} />}
        </Field>
      </ActionDialog>
    );
  return { attempt, attemptAloud, dialog };
}

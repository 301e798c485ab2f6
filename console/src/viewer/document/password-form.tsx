import { useState } from 'preact/hooks';
import { Button, Field, Icon, PasswordInput } from '../../components/index.ts';
import type { ViewFailure } from '../engine/index.ts';
import { failureText } from '../failures.ts';
import { t } from '../texts.ts';
import { enterPassword } from './shared-documents.ts';

export interface PasswordFormProps {
  readonly file: Blob;
  readonly name: string;
  readonly failure: ViewFailure;
  /** Where the password goes, if not only into this page. */
  readonly help?: string;
  /** Called after the password was kept for views of the file. */
  readonly onEntered?: () => void;
}

/** Asks for the password of a locked file. It stays in this page and goes nowhere before a tool is run. */
export function PasswordForm({ file, name, failure, help, onEntered }: PasswordFormProps) {
  const [password, setPassword] = useState('');
  const [busy, setBusy] = useState(false);
  return (
    <form
      class="viewer-locked"
      onSubmit={(event) => {
        event.preventDefault();
        if (password === '') return;
        setBusy(true);
        enterPassword(file, password);
        onEntered?.();
        setTimeout(() => setBusy(false), 1000);
      }}
    >
      <Icon name="lock" size={28} />
      <p class="viewer-locked-title">{t('“{name}” needs a password', { name })}</p>
      <Field
        label={t('Password')}
        help={help ?? t('It is used in this browser only, until you run a tool.')}
        error={failure === 'wrongPassword' ? failureText(failure) : undefined}
      >
        {(control) => <PasswordInput control={control} value={password} onText={setPassword} autocomplete="off" />}
      </Field>
      <Button type="submit" kind="primary" busy={busy} disabled={password === ''}>
        {t('Open')}
      </Button>
    </form>
  );
}

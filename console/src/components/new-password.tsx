import { useState } from 'preact/hooks';
import { t } from '../i18n/frame.ts';
import { PasswordInput } from './controls.tsx';
import { Field } from './field.tsx';

/** A new password that is typed twice. */
export interface NewPassword {
  readonly text: string;
  readonly again: string;
  /** Both are the same, and not empty. */
  readonly valid: boolean;
  readonly setText: (text: string) => void;
  readonly setAgain: (text: string) => void;
}

export function useNewPassword(): NewPassword {
  const [text, setText] = useState('');
  const [again, setAgain] = useState('');
  return { text, again, valid: text !== '' && again === text, setText, setAgain };
}

interface NewPasswordFieldsProps {
  readonly password: NewPassword;
  /** Labels of both fields, where the password is not in place of another one. */
  readonly labels?: readonly [first: string, again: string];
}

export function NewPasswordFields({ password, labels }: NewPasswordFieldsProps) {
  const { text, again, setText, setAgain } = password;
  const [first, second] = labels ?? [t('New password'), t('New password again')];
  const differs = again !== '' && again !== text;
  return (
    <>
      <Field label={first} help={t('At least 8 characters, none of the common ones')} required>
        {(control) => <PasswordInput control={control} autocomplete="new-password" value={text} onText={setText} />}
      </Field>
      <Field label={second} error={differs ? t('This is another one.') : undefined} required>
        {(control) => <PasswordInput control={control} autocomplete="new-password" value={again} onText={setAgain} />}
      </Field>
    </>
  );
}

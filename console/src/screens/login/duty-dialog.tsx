import { useState } from 'preact/hooks';
import { callJson, dutyWanted, endDuty, formData, loadConfig } from '../../api/index.ts';
import { ActionDialog, Field, NewPasswordFields, PasswordInput, useNewPassword } from '../../components/index.ts';
import { SetUpDialog } from '../account/second-factor.tsx';
import { t } from './texts.ts';

/** What an account has to do before it may do anything else. */
export function DutyDialog() {
  if (dutyWanted.value === 'secondFactor') return <SetUpDialog onDone={finishDuty} onClose={() => endDuty(false)} />;
  return <PasswordDuty />;
}

/** The account has its rights from now on: what it sees depends on them. */
async function finishDuty(): Promise<void> {
  await loadConfig().catch(() => undefined);
  endDuty(true);
}

function PasswordDuty() {
  const [current, setCurrent] = useState('');
  const password = useNewPassword();
  return (
    <ActionDialog
      title={t('Choose your own password')}
      action={t('Save')}
      valid={current !== '' && password.valid}
      onClose={() => endDuty(false)}
      run={async () => {
        const body = formData({
          currentPassword: current,
          newPassword: password.text,
          confirmPassword: password.again,
        });
        await callJson('user/change-password-on-login', { body, login: 'quiet' });
        await finishDuty();
      }}
    >
      <p class="soft">{t('The password that you were given has to be replaced before you go on.')}</p>
      <Field label={t('Password that you were given')} required>
        {(control) => <PasswordInput control={control} autoFocus value={current} onText={setCurrent} />}
      </Field>
      <NewPasswordFields password={password} />
    </ActionDialog>
  );
}

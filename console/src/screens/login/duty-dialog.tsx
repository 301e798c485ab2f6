import { useState } from 'preact/hooks';
import { callJson, dutyWanted, endDuty, formData, loadConfig, passwordOfLogin } from '../../api/index.ts';
import { leave } from '../../app/leave.ts';
import { ActionDialog, Field, NewPasswordFields, PasswordInput, useNewPassword } from '../../components/index.ts';
import { SetUpDialog } from '../account/second-factor.tsx';
import { t } from './texts.ts';

/** What an account has to do before it may do anything else: it is done, or somebody logs out. */
export function DutyDialog() {
  const instead = { label: t('Log out'), run: () => void leave() };
  return dutyWanted.value === 'secondFactor' ? (
    <SetUpDialog onDone={finishDuty} onClose={() => undefined} instead={instead} />
  ) : (
    <PasswordDuty instead={instead} />
  );
}

/** The account has its rights from now on: what it sees depends on them. */
async function finishDuty(): Promise<void> {
  await loadConfig().catch(() => undefined);
  endDuty(true);
}

function PasswordDuty({ instead }: { readonly instead: { readonly label: string; readonly run: () => void } }) {
  const [typed] = useState(passwordOfLogin);
  const [current, setCurrent] = useState(typed ?? '');
  const password = useNewPassword();
  return (
    <ActionDialog
      title={t('Choose your own password')}
      action={t('Save')}
      valid={current !== '' && password.valid}
      onClose={() => undefined}
      instead={instead}
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
      {typed === undefined ? (
        <Field label={t('Password that you were given')} required>
          {(control) => <PasswordInput control={control} autoFocus value={current} onText={setCurrent} />}
        </Field>
      ) : null}
      <NewPasswordFields password={password} />
    </ActionDialog>
  );
}

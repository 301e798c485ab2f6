import { useState } from 'preact/hooks';
import { callJson, dutyWanted, endDuty, formData, loadConfig } from '../../api/index.ts';
import { ActionDialog, Field, PasswordInput } from '../../components/index.ts';
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
  const [next, setNext] = useState('');
  const [again, setAgain] = useState('');
  const differs = again !== '' && again !== next;
  return (
    <ActionDialog
      title={t('Choose your own password')}
      action={t('Save')}
      valid={current !== '' && next !== '' && again === next}
      onClose={() => endDuty(false)}
      run={async () => {
        const body = formData({ currentPassword: current, newPassword: next, confirmPassword: again });
        await callJson('user/change-password-on-login', { body, login: 'quiet' });
        await finishDuty();
      }}
    >
      <p class="soft">{t('The password that you were given has to be replaced before you go on.')}</p>
      <Field label={t('Password that you were given')} required>
        {(control) => <PasswordInput control={control} autoFocus value={current} onText={setCurrent} />}
      </Field>
      <Field label={t('New password')} help={t('At least 8 characters, none of the common ones')} required>
        {(control) => <PasswordInput control={control} autocomplete="new-password" value={next} onText={setNext} />}
      </Field>
      <Field label={t('New password again')} error={differs ? t('This is another one.') : undefined} required>
        {(control) => <PasswordInput control={control} autocomplete="new-password" value={again} onText={setAgain} />}
      </Field>
    </ActionDialog>
  );
}

import { useState } from 'preact/hooks';
import { callJson, formData } from '../../api/index.ts';
import {
  ActionDialog,
  Button,
  Field,
  NewPasswordFields,
  PasswordInput,
  toast,
  useNewPassword,
} from '../../components/index.ts';
import { t } from './texts.ts';

/** Changes the password; keys and passkeys can be revoked with it. */
export function PasswordCard() {
  const [open, setOpen] = useState(false);
  return (
    <section class="card row between">
      <div>
        <h2>{t('Password')}</h2>
        <p class="soft small">{t('A new password ends your other sessions.')}</p>
      </div>
      <Button onClick={() => setOpen(true)}>{t('Change the password')}</Button>
      {open ? <PasswordDialog onClose={() => setOpen(false)} /> : null}
    </section>
  );
}

/** Asks for the password of now and a new one. */
export function PasswordDialog({ onClose }: { readonly onClose: () => void }) {
  const [current, setCurrent] = useState('');
  const password = useNewPassword();
  const [keys, setKeys] = useState(false);
  const [passkeys, setPasskeys] = useState(false);
  return (
    <ActionDialog
      title={t('Change the password')}
      action={t('Save')}
      valid={current !== '' && password.valid}
      onClose={onClose}
      run={async () => {
        const body = {
          currentPassword: current,
          newPassword: password.text,
          revokeKeys: keys,
          revokePasskeys: passkeys,
        };
        await callJson('user/change-password', { body: formData(body) });
        toast(t('The password is changed'));
      }}
    >
      <Field label={t('Password of now')} required>
        {(control) => <PasswordInput control={control} autoFocus value={current} onText={setCurrent} />}
      </Field>
      <NewPasswordFields password={password} />
      <label class="check">
        <input type="checkbox" checked={keys} onChange={(event) => setKeys(event.currentTarget.checked)} />
        {t('Revoke my API keys')}
      </label>
      <label class="check">
        <input type="checkbox" checked={passkeys} onChange={(event) => setPasskeys(event.currentTarget.checked)} />
        {t('Remove my passkeys')}
      </label>
    </ActionDialog>
  );
}

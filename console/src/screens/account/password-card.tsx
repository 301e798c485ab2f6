import { useState } from 'preact/hooks';
import { callJson, formData } from '../../api/index.ts';
import { ActionDialog, Button, Field, PasswordInput, toast } from '../../components/index.ts';
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
  const [next, setNext] = useState('');
  const [again, setAgain] = useState('');
  const [keys, setKeys] = useState(false);
  const [passkeys, setPasskeys] = useState(false);
  const differs = again !== '' && again !== next;
  return (
    <ActionDialog
      title={t('Change the password')}
      action={t('Save')}
      valid={current !== '' && next !== '' && again === next}
      onClose={onClose}
      run={async () => {
        const body = { currentPassword: current, newPassword: next, revokeKeys: keys, revokePasskeys: passkeys };
        await callJson('user/change-password', { body: formData(body) });
        toast(t('The password is changed'));
      }}
    >
      <Field label={t('Password of now')} required>
        {(control) => <PasswordInput control={control} autoFocus value={current} onText={setCurrent} />}
      </Field>
      <Field label={t('New password')} help={t('At least 8 characters, none of the common ones')} required>
        {(control) => <PasswordInput control={control} autocomplete="new-password" value={next} onText={setNext} />}
      </Field>
      <Field label={t('New password again')} error={differs ? t('This is another one.') : undefined} required>
        {(control) => <PasswordInput control={control} autocomplete="new-password" value={again} onText={setAgain} />}
      </Field>
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

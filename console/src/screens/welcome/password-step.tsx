import { useState } from 'preact/hooks';
import { Button, Notice } from '../../components/index.ts';
import { PasswordDialog } from '../account/password-card.tsx';
import type { StepProps } from './setup.ts';
import { t } from './texts.ts';

/** Whether only the administrator knows the password; one that the server made up was replaced at the login. */
export function PasswordStep({ setup: { password }, reload }: StepProps) {
  const [open, setOpen] = useState(false);
  return (
    <>
      {password === undefined ? (
        <Notice>
          <p>{t('You use an API key. Log in with a password to check it here.')}</p>
        </Notice>
      ) : password.fromSettings ? (
        <Notice
          kind="warning"
          actions={
            <Button size="small" onClick={() => setOpen(true)}>
              {t('Change the password')}
            </Button>
          }
        >
          <p>
            {t('You log in with the password of the setting {setting}. Whoever can read the settings knows it.', {
              setting: 'security.initialLogin.password',
            })}
          </p>
        </Notice>
      ) : (
        <Notice kind="done">
          <p>{t('You are logged in as “{name}”, with a password of your own.', { name: password.username })}</p>
        </Notice>
      )}
      <p>
        {t('A second factor or a passkey protects an administrator further.')} <a href="account">{t('Your account')}</a>
      </p>
      {open ? (
        <PasswordDialog
          onClose={() => {
            setOpen(false);
            void reload();
          }}
        />
      ) : null}
    </>
  );
}

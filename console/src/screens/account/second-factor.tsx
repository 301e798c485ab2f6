import { useState } from 'preact/hooks';
import { callJson } from '../../api/index.ts';
import {
  ActionDialog,
  type ActionDialogProps,
  Button,
  Field,
  LoadedView,
  PasswordInput,
  TextInput,
  toast,
  useLoaded,
} from '../../components/index.ts';
import { QrCode } from '../../components/qr-code.tsx';
import { t } from './texts.ts';

interface AccountFacts {
  readonly mfaEnabled: boolean;
  readonly mfaRequired: boolean;
}

/** Codes of an authenticator app besides the password. */
export function SecondFactor() {
  const [open, setOpen] = useState<'on' | 'off' | undefined>();
  const loaded = useLoaded(() => callJson<AccountFacts>('proprietary/ui-data/account'), []);
  const done = async (): Promise<void> => {
    await loaded.reload();
    toast(t('Saved'));
  };
  return (
    <section class="card stack">
      <LoadedView loaded={loaded}>
        {({ mfaEnabled, mfaRequired }) => (
          <div class="row between">
            <div>
              <h2>
                {t('Second factor')}{' '}
                <span class={`badge ${mfaEnabled ? 'done' : ''}`}>{mfaEnabled ? t('On') : t('Off')}</span>
              </h2>
              <p class="soft small">
                {mfaRequired && !mfaEnabled
                  ? t('Your administrator requires it.')
                  : t('A code of an authenticator app, asked for after the password.')}
              </p>
            </div>
            <Button onClick={() => setOpen(mfaEnabled ? 'off' : 'on')}>
              {mfaEnabled ? t('Turn off') : t('Set up')}
            </Button>
          </div>
        )}
      </LoadedView>
      {open === 'on' ? <SetUpDialog onDone={done} onClose={() => setOpen(undefined)} /> : null}
      {open === 'off' ? <TurnOffDialog onDone={done} onClose={() => setOpen(undefined)} /> : null}
    </section>
  );
}

interface DialogProps {
  readonly onDone: () => Promise<void>;
  readonly onClose: () => void;
}

interface SetUpDialogProps extends DialogProps {
  /** In place of "Cancel". */
  readonly instead?: ActionDialogProps['instead'];
}

/** Sets up the second factor: the key for the app, then its first code. */
export function SetUpDialog({ onDone, onClose, instead }: SetUpDialogProps) {
  const [code, setCode] = useState('');
  const [password, setPassword] = useState('');
  const setup = useLoaded(() => callJson<{ secret: string; otpauthUri: string }>('auth/mfa/setup'), []);
  return (
    <ActionDialog
      title={t('Set up a second factor')}
      action={t('Turn on')}
      valid={code.trim() !== ''}
      instead={instead}
      onClose={() => {
        void callJson('auth/mfa/setup/cancel', { method: 'POST' }).catch(() => undefined);
        onClose();
      }}
      run={async () => {
        const body = { code: code.trim(), ...(password === '' ? {} : { password }) };
        await callJson('auth/mfa/enable', { body });
        await onDone();
      }}
    >
      <LoadedView loaded={setup}>
        {({ secret, otpauthUri }) => (
          <>
            <p>{t('Scan this with an authenticator app, or type the key into it.')}</p>
            <QrCode text={otpauthUri} label={t('QR code with the key below')} />
            <p class="center break">
              <code>{secret}</code>
            </p>
          </>
        )}
      </LoadedView>
      <Field label={t('Code of the app')} required>
        {(control) => (
          <TextInput control={control} inputMode="numeric" autocomplete="one-time-code" value={code} onText={setCode} />
        )}
      </Field>
      <Field label={t('Password')} help={t('Needed if your login was a while ago')}>
        {(control) => <PasswordInput control={control} value={password} onText={setPassword} />}
      </Field>
    </ActionDialog>
  );
}

function TurnOffDialog({ onDone, onClose }: DialogProps) {
  const [code, setCode] = useState('');
  return (
    <ActionDialog
      title={t('Turn off the second factor')}
      action={t('Turn off')}
      danger
      valid={code.trim() !== ''}
      onClose={onClose}
      run={async () => {
        await callJson('auth/mfa/disable', { body: { code: code.trim() } });
        await onDone();
      }}
    >
      <Field label={t('Code of the app')} required>
        {(control) => <TextInput control={control} inputMode="numeric" autoFocus value={code} onText={setCode} />}
      </Field>
    </ActionDialog>
  );
}

import { useState } from 'preact/hooks';
import { asProblem, callJson, type Problem } from '../../api/index.ts';
import {
  Button,
  Empty,
  Field,
  LinkButton,
  LoadedView,
  NewPasswordFields,
  Notice,
  ProblemNotice,
  TextInput,
  useLoaded,
  useNewPassword,
} from '../../components/index.ts';
import { t } from './texts.ts';

interface NewPasswordProps {
  readonly token: string;
  readonly onAskAgain: () => void;
}

/** Asks for the new password of the account that a link belongs to. */
export function NewPassword({ token, onAskAgain }: NewPasswordProps) {
  const loaded = useLoaded(
    () => callJson<{ username: string }>('auth/password-reset/check', { body: { token }, login: 'quiet' }),
    [token],
  );
  if (loaded.problem?.code === 'PASSWORD_RESET_UNKNOWN') return <NoLink onAskAgain={onAskAgain} />;
  return (
    <LoadedView loaded={loaded}>
      {({ username }) => <PasswordForm token={token} username={username} onAskAgain={onAskAgain} />}
    </LoadedView>
  );
}

function NoLink({ onAskAgain }: Pick<NewPasswordProps, 'onAskAgain'>) {
  return (
    <Empty whole icon="link-2-off" title={t('This link does not work')}>
      <p class="soft">{t('It was used, has expired, or the password was changed since.')}</p>
      <Button kind="primary" onClick={onAskAgain}>
        {t('Ask for a new link')}
      </Button>
    </Empty>
  );
}

function PasswordForm({ token, username, onAskAgain }: NewPasswordProps & { readonly username: string }) {
  const password = useNewPassword();
  const [revoke, setRevoke] = useState({ keys: false, passkeys: false });
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | undefined>();
  const [done, setDone] = useState(false);
  const save = async (): Promise<void> => {
    setBusy(true);
    setProblem(undefined);
    try {
      const body = { token, newPassword: password.text, revokeKeys: revoke.keys, revokePasskeys: revoke.passkeys };
      await callJson('auth/password-reset/finish', { body, login: 'quiet' });
      setDone(true);
    } catch (error) {
      setProblem(asProblem(error));
    }
    setBusy(false);
  };
  if (problem?.code === 'PASSWORD_RESET_UNKNOWN') return <NoLink onAskAgain={onAskAgain} />;
  if (done) return <Done />;
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <h1>{t('New password')}</h1>
      <Field label={t('User name')}>
        {(control) => (
          <TextInput control={control} autocomplete="username" readOnly value={username} onText={() => undefined} />
        )}
      </Field>
      <NewPasswordFields password={password} />
      <p class="soft small">
        {t('A new password ends all your sessions. If somebody else may have used your account:')}
      </p>
      <label class="check">
        <input
          type="checkbox"
          checked={revoke.keys}
          onChange={(event) => setRevoke({ ...revoke, keys: event.currentTarget.checked })}
        />
        {t('Revoke my API keys')}
      </label>
      <label class="check">
        <input
          type="checkbox"
          checked={revoke.passkeys}
          onChange={(event) => setRevoke({ ...revoke, passkeys: event.currentTarget.checked })}
        />
        {t('Remove my passkeys')}
      </label>
      {problem === undefined ? null : <ProblemNotice problem={problem} />}
      <Button kind="primary" size="large" type="submit" busy={busy} disabled={!password.valid}>
        {t('Save')}
      </Button>
    </form>
  );
}

function Done() {
  return (
    <>
      <h1>{t('New password')}</h1>
      <div role="status">
        <Notice kind="done">
          <p>{t('The password is changed')}</p>
        </Notice>
      </div>
      <LinkButton kind="primary" href="login">
        {t('Log in')}
      </LinkButton>
    </>
  );
}

import { useEffect, useState } from 'preact/hooks';
import {
  asProblem,
  askLogin,
  config,
  dutyWanted,
  endLogin,
  forgetPasswordOfLogin,
  loadCatalog,
  loadConfig,
  logIn,
  logInAt,
  logInWithPasskey,
  loginWanted,
  passkeysPossible,
  useKey,
  type Problem,
} from '../../api/index.ts';
import { Button, Dialog, Field, PasswordInput, ProblemNotice, TextInput } from '../../components/index.ts';
import { navigate, place } from '../../app/router.ts';
import './login.css';
import { t } from './texts.ts';

/** Login with a password and a second factor, or with an API key. */
export function LoginDialog() {
  const local = config.value?.localLoginEnabled !== false;
  const [way, setWay] = useState<'password' | 'key' | 'provider'>(local ? 'password' : 'provider');
  const providers = config.value?.loginProviders ?? [];
  const withPasskeys = passkeysPossible && local;
  const hasOthers = providers.length > 0 || withPasskeys;
  const [problem, setProblem] = useState<Problem | undefined>();
  const [busy, setBusy] = useState(false);
  const attempt = async (run: () => Promise<void>): Promise<void> => {
    setBusy(true);
    setProblem(undefined);
    try {
      await run();
      // What the caller sees depends on the account.
      await Promise.all([loadConfig(), loadCatalog(true)]);
      endLogin(true);
    } catch (error) {
      // The user closed the browser's own dialog of passkeys.
      if (!(error instanceof DOMException && error.name === 'NotAllowedError')) setProblem(asProblem(error));
    } finally {
      forgetPasswordOfLogin();
      setBusy(false);
    }
  };
  // The account has something to do first: the dialog for that takes this one's place.
  if (dutyWanted.value !== undefined) return null;
  return (
    <Dialog size="small" title={t('Log in')} onClose={() => endLogin(false)}>
      {loginWanted.value?.expired === true && problem === undefined ? (
        <p class="soft">{t('Your session has ended. Log in again to continue; nothing you entered is lost.')}</p>
      ) : place.value.path.startsWith('share/') ? (
        <p class="soft">{t('Somebody shared a file with you. Log in to see it.')}</p>
      ) : null}
      {way === 'password' ? <PasswordForm problem={problem} busy={busy} attempt={attempt} /> : null}
      {way === 'key' ? <KeyForm problem={problem} busy={busy} attempt={attempt} /> : null}
      {way === 'password' && hasOthers ? <p class="or">{t('or')}</p> : null}
      {hasOthers ? (
        <div class="other-logins">
          {providers.map(({ id, name }) => (
            <Button key={id} icon="log-in" disabled={busy} onClick={() => logInAt(id)}>
              {t('Log in with {provider}', { provider: name })}
            </Button>
          ))}
          {withPasskeys ? (
            <Button icon="fingerprint" disabled={busy} onClick={() => void attempt(logInWithPasskey)}>
              {t('Log in with a passkey')}
            </Button>
          ) : null}
        </div>
      ) : null}
      <p class="center">
        <button
          type="button"
          class="link"
          onClick={() => {
            setProblem(undefined);
            setWay(way === 'key' ? (local ? 'password' : 'provider') : 'key');
          }}
        >
          {way !== 'key'
            ? t('Use an API key instead')
            : local
              ? t('Use a password instead')
              : t('Use a login provider instead')}
        </button>
      </p>
    </Dialog>
  );
}

interface FormProps {
  readonly problem: Problem | undefined;
  readonly busy: boolean;
  readonly attempt: (run: () => Promise<void>) => Promise<void>;
}

function PasswordForm({ problem, busy, attempt }: FormProps) {
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [needsCode, setNeedsCode] = useState(false);
  useEffect(() => {
    if (problem?.code === 'MFA_CODE_REQUIRED' || problem?.code === 'MFA_CODE_INVALID') setNeedsCode(true);
  }, [problem]);
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void attempt(() => logIn(name, password, code));
      }}
    >
      <Field label={t('User name')} required>
        {(control) => (
          <TextInput
            control={control}
            name="username"
            autocomplete="username"
            autocapitalize="none"
            spellcheck={false}
            autoFocus
            value={name}
            onText={setName}
          />
        )}
      </Field>
      <Field label={t('Password')} required>
        {(control) => <PasswordInput control={control} name="password" value={password} onText={setPassword} />}
      </Field>
      {needsCode ? (
        <Field
          label={t('Code of the second factor')}
          help={t('Six digits from your authenticator app')}
          error={problem?.code === 'MFA_CODE_INVALID' ? problem.message : undefined}
          required
        >
          {(control) => (
            <TextInput
              control={control}
              name="code"
              inputMode="numeric"
              autocomplete="one-time-code"
              maxLength={20}
              autoFocus
              value={code}
              onText={setCode}
            />
          )}
        </Field>
      ) : null}
      {problem === undefined || /^MFA_CODE/.test(problem.code) ? null : <ProblemNotice problem={problem} />}
      <Forgotten />
      <Button
        kind="primary"
        size="large"
        type="submit"
        busy={busy}
        disabled={name.trim() === '' || password === '' || (needsCode && code.trim() === '')}
      >
        {t('Log in')}
      </Button>
    </form>
  );
}

/** The way to a new password. */
function Forgotten() {
  if (config.value?.passwordResetEnabled !== true)
    return <p class="soft small">{t('If you do not know your password, ask an administrator for a new one.')}</p>;
  return (
    <p class="small">
      <a href="reset" onClick={() => endLogin(false)}>
        {t('Forgot your password?')}
      </a>
    </p>
  );
}

function KeyForm({ problem, busy, attempt }: FormProps) {
  const [key, setKey] = useState('');
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void attempt(() => useKey(key.trim()));
      }}
    >
      <Field label={t('API key')} help={t('Kept in this browser until you log out')} required>
        {(control) => <PasswordInput control={control} autocomplete="off" autoFocus value={key} onText={setKey} />}
      </Field>
      {problem === undefined ? null : <ProblemNotice problem={problem} />}
      <Button kind="primary" size="large" type="submit" busy={busy} disabled={key.trim() === ''}>
        {t('Log in')}
      </Button>
    </form>
  );
}

/** The login as a page of its own, for links to it; afterwards the tools are shown. */
export function Screen() {
  useEffect(() => {
    const refused = place.value.query.get('errorOAuth');
    // Where SAML ends: its reasons are those of every provider.
    if (refused !== null) return navigate(`auth/callback?errorOAuth=${encodeURIComponent(refused)}`, { replace: true });
    const [only] = config.value?.loginProviders ?? [];
    // After a logout people want to stay out.
    if (config.value?.SSOAutoLogin === true && only !== undefined && !place.value.query.has('logout'))
      return logInAt(only.id);
    let left = false;
    // Somebody who opens this page may have a session, which has not ended.
    void askLogin(false).then(() => left || navigate('./', { replace: true }));
    return () => {
      left = true;
      endLogin(false);
    };
  }, []);
  return <LoginDialog />;
}

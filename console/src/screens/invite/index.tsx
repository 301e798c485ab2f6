import { useState } from 'preact/hooks';
import { asProblem, callJson, formData, logIn, type Problem } from '../../api/index.ts';
import type { ScreenProps } from '../../app/screen-props.ts';
import {
  Button,
  Empty,
  Field,
  LinkButton,
  LoadedView,
  NewPasswordFields,
  ProblemNotice,
  TextInput,
  useLoaded,
  useNewPassword,
} from '../../components/index.ts';
import { t } from './texts.ts';

interface Invite {
  readonly email: string | null;
  readonly emailRequired: boolean;
}

/** Makes an account with an invite; nobody is logged in yet. */
export function Screen({ params }: ScreenProps) {
  const token = params['rest'] ?? new URLSearchParams(location.search).get('token') ?? '';
  const loaded = useLoaded(
    () => callJson<Invite>(`invite/validate/${encodeURIComponent(decodeURIComponent(token))}`, { login: 'quiet' }),
    [token],
  );
  if (token === '')
    return (
      <Empty whole icon="link-2-off" title={t('The link is not complete')}>
        <p class="soft">{t('Open the whole link of the invite.')}</p>
      </Empty>
    );
  return (
    <section class="card outside-card stack">
      <h1>{t('Welcome')}</h1>
      <LoadedView loaded={loaded}>{(invite) => <AcceptForm token={token} invite={invite} />}</LoadedView>
    </section>
  );
}

function AcceptForm({ token, invite }: { readonly token: string; readonly invite: Invite }) {
  const [email, setEmail] = useState(invite.email ?? '');
  const password = useNewPassword();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | undefined>();
  const [name, setName] = useState<string | undefined>();
  if (name !== undefined)
    return (
      <>
        <p role="status">{t('Your account “{name}” is ready.', { name })}</p>
        <LinkButton kind="primary" href="./">
          {t('Show all tools')}
        </LinkButton>
      </>
    );
  const accept = async (): Promise<void> => {
    setBusy(true);
    setProblem(undefined);
    try {
      const path = `invite/accept/${encodeURIComponent(decodeURIComponent(token))}`;
      const body = formData({ email: invite.emailRequired ? email.trim() : undefined, password: password.text });
      const { username } = await callJson<{ username: string }>(path, { body, login: 'quiet' });
      // A second factor may be required first: the login dialog asks for it then.
      await logIn(username, password.text, '').catch(() => undefined);
      setName(username);
    } catch (error) {
      setProblem(asProblem(error));
    }
    setBusy(false);
  };
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void accept();
      }}
    >
      <p class="soft">{t('You were invited. Choose a password, and your account is made.')}</p>
      <Field label={t('Mail address')} required>
        {(control) => (
          <TextInput
            control={control}
            type="email"
            autocomplete="username"
            readOnly={!invite.emailRequired}
            value={email}
            onText={setEmail}
          />
        )}
      </Field>
      <NewPasswordFields password={password} labels={[t('Password'), t('Password again')]} />
      {problem === undefined ? null : <ProblemNotice problem={problem} />}
      <Button kind="primary" size="large" type="submit" busy={busy} disabled={email.trim() === '' || !password.valid}>
        {t('Create the account')}
      </Button>
    </form>
  );
}

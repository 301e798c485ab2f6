import { useState } from 'preact/hooks';
import { asProblem, callJson, type Problem } from '../../api/index.ts';
import { Button, Field, LinkButton, Notice, ProblemNotice, TextInput } from '../../components/index.ts';
import { t } from './texts.ts';

/** Asks for the mail. The answer is the same for every name. */
export function AskForm() {
  const [name, setName] = useState('');
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | undefined>();
  const [asked, setAsked] = useState<string | undefined>();
  const ask = async (): Promise<void> => {
    setBusy(true);
    setProblem(undefined);
    try {
      await callJson('auth/password-reset/request', { body: { username: name.trim() }, login: 'quiet' });
      setAsked(name.trim());
    } catch (error) {
      setProblem(asProblem(error));
    }
    setBusy(false);
  };
  if (asked !== undefined)
    return (
      <>
        <h1>{t('Look into your mail')}</h1>
        <div role="status">
          <Notice kind="done">
            <p class="break">
              {t('If “{name}” is the mail address of an account, a mail with a link is on its way.', { name: asked })}
            </p>
          </Notice>
        </div>
        <p class="soft">
          {t('If none arrives within some minutes, look into the folder for unwanted mail, or ask an administrator.')}
        </p>
        <LinkButton href="login">{t('Log in')}</LinkButton>
      </>
    );
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void ask();
      }}
    >
      <h1>{t('Forgot your password?')}</h1>
      <p class="soft">{t('You get a mail with a link. With it you choose a new password.')}</p>
      <Field
        label={t('Mail address')}
        help={t('If your user name is not a mail address, ask an administrator for a new password.')}
        required
      >
        {(control) => (
          <TextInput
            control={control}
            name="username"
            inputMode="email"
            autocomplete="username"
            autocapitalize="none"
            spellcheck={false}
            autoFocus
            value={name}
            onText={setName}
          />
        )}
      </Field>
      {problem === undefined ? null : <ProblemNotice problem={problem} />}
      <Button kind="primary" size="large" type="submit" busy={busy} disabled={name.trim() === ''}>
        {t('Send the mail')}
      </Button>
      <p class="center">
        <a href="login">{t('Back to the login')}</a>
      </p>
    </form>
  );
}

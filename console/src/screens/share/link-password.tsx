import { useState } from 'preact/hooks';
import { asProblem, type Problem } from '../../api/index.ts';
import { Button, Field, PasswordInput, ProblemNotice } from '../../components/index.ts';
import { hasEnded, LinkEnd } from './link-end.tsx';
import { openLink, type Shared } from './shared-link.ts';
import { t } from './texts.ts';

interface LinkPasswordProps {
  readonly token: string;
  readonly onOpened: (shared: Shared, password: string) => void;
}

/** Asks for the password of a link. Nothing of the file is known before. */
export function LinkPassword({ token, onOpened }: LinkPasswordProps) {
  const [password, setPassword] = useState('');
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | undefined>();
  const open = async (): Promise<void> => {
    setBusy(true);
    setProblem(undefined);
    try {
      onOpened(await openLink({ token, password }), password);
    } catch (error) {
      setProblem(asProblem(error));
      setBusy(false);
    }
  };
  if (problem !== undefined && hasEnded(problem)) return <LinkEnd problem={problem} />;
  const wrong = problem?.code === 'SHARE_LINK_PASSWORD_WRONG';
  return (
    <section class="card outside-card stack share-password">
      <h1>{t('This file is protected by a password')}</h1>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (password !== '') void open();
        }}
      >
        <Field
          label={t('Password')}
          help={t('The person who sent the link knows it.')}
          error={wrong ? t('This password is wrong.') : undefined}
          required
        >
          {(control) => (
            <PasswordInput control={control} autocomplete="off" autoFocus value={password} onText={setPassword} />
          )}
        </Field>
        {problem === undefined || wrong ? null : <ProblemNotice problem={problem} />}
        <Button kind="primary" size="large" type="submit" busy={busy} disabled={password === ''}>
          {t('Open the file')}
        </Button>
      </form>
    </section>
  );
}

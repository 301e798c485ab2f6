import { useEffect, useState } from 'preact/hooks';
import { config } from '../../api/index.ts';
import { Empty, LinkButton } from '../../components/index.ts';
import { AskForm } from './ask-form.tsx';
import { NewPassword } from './new-password.tsx';
import { t } from './texts.ts';

/** A new password by mail: asks for the mail or, with the token of its link, for the password. Nobody is logged in. */
export function Screen() {
  // In the fragment, which the browser sends to no server.
  const [token, setToken] = useState(() => location.hash.slice(1));
  useEffect(() => {
    const follow = (): void => setToken(location.hash.slice(1));
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  if (config.value?.passwordResetEnabled !== true)
    return (
      <Empty whole icon="mail-x" title={t('Passwords are not reset by mail here')}>
        <p class="soft">{t('Ask an administrator for a new one.')}</p>
        <LinkButton href="login">{t('Log in')}</LinkButton>
      </Empty>
    );
  return (
    <section class="card outside-card stack">
      {token === '' ? <AskForm /> : <NewPassword token={token} onAskAgain={() => setToken(forgetToken())} />}
    </section>
  );
}

function forgetToken(): string {
  history.replaceState(history.state, '', location.pathname);
  return '';
}

import { config, user } from '../../api/index.ts';
import { Empty, LinkButton } from '../../components/index.ts';
import './account.css';
import { Keys } from './keys.tsx';
import { Passkeys } from './passkeys.tsx';
import { PasswordCard } from './password-card.tsx';
import { SecondFactor } from './second-factor.tsx';
import { Sessions } from './sessions.tsx';
import { t } from './texts.ts';

/** One's own account: password, second factor, passkeys, API keys, sessions. */
export function Screen() {
  if (config.value?.enableLogin !== true)
    return (
      <Empty whole icon="user" title={t('There are no accounts')}>
        <p class="soft">{t('Login is off on this server, so everybody uses it without an account.')}</p>
        <LinkButton href="./">{t('Show all tools')}</LinkButton>
      </Empty>
    );
  return (
    <div class="page account">
      <header class="page-head">
        <h1>{t('Your account')}</h1>
        <p class="soft break">{user.value?.username ?? ''}</p>
      </header>
      <PasswordCard />
      <SecondFactor />
      <Passkeys />
      <Keys />
      <Sessions />
    </div>
  );
}

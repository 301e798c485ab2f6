import { config, credentials, user } from '../../api/index.ts';
import { Empty, LinkButton } from '../../components/index.ts';
import './account.css';
import { Identities } from './identities.tsx';
import { Keys } from './keys.tsx';
import { Passkeys } from './passkeys.tsx';
import { PasswordCard } from './password-card.tsx';
import { ProfileHead } from './profile-head.tsx';
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
  // Accounts of login providers are protected there.
  const hasPassword = (user.value?.authenticationType ?? 'web') === 'web';
  return (
    <div class="page account">
      <header class="page-head">
        <ProfileHead />
      </header>
      {hasPassword ? (
        <>
          <PasswordCard />
          <SecondFactor />
          <Passkeys />
        </>
      ) : null}
      {config.value.loginProviders.length > 0 && credentials.value?.kind === 'session' ? <Identities /> : null}
      <Keys />
      <Sessions />
    </div>
  );
}

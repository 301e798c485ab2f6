import { useEffect, useState } from 'preact/hooks';
import { config, keepToken, loadCatalog, loadConfig, loadUser, logInAt, takeLoginBack } from '../../api/index.ts';
import { navigate } from '../../app/router.ts';
import { Empty, LinkButton, Button, toast } from '../../components/index.ts';
import { t } from './texts.ts';

/** Why a provider's login was refused, by the codes of `?errorOAuth=`; undefined for one that says nothing to users. */
const reasons: Readonly<Record<string, () => string>> = {
  access_denied: () => t('You did not allow the login at the provider.'),
  already_linked: () => t('This login belongs to another account already.'),
  email_not_verified: () => t('The provider has not verified your mail address. Confirm it there, and try again.'),
  invalidUsername: () => t('The provider gives you a name that this server does not accept. Ask an administrator.'),
  login_expired: () => t('The login took too long, or was begun in another browser. Try again.'),
  login_not_requested: () =>
    t('Logins that begin at the provider are not accepted here. Begin the login on this server.'),
  maxUsersReached: () => t('This server has as many users as it may have. Ask an administrator.'),
  oAuth2AdminBlockedUser: () => t('You have no account on this server. Ask an administrator for one.'),
  oAuth2AutoCreateDisabled: () => t('You have no account on this server. Ask an administrator for one.'),
  provider_unreachable: () => t('The provider cannot be reached. Try again later, or log in in another way.'),
  second_factor_required: () => t('A second factor is needed: set one up at the provider, and log in with it.'),
  userAlreadyExistsWeb: () =>
    t('There is an account with your name and a password. Log in with the password, and link the provider there.'),
  userIsDisabled: () => t('Your account is disabled. Ask an administrator.'),
};

/** Where a login provider sends the browser: with a session token in the fragment, or with what went wrong. */
export function Screen() {
  const [query] = useState(() => new URLSearchParams(location.search));
  const code = query.get('errorOAuth');
  const isTrial = query.has('trial');
  useEffect(() => {
    if (code === null && !isTrial) void arrive();
  }, []);
  if (isTrial) return <TrialEnd />;
  if (code === null) return <h1 class="empty empty-title soft">{t('Logging in…')}</h1>;
  const [provider, ...others] = config.value?.loginProviders ?? [];
  return (
    <Empty whole icon="log-in" title={t('You are not logged in')}>
      <p class="soft">
        {(reasons[code] ?? (() => t('The login failed. An administrator finds the reason in the log.')))()}
      </p>
      {provider !== undefined && others.length === 0 ? (
        <Button kind="primary" onClick={() => logInAt(provider.id)}>
          {t('Try again')}
        </Button>
      ) : null}
      <LinkButton href="login">{t('Log in in another way')}</LinkButton>
    </Empty>
  );
}

/** The end of an administrator's trial login, in the tab that was opened for it. */
function TrialEnd() {
  return (
    <Empty whole icon="flask-conical" title={t('The test is done')}>
      <p class="soft">{t('Close this tab. The one in which you began the test shows what the provider sent.')}</p>
    </Empty>
  );
}

async function arrive(): Promise<void> {
  const token = new URLSearchParams(location.hash.slice(1)).get('access_token');
  const linked = new URLSearchParams(location.search).get('linked');
  // The token must not stay in the history.
  history.replaceState(history.state, '', location.pathname);
  if (linked !== null) {
    const name = config.value?.loginProviders.find(({ id }) => id === linked)?.name ?? linked;
    navigate('account', { replace: true });
    toast(t('{provider} is linked to your account.', { provider: name }));
    return;
  }
  if (token === null) return navigate('login', { replace: true });
  keepToken(token);
  // What the caller sees depends on the account. The shell says what is wrong, and tries again.
  await Promise.all([loadUser(), loadConfig(), loadCatalog(true)]).catch(() => undefined);
  navigate(takeLoginBack(), { replace: true });
}

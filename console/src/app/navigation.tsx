import { config, credentials, user, loadCatalog, loadConfig, askLogin } from '../api/index.ts';
import { Icon, Menu } from '../components/index.ts';
import { language, languages, setLanguage, type Language } from '../i18n/index.ts';
import { Avatar, nameOf } from '../people/index.ts';
import { t } from '../i18n/frame.ts';
import { leave } from './leave.ts';
import { openPalette, searchKeys } from './palette-host.tsx';
import { offeredScreens } from './offered-screens.ts';
import { density, theme, type Theme } from './preferences.ts';
import { navigate, path } from './router.ts';
import { addressOf, findScreen, screens } from './screens.ts';

export function Brand() {
  const name = config.value?.appNameNavbar || 'Quire';
  return (
    <a class="brand" href="./">
      <span class="brand-mark" aria-hidden="true">
        <Icon name="files" size={18} />
      </span>
      {name}
    </a>
  );
}

/** Search, the screens that the caller may see, and the preferences. */
export function Navigation() {
  const current = findScreen(path.value)?.screen;
  const marked = current?.under ?? current?.id;
  return (
    <>
      <Brand />
      <button type="button" class="search-button" onClick={openPalette}>
        <Icon name="search" size={18} />
        <span>{t('Search')}</span>
        <kbd>{searchKeys}</kbd>
      </button>
      <nav aria-label={t('Main')}>
        <ul class="nav">
          {offeredScreens().map((screen) => (
            <li key={screen.id}>
              <a href={addressOf(screen)} aria-current={screen.id === marked ? 'page' : undefined}>
                <Icon name={screen.icon!} />
                <span>{t(screen.title)}</span>
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <div class="side-end">
        <LanguageMenu />
        <AppearanceMenu />
        <AccountMenu />
      </div>
    </>
  );
}

function LanguageMenu() {
  const offered = config.value?.languages.map((tag) => tag.split(/[-_]/)[0]) ?? [];
  const codes = (Object.keys(languages) as Language[]).filter((code) => offered.length === 0 || offered.includes(code));
  return (
    <Menu
      label={t('Language')}
      side="up"
      class="button quiet normal icon-button"
      items={codes.map((code) => ({
        label: languages[code],
        checked: code === language.value,
        run: () => void setLanguage(code),
      }))}
    >
      <Icon name="languages" />
    </Menu>
  );
}

const themes: readonly (readonly [Theme, string, string])[] = [
  ['system', /* t */ 'As the system', 'monitor'],
  ['light', /* t */ 'Light', 'sun'],
  ['dark', /* t */ 'Dark', 'moon'],
];

function AppearanceMenu() {
  return (
    <Menu
      label={t('Appearance')}
      side="up"
      class="button quiet normal icon-button"
      items={[
        ...themes.map(([value, label, icon]) => ({
          label: t(label),
          icon,
          checked: theme.value === value,
          run: () => (theme.value = value),
        })),
        {
          label: density.value === 'compact' ? t('More space between lines') : t('Less space between lines'),
          icon: 'rows-3',
          apart: true,
          run: () => (density.value = density.value === 'compact' ? 'comfortable' : 'compact'),
        },
      ]}
    >
      <Icon name="sun-moon" />
    </Menu>
  );
}

function AccountMenu() {
  if (config.value?.enableLogin !== true) return null;
  if (credentials.value === undefined)
    return (
      <button type="button" class="button plain normal" onClick={() => void logInAgain()}>
        {t('Log in')}
      </button>
    );
  const account = screens.find(({ id }) => id === 'account');
  const own = user.value;
  const name = own === undefined ? t('Account') : nameOf(own);
  return (
    <Menu
      label={t('Account: {name}', { name })}
      side="up"
      class="button quiet normal account-button"
      items={[
        ...(account === undefined
          ? []
          : [{ label: t('Your account'), icon: 'user', run: () => navigate(account.path) }]),
        { label: t('Log out'), icon: 'log-out', run: () => void leave() },
      ]}
    >
      {own === undefined ? <Icon name="user" size={16} /> : <Avatar person={own} />}
      <span class="account-name" title={own?.username}>
        <bdi>{name}</bdi>
      </span>
    </Menu>
  );
}

async function logInAgain(): Promise<void> {
  if (await askLogin()) await Promise.all([loadConfig(), loadCatalog(true)]);
}

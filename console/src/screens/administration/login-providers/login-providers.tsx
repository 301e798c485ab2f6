import { useState } from 'preact/hooks';
import { callJson } from '../../../api/index.ts';
import { Button, LoadedView, Notice, useLoaded } from '../../../components/index.ts';
import { RestartNotice } from '../settings/restart-notice.tsx';
import type { Setting } from '../settings/setting-facts.ts';
import { isOwn, type OwnProvider, type ProvidersPage, type SetUpProvider } from './provider-facts.ts';
import { ProviderForm } from './provider-form.tsx';
import { SamlForm } from './saml-form.tsx';
import './login-providers.css';
import { t } from './texts.ts';

/** Login providers: those that are set up, and one of them to be changed and tried. */
export function LoginProviders() {
  const [chosen, setChosen] = useState<string | undefined>();
  const loaded = useLoaded(async () => {
    const [page, { settings }] = await Promise.all([
      callJson<ProvidersPage>('admin/login-providers'),
      callJson<{ settings: readonly Setting[] }>('admin/settings/described'),
    ]);
    return { page, settings };
  }, []);
  return (
    <LoadedView loaded={loaded}>
      {({ page, settings }) => {
        const provider = page.providers.filter(isOwn).find(({ preset }) => preset === chosen);
        const byKey = new Map(settings.map((setting) => [setting.key, setting]));
        const waiting = settings.filter((setting) => 'pending' in setting).length;
        return (
          <>
            {waiting === 0 ? null : <RestartNotice waiting={waiting} />}
            {provider === undefined ? (
              <ProviderList page={page} onChoose={setChosen} />
            ) : provider.protocol === 'saml' ? (
              <SamlForm
                provider={provider}
                settings={byKey}
                onClose={() => setChosen(undefined)}
                onSaved={loaded.reload}
              />
            ) : (
              <ProviderForm
                key={provider.preset}
                provider={provider}
                settings={byKey}
                onClose={() => setChosen(undefined)}
                onSaved={loaded.reload}
              />
            )}
          </>
        );
      }}
    </LoadedView>
  );
}

interface ProviderListProps {
  readonly page: ProvidersPage;
  readonly onChoose: (preset: string) => void;
}

function ProviderList({ page: { isOn, providers }, onChoose }: ProviderListProps) {
  const present = providers.filter(({ inUse, isSaved }) => inUse || isSaved);
  const others = providers.filter(isOwn).filter((provider) => !present.includes(provider));
  return (
    <>
      <p class="soft">
        {t('Users log in with an account that they have elsewhere. You can try a login before users see it.')}
      </p>
      {!isOn && present.some(({ protocol }) => protocol !== 'saml') ? (
        <Notice kind="warning">
          <p>
            {t('Login with providers is off: {enabled} is off, or {method} leaves it out.', {
              enabled: 'security.oauth2.enabled',
              method: 'security.loginMethod',
            })}
          </p>
        </Notice>
      ) : null}
      {present.length === 0 ? null : (
        <section class="card stack">
          <h2>{t('Set up')}</h2>
          <ul>
            {present.map((provider) => (
              <ProviderRow key={provider.id} provider={provider} onChoose={onChoose} />
            ))}
          </ul>
        </section>
      )}
      <section class="card stack">
        <h2>{t('Add a provider')}</h2>
        <div class="provider-choices">
          {others.map(({ preset, name }) => (
            <Button key={preset} icon="plus" onClick={() => onChoose(preset)}>
              {preset === 'other' ? t('Other (OpenID Connect)') : name}
            </Button>
          ))}
        </div>
      </section>
    </>
  );
}

function ProviderRow({
  provider,
  onChoose,
}: {
  readonly provider: SetUpProvider;
  readonly onChoose: ProviderListProps['onChoose'];
}) {
  const { name, protocol, addresses } = provider;
  const own: OwnProvider | undefined = isOwn(provider) ? provider : undefined;
  return (
    <li class="switch-row">
      <span class="grow break">
        <span class="row">
          <strong>{name}</strong> <StateBadge provider={provider} />
        </span>
        <span class="soft small block">
          {addresses?.redirectUri ?? t('Set in the settings {key}', { key: `security.${protocol}` })}
        </span>
      </span>
      {own === undefined ? null : (
        <Button icon="pencil" onClick={() => onChoose(own.preset)}>
          {t('Change or test')} <span class="hidden-visually">{name}</span>
        </Button>
      )}
    </li>
  );
}

function StateBadge({ provider: { inUse, isSaved } }: { readonly provider: SetUpProvider }) {
  if (inUse && isSaved) return <span class="badge done">{t('In use')}</span>;
  return <span class="badge warning">{inUse ? t('In use until a restart') : t('In use after a restart')}</span>;
}

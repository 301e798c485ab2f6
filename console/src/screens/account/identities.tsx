import { asProblem, callJson, linkProvider, type LoginProvider } from '../../api/index.ts';
import { Button, IconButton, LoadedView, toast, useLoaded } from '../../components/index.ts';
import { formatDate } from '../../i18n/index.ts';
import { t } from './texts.ts';

interface Identity {
  readonly id: string;
  readonly provider: string;
  readonly username: string | null;
  readonly lastLogin: string | null;
}

/** The login providers that belong to the account, and those that can be linked to it. */
export function Identities() {
  const loaded = useLoaded(
    () => callJson<{ identities: readonly Identity[]; providers: readonly LoginProvider[] }>('auth/identities'),
    [],
  );
  const attempt = async (work: () => Promise<unknown>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      toast(asProblem(error).message, 'error');
    }
  };
  return (
    <section class="card stack">
      <div>
        <h2>{t('Login providers')}</h2>
        <p class="soft small">{t('Log in with an account that you have elsewhere.')}</p>
      </div>
      <LoadedView loaded={loaded}>
        {({ identities, providers }) => (
          <>
            <ul>
              {identities.map(({ id, provider, username, lastLogin }) => (
                <li key={id} class="line">
                  <span class="grow break">
                    {username === null ? provider : `${provider} · ${username}`}
                    <span class="soft small block">
                      {lastLogin === null ? t('Never used') : t('Last used {time}', { time: formatDate(lastLogin) })}
                    </span>
                  </span>
                  <IconButton
                    icon="trash-2"
                    label={t('Unlink {name}', { name: provider })}
                    onClick={() =>
                      void attempt(async () => {
                        await callJson(`auth/identities/${encodeURIComponent(id)}`, { method: 'DELETE' });
                        await loaded.reload();
                      })
                    }
                  />
                </li>
              ))}
            </ul>
            <div class="row wrap">
              {providers
                .filter(({ name }) => identities.every(({ provider }) => provider !== name))
                .map(({ id, name }) => (
                  <Button key={id} icon="link" onClick={() => void attempt(() => linkProvider(id))}>
                    {t('Link {name}', { name })}
                  </Button>
                ))}
            </div>
          </>
        )}
      </LoadedView>
    </section>
  );
}

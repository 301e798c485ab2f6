import { asProblem, callJson } from '../../api/index.ts';
import { Button, IconButton, LoadedView, toast, useLoaded } from '../../components/index.ts';
import { formatDate } from '../../i18n/index.ts';
import { t } from './texts.ts';

interface Session {
  readonly id: string;
  readonly current: boolean;
  readonly lastUsed: string;
  readonly address: string;
  readonly client: string;
}

/** Where one is logged in. */
export function Sessions() {
  const loaded = useLoaded(() => callJson<{ sessions: readonly Session[] }>('auth/sessions'), []);
  const end = async (path: string): Promise<void> => {
    try {
      await callJson(path, { method: 'DELETE' });
    } catch (error) {
      toast(asProblem(error).message, 'error');
    }
    await loaded.reload();
  };
  return (
    <section class="card stack">
      <LoadedView loaded={loaded}>
        {({ sessions }) => (
          <>
            <div class="row between">
              <h2>{t('Sessions')}</h2>
              {sessions.length > 1 ? (
                <Button icon="log-out" onClick={() => void end('auth/sessions')}>
                  {t('End all others')}
                </Button>
              ) : null}
            </div>
            <ul>
              {sessions.map(({ id, current, lastUsed, address, client }) => (
                <li key={id} class="line">
                  <span class="grow break">
                    {client} {current ? <span class="badge accent">{t('This one')}</span> : null}
                    <span class="soft small block">{`${address} · ${formatDate(lastUsed)}`}</span>
                  </span>
                  {current ? null : (
                    <IconButton
                      icon="log-out"
                      label={t('End the session of {client}', { client })}
                      onClick={() => void end(`auth/sessions/${encodeURIComponent(id)}`)}
                    />
                  )}
                </li>
              ))}
            </ul>
          </>
        )}
      </LoadedView>
    </section>
  );
}

import { useState } from 'preact/hooks';
import { asProblem, callJson, loadUser, user } from '../../api/index.ts';
import { Button, toast, useLoaded } from '../../components/index.ts';
import { Avatar, nameOf } from '../../people/index.ts';
import { t } from './texts.ts';

/** Who one is: name, user name and picture, which can be removed. */
export function ProfileHead() {
  const own = user.value;
  const loaded = useLoaded(() => callJson<{ pictureWanted: boolean }>('proprietary/ui-data/account'), []);
  const [busy, setBusy] = useState(false);
  if (own === undefined) return <h1>{t('Your account')}</h1>;
  const want = async (fromProvider: boolean): Promise<void> => {
    setBusy(true);
    try {
      await callJson('user/picture', { method: 'PUT', body: { fromProvider } });
      await Promise.all([loadUser(), loaded.reload()]);
      toast(fromProvider ? t('Your next login with a provider brings your picture.') : t('Your picture is removed.'));
    } catch (error) {
      toast(asProblem(error).message, 'error');
    }
    setBusy(false);
  };
  return (
    <div class="row profile-head">
      <Avatar person={own} size="large" />
      <div class="grow profile-name">
        <h1>{t('Your account')}</h1>
        <p class="soft break">
          {own.displayName === null ? null : (
            <>
              <bdi>{nameOf(own)}</bdi>
              {' · '}
            </>
          )}
          <bdi>{own.username}</bdi>
        </p>
      </div>
      {own.pictureVersion === null ? null : (
        <Button icon="trash-2" disabled={busy} onClick={() => void want(false)}>
          {t('Remove your picture')}
        </Button>
      )}
      {loaded.data?.pictureWanted === false ? (
        <Button icon="user" disabled={busy} onClick={() => void want(true)}>
          {t('Allow a picture')}
        </Button>
      ) : null}
    </div>
  );
}

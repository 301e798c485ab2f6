import { IconButton } from '../../../components/index.ts';
import { copy } from '../../tool/snippet-panel.tsx';
import type { Addresses } from './provider-facts.ts';
import { t } from './texts.ts';

/** What has to be entered at the provider, to be copied. */
export function AddressList({ addresses }: { readonly addresses: Addresses }) {
  const { redirectUri, postLogoutUri, backChannelUri, frontChannelUri, entityId, singleLogoutUri = null } = addresses;
  const ofSaml: readonly (readonly [string, string | null])[] = [
    [t('Entity id, and address of the metadata'), entityId ?? null],
    [t('Assertion consumer service (POST)'), redirectUri],
    [t('Single logout'), singleLogoutUri],
  ];
  const ofOpenId: readonly (readonly [string, string | null])[] = [
    [t('Redirect URI'), redirectUri],
    [t('Redirect URI after logout'), backChannelUri === null ? null : postLogoutUri],
    [t('Back-channel logout'), backChannelUri],
    [t('Front-channel logout'), frontChannelUri],
  ];
  return (
    <dl class="addresses">
      {(entityId === undefined ? ofOpenId : ofSaml).map(([label, address]) =>
        address === null ? null : (
          <div key={label}>
            <dt class="soft small">{label}</dt>
            <dd class="row nowrap">
              <code class="grow" dir="ltr">
                {address}
              </code>
              <IconButton
                size="small"
                icon="copy"
                label={t('Copy: {label}', { label })}
                onClick={() => void copy(address)}
              />
            </dd>
          </div>
        ),
      )}
    </dl>
  );
}

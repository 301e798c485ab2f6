import { callJson, config, root } from '../../api/index.ts';
import { IconButton, useLoaded } from '../../components/index.ts';
import { formatDate } from '../../i18n/index.ts';
import { copy } from '../tool/snippet-panel.tsx';
import type { ShareLink } from './stored-files.ts';
import { t } from './texts.ts';

interface LinkEntryProps {
  readonly link: ShareLink;
  /** Path of the shares of the file. */
  readonly base: string;
  readonly onDelete: () => void;
}

/** A link with what it allows and who used it. */
export function LinkEntry({ link, base, onDelete }: LinkEntryProps) {
  const address = new URL(`share/${link.token}`, root).href;
  return (
    <li class="row">
      <span class="grow break">
        <code>{address}</code>
        <span class="row link-facts">
          {factsOf(link).map((fact) => (
            <span key={fact} class="badge">
              {fact}
            </span>
          ))}
        </span>
        {link.expiresAt === null ? null : (
          <span class="soft small block">{t('Valid until {time}', { time: formatDate(link.expiresAt) })}</span>
        )}
        <LinkUses path={`${base}/links/${link.token}/accesses`} />
      </span>
      <IconButton icon="copy" label={t('Copy the link')} onClick={() => void copy(address)} />
      <IconButton icon="trash-2" label={t('Delete the link')} onClick={onDelete} />
    </li>
  );
}

function factsOf({ withoutAccount, hasPassword, maxDownloads, downloadsLeft }: ShareLink): readonly string[] {
  return [
    // While the setting is off, such a link needs an account as well.
    ...(withoutAccount && config.value?.storagePublicLinksEnabled === true ? [t('Works without an account')] : []),
    ...(hasPassword ? [t('With a password')] : []),
    ...(maxDownloads === null || downloadsLeft === null
      ? []
      : [t('{left} of {total} downloads left', { left: downloadsLeft, total: maxDownloads })]),
  ];
}

interface LinkUse {
  readonly username: string | null;
  readonly accessType: string;
  readonly accessedAt: string;
  readonly withoutAccount: boolean;
}

/** Who has opened a link, newest first. */
function LinkUses({ path }: { readonly path: string }) {
  const { data } = useLoaded(() => callJson<readonly LinkUse[]>(path), [path]);
  if (data === undefined) return null;
  if (data.length === 0) return <span class="soft small block">{t('Nobody has opened it yet.')}</span>;
  return (
    <details class="small">
      <summary>{t.count(data.length, 'Opened {count} time', 'Opened {count} times')}</summary>
      <ul class="link-uses">
        {data.map((use, i) => (
          <li key={i}>
            {nameOf(use)} · {use.accessType === 'DOWNLOAD' ? t('Downloaded') : t('Viewed')} ·{' '}
            {formatDate(use.accessedAt)}
          </li>
        ))}
      </ul>
    </details>
  );
}

function nameOf({ username, withoutAccount }: LinkUse): string {
  return username ?? (withoutAccount ? t('Somebody without an account') : t('Unknown user'));
}

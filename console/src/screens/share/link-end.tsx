import { askLogin, type Problem } from '../../api/index.ts';
import { Button, Empty } from '../../components/index.ts';
import { t } from './texts.ts';

/** Codes after which only another link, or a login, helps. */
const ends: ReadonlySet<string> = new Set([
  'NOT_FOUND',
  'SHARE_LINK_EXPIRED',
  'SHARE_LINK_REVOKED',
  'SHARE_LINK_USED_UP',
  'FEATURE_OFF',
  'KEY_INVALID',
]);

export function hasEnded({ code }: Problem): boolean {
  return ends.has(code);
}

/** Says why a link does not open, and what to do. */
export function LinkEnd({ problem: { code } }: { readonly problem: Problem }) {
  if (code === 'KEY_INVALID')
    return (
      <Empty whole icon="lock" title={t('This link needs an account')}>
        <p>{t('The file is shared with people who have an account on this server.')}</p>
        <Button kind="primary" icon="log-in" onClick={() => void askLogin()}>
          {t('Log in')}
        </Button>
      </Empty>
    );
  if (code === 'FEATURE_OFF')
    return (
      <Empty whole icon="unlink" title={t('This link does not work any more')}>
        <p>{t('Links are turned off on this server. Ask the person who sent it to send the file in another way.')}</p>
      </Empty>
    );
  return (
    <Empty whole icon="unlink" title={titleOf(code)}>
      <p>{reasonOf(code)}</p>
      <p>{t('Ask the person who sent it for a new one.')}</p>
    </Empty>
  );
}

function titleOf(code: string): string {
  if (code === 'SHARE_LINK_EXPIRED') return t('This link has expired');
  if (code === 'SHARE_LINK_USED_UP') return t('This link is used up');
  return t('This link does not work any more');
}

function reasonOf(code: string): string {
  if (code === 'SHARE_LINK_EXPIRED') return t('The file was shared for a limited time.');
  if (code === 'SHARE_LINK_USED_UP') return t('The file could be opened only a certain number of times.');
  if (code === 'SHARE_LINK_REVOKED') return t('The file is not shared any more.');
  return t('The address may be incomplete, or the link ended long ago.');
}

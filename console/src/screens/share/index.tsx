import { useState } from 'preact/hooks';
import { credentials } from '../../api/index.ts';
import type { ScreenProps } from '../../app/screen-props.ts';
import { LoadedView, useLoaded } from '../../components/index.ts';
import { hasEnded, LinkEnd } from './link-end.tsx';
import { LinkPassword } from './link-password.tsx';
import './share.css';
import { SharedFile } from './shared-file.tsx';
import { openLink, type LinkKey, type Shared } from './shared-link.ts';

/** A file that somebody shares by a link: shown and downloaded, also by people without an account. */
export function Screen({ params }: ScreenProps) {
  const token = encodeURIComponent(params['rest'] ?? '');
  return <Link key={token} token={token} />;
}

interface Opened {
  readonly shared: Shared;
  readonly key: LinkKey;
}

function Link({ token }: { readonly token: string }) {
  const [opened, setOpened] = useState<Opened | undefined>();
  const key: LinkKey = { token, password: undefined };
  const loaded = useLoaded(() => openLink(key), [token, credentials.value === undefined]);
  const { problem } = loaded;
  if (opened !== undefined) return <SharedFile shared={opened.shared} link={opened.key} />;
  if (problem?.code === 'SHARE_LINK_PASSWORD_REQUIRED')
    return (
      <LinkPassword token={token} onOpened={(shared, password) => setOpened({ shared, key: { token, password } })} />
    );
  if (problem !== undefined && hasEnded(problem)) return <LinkEnd problem={problem} />;
  return <LoadedView loaded={loaded}>{(shared) => <SharedFile shared={shared} link={key} />}</LoadedView>;
}

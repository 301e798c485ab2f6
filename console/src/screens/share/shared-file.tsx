import { useMemo, useState } from 'preact/hooks';
import { asProblem, type Problem } from '../../api/index.ts';
import { Button, Icon, toast } from '../../components/index.ts';
import { saveFile } from '../../files/index.ts';
import { formatBytes, formatDate } from '../../i18n/index.ts';
import { DocumentView, type FileSource } from '../../viewers/index.ts';
import { hasEnded, LinkEnd } from './link-end.tsx';
import { loadContent, type LinkKey, type Shared } from './shared-link.ts';
import { t } from './texts.ts';

interface SharedFileProps {
  readonly shared: Shared;
  readonly link: LinkKey;
}

/**
 * The file of a link. Where the link has a number of downloads, its content is loaded only when somebody wants it, and
 * once: what is shown is also what is saved.
 */
export function SharedFile({ shared, link }: SharedFileProps) {
  const limited = shared.downloadsLeft !== null;
  const [shown, setShown] = useState(!limited);
  const [blob, setBlob] = useState<Blob | undefined>();
  const [busy, setBusy] = useState(false);
  const [ended, setEnded] = useState<Problem | undefined>();
  const load = async (inline: boolean, signal?: AbortSignal): Promise<Response> => {
    try {
      return await loadContent(link, inline, signal);
    } catch (error) {
      const problem = asProblem(error);
      if (hasEnded(problem)) setEnded(problem);
      throw problem;
    }
  };
  const source = useMemo<FileSource>(
    () => ({ bytes: limited ? undefined : shared.sizeBytes, open: (signal) => load(true, signal) }),
    [],
  );
  const download = async (): Promise<void> => {
    setBusy(true);
    try {
      const loaded = limited && blob !== undefined ? blob : await (await load(false)).blob();
      if (limited) setBlob(loaded);
      saveFile(loaded, shared.fileName);
    } catch (error) {
      toast(asProblem(error).message, 'error');
    }
    setBusy(false);
  };
  if (ended !== undefined) return <LinkEnd problem={ended} />;
  return (
    <div class="page share-page">
      <header class="row between">
        <div class="page-head">
          <h1 class="break">{shared.fileName}</h1>
          <p class="soft">{factsOf(shared).join(' · ')}</p>
        </div>
        <Button
          kind="primary"
          icon="download"
          busy={busy}
          // The content is on its way, and loading it once more would use the link up.
          disabled={limited && shown && blob === undefined}
          onClick={() => void download()}
        >
          {t('Download')}
        </Button>
      </header>
      {shown ? (
        <DocumentView source={source} name={shared.fileName} onLoaded={setBlob} />
      ) : blob !== undefined ? (
        <DocumentView source={blob} name={shared.fileName} />
      ) : (
        <Prompt left={shared.downloadsLeft ?? 0} busy={busy} onOpen={() => setShown(true)} />
      )}
    </div>
  );
}

function factsOf({ owner, sizeBytes, expiresAt }: Shared): readonly string[] {
  return [
    ...(owner === null ? [] : [t('Shared by {name}', { name: owner })]),
    formatBytes(sizeBytes),
    ...(expiresAt === null ? [] : [t('Valid until {time}', { time: formatDate(expiresAt) })]),
  ];
}

interface PromptProps {
  readonly left: number;
  readonly busy: boolean;
  readonly onOpen: () => void;
}

/** Asks before a download of the link is used. */
function Prompt({ left, busy, onOpen }: PromptProps) {
  return (
    <div class="file-view">
      <Icon name="file-text" size={40} />
      <p>{t.count(left, 'The file can be opened {count} more time.', 'The file can be opened {count} more times.')}</p>
      <p class="soft small">{t('What is open here can be downloaded without counting again.')}</p>
      <Button icon="eye" disabled={busy} onClick={onOpen}>
        {t('Open the file')}
      </Button>
    </div>
  );
}

import { asProblem, callBlob, callJson } from '../../api/index.ts';
import type { ScreenProps } from '../../app/screen-props.ts';
import { Button, LoadedView, toast, useLoaded } from '../../components/index.ts';
import { saveFile } from '../../files/index.ts';
import { formatDate } from '../../i18n/index.ts';
import { DocumentView } from '../../viewers/index.ts';
import { t } from './texts.ts';

interface Shared {
  readonly fileName: string;
  readonly owner: string;
  readonly expiresAt: string | null;
}

/** A file that somebody shares by a link: shown and downloaded. */
export function Screen({ params }: ScreenProps) {
  const token = encodeURIComponent(params['rest'] ?? '');
  const loaded = useLoaded(async () => {
    const facts = await callJson<Shared>(`storage/share-links/${token}/metadata`);
    // `inline`: the owner sees that it was viewed, not that it was downloaded.
    return { facts, blob: await callBlob(`storage/share-links/${token}`, { query: { inline: true } }) };
  }, [token]);
  const download = async (name: string): Promise<void> => {
    try {
      saveFile(await callBlob(`storage/share-links/${token}`), name);
    } catch (error) {
      toast(asProblem(error).message, 'error');
    }
  };
  return (
    <div class="page">
      <LoadedView loaded={loaded}>
        {({ facts: { fileName, owner, expiresAt }, blob }) => (
          <>
            <header class="row between">
              <div class="page-head">
                <h1 class="break">{fileName}</h1>
                <p class="soft">
                  {[
                    t('Shared by {name}', { name: owner }),
                    ...(expiresAt === null ? [] : [t('Valid until {time}', { time: formatDate(expiresAt) })]),
                  ].join(' · ')}
                </p>
              </div>
              <Button kind="primary" icon="download" onClick={() => void download(fileName)}>
                {t('Download')}
              </Button>
            </header>
            <DocumentView source={blob} name={fileName} />
          </>
        )}
      </LoadedView>
    </div>
  );
}

import { apiAddress, asProblem, callBlob, callJson } from '../../api/index.ts';
import type { ScreenProps } from '../../app/screen-props.ts';
import { Button, Empty, LoadedView, toast, useLoaded } from '../../components/index.ts';
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
  const loaded = useLoaded(() => callJson<Shared>(`storage/share-links/${token}/metadata`), [token]);
  const download = async (name: string): Promise<void> => {
    try {
      saveFile(await callBlob(`storage/share-links/${token}`), name);
    } catch (error) {
      toast(asProblem(error).message, 'error');
    }
  };
  if (loaded.problem?.status === 404)
    return (
      <Empty whole icon="unlink" title={t('This link does not work any more')}>
        <p>{t('It has expired, or the file is not shared any more. Ask the person who sent it for a new one.')}</p>
      </Empty>
    );
  return (
    <div class="page">
      <LoadedView loaded={loaded}>
        {({ fileName, owner, expiresAt }) => (
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
            {/* `inline`: the owner sees that it was viewed, not that it was downloaded. */}
            <DocumentView source={apiAddress(`storage/share-links/${token}`, { inline: true })} name={fileName} />
          </>
        )}
      </LoadedView>
    </div>
  );
}

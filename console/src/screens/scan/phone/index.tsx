import { useRef, useState } from 'preact/hooks';
import type { ScreenProps } from '../../../app/screen-props.ts';
import { Button, Empty, LoadedView, Notice, useLoaded } from '../../../components/index.ts';
import '../scan.css';
import { isAlive } from '../session.ts';
import { t } from '../texts.ts';
import { Camera, cameraPossible } from './camera.tsx';
import { Corners } from './corners.tsx';
import { PageCards } from './page-cards.tsx';
import { SendPages } from './send-pages.tsx';
import { usePages } from './use-pages.ts';
import type { Page } from './page.ts';

/** The phone's side: takes pictures of pages and sends them to the desktop that shows the code. */
export function Screen({ params }: ScreenProps) {
  const session = params['session'] ?? '';
  const loaded = useLoaded(() => isAlive(session), [session]);
  return (
    <div class="card stack scan-phone">
      <LoadedView loaded={loaded}>
        {(alive) =>
          alive ? (
            <Scanner session={session} />
          ) : (
            <Empty whole icon="link-2-off" title={t('This code is not valid any more')}>
              <p class="soft">{t('Codes are valid for ten minutes after they were last used. Scan the new one.')}</p>
            </Empty>
          )
        }
      </LoadedView>
    </div>
  );
}

type View = 'pages' | 'camera' | { readonly crop: Page };

function Scanner({ session }: { readonly session: string }) {
  const pages = usePages();
  const [view, setView] = useState<View>('pages');
  const [camera, setCamera] = useState(cameraPossible());
  const [sent, setSent] = useState(0);
  /** The page of which a new picture is taken. */
  const [retaken, setRetaken] = useState<Page | undefined>();
  const input = useRef<HTMLInputElement>(null);
  const take = (page?: Page): void => {
    setRetaken(page);
    if (camera) setView('camera');
    else input.current?.click();
  };
  const use = async (pictures: readonly Blob[]): Promise<void> => {
    setView('pages');
    await pages.add(pictures, retaken);
    setRetaken(undefined);
  };
  return (
    <>
      <h1>{t('Scan')}</h1>
      {view === 'camera' ? (
        <Camera
          onPicture={(picture) => void use([picture])}
          onClose={() => setView('pages')}
          onFailure={() => {
            setCamera(false);
            setView('pages');
          }}
        />
      ) : typeof view === 'object' ? (
        <Corners
          page={view.crop}
          onClose={() => setView('pages')}
          onDone={(quad) => {
            setView('pages');
            void pages.change(view.crop, { quad });
          }}
        />
      ) : (
        <>
          {sent > 0 && pages.all.length === 0 ? (
            <Notice kind="done" title={t.count(sent, '{count} page was sent', '{count} pages were sent')}>
              <p>{t('Go on at the computer, or take more pages.')}</p>
            </Notice>
          ) : null}
          {camera ? null : (
            <p class="small soft">
              {t('The page has no access to the camera. Pictures are taken with the camera app, or chosen.')}
            </p>
          )}
          <PageCards
            pages={pages.all}
            onMove={pages.move}
            onTurn={(page) => void pages.change(page, { turns: (page.turns + 1) % 4 })}
            onCrop={(page) => setView({ crop: page })}
            onRetake={take}
            onRemove={pages.remove}
          />
          {pages.failed ? <Notice kind="error">{t('The picture cannot be read. Take another one.')}</Notice> : null}
          <div class="stack">
            <Button
              kind={pages.all.length === 0 ? 'primary' : 'plain'}
              size="large"
              icon="camera"
              busy={pages.busy}
              onClick={() => take()}
            >
              {pages.all.length === 0 ? t('Take a picture') : t('Take another page')}
            </Button>
            <PictureInput element={input} onPictures={(pictures) => void use(pictures)} />
            <SendPages
              session={session}
              pages={pages.all}
              onSent={() => {
                setSent(pages.all.length);
                pages.clear();
              }}
            />
          </div>
        </>
      )}
    </>
  );
}

interface PictureInputProps {
  readonly element: { current: HTMLInputElement | null };
  readonly onPictures: (pictures: readonly Blob[]) => void;
}

/** Pictures that the phone already has; where the page gets no camera, phones offer theirs here. */
function PictureInput({ element, onPictures }: PictureInputProps) {
  return (
    <>
      <Button icon="image" onClick={() => element.current?.click()}>
        {t('Choose pictures')}
      </Button>
      <input
        ref={element}
        type="file"
        accept="image/*"
        multiple
        hidden
        aria-label={t('Choose pictures')}
        onChange={(event) => {
          const chosen = [...(event.currentTarget.files ?? [])];
          event.currentTarget.value = '';
          if (chosen.length > 0) onPictures(chosen);
        }}
      />
    </>
  );
}

import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { loadModule, user } from '../../api/index.ts';
import { Button, Dialog, Loading } from '../../components/index.ts';
import { textsReady } from '../../i18n/index.ts';
import { nameOf } from '../../people/index.ts';
import type { SignaturePadProps } from '../../viewer/signature/signature-pad.tsx';
import { t } from './texts.ts';

/** Makes a picture of a signature by hand, instead of choosing a file with one. */
export function SignButton({ onFile, small }: { readonly onFile: (file: File) => void; readonly small: boolean }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button kind="quiet" size={small ? 'small' : 'normal'} icon="signature" onClick={() => setOpen(true)}>
        {t('Sign by hand')}
      </Button>
      {open ? <SignDialog onFile={onFile} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

function SignDialog({ onFile, onClose }: { readonly onFile: (file: File) => void; readonly onClose: () => void }) {
  const [Pad, setPad] = useState<ComponentType<SignaturePadProps> | undefined>();
  const [png, setPng] = useState<Blob | undefined>();
  useEffect(() => {
    void loadModule(() => import('../../viewer/signature/signature-pad.tsx')).then(async ({ SignaturePad }) => {
      await textsReady();
      setPad(() => SignaturePad);
    });
  }, []);
  return (
    <Dialog
      title={t('Your signature')}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button
            kind="primary"
            disabled={png === undefined}
            onClick={() => {
              if (png === undefined) return;
              onFile(new File([png], 'signature.png', { type: 'image/png' }));
              onClose();
            }}
          >
            {t('Use this signature')}
          </Button>
        </>
      }
    >
      {Pad === undefined ? (
        <Loading label={t('Loading')} />
      ) : (
        <Pad value={png} onValue={setPng} name={user.value === undefined ? '' : nameOf(user.value)} />
      )}
    </Dialog>
  );
}

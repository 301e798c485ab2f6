import { useEffect, useState } from 'preact/hooks';
import { loadModule, user } from '../../../api/index.ts';
import { Button, Dialog, Loading, toast } from '../../../components/index.ts';
import { textsReady } from '../../../i18n/index.ts';
import { nameOf } from '../../../people/index.ts';
import { t } from '../texts.ts';

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

type PadModule = typeof import('../../../viewer/signature/signature-pad.tsx');

function SignDialog({ onFile, onClose }: { readonly onFile: (file: File) => void; readonly onClose: () => void }) {
  const [pad, setPad] = useState<PadModule | undefined>();
  const [png, setPng] = useState<Blob | undefined>();
  const [keeps, setKeeps] = useState(false);
  useEffect(() => {
    void loadModule(() => import('../../../viewer/signature/signature-pad.tsx')).then(async (loaded) => {
      await textsReady();
      setPad(loaded);
    });
  }, []);
  const use = async (signature: Blob): Promise<void> => {
    onFile(new File([signature], 'signature.png', { type: 'image/png' }));
    onClose();
    if (keeps && (await pad?.keepSignature(signature)) !== true)
      toast(t('This browser has no room for the signature.'), 'error');
  };
  return (
    <Dialog
      title={t('Your signature')}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button kind="primary" disabled={png === undefined} onClick={() => png !== undefined && void use(png)}>
            {t('Use this signature')}
          </Button>
        </>
      }
    >
      {pad === undefined ? (
        <Loading label={t('Loading')} />
      ) : (
        <pad.SignaturePad
          value={png}
          onValue={setPng}
          keeps={keeps}
          onKeeps={setKeeps}
          name={user.value === undefined ? '' : nameOf(user.value)}
        />
      )}
    </Dialog>
  );
}

import { useEffect } from 'preact/hooks';
import { Button } from '../../components/index.ts';
import { usePicture } from '../picker/picture.ts';
import { t } from '../texts.ts';

interface KeptPadProps {
  readonly png: Blob;
  readonly onPng: (png: Blob) => void;
  readonly onForget: () => void;
}

/** The signature that this browser keeps. */
export function KeptPad({ png, onPng, onForget }: KeptPadProps) {
  const picture = usePicture(png);
  useEffect(() => onPng(png), [png]);
  return (
    <div class="stack">
      <div class="ink-paper kept">
        {picture === undefined ? null : <img src={picture.url} alt={t('Your signature')} />}
      </div>
      <div class="row">
        <Button size="small" icon="trash-2" onClick={onForget}>
          {t('Delete it from this browser')}
        </Button>
      </div>
    </div>
  );
}

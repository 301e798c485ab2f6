import { useEffect, useState } from 'preact/hooks';
import { t } from '../texts.ts';
import { pictureToPng } from './picture.ts';
import type { PadProps } from './pad-props.ts';

/** Loads a picture of a signature. */
export function LoadPad({ onPng }: PadProps) {
  const [file, setFile] = useState<File | undefined>();
  const [clear, setClear] = useState(true);
  const [shown, setShown] = useState<string | undefined>();
  const [wrong, setWrong] = useState(false);
  useEffect(() => {
    if (file === undefined) return undefined;
    let left = false;
    let address: string | undefined;
    pictureToPng(file, clear).then(
      (png) => {
        if (left) return;
        address = URL.createObjectURL(png);
        setShown(address);
        setWrong(false);
        onPng(png);
      },
      () => {
        if (left) return;
        setWrong(true);
        setShown(undefined);
        onPng(undefined);
      },
    );
    return () => {
      left = true;
      if (address !== undefined) URL.revokeObjectURL(address);
    };
  }, [file, clear]);
  return (
    <div class="stack">
      <label class="ink-paper load">
        {shown === undefined ? (
          <span class="ink-hint">{t('Choose a picture, or drop it here')}</span>
        ) : (
          <img src={shown} alt={t('Your signature')} />
        )}
        <input
          type="file"
          accept="image/png,image/jpeg,image/webp,image/gif,image/bmp"
          aria-label={t('Picture of your signature')}
          onChange={(event) => setFile(event.currentTarget.files?.[0])}
        />
      </label>
      {wrong ? (
        <p class="field-error" role="alert">
          {t('This file is no picture that the browser can read. Use PNG or JPEG.')}
        </p>
      ) : null}
      <label class="check">
        <input type="checkbox" checked={clear} onChange={(event) => setClear(event.currentTarget.checked)} />
        {t('Make the paper transparent')}
      </label>
    </div>
  );
}

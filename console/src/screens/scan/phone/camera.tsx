import { useEffect, useRef, useState } from 'preact/hooks';
import { Button, IconButton, Loading } from '../../../components/index.ts';
import { t } from '../texts.ts';

const WANTED: MediaStreamConstraints = {
  audio: false,
  video: { facingMode: 'environment', width: { ideal: 3840 }, height: { ideal: 2160 } },
};

/** False without HTTPS, where browsers give no camera to a page. */
export function cameraPossible(): boolean {
  return isSecureContext && 'mediaDevices' in navigator;
}

interface CameraProps {
  readonly onPicture: (picture: Blob) => void;
  /** The camera is missing, used by another program or not allowed. */
  readonly onFailure: () => void;
  readonly onClose: () => void;
}

/** Shows what the camera sees, and takes pictures of it. */
export function Camera({ onPicture, onFailure, onClose }: CameraProps) {
  const video = useRef<HTMLVideoElement>(null);
  const [ready, setReady] = useState(false);
  useEffect(() => {
    let stream: MediaStream | undefined;
    let closed = false;
    const stop = (): void => stream?.getTracks().forEach((track) => track.stop());
    navigator.mediaDevices.getUserMedia(WANTED).then(
      (found) => {
        stream = found;
        if (closed || video.current === null) stop();
        else video.current.srcObject = found;
      },
      () => closed || onFailure(),
    );
    return () => {
      closed = true;
      stop();
    };
  }, []);
  const shoot = async (): Promise<void> => {
    if (video.current === null) return;
    const canvas = new OffscreenCanvas(video.current.videoWidth, video.current.videoHeight);
    canvas.getContext('2d')?.drawImage(video.current, 0, 0);
    onPicture(await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.95 }));
  };
  return (
    <section class="scan-camera" aria-label={t('Camera')}>
      {ready ? null : <Loading label={t('Starting the camera')} />}
      <video ref={video} hidden={!ready} autoPlay muted playsInline onLoadedData={() => setReady(true)} />
      <div class="row between">
        <IconButton icon="x" label={t('Close the camera')} onClick={onClose} />
        <Button kind="primary" size="large" icon="camera" disabled={!ready} onClick={() => void shoot()}>
          {t('Take the picture')}
        </Button>
      </div>
    </section>
  );
}

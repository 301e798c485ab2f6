import { Button, Icon, Progress } from '../components/index.ts';
import { t } from '../i18n/frame.ts';
import { formatBytes } from '../i18n/index.ts';
import type { FileLoad } from './load-file.ts';
import './viewers.css';

interface LargeFileProps {
  readonly name: string;
  readonly bytes: number;
  readonly onWanted: () => void;
}

/** Asks before a large file is loaded: it can take minutes, or cost money on a phone. */
export function LargeFile({ name, bytes, onWanted }: LargeFileProps) {
  return (
    <div class="file-view">
      <Icon name="file-text" size={40} />
      <p class="break">{name}</p>
      <p class="soft small">{t('To show this file, all of it is loaded: {size}.', { size: formatBytes(bytes) })}</p>
      <Button icon="eye" onClick={onWanted}>
        {t('Load and show it')}
      </Button>
    </div>
  );
}

interface LoadingFileProps {
  readonly load: Extract<FileLoad, { readonly state: 'loading' }>;
  readonly onCancel: () => void;
}

/** How far a large file is loaded. */
export function LoadingFile({ load: { share, bytes }, onCancel }: LoadingFileProps) {
  const label = bytes === undefined ? t('Loading') : t('Loading {size}', { size: formatBytes(bytes) });
  return (
    <div class="file-view" role="status">
      <Progress label={label} value={share} />
      <Button icon="x" onClick={onCancel}>
        {t('Cancel')}
      </Button>
    </div>
  );
}

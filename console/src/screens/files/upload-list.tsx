import { Button, Icon, IconButton, Progress } from '../../components/index.ts';
import { formatBytes } from '../../i18n/index.ts';
import type { Upload } from './uploads.ts';
import { t } from './texts.ts';

interface UploadListProps {
  readonly uploads: readonly Upload[];
  readonly onRetry: (upload: Upload) => void;
  readonly onClose: () => void;
}

/** Files on their way to the server: the progress of each, and the server's words for those that it refuses. */
export function UploadList({ uploads, onRetry, onClose }: UploadListProps) {
  const ended = uploads.every((upload) => upload.ended);
  const done = uploads.filter(({ state }) => state.value === 'done').length;
  return (
    <section class="card stack" aria-label={t('Uploads')}>
      <div class="row between">
        <p role="status">{t('{done} of {total} files uploaded', { done, total: uploads.length })}</p>
        {ended ? (
          <IconButton icon="x" label={t('Close')} onClick={onClose} />
        ) : (
          <Button icon="x" onClick={() => uploads.forEach((upload) => upload.cancel())}>
            {t('Cancel all')}
          </Button>
        )}
      </div>
      <ul class="uploads">
        {uploads.map((upload) => (
          <UploadRow key={upload.name} upload={upload} onRetry={onRetry} />
        ))}
      </ul>
    </section>
  );
}

function UploadRow({ upload, onRetry }: { readonly upload: Upload } & Pick<UploadListProps, 'onRetry'>) {
  const { state, share, problem, name, file } = upload;
  if (state.value === 'sending')
    return (
      <li class="row">
        <div class="grow">
          <Progress label={name} value={share.value} />
        </div>
        <IconButton icon="x" size="small" label={t('Cancel {name}', { name })} onClick={() => upload.cancel()} />
      </li>
    );
  return (
    <li class="row" data-state={state.value}>
      <Icon name={icons[state.value]} size={18} />
      <div class="grow">
        <p class="break">{name}</p>
        {state.value === 'failed' ? (
          <p class="small danger" role="alert">
            {problem.value?.isNetwork === true
              ? t('The server cannot be reached. Check the connection and try again.')
              : problem.value?.message}
          </p>
        ) : (
          <p class="small soft">
            {formatBytes(file.size)}
            {' · '}
            {state.value === 'done' ? t('Uploaded') : state.value === 'waiting' ? t('Waiting') : t('Cancelled')}
          </p>
        )}
      </div>
      {state.value === 'failed' || state.value === 'cancelled' ? (
        <Button size="small" icon="refresh-cw" onClick={() => onRetry(upload)}>
          {t('Try again')}
        </Button>
      ) : null}
    </li>
  );
}

const icons = {
  waiting: 'clock',
  sending: 'upload',
  done: 'circle-check',
  failed: 'circle-alert',
  cancelled: 'circle-slash',
} as const;

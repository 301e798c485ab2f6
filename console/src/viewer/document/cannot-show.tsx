import { Button, Icon } from '../../components/index.ts';
import type { ViewFailure } from '../engine/index.ts';
import { failureText } from '../failures.ts';
import { t } from '../texts.ts';
import type { NamedFile } from './named-file.ts';
import { PasswordForm } from './password-form.tsx';

interface CannotShowProps extends NamedFile {
  readonly failure: ViewFailure;
}

/** Says why a file is not shown, or asks for its password. */
export function CannotShow({ file, name, onLocked, failure }: CannotShowProps) {
  if (failure === 'password' || failure === 'wrongPassword')
    return onLocked === undefined ? (
      <PasswordForm file={file} name={name} failure={failure} />
    ) : (
      <div class="viewer-locked" role="status">
        <Icon name="lock" size={28} />
        <p class="viewer-locked-title">{t('“{name}” needs a password', { name })}</p>
        <p class={failure === 'password' ? 'soft' : 'danger'}>
          {failure === 'password' ? t('Its pages are shown as soon as you have entered it.') : failureText(failure)}
        </p>
        <Button icon="key-round" onClick={onLocked}>
          {t('Enter the password')}
        </Button>
      </div>
    );
  return (
    <div class="viewer-failure" role="alert">
      <Icon name="file-x" size={28} />
      <p>{failureText(failure)}</p>
    </div>
  );
}

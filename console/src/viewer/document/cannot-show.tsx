import { Icon } from '../../components/index.ts';
import type { ViewFailure } from '../engine/index.ts';
import { failureText } from '../failures.ts';
import { PasswordForm } from './password-form.tsx';

interface CannotShowProps {
  readonly file: Blob;
  readonly name: string;
  readonly failure: ViewFailure;
}

/** Says why a file is not shown, or asks for its password. */
export function CannotShow({ file, name, failure }: CannotShowProps) {
  if (failure === 'password' || failure === 'wrongPassword')
    return <PasswordForm file={file} name={name} failure={failure} />;
  return (
    <div class="viewer-failure" role="alert">
      <Icon name="file-x" size={28} />
      <p>{failureText(failure)}</p>
    </div>
  );
}

import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { loadModule } from '../../api/index.ts';
import { Loading } from '../../components/index.ts';
import { textsReady } from '../../i18n/index.ts';
import type { PasswordFormProps } from '../../viewer/index.ts';
import type { InvoiceFile } from './operations.ts';
import { t } from './texts.ts';
import type { Reading } from './use-reading.ts';

/** Whether the server needs the password of the PDF, or another one than was entered. */
export function isLocked({ verdict, data }: Reading): boolean {
  return [verdict, data].some(({ problem }) => problem?.code === 'PDF_ENCRYPTED');
}

/** Asks for the password; the invoice is read again once it was entered. */
export function LockedFile({ of: { file, password } }: { readonly of: InvoiceFile }) {
  const [Form, setForm] = useState<ComponentType<PasswordFormProps> | undefined>();
  useEffect(() => {
    let left = false;
    const load = async (): Promise<void> => {
      const { PasswordForm } = await loadModule(() => import('../../viewer/index.ts'));
      await textsReady();
      if (!left) setForm(() => PasswordForm);
    };
    void load();
    return () => {
      left = true;
    };
  }, []);
  if (Form === undefined) return <Loading label={t('Loading')} />;
  return (
    <Form
      file={file}
      name={file.name}
      failure={password === undefined ? 'password' : 'wrongPassword'}
      help={t('It is sent to the server, which reads the invoice with it.')}
    />
  );
}

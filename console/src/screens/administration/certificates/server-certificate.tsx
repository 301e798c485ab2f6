import { useState } from 'preact/hooks';
import { asProblem, call, callBlob, callJson, config, formData } from '../../../api/index.ts';
import {
  ActionDialog,
  Button,
  Field,
  LoadedView,
  Notice,
  PasswordInput,
  toast,
  useLoaded,
} from '../../../components/index.ts';
import { saveFile } from '../../../files/index.ts';
import { formatDate } from '../../../i18n/index.ts';
import { t } from '../texts.ts';

interface Info {
  readonly exists: boolean;
  readonly subject: string | null;
  readonly issuer: string | null;
  readonly validFrom: string | null;
  readonly validTo: string | null;
}

const PATH = 'admin/server-certificate';
const DAY_MS = 86_400_000;
/** Days before its end from which a certificate should be replaced. */
const SOON = 30;

/** The certificate that users can choose for signing. */
export function ServerCertificate() {
  // The plugin that has it may be absent: then there is nothing to show, and nothing is wrong.
  const loaded = useLoaded(
    () =>
      callJson<Info>(`${PATH}/info`)
        .catch((error: unknown) => {
          const problem = asProblem(error);
          if (problem.status === 404) return undefined;
          throw problem;
        })
        .then((info) => ({ info })),
    [],
  );
  return (
    <section class="card stack">
      <h2>{t('The certificate of this server')}</h2>
      <LoadedView loaded={loaded}>
        {({ info }) =>
          info === undefined ? (
            <p class="soft">
              {t('This server has none for signing: the plugin {plugin} is not in use.', {
                plugin: '@quire/plugin-admin-cert',
              })}
            </p>
          ) : (
            <Certificate info={info} reload={loaded.reload} />
          )
        }
      </LoadedView>
    </section>
  );
}

interface CertificateProps {
  readonly info: Info;
  readonly reload: () => Promise<void>;
}

function Certificate({ info, reload }: CertificateProps) {
  return (
    <>
      {config.value?.serverCertificateEnabled === true ? null : (
        <Notice>
          <p>
            {t('Users cannot sign with it: set {setting} to allow that.', {
              setting: 'system.serverCertificate.enabled',
            })}
          </p>
        </Notice>
      )}
      {info.exists ? <Facts info={info} /> : <p>{t('There is no certificate.')}</p>}
      <Actions info={info} reload={reload} />
    </>
  );
}

function Facts({ info: { subject, issuer, validFrom, validTo } }: Pick<CertificateProps, 'info'>) {
  return (
    <>
      <Validity until={validTo ?? ''} />
      <dl class="pairs">
        <div>
          <dt>{t('Owner')}</dt>
          <dd class="break">{subject}</dd>
        </div>
        <div>
          <dt>{t('Issuer')}</dt>
          <dd class="break">{issuer === subject ? t('Self-signed: others do not trust it by themselves.') : issuer}</dd>
        </div>
        <div>
          <dt>{t('Valid')}</dt>
          <dd>{t('{from} to {until}', { from: day(validFrom), until: day(validTo) })}</dd>
        </div>
      </dl>
    </>
  );
}

function day(instant: string | null): string {
  return instant === null ? '' : formatDate(instant, { dateStyle: 'medium' });
}

function Validity({ until }: { readonly until: string }) {
  const days = Math.floor((Date.parse(until) - Date.now()) / DAY_MS);
  if (days > SOON) return null;
  return (
    <Notice kind={days < 0 ? 'error' : 'warning'}>
      <p>
        {days < 0
          ? t('The certificate has expired: nothing can be signed with it.')
          : t.count(days, 'The certificate expires in {count} day.', 'The certificate expires in {count} days.')}
      </p>
    </Notice>
  );
}

function Actions({ info, reload }: CertificateProps) {
  const [asking, setAsking] = useState<'generate' | 'delete' | undefined>();
  const [file, setFile] = useState<File | undefined>();
  const download = async (): Promise<void> => {
    try {
      saveFile(await callBlob(`${PATH}/certificate`), 'server-cert.cer');
    } catch (error) {
      toast(asProblem(error).message, 'error');
    }
  };
  const done = async (): Promise<void> => {
    await reload();
    toast(t('Saved. It takes effect after a restart.'));
  };
  return (
    <div class="row">
      {info.exists ? (
        <Button icon="download" onClick={() => void download()}>
          {t('Download')}
        </Button>
      ) : null}
      {config.value?.serverCertificateEnabled === true ? (
        <Button icon="refresh-cw" onClick={() => setAsking('generate')}>
          {t('Generate a new one')}
        </Button>
      ) : null}
      <label class="button plain normal file-button">
        {t('Upload a keystore')}
        <input
          type="file"
          class="hidden-visually"
          accept=".p12,.pfx"
          onChange={(event) => {
            setFile(event.currentTarget.files?.[0]);
            event.currentTarget.value = '';
          }}
        />
      </label>
      {info.exists ? (
        <Button kind="danger" onClick={() => setAsking('delete')}>
          {t('Delete')}
        </Button>
      ) : null}
      {asking === 'generate' ? (
        <ActionDialog
          title={t('Generate a new certificate?')}
          action={t('Generate')}
          onClose={() => setAsking(undefined)}
          run={async () => {
            await call(`${PATH}/generate`, { method: 'POST' });
            await done();
          }}
        >
          <p>{t('It replaces the one of now. Signatures that were made keep their certificate.')}</p>
        </ActionDialog>
      ) : null}
      {asking === 'delete' ? (
        <ActionDialog
          danger
          title={t('Delete the certificate?')}
          action={t('Delete')}
          onClose={() => setAsking(undefined)}
          run={async () => {
            await call(PATH, { method: 'DELETE' });
            await reload();
            toast(t('Deleted'));
          }}
        >
          <p>{t('Signing with it stops at once. Signatures that were made keep their certificate.')}</p>
        </ActionDialog>
      ) : null}
      {file === undefined ? null : <UploadDialog file={file} onClose={() => setFile(undefined)} onDone={done} />}
    </div>
  );
}

interface UploadDialogProps {
  readonly file: File;
  readonly onClose: () => void;
  readonly onDone: () => Promise<void>;
}

function UploadDialog({ file, onClose, onDone }: UploadDialogProps) {
  const [password, setPassword] = useState('');
  return (
    <ActionDialog
      title={t('Upload a keystore')}
      action={t('Upload')}
      onClose={onClose}
      run={async () => {
        const body = formData({ password });
        body.append('file', file);
        await call(`${PATH}/upload`, { body });
        await onDone();
      }}
    >
      <p class="break">{file.name}</p>
      <Field label={t('Password of the keystore')}>
        {(control) => (
          <PasswordInput control={control} autocomplete="off" autoFocus value={password} onText={setPassword} />
        )}
      </Field>
    </ActionDialog>
  );
}

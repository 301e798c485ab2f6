import { useState } from 'preact/hooks';
import { callJson } from '../../api/index.ts';
import {
  ActionDialog,
  Button,
  Field,
  LoadedView,
  PasswordInput,
  Table,
  toast,
  useLoaded,
} from '../../components/index.ts';
import { formatDate, formatNumber } from '../../i18n/index.ts';
import { Fact } from './fact.tsx';
import { tierName } from './facts.ts';
import { t } from './texts.ts';

interface LicenceInfo {
  readonly licenseType: string;
  readonly maxUsers: number;
  readonly hasKey: boolean;
}
interface Usage {
  readonly metered: boolean;
  readonly limit: number | null;
  readonly used: number;
  readonly periodEnd: string | null;
}
interface Package {
  readonly moduleName: string;
  readonly moduleVersion: string;
  readonly moduleLicense: string;
}

/** What the licence allows, what of it is used, and the licences of others in the server. */
export function Licence() {
  const [asking, setAsking] = useState(false);
  const loaded = useLoaded(
    () =>
      Promise.all([
        callJson<LicenceInfo>('admin/license-info'),
        callJson<{ totalUsers: number }>('proprietary/ui-data/admin-settings'),
        callJson<{ installationId: string }>('admin/installation-id'),
        callJson<Usage>('admin/usage'),
      ]),
    [],
  );
  return (
    <LoadedView loaded={loaded}>
      {([{ licenseType, maxUsers, hasKey }, { totalUsers }, { installationId }, usage]) => (
        <>
          <dl class="facts">
            <Fact label={t('Licence')}>{tierName(licenseType)}</Fact>
            <Fact label={t('Users')}>
              {maxUsers === 0
                ? t('{count}, without a limit', { count: formatNumber(totalUsers) })
                : t('{count} of {all}', { count: formatNumber(totalUsers), all: formatNumber(maxUsers) })}
            </Fact>
            <Fact label={t('Units used in this period')}>{usedWords(usage)}</Fact>
            <Fact label={t('Licence key')}>{hasKey ? t('Stored') : t('Not stored')}</Fact>
          </dl>
          <section class="card stack">
            <div class="row between">
              <h2>{t('Licence key')}</h2>
              <Button onClick={() => setAsking(true)}>{hasKey ? t('Change the key') : t('Store a key')}</Button>
            </div>
            <p>
              {t('This server verifies no keys and asks no service. What is allowed is the setting {setting}.', {
                setting: 'licence.tier',
              })}
            </p>
            <p class="soft">
              {t('Id of this installation')}: <code class="break">{installationId}</code>
            </p>
          </section>
          <Packages />
          {asking ? (
            <KeyDialog
              hasKey={hasKey}
              onClose={() => setAsking(false)}
              onDone={async () => {
                await loaded.reload();
                toast(t('Saved'));
              }}
            />
          ) : null}
        </>
      )}
    </LoadedView>
  );
}

function usedWords({ metered, used, limit, periodEnd }: Usage): string {
  if (!metered) return t('Not counted');
  const count = formatNumber(used);
  const words = limit === null ? count : t('{count} of {all}', { count, all: formatNumber(limit) });
  return periodEnd === null ? words : t('{used}, until {date}', { used: words, date: formatDate(periodEnd) });
}

interface KeyDialogProps {
  readonly hasKey: boolean;
  readonly onClose: () => void;
  readonly onDone: () => Promise<void>;
}

function KeyDialog({ hasKey, onClose, onDone }: KeyDialogProps) {
  const [key, setKey] = useState('');
  return (
    <ActionDialog
      title={t('Licence key')}
      action={t('Save')}
      valid={hasKey || key.trim() !== ''}
      onClose={onClose}
      run={async () => {
        await callJson('admin/license-key', { body: { licenseKey: key.trim() } });
        await onDone();
      }}
    >
      <Field label={t('Licence key')} help={hasKey ? t('Leave it empty to remove the stored key.') : undefined}>
        {(control) => <PasswordInput control={control} autocomplete="off" autoFocus value={key} onText={setKey} />}
      </Field>
    </ActionDialog>
  );
}

/** Licences of packages in the server; read when somebody looks. */
function Packages() {
  const [open, setOpen] = useState(false);
  return (
    <details class="card more" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t('Licences of packages in this server')}</summary>
      {open ? <PackageTable /> : null}
    </details>
  );
}

function PackageTable() {
  const loaded = useLoaded(() => callJson<{ dependencies: readonly Package[] }>('ui-data/licenses'), []);
  return (
    <LoadedView loaded={loaded}>
      {({ dependencies }) => (
        <Table<Package>
          label={t('Licences of packages in this server')}
          rows={dependencies}
          rowKey={({ moduleName, moduleVersion }) => `${moduleName} ${moduleVersion}`}
          columns={[
            { id: 'name', label: t('Package'), cell: ({ moduleName }) => <span class="break">{moduleName}</span> },
            { id: 'version', label: t('Version'), cell: ({ moduleVersion }) => moduleVersion },
            { id: 'licence', label: t('Licence'), cell: ({ moduleLicense }) => moduleLicense },
          ]}
        />
      )}
    </LoadedView>
  );
}

import { useState } from 'preact/hooks';
import { callJson, catalog, loadCatalog } from '../../api/index.ts';
import {
  ActionDialog,
  Button,
  Dialog,
  Field,
  IconButton,
  LoadedView,
  Select,
  TextInput,
  useLoaded,
} from '../../components/index.ts';
import { formatDate, formatList, rt } from '../../i18n/index.ts';
import { copy } from '../tool/snippet-panel.tsx';
import { useConfirmed } from './confirmed.tsx';
import { t } from './texts.ts';

interface ApiKey {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  readonly status: 'active' | 'revoked' | 'expired';
  readonly created: string;
  /** `yyyy-MM-dd HH:mm` in UTC, or `Never`. */
  readonly lastUsed: string;
  readonly expires: string;
  readonly categories?: readonly string[] | null;
  readonly readOnly?: boolean;
}

const PATH = 'proprietary/ui-data/infrastructure/api-keys';

/** Keys for programs, each with its limits; the key itself is shown once. */
export function Keys() {
  const [adding, setAdding] = useState(false);
  const [secret, setSecret] = useState<string | undefined>();
  const loaded = useLoaded(() => callJson<{ keys: readonly ApiKey[] }>(PATH), []);
  const { attempt, attemptAloud, dialog } = useConfirmed();
  return (
    <section class="card stack">
      <div class="row between">
        <div>
          <h2>{t('API keys')}</h2>
          <p class="soft small">{t('For programs and scripts that use this server as you.')}</p>
        </div>
        <Button
          onClick={() => {
            void loadCatalog();
            setAdding(true);
          }}
        >
          {t('Create a key')}
        </Button>
      </div>
      <LoadedView loaded={loaded}>
        {({ keys }) => (
          <ul>
            {keys
              .filter(({ status }) => status !== 'revoked')
              .map((key) => (
                <li key={key.id} class="line">
                  <span class="grow break">
                    {key.name} <code class="soft">{key.prefix}…</code>
                    <span class="soft small block">{limitsOf(key)}</span>
                  </span>
                  <IconButton
                    icon="trash-2"
                    label={t('Revoke {name}', { name: key.name })}
                    onClick={() =>
                      attemptAloud(async () => {
                        await callJson(`${PATH}/${encodeURIComponent(key.id)}`, { method: 'DELETE' });
                        await loaded.reload();
                      })
                    }
                  />
                </li>
              ))}
          </ul>
        )}
      </LoadedView>
      {adding ? (
        <KeyDialog
          onClose={() => setAdding(false)}
          create={(body) =>
            attempt(async (password) => {
              const sent = password === undefined ? body : { ...body, password };
              const answer = await callJson<{ secret: string }>(PATH, { body: sent });
              setSecret(answer.secret);
              await loaded.reload();
            })
          }
        />
      ) : null}
      {secret === undefined ? null : (
        <Dialog size="small" title={t('Your new key')} onClose={() => setSecret(undefined)}>
          <p>{t('Copy it now: it is not shown again.')}</p>
          <p class="break">
            <code class="secret">{secret}</code>
          </p>
          <Button kind="primary" icon="copy" onClick={() => void copy(secret)}>
            {t('Copy')}
          </Button>
        </Dialog>
      )}
      {dialog}
    </section>
  );
}

const NEVER = 'Never';

function instant(utc: string): string {
  return `${utc.replace(' ', 'T')}Z`;
}

function limitsOf({ lastUsed, expires, status, categories, readOnly }: ApiKey): string {
  return [
    lastUsed === NEVER ? t('Never used') : t('Last used {time}', { time: formatDate(instant(lastUsed)) }),
    ...(status === 'expired' ? [t('Expired')] : []),
    ...(expires === NEVER ? [] : [t('Valid until {time}', { time: formatDate(instant(expires)) })]),
    ...(readOnly === true ? [t('Reads only')] : []),
    ...((categories ?? []).length === 0 ? [] : [formatList(categories!)]),
  ].join(' · ');
}

interface KeyDialogProps {
  readonly onClose: () => void;
  readonly create: (body: Readonly<Record<string, unknown>>) => Promise<void>;
}

function KeyDialog({ onClose, create }: KeyDialogProps) {
  const [name, setName] = useState('');
  const [days, setDays] = useState('');
  const [readOnly, setReadOnly] = useState(false);
  const [categories, setCategories] = useState<readonly string[]>([]);
  const toggle = (id: string, on: boolean): void =>
    setCategories(on ? [...categories, id] : categories.filter((each) => each !== id));
  return (
    <ActionDialog
      title={t('Create a key')}
      action={t('Create')}
      valid={name.trim() !== ''}
      onClose={onClose}
      run={() =>
        create({
          name: name.trim(),
          ...(days === '' ? {} : { expiresInDays: Number(days) }),
          ...(readOnly ? { readOnly: true } : {}),
          ...(categories.length === 0 ? {} : { categories }),
        })
      }
    >
      <Field label={t('Name')} help={t('What it is for')} required>
        {(control) => <TextInput control={control} autoFocus value={name} onText={setName} />}
      </Field>
      <Field label={t('Valid for')}>
        {(control) => (
          <Select
            control={control}
            value={days}
            onValue={setDays}
            options={[
              { value: '', label: t('Until it is revoked') },
              ...[7, 30, 90, 365].map((count) => ({
                value: String(count),
                label: t.count(count, '{count} day', '{count} days'),
              })),
            ]}
          />
        )}
      </Field>
      <label class="check">
        <input type="checkbox" checked={readOnly} onChange={(event) => setReadOnly(event.currentTarget.checked)} />
        {t('May only read')}
      </label>
      <fieldset class="group">
        <legend>{t('Categories (none: all)')}</legend>
        <div class="choices">
          {(catalog.value?.categories ?? []).map(({ id, title }) => (
            <label class="check" key={id}>
              <input
                type="checkbox"
                checked={categories.includes(id)}
                onChange={(event) => toggle(id, event.currentTarget.checked)}
              />
              {rt(title)}
            </label>
          ))}
        </div>
      </fieldset>
    </ActionDialog>
  );
}

import { useState } from 'preact/hooks';
import { config } from '../../api/index.ts';
import { Button, Field, PasswordInput, Select, TextInput, type Option } from '../../components/index.ts';
import { formatNumber } from '../../i18n/index.ts';
import { t } from './texts.ts';

interface LinkOptions {
  readonly accessRole: 'viewer';
  readonly withoutAccount: boolean;
  readonly password: string | null;
  readonly maxDownloads: number | null;
  readonly expiresInHours: number | null;
}

/** How long links can be chosen to work, in hours. */
const LIVES = [1, 24, 3 * 24, 7 * 24, 30 * 24, 90 * 24, 365 * 24] as const;

const blank = { withoutAccount: false, password: '', downloads: '', hours: '' };

interface LinkFormProps {
  /** Resolves to whether the link was created. */
  readonly onCreate: (options: LinkOptions) => Promise<boolean>;
}

/** Creates a link: with a click as the server is set up, or with a password, an end and a number of downloads. */
export function LinkForm({ onCreate }: LinkFormProps) {
  const [typed, setTyped] = useState(blank);
  const [busy, setBusy] = useState(false);
  const set = (change: Partial<typeof blank>): void => setTyped({ ...typed, ...change });
  const isPublic = config.value?.storagePublicLinksEnabled === true;
  const wrongCount = typed.downloads !== '' && !/^[1-9]\d{0,5}$/.test(typed.downloads);
  const create = async (): Promise<void> => {
    setBusy(true);
    const created = await onCreate({
      accessRole: 'viewer',
      withoutAccount: typed.withoutAccount,
      password: typed.password === '' ? null : typed.password,
      maxDownloads: typed.downloads === '' ? null : Number(typed.downloads),
      expiresInHours: typed.hours === '' ? null : Number(typed.hours),
    });
    setBusy(false);
    if (created) setTyped(blank);
  };
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (!wrongCount) void create();
      }}
    >
      {isPublic ? (
        <label class="check">
          <input
            type="checkbox"
            checked={typed.withoutAccount}
            onChange={(event) => set({ withoutAccount: event.currentTarget.checked })}
          />
          {t('Works without an account')}
        </label>
      ) : null}
      <p class="soft small">
        {typed.withoutAccount
          ? t('Everybody who gets hold of the link sees the file. A password protects it.')
          : t('Whoever has a link and is logged in sees the file.')}
      </p>
      <details>
        <summary>{t('Password, end and number of downloads')}</summary>
        <div class="stack link-options">
          <Field label={t('Password of the link')} help={t('At least 8 characters, none of the common ones')}>
            {(control) => (
              <PasswordInput
                control={control}
                autocomplete="new-password"
                value={typed.password}
                onText={(password) => set({ password })}
              />
            )}
          </Field>
          <Field label={t('Works for')}>
            {(control) => (
              <Select control={control} value={typed.hours} options={lives()} onValue={(hours) => set({ hours })} />
            )}
          </Field>
          <Field
            label={t('Number of downloads')}
            help={t('Opening the file in the browser counts too. Empty for no limit.')}
            error={wrongCount ? t('A whole number from 1 on') : undefined}
          >
            {(control) => (
              <TextInput
                control={control}
                inputMode="numeric"
                autocomplete="off"
                value={typed.downloads}
                onText={(downloads) => set({ downloads: downloads.trim() })}
              />
            )}
          </Field>
        </div>
      </details>
      <div class="row">
        <Button icon="link" type="submit" busy={busy} disabled={wrongCount}>
          {t('Create a link')}
        </Button>
      </div>
    </form>
  );
}

/** The choices that the server allows; the first is its own. */
function lives(): readonly Option[] {
  const longest = config.value?.storageLinkDays ?? 0;
  const possible = LIVES.filter((hours) => longest === 0 || hours < longest * 24);
  return [
    { value: '', label: longest === 0 ? t('Until it is deleted') : daysOf(longest) },
    ...possible.map((hours) => ({ value: String(hours), label: hours < 24 ? hoursOf(hours) : daysOf(hours / 24) })),
  ];
}

function daysOf(days: number): string {
  return formatNumber(days, { style: 'unit', unit: 'day', unitDisplay: 'long' });
}

function hoursOf(hours: number): string {
  return formatNumber(hours, { style: 'unit', unit: 'hour', unitDisplay: 'long' });
}

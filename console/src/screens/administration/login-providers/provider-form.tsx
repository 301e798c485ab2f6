import { useState } from 'preact/hooks';
import { asProblem, callJson, type Problem } from '../../../api/index.ts';
import {
  ActionDialog,
  Button,
  Field,
  PasswordInput,
  ProblemNotice,
  Switch,
  TextArea,
  TextInput,
  toast,
} from '../../../components/index.ts';
import { asText, fromText, savedValue } from '../settings/setting-facts.ts';
import { AddressList } from './addresses.tsx';
import { SHARED, withName, type OwnProvider, type Settings } from './provider-facts.ts';
import { TrialPanel } from './trial-panel.tsx';
import { t } from './texts.ts';

interface ProviderFormProps {
  readonly provider: OwnProvider;
  readonly settings: Settings;
  readonly onClose: () => void;
  readonly onSaved: () => Promise<void>;
}

/** Texts that were entered, by key; a key that is missing is as it was saved. */
type Edits = ReadonlyMap<string, string>;

/** One provider: what to register there, what it gave, and a trial of both. */
export function ProviderForm({ provider, settings, onClose, onSaved }: ProviderFormProps) {
  const [edits, setEdits] = useState<Edits>(new Map());
  const [problem, setProblem] = useState<Problem | undefined>();
  const [busy, setBusy] = useState(false);
  const [removing, setRemoving] = useState(false);
  const { preset, name, settings: base, isSaved } = provider;
  const set = (key: string, text: string): void => {
    setProblem(undefined);
    setEdits(edited(edits, settings, key, text));
  };
  const values = valuesOf(edits, settings);
  const textOf = (key: string): string => edits.get(key) ?? asText(savedValue(settings.get(key)!));
  const title = preset === 'other' ? textOf(`${SHARED}.provider`) : name;
  const addresses =
    preset === 'other' ? withName(provider.addresses, provider.id, textOf(`${SHARED}.provider`)) : provider.addresses;
  const write = async (changes: Readonly<Record<string, unknown>>): Promise<void> => {
    await callJson('admin/settings', { method: 'PUT', body: { settings: changes } });
    setEdits(new Map());
    await onSaved();
    toast(t('Saved. It takes effect after a restart.'));
  };
  const save = async (): Promise<void> => {
    setBusy(true);
    setProblem(undefined);
    await write({ [`${SHARED}.enabled`]: true, ...values }).catch((error: unknown) => setProblem(asProblem(error)));
    setBusy(false);
  };
  const fields = { settings, edits, problem, onText: set };
  return (
    <>
      <div class="row">
        <Button kind="quiet" icon="arrow-left" onClick={onClose}>
          {t('All providers')}
        </Button>
      </div>
      <section class="card stack">
        <div>
          <h2>{t('1. Register this server at {provider}', { provider: title })}</h2>
          <p class="soft small">
            {t('As a web application with the authorization code flow. Enter these addresses exactly.')}
          </p>
        </div>
        <AddressList addresses={addresses} />
      </section>
      <section class="card stack">
        <h2>{t('2. Enter what the provider gave you')}</h2>
        <div class="provider-fields">
          {preset === 'other' ? (
            <SettingField {...fields} name={`${SHARED}.provider`} label={t('Name that users see')} />
          ) : null}
          <SettingField
            {...fields}
            wide
            name={`${base}.issuer`}
            label={issuerLabel(preset)}
            help={issuerHelp(preset)}
          />
          <SettingField {...fields} name={`${base}.clientId`} label={t('Client id')} />
          <SettingField
            {...fields}
            name={`${base}.clientSecret`}
            label={t('Client secret')}
            help={t('Empty for a public client. It is not shown again.')}
          />
          <SettingField {...fields} name={`${base}.scopes`} label={t('Scopes')} />
          <SettingField {...fields} name={`${base}.useAsUsername`} label={t('Claim with the user name')} />
        </div>
      </section>
      <AccountRules {...fields} />
      {problem === undefined ? null : <ProblemNotice problem={problem} />}
      <TrialPanel
        provider={preset}
        title={title}
        values={values}
        onProblem={setProblem}
        onIssuer={(issuer) => set(`${base}.issuer`, issuer)}
      />
      <div class="row between">
        <div class="row">
          <Button
            kind="primary"
            icon="save"
            busy={busy}
            disabled={Object.keys(values).length === 0}
            onClick={() => void save()}
          >
            {t('Save')}
          </Button>
          <span class="soft small">{t('Saving also turns login with providers on.')}</span>
        </div>
        {isSaved ? (
          <Button kind="quiet" icon="trash-2" onClick={() => setRemoving(true)}>
            {t('Remove the provider')}
          </Button>
        ) : null}
      </div>
      {removing ? (
        <ActionDialog
          danger
          title={t('Remove {provider}?', { provider: title })}
          action={t('Remove')}
          onClose={() => setRemoving(false)}
          run={() => write({ [`${base}.clientId`]: null, [`${base}.clientSecret`]: null })}
        >
          <p>
            {t('Nobody can log in there after the next start. Accounts stay, and work again when it is set up again.')}
          </p>
        </ActionDialog>
      ) : null}
    </>
  );
}

function issuerLabel(preset: string): string {
  return preset === 'github' ? t('Address of GitHub') : t('Issuer');
}

function issuerHelp(preset: string): string {
  const examples: Readonly<Record<string, string>> = {
    keycloak: 'https://<host>/realms/<realm>',
    google: 'https://accounts.google.com',
    entra: 'https://login.microsoftonline.com/<tenant id>/v2.0',
    authentik: 'https://<host>/application/o/<slug>/',
    authelia: 'https://<host>',
    zitadel: 'https://<instance>',
  };
  if (preset === 'github') return t('Another one only for a GitHub Enterprise Server.');
  return t('The address before “{path}”, such as {example}', {
    path: '/.well-known/openid-configuration',
    example: examples[preset] ?? 'https://login.example.org',
  });
}

interface FieldsProps {
  readonly settings: Settings;
  readonly edits: Edits;
  readonly problem: Problem | undefined;
  readonly onText: (key: string, text: string) => void;
}

/** Which accounts logins open, and what their groups give; the same for all providers. */
function AccountRules(fields: FieldsProps) {
  return (
    <details class="card more">
      <summary>{t('3. Accounts, groups and roles (for all providers)')}</summary>
      <div class="stack">
        <SettingField {...fields} name={`${SHARED}.autoCreateUser`} label={t('Create an account at the first login')} />
        <SettingField
          {...fields}
          name={`${SHARED}.blockRegistration`}
          label={t('Only users whom an administrator has entered')}
        />
        <SettingField
          {...fields}
          name={`${SHARED}.requireSecondFactor`}
          label={t('Only logins with a second factor at the provider')}
        />
        <SettingField
          {...fields}
          name={`${SHARED}.acceptUnverifiedEmail`}
          label={t('Accept mail addresses that the provider has not verified')}
        />
        <div class="provider-fields">
          <SettingField {...fields} wide name={`${SHARED}.groupsClaim`} label={t('Claim with the groups')} />
          <SettingField
            {...fields}
            name={`${SHARED}.groupRoles`}
            label={t('Roles by group')}
            help={t('One rule a line, the strongest first: {example}', { example: 'quire-admins=ROLE_ADMIN' })}
          />
          <SettingField
            {...fields}
            name={`${SHARED}.groupTeams`}
            label={t('Teams by group')}
            help={t('One rule a line: {example}', { example: 'accounting=Accounting' })}
          />
        </div>
      </div>
    </details>
  );
}

interface SettingFieldProps extends FieldsProps {
  readonly name: string;
  readonly label: string;
  readonly help?: string;
  readonly wide?: boolean;
}

/** One setting, with the fault that the server found in it. */
function SettingField({ settings, edits, problem, onText, name, label, help, wide = false }: SettingFieldProps) {
  const setting = settings.get(name);
  if (setting === undefined) return null;
  const saved = asText(savedValue(setting));
  const text = edits.get(name) ?? saved;
  const locked = setting.environment !== undefined;
  const fault = problem?.faults.find(({ pointer }) => pointer === `/settings/${name}`)?.detail;
  const words = locked ? t('Set by the variable {name}.', { name: setting.environment ?? '' }) : help;
  return (
    <div class={wide ? 'wide' : ''}>
      <Field label={label} error={fault} help={words}>
        {(control) => {
          const common = { control, disabled: locked, spellcheck: false, onText: (next: string) => onText(name, next) };
          if (setting.type === 'boolean')
            return (
              <Switch
                control={control}
                disabled={locked}
                checked={text === 'true'}
                onChecked={(checked) => onText(name, String(checked))}
              />
            );
          if (setting.secret)
            return (
              <PasswordInput
                {...common}
                autocomplete="off"
                placeholder={saved === '' ? '' : t('Unchanged')}
                value={edits.get(name) ?? ''}
              />
            );
          if (setting.type === 'strings') return <TextArea {...common} class="code" rows={3} value={text} />;
          return <TextInput {...common} autocomplete="off" value={text} />;
        }}
      </Field>
    </div>
  );
}

/** Entered texts without those that are as they were saved; an empty secret means the saved one. */
function edited(edits: Edits, settings: Settings, key: string, text: string): Edits {
  const next = new Map(edits);
  const setting = settings.get(key);
  const saved = setting === undefined ? '' : setting.secret ? '' : asText(savedValue(setting));
  if (text === saved) next.delete(key);
  else next.set(key, text);
  return next;
}

function valuesOf(edits: Edits, settings: Settings): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    [...edits].flatMap(([key, text]) => {
      const setting = settings.get(key);
      return setting === undefined ? [] : [[key, fromText(setting, text)]];
    }),
  );
}

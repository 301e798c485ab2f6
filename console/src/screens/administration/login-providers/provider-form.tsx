import { useState } from 'preact/hooks';
import { ActionDialog, Button, ProblemNotice } from '../../../components/index.ts';
import { AccountRules } from './account-rules.tsx';
import { AddressList } from './addresses.tsx';
import { SHARED, withName, type OwnProvider, type Settings } from './provider-facts.ts';
import { SettingField, useSettingEdits } from './setting-field.tsx';
import { TrialPanel } from './trial-panel.tsx';
import { t } from './texts.ts';

interface ProviderFormProps {
  readonly provider: OwnProvider;
  readonly settings: Settings;
  readonly onClose: () => void;
  readonly onSaved: () => Promise<void>;
}

/** One provider: what to register there, what it gave, and a trial of both. */
export function ProviderForm({ provider, settings, onClose, onSaved }: ProviderFormProps) {
  const [removing, setRemoving] = useState(false);
  const { preset, name, settings: base, isSaved } = provider;
  const edits = useSettingEdits(settings, onSaved);
  const { fields, values, problem, textOf } = edits;
  const title = preset === 'other' ? textOf(`${SHARED}.provider`) : name;
  const addresses =
    preset === 'other' ? withName(provider.addresses, provider.id, textOf(`${SHARED}.provider`)) : provider.addresses;
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
      <AccountRules
        {...fields}
        base={SHARED}
        groups={['groupsClaim', t('Claim with the groups')]}
        title={t('3. Accounts, groups and roles (for all providers)')}
      />
      {problem === undefined ? null : <ProblemNotice problem={problem} />}
      <TrialPanel
        provider={preset}
        title={title}
        values={values}
        onProblem={edits.setProblem}
        onIssuer={(issuer) => fields.onText(`${base}.issuer`, issuer)}
      />
      <div class="row between">
        <div class="row">
          <Button
            kind="primary"
            icon="save"
            busy={edits.busy}
            disabled={Object.keys(values).length === 0}
            onClick={() => void edits.save({ [`${SHARED}.enabled`]: true, ...values })}
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
          run={() => edits.write({ [`${base}.clientId`]: null, [`${base}.clientSecret`]: null })}
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

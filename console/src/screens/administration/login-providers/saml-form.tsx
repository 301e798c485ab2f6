import { Button, ProblemNotice } from '../../../components/index.ts';
import { asText, savedValue } from '../settings/setting-facts.ts';
import { AccountRules } from './account-rules.tsx';
import { AddressList } from './addresses.tsx';
import type { OwnProvider, Settings } from './provider-facts.ts';
import { SettingField, useSettingEdits, type FieldsProps } from './setting-field.tsx';
import { TrialPanel } from './trial-panel.tsx';
import { t } from './texts.ts';

const BASE = 'security.saml2';

interface SamlFormProps {
  readonly provider: OwnProvider;
  readonly settings: Settings;
  readonly onClose: () => void;
  readonly onSaved: () => Promise<void>;
}

/** The identity provider of SAML: what to register there, what it gave, and a trial of both. */
export function SamlForm({ provider: { name, addresses }, settings, onClose, onSaved }: SamlFormProps) {
  const edits = useSettingEdits(settings, onSaved);
  const { fields, values, problem } = edits;
  return (
    <>
      <div class="row">
        <Button kind="quiet" icon="arrow-left" onClick={onClose}>
          {t('All providers')}
        </Button>
      </div>
      <section class="card stack">
        <div>
          <h2>{t('1. Register this server at {provider}', { provider: name })}</h2>
          <p class="soft small">{t('Enter these addresses exactly.')}</p>
        </div>
        <AddressList addresses={addresses} />
      </section>
      <section class="card stack">
        <h2>{t('2. Enter what the provider gave you')}</h2>
        <FileSettings settings={settings} />
        <div class="provider-fields">
          <SettingField {...fields} name={`${BASE}.provider`} label={t('Name that users see')} />
          <SettingField
            {...fields}
            name={`${BASE}.idpIssuer`}
            label={t('Entity id of the identity provider')}
            help={t('Empty: as its metadata say.')}
          />
          <SettingField {...fields} wide name={`${BASE}.idpSingleLoginUrl`} label={t('Single sign-on address')} />
          <SettingField {...fields} wide name={`${BASE}.idpSingleLogoutUrl`} label={t('Single logout address')} />
          <SettingField {...fields} name={`${BASE}.nameIdFormat`} label={t('Format of the NameID')} />
          <SettingField {...fields} name={`${BASE}.requestBinding`} label={t('How requests are sent')} />
          <SettingField
            {...fields}
            name={`${BASE}.subjectAttribute`}
            label={t('Attribute that identifies users')}
            help={t('Empty: the NameID.')}
          />
          <SettingField {...fields} name={`${BASE}.useAsUsername`} label={t('Attribute with the user name')} />
        </div>
        {hasKey(settings) ? (
          <SettingField {...fields} name={`${BASE}.enabled`} label={t('Let users log in with it')} />
        ) : (
          <p class="soft small">{t('It can be turned on when the key and the certificate are set.')}</p>
        )}
      </section>
      <AccountRules
        {...fields}
        base={BASE}
        groups={['groupsAttribute', t('Attribute with the groups')]}
        title={t('3. Accounts, groups and roles')}
      />
      <Checks {...fields} />
      {problem === undefined ? null : <ProblemNotice problem={problem} />}
      <TrialPanel
        provider="saml"
        title={name}
        values={values}
        onProblem={edits.setProblem}
        onIssuer={(issuer) => fields.onText(`${BASE}.idpIssuer`, issuer)}
      />
      <div class="row">
        <Button
          kind="primary"
          icon="save"
          busy={edits.busy}
          disabled={Object.keys(values).length === 0}
          onClick={() => void edits.save(values)}
        >
          {t('Save')}
        </Button>
      </div>
    </>
  );
}

/** A server without them would not start with SAML on. */
function hasKey(settings: Settings): boolean {
  return ['privateKey', 'spCert'].every((key) => {
    const setting = settings.get(`${BASE}.${key}`);
    return setting !== undefined && asText(savedValue(setting)) !== '';
  });
}

/** Settings that name files of the server, which nobody may choose from afar. */
function FileSettings({ settings }: { readonly settings: Settings }) {
  const shown = ['idpMetadataUri', 'idpCert', 'privateKey', 'spCert'].flatMap(
    (key) => settings.get(`${BASE}.${key}`) ?? [],
  );
  return (
    <>
      <p class="soft small">
        {t('These stand in the settings file or in variables of the server, because they name files there:')}
      </p>
      <dl class="facts">
        {shown.map((setting) => (
          <div key={setting.key}>
            <dt>
              <code>{setting.key}</code>
            </dt>
            <dd class="break">{asText(savedValue(setting)) || t('Not set')}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

/** How strict the checks of assertions are. */
function Checks(fields: FieldsProps) {
  return (
    <details class="card more">
      <summary>{t('4. Checks')}</summary>
      <div class="stack">
        <SettingField
          {...fields}
          name={`${BASE}.wantAssertionsSigned`}
          label={t('Demand a signature of the assertion itself')}
        />
        <SettingField
          {...fields}
          name={`${BASE}.acceptUnsolicited`}
          label={t('Accept logins that begin at the identity provider')}
        />
        <SettingField {...fields} name={`${BASE}.acceptSha1`} label={t('Accept signatures with SHA-1')} />
        <div class="provider-fields">
          <SettingField
            {...fields}
            name={`${BASE}.clockSkewSeconds`}
            label={t('Tolerated difference of the clocks, in seconds')}
          />
          <SettingField
            {...fields}
            wide
            name={`${BASE}.secondFactorContexts`}
            label={t('Contexts that mean a second factor')}
          />
          <SettingField {...fields} wide name={`${BASE}.requestedContexts`} label={t('Contexts to ask for')} />
        </div>
      </div>
    </details>
  );
}

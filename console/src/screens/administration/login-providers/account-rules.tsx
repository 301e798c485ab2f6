import { SettingField, type FieldsProps } from './setting-field.tsx';
import { t } from './texts.ts';

interface AccountRulesProps extends FieldsProps {
  /** Beginning of the keys. */
  readonly base: string;
  /** Key and label of what holds the groups. */
  readonly groups: readonly [key: string, label: string];
  readonly title: string;
}

/** Which accounts logins open, and what their groups give. */
export function AccountRules({ base, groups, title, ...fields }: AccountRulesProps) {
  return (
    <details class="card more">
      <summary>{title}</summary>
      <div class="stack">
        <SettingField {...fields} name={`${base}.autoCreateUser`} label={t('Create an account at the first login')} />
        <SettingField
          {...fields}
          name={`${base}.blockRegistration`}
          label={t('Only users whom an administrator has entered')}
        />
        <SettingField
          {...fields}
          name={`${base}.requireSecondFactor`}
          label={t('Only logins with a second factor at the provider')}
        />
        <SettingField
          {...fields}
          name={`${base}.acceptUnverifiedEmail`}
          label={t('Accept mail addresses that the provider has not verified')}
        />
        <div class="provider-fields">
          <SettingField {...fields} wide name={`${base}.${groups[0]}`} label={groups[1]} />
          <SettingField
            {...fields}
            name={`${base}.groupRoles`}
            label={t('Roles by group')}
            help={t('One rule a line, the strongest first: {example}', { example: 'quire-admins=ROLE_ADMIN' })}
          />
          <SettingField
            {...fields}
            name={`${base}.groupTeams`}
            label={t('Teams by group')}
            help={t('One rule a line: {example}', { example: 'accounting=Accounting' })}
          />
        </div>
      </div>
    </details>
  );
}

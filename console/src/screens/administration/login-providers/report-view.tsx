import type { ComponentChildren } from 'preact';
import { Icon, Notice, Table } from '../../../components/index.ts';
import { roleName } from '../users/roles.ts';
import type { Claim, Report } from './provider-facts.ts';
import { SamlFacts } from './saml-facts.tsx';
import { faultWords, refusalWords } from './trial-words.ts';
import { t } from './texts.ts';

/** What a provider sent, what was read from it, and what a login would have done. */
export function ReportView({ report }: { readonly report: Report }) {
  const { fault, detail, identity, account, response, claims = [] } = report;
  return (
    <>
      {fault === undefined ? null : (
        <Notice kind="error" title={t('The login failed')}>
          <p>{faultWords(fault)}</p>
          {detail === undefined ? null : <p class="soft small break">{detail}</p>}
        </Notice>
      )}
      {account === undefined ? null : <Verdict account={account} />}
      {identity === undefined ? null : <Readings identity={identity} />}
      {response === undefined ? null : <SamlFacts response={response} />}
      {fault !== undefined && claims.length === 0 ? null : <Claims claims={claims} />}
    </>
  );
}

function Claims({ claims }: { readonly claims: readonly Claim[] }) {
  return (
    <>
      <h3>{t('What the provider sent')}</h3>
      <Table<Claim>
        label={t('What the provider sent')}
        rows={claims}
        rowKey={({ name }) => name}
        columns={[
          { id: 'name', label: t('Claim'), cell: ({ name }) => <code class="break">{name}</code> },
          { id: 'value', label: t('Value'), cell: ({ value }) => <code>{value}</code> },
          { id: 'from', label: t('From'), cell: ({ from }) => sourceWords(from) },
        ]}
      />
    </>
  );
}

function sourceWords(from: Claim['from']): string {
  if (from === 'assertion') return t('The assertion');
  if (from === 'both') return t('ID token and user info');
  return from === 'idToken' ? t('ID token') : t('User info');
}

function Verdict({ account }: { readonly account: NonNullable<Report['account']> }) {
  const { outcome, username = '', role = '', missingRole, team, keepsRights, reason = '', detail } = account;
  if (outcome === 'refused')
    return (
      <Notice kind="warning" title={t('The login works, but this user would be refused')}>
        <p>{refusalWords(reason)}</p>
        {detail === undefined ? null : <p class="soft small break">{detail}</p>}
      </Notice>
    );
  const words = {
    opens: t('This user would get into the account {name}.', { name: username }),
    binds: t('This user would get the account {name}, which an administrator has entered.', { name: username }),
    creates: t('A new account {name} would be created for this user.', { name: username }),
  };
  return (
    <Notice kind="done" title={t('The login works')}>
      <p>{words[outcome]}</p>
      <p>
        {keepsRights === true
          ? t('It has a password, so it keeps its role, {role}, whatever the groups say.', { role: roleName(role) })
          : t('Role: {role}', { role: roleName(role) })}
      </p>
      {missingRole === undefined ? null : (
        <p>{t('The groups give the role {role}, which this server does not have.', { role: missingRole })}</p>
      )}
      {team === undefined ? null : <p>{t('Team: {team}', { team: team ?? t('the default team') })}</p>}
    </Notice>
  );
}

function Readings({ identity }: { readonly identity: NonNullable<Report['identity']> }) {
  const { usernameClaim, username, email, emailVerified, groupsClaim, groups, methods, secondFactor } = identity;
  const verified =
    emailVerified === null
      ? t('The provider does not say whether {email} is verified.', { email: email ?? '' })
      : emailVerified
        ? t('{email} is verified.', { email: email ?? '' })
        : t('{email} is not verified.', { email: email ?? '' });
  const second = secondFactor
    ? t('A second factor was used ({methods}).', { methods: methods.join(', ') })
    : methods.length === 0
      ? t('The provider does not say how the user logged in, so no second factor counts.')
      : t('No second factor was used ({methods}).', { methods: methods.join(', ') });
  return (
    <ul class="verdict-list">
      <Reading good={username !== null}>
        {username === null
          ? t('The claim {claim} for the user name is missing.', { claim: usernameClaim })
          : t('User name: {name}, from the claim {claim}.', { name: username, claim: usernameClaim })}
      </Reading>
      <Reading good={emailVerified === true ? true : undefined}>
        {email === null ? t('The provider sent no mail address.') : verified}
      </Reading>
      {groupsClaim === '' ? null : (
        <Reading good={groups.length > 0 ? true : undefined}>
          {groups.length === 0
            ? t('There are no groups in the claim {claim}.', { claim: groupsClaim })
            : t('Groups: {groups}', { groups: groups.join(', ') })}
        </Reading>
      )}
      <Reading good={secondFactor ? true : undefined}>{second}</Reading>
    </ul>
  );
}

/** `good`: false is wrong, undefined is neither. */
function Reading({ good, children }: { readonly good: boolean | undefined; readonly children: ComponentChildren }) {
  const [icon, kind] =
    good === undefined ? ['info', 'info'] : good ? ['circle-check', 'done'] : ['triangle-alert', 'warning'];
  return (
    <li>
      <span class={kind}>
        <Icon name={icon} size={18} />
      </span>
      <span class="grow break">{children}</span>
    </li>
  );
}

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { callJson } from '../../api/index.ts';
import { ActionDialog, Button, Icon, Notice } from '../../components/index.ts';
import { RestartNotice } from '../administration/settings/restart-notice.tsx';
import { copy } from '../tool/snippet-panel.tsx';
import type { Setup, StepProps } from './setup.ts';
import { t } from './texts.ts';

const LINES = 'security:\n  enableLogin: true\n';

/** What login on and off mean, and how to change it. */
export function LoginStep({ setup, reload }: StepProps) {
  const { enabled, afterRestart } = setup.login;
  return (
    <>
      <ul class="choices">
        <Choice title={t('Login on')} inUse={enabled}>
          {t('Everybody needs an account. The server can be reached from other machines.')}
        </Choice>
        <Choice title={t('Login off')} inUse={!enabled}>
          {t('Nobody needs an account: whoever reaches the server may use it.')}{' '}
          {t('It can be reached from its own machine only, unless {setting} is set.', { setting: 'server.host' })}
        </Choice>
      </ul>
      {enabled === afterRestart ? (
        enabled ? (
          <TurnOff setup={setup} reload={reload} />
        ) : (
          <TurnOn setup={setup} />
        )
      ) : setup.canRestart && enabled ? (
        <RestartNotice waiting={1} />
      ) : (
        <Notice kind="warning">
          <p>{t('This takes effect once the server is started again.')}</p>
        </Notice>
      )}
    </>
  );
}

interface ChoiceProps {
  readonly title: string;
  readonly inUse: boolean;
  readonly children: ComponentChildren;
}

function Choice({ title, inUse, children }: ChoiceProps) {
  return (
    <li class={`card ${inUse ? 'chosen' : ''}`}>
      <p class="row between">
        <strong>{title}</strong>
        {inUse ? (
          <span class="badge done">
            <Icon name="circle-check" size={14} />
            {t('In use')}
          </span>
        ) : null}
      </p>
      <p class="soft">{children}</p>
    </li>
  );
}

function TurnOff({ setup: { login }, reload }: StepProps) {
  const [asking, setAsking] = useState(false);
  if (login.environment !== undefined)
    return <p class="soft">{t('Set by the variable {name}.', { name: login.environment })}</p>;
  return (
    <div>
      <Button onClick={() => setAsking(true)}>{t('Turn login off')}</Button>
      {asking ? (
        <ActionDialog
          title={t('Turn login off?')}
          action={t('Turn login off')}
          onClose={() => setAsking(false)}
          run={async () => {
            await callJson('admin/settings', { method: 'PUT', body: { settings: { 'security.enableLogin': false } } });
            await reload();
          }}
        >
          <p>{t('It takes effect after a restart. Accounts are kept, and count again once login is on.')}</p>
        </ActionDialog>
      ) : null}
    </div>
  );
}

/** Without login nobody may change settings through the network: the file is changed by hand. */
function TurnOn({ setup: { login, settingsFile } }: { readonly setup: Setup }) {
  if (login.environment !== undefined)
    return <p class="soft">{t('Set by the variable {name}.', { name: login.environment })}</p>;
  return (
    <>
      <p class="break">
        {t('To turn login on, write this into {file} and start the server again:', {
          file: `\u2068${settingsFile}\u2069`,
        })}
      </p>
      <div class="lines">
        <pre tabIndex={0} aria-label={t('Lines of the settings file')}>
          <code>{LINES}</code>
        </pre>
        <Button size="small" icon="copy" onClick={() => void copy(LINES)}>
          {t('Copy')}
        </Button>
      </div>
      <p class="soft">
        {t('The server then prints the name and the password of the first administrator, once, where it was started.')}
      </p>
    </>
  );
}

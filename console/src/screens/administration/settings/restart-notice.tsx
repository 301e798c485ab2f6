import { useState } from 'preact/hooks';
import { callJson } from '../../../api/index.ts';
import { ActionDialog, Button, Notice, toast } from '../../../components/index.ts';
import { t } from '../texts.ts';

/** Settings wait for a restart, which can be begun here. */
export function RestartNotice({ waiting }: { readonly waiting: number }) {
  const [asking, setAsking] = useState(false);
  return (
    <Notice
      kind="warning"
      actions={
        <Button size="small" icon="rotate-cw" onClick={() => setAsking(true)}>
          {t('Restart the server')}
        </Button>
      }
    >
      <p>{t.count(waiting, '{count} setting waits for a restart.', '{count} settings wait for a restart.')}</p>
      {asking ? (
        <ActionDialog
          title={t('Restart the server?')}
          action={t('Restart')}
          onClose={() => setAsking(false)}
          run={async () => {
            await callJson('admin/settings/restart', { method: 'POST' });
            toast(t('The server restarts.'));
          }}
        >
          <p>{t('Running work is finished first, and jobs go on afterwards. It takes a few seconds.')}</p>
        </ActionDialog>
      ) : null}
    </Notice>
  );
}

import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { dutyWanted, loadModule } from '../api/index.ts';
import { textsReady } from '../i18n/index.ts';

/** Loads the dialog of what the account has to do first. */
export function DutyHost() {
  const [Dialog, setDialog] = useState<ComponentType | undefined>();
  useEffect(() => {
    void loadModule(() => import('../screens/login/duty-dialog.tsx')).then(async ({ DutyDialog }) => {
      await textsReady();
      setDialog(() => DutyDialog);
    });
  }, []);
  return dutyWanted.value === undefined || Dialog === undefined ? null : <Dialog />;
}

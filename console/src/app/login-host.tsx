import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { loadModule } from '../api/index.ts';
import { textsReady } from '../i18n/index.ts';

/** Shows the login dialog above the page, so that nothing typed is lost; its code is loaded when it is needed. */
export function LoginHost() {
  const [Login, setLogin] = useState<ComponentType | undefined>();
  useEffect(() => {
    void loadModule(() => import('../screens/login/index.tsx')).then(async ({ LoginDialog }) => {
      await textsReady();
      setLogin(() => LoginDialog);
    });
  }, []);
  return Login === undefined ? null : <Login />;
}

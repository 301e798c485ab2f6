import { logOut } from '../api/index.ts';

/** Logs out and begins again: nothing of the last user stays on the page. */
export async function leave(): Promise<void> {
  location.assign((await logOut()) ?? './');
}

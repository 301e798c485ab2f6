import { config } from '../../../api/index.ts';

/** With login, only administrators make and change automations and their sources. */
export function mayChange(): boolean {
  return config.value?.enableLogin !== true || config.value.isAdmin;
}

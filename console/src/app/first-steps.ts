import { effect } from '@preact/signals';
import { config } from '../api/index.ts';
import { navigate, path } from './router.ts';

/** Leads administrators of a new server to the first steps: from the start page, and once, so that they can go back. */
export function leadToFirstSteps(): void {
  let led = false;
  effect(() => {
    if (led || path.value !== '' || config.value?.setupOpen !== true) return;
    led = true;
    navigate('welcome', { replace: true });
  });
}

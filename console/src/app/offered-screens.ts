import { config, operationOf } from '../api/index.ts';
import { screens, type Screen } from './screens.ts';

/** The screens of the navigation for this caller. What a screen needs is unknown until the tools are loaded. */
export function offeredScreens(): readonly Screen[] {
  const settings = config.value;
  return screens.filter(
    ({ icon, hidden, needs = [] }) =>
      icon !== undefined &&
      (settings === undefined || hidden?.(settings) === undefined) &&
      needs.every((path) => operationOf(path)?.availability.state === 'available'),
  );
}

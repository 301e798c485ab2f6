import { InputError, integerField, maxDpi, replaced, type JoiRoot, shown, type RunContext } from '@quire/registry';

/** Resolution of a comic's pages. 0 or less means 300, as existing clients expect. */
export function comicDpiField(joi: JoiRoot) {
  const field = integerField(joi, 'Resolution of the images, at most the setting system.maxDPI; 0 or less means 300')
    .custom((value: number, helpers) => (value <= 0 ? replaced(helpers, 300) : value))
    .default(150)
    .example(150);
  return shown(field, { label: 'Resolution', help: '', unit: 'dpi' });
}

/**
 * Refuses a resolution above the setting `system.maxDPI`. The operation declares `tokens.settings`. Throws
 * INPUT_INVALID.
 */
export function guardDpi(ctx: RunContext, dpi: number): void {
  const limit = maxDpi(ctx);
  if (dpi <= limit) return;
  const detail = `"dpi" is ${dpi}; the limit is ${limit}`;
  throw new InputError('INPUT_INVALID', { detail }, [{ pointer: '/dpi', detail }]);
}

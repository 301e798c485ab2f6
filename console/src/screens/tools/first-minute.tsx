import type { ConsoleCatalog, ShownOperation } from '@quire/registry';
import { kept } from '../../app/preferences.ts';
import { Icon, IconButton, ToolIcon } from '../../components/index.ts';
import { rt } from '../../i18n/index.ts';
import { t } from './texts.ts';
import { favourites, recent } from './used-tools.ts';

const dismissed = kept('firstMinuteDismissed', false);

const MOST = 3;

/** Tools to try with the sample files of their examples, until somebody has used one or does not want to see them. */
export function FirstMinute({ catalog }: { readonly catalog: ConsoleCatalog }) {
  if (dismissed.value || recent.value.length > 0 || favourites.value.length > 0) return null;
  const tools = toolsToTry(catalog);
  if (tools.length === 0) return null;
  return (
    <section class="first-minute" aria-labelledby="first-minute">
      <header class="row between">
        <div>
          <h2 id="first-minute">{t('Try it with a sample file')}</h2>
          <p class="soft">{t('One click opens the tool, filled in and ready to run. Nothing leaves this server.')}</p>
        </div>
        <IconButton icon="x" label={t('Do not show the samples again')} onClick={() => (dismissed.value = true)} />
      </header>
      <ul class="tool-grid">
        {tools.map(({ path, icon, title, examples }) => (
          <li key={path} class="tool-card">
            <span class="tool-icon">
              <ToolIcon icon={icon} />
            </span>
            <div class="tool-text">
              <a class="tool-link" href={`tool/${path}?example=1`}>
                {rt(title)}
              </a>
              <p class="sample-file">
                <Icon name="file-text" size={14} />
                <span class="break">{(examples[0]?.files ?? []).join(' + ')}</span>
              </p>
            </div>
            <Icon name="arrow-right" size={18} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Of the first categories the first tool that works now and returns a file made from sample files. */
function toolsToTry({ categories, operations }: ConsoleCatalog): readonly ShownOperation[] {
  const usable = operations
    .filter(
      ({ availability, deprecated, effects, returns, examples }) =>
        availability.state === 'available' &&
        deprecated === undefined &&
        !effects.includes('needsNetwork') &&
        returns.type === 'file' &&
        (examples[0]?.files.length ?? 0) > 0,
    )
    .sort((a, b) => a.order - b.order);
  return categories.flatMap(({ id }) => usable.find(({ category }) => category === id) ?? []).slice(0, MOST);
}

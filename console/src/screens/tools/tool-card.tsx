import type { ShownOperation } from '@quire/registry';
import { Icon, IconButton, ToolIcon } from '../../components/index.ts';
import { rt } from '../../i18n/index.ts';
import { t } from './texts.ts';
import { favourites, toggleFavourite } from './used-tools.ts';

interface ToolCardProps {
  readonly operation: ShownOperation;
  /** Without summary and star. */
  readonly small?: boolean;
}

export function ToolCard({ operation, small = false }: ToolCardProps) {
  const { path, title, summary, icon, availability } = operation;
  const available = availability.state === 'available';
  const favourite = favourites.value.includes(path);
  return (
    <li class={`tool-card ${small ? 'small' : ''} ${available ? '' : 'unavailable'}`}>
      <span class="tool-icon">
        <ToolIcon icon={icon} />
      </span>
      <div class="tool-text">
        <a class="tool-link" href={`tool/${path}`}>
          {rt(title)}
        </a>
        {small || summary === title ? null : <p class="tool-summary">{rt(summary)}</p>}
        {available || small ? null : (
          <p class="tool-missing">
            <Icon name="circle-slash" size={14} />
            <span>{unavailableWords(operation)}</span>
          </p>
        )}
      </div>
      {small ? null : (
        <IconButton
          class={`star ${favourite ? 'on' : ''}`}
          size="small"
          icon="star"
          label={
            favourite
              ? t('Remove from favourites: {tool}', { tool: rt(title) })
              : t('Add to favourites: {tool}', { tool: rt(title) })
          }
          aria-pressed={favourite}
          onClick={() => toggleFavourite(path)}
        />
      )}
    </li>
  );
}

/** Why a tool cannot be used, in a few words. */
function unavailableWords({ availability }: ShownOperation): string {
  const [missing] = availability.missing ?? [];
  if (availability.state === 'missing' && missing !== undefined) return t('Needs {program}', { program: missing.name });
  return {
    available: '',
    off: t('Switched off'),
    missing: t('Not installed'),
    licence: t('Not in this licence'),
    role: t('Not for your account'),
  }[availability.state];
}

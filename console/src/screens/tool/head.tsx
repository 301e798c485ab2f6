import type { ShownOperation } from '@quire/registry';
import type { ComponentChildren } from 'preact';
import { catalog } from '../../api/index.ts';
import { Button, Icon, IconButton, Notice, ToolIcon } from '../../components/index.ts';
import { rt } from '../../i18n/index.ts';
import { favourites, toggleFavourite } from '../tools/used-tools.ts';
import { Markdown } from './markdown.tsx';
import { copy } from './snippet-panel.tsx';
import { t } from './texts.ts';

/** Where a tool belongs. */
export interface ToolHome {
  readonly address: string;
  readonly title: string;
}

interface ToolHeadProps {
  readonly operation: ShownOperation;
  readonly home: ToolHome | undefined;
  readonly examples: ComponentChildren;
}

/** Name and summary of the tool, its notes, and where it belongs. */
export function ToolHead({ operation, home, examples }: ToolHeadProps) {
  const { path, title, summary, icon, category, notes, effects, deprecated } = operation;
  const found = catalog.value?.categories.find(({ id }) => id === category);
  return (
    <header class="tool-head">
      <nav aria-label={t('Where you are')} class="crumbs small">
        {home === undefined ? (
          <>
            <a href="./">{t('Tools')}</a>
            <Icon name="chevron-right" size={14} />
            <a href={`./?category=${encodeURIComponent(category)}`}>{rt(found?.title ?? category)}</a>
          </>
        ) : (
          <a href={home.address}>{home.title}</a>
        )}
      </nav>
      <div class="tool-title">
        <span class="tool-icon">
          <ToolIcon icon={icon} size={24} />
        </span>
        <div class="grow">
          <h1>{rt(title)}</h1>
          {summary === title ? null : <p class="soft">{rt(summary)}</p>}
        </div>
        <div class="row">
          {examples}
          {home === undefined ? <Favourite path={path} /> : null}
        </div>
      </div>
      {deprecated === undefined ? null : (
        <Notice kind="warning">
          <p>{t('This tool will be removed.')}</p>
          {deprecated.use === undefined ? null : <a href={`tool/${deprecated.use}`}>{t('Use its successor')}</a>}
        </Notice>
      )}
      {(notes ?? '') === '' && effects.length === 0 ? null : (
        <details class="more">
          <summary>{t('About this tool')}</summary>
          <div class="about">
            {notes === undefined ? null : <Markdown text={rt(notes)} />}
            {effects.length === 0 ? null : (
              <ul class="effects">
                {effects.map((effect) => (
                  <li key={effect}>
                    <Icon name="info" size={16} />
                    {effectWords(effect)}
                  </li>
                ))}
              </ul>
            )}
          </div>
        </details>
      )}
    </header>
  );
}

function Favourite({ path }: { readonly path: string }) {
  const favourite = favourites.value.includes(path);
  return (
    <IconButton
      class={`star ${favourite ? 'on' : ''}`}
      icon="star"
      label={favourite ? t('Remove from favourites') : t('Add to favourites')}
      aria-pressed={favourite}
      onClick={() => toggleFavourite(path)}
    />
  );
}

function effectWords(effect: string): string {
  const words: Readonly<Record<string, string>> = {
    breaksSignature: t('Digital signatures of the document become invalid.'),
    lossy: t('Quality may be lost.'),
    rasterises: t('Pages become images.'),
    dropsText: t('Text can no longer be selected or searched.'),
    needsNetwork: t('The server calls another service for this.'),
    nondeterministic: t('Repeating it may give another result.'),
  };
  return words[effect] ?? effect;
}

/** Why a tool cannot be used, and what to do about it. */
export function UnavailableNotice({ operation: { availability } }: { readonly operation: ShownOperation }) {
  return (
    <Notice kind="warning" title={t('This tool is not available')}>
      <p>{availability.reason ?? t('Ask an administrator of this server.')}</p>
      {(availability.missing ?? []).map(({ name, install }) => (
        <div class="missing" key={name}>
          <p>
            {t('Missing:')} <strong>{name}</strong>
          </p>
          {install === undefined ? null : (
            <div class="snippet">
              <pre tabIndex={0} aria-label={t('Command that installs {program}', { program: name })}>
                <code>{install}</code>
              </pre>
              <Button size="small" icon="copy" onClick={() => void copy(install)}>
                {t('Copy')}
              </Button>
            </div>
          )}
        </div>
      ))}
    </Notice>
  );
}

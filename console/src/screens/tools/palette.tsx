import type { ShownOperation } from '@quire/registry';
import { useEffect, useState } from 'preact/hooks';
import { catalog, config, loadCatalog, operationOf } from '../../api/index.ts';
import { navigate } from '../../app/router.ts';
import { offeredScreens } from '../../app/offered-screens.ts';
import { addressOf } from '../../app/screens.ts';
import { Combobox, Dialog, Icon, ToolIcon } from '../../components/index.ts';
import { rt } from '../../i18n/index.ts';
import { t as frame } from '../../i18n/frame.ts';
import { rankTitles, rankTools } from './search.ts';
import { t } from './texts.ts';
import './tools.css';
import { favourites, recent } from './used-tools.ts';

interface Item {
  readonly to: string;
  readonly title: string;
  readonly aside: string;
  readonly icon: string;
}

const MOST_SHOWN = 12;

/** Finds tools and pages by typing: Ctrl+K or ⌘K. */
export function Palette({ onClose }: { readonly onClose: () => void }) {
  const [query, setQuery] = useState('');
  useEffect(() => void loadCatalog(), []);
  const items = query.trim() === '' ? firstItems() : foundItems(query);
  return (
    <Dialog kind="palette" title={t('Search tools and pages')} onClose={onClose}>
      <Combobox
        always
        autoFocus
        label={t('Search tools and pages')}
        placeholder={t('What do you want to do?')}
        value={query}
        onText={setQuery}
        items={items}
        itemKey={({ to }) => to}
        itemText={({ icon, title, aside }) => (
          <span class="palette-item">
            <ToolIcon icon={icon} size={18} />
            <span class="palette-title">{title}</span>
            <span class="palette-aside">{aside}</span>
          </span>
        )}
        onChoose={({ to }) => {
          onClose();
          navigate(to);
        }}
        empty={
          <p class="palette-empty soft" role="status">
            <Icon name="search-x" size={18} />
            {t('Nothing matches “{query}”', { query })}
          </p>
        }
      />
    </Dialog>
  );
}

function toolItem({ path, title, category, icon }: ShownOperation): Item {
  const found = catalog.value?.categories.find(({ id }) => id === category);
  return { to: `tool/${path}`, title: rt(title), aside: rt(found?.title ?? category), icon };
}

function pageItems(): Item[] {
  if (config.value === undefined) return [];
  return offeredScreens().map((screen) => ({
    to: addressOf(screen),
    title: frame(screen.title),
    aside: t('Page'),
    icon: screen.icon ?? '',
  }));
}

/** Before something is typed: what is used most. */
function firstItems(): Item[] {
  const used = [...new Set([...recent.value, ...favourites.value])]
    .map(operationOf)
    .filter((found) => found !== undefined);
  return [...used.map(toolItem), ...pageItems()].slice(0, MOST_SHOWN);
}

function foundItems(query: string): Item[] {
  const tools = rankTools(catalog.value?.operations ?? [], query);
  const pages = rankTitles(pageItems(), query, ({ title }) => title);
  return [...pages, ...tools.map(({ item, score }) => ({ item: toolItem(item), score }))]
    .sort((a, b) => b.score - a.score)
    .slice(0, MOST_SHOWN)
    .map(({ item }) => item);
}

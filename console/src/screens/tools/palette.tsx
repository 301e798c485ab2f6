import type { ShownOperation } from '@quire/registry';
import { useEffect, useState } from 'preact/hooks';
import { catalog, config, loadCatalog, loadModule, operationOf } from '../../api/index.ts';
import { navigate } from '../../app/router.ts';
import { offeredScreens } from '../../app/offered-screens.ts';
import type { PaletteProps } from '../../app/palette-props.ts';
import type { Section } from '../../app/screen-props.ts';
import { addressOf, type Screen, screens } from '../../app/screens.ts';
import { Combobox, Dialog, Icon, ToolIcon } from '../../components/index.ts';
import { rt, textsReady } from '../../i18n/index.ts';
import { t as frame } from '../../i18n/frame.ts';
import { rankPages, rankTools, type Titled } from './search.ts';
import { t } from './texts.ts';
import './tools.css';
import { favourites, recent } from './used-tools.ts';

interface Item {
  readonly to: string;
  readonly title: string;
  readonly aside: string;
  readonly icon: string;
}

/** A page of the console, or a part of one. */
type PageItem = Item & Titled;

const MOST_SHOWN = 12;

/** Finds tools, pages and sections of pages by typing: Ctrl+K or ⌘K. */
export function Palette({ query: typed, onClose }: PaletteProps) {
  const query = typed.value;
  useEffect(() => void loadCatalog(), []);
  const sections = useSections();
  const items = query.trim() === '' ? firstItems() : foundItems(query, sections);
  return (
    <Dialog kind="palette" title={t('Search tools and pages')} onClose={onClose}>
      <Combobox
        always
        autoFocus
        label={t('Search tools and pages')}
        placeholder={t('What do you want to do?')}
        value={query}
        onText={(text) => (typed.value = text)}
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

function pageItems(): PageItem[] {
  if (config.value === undefined) return [];
  return offeredScreens().map((screen) => pageItem(screen, screen.icon ?? ''));
}

function pageItem(screen: Screen, icon: string, words: readonly string[] = []): PageItem {
  const title = frame(screen.title);
  return { to: addressOf(screen), title, aside: t('Page'), icon, titles: [title, screen.title], words };
}

/** Pages that are not in the navigation. */
function otherPages(): PageItem[] {
  const settings = config.value;
  if (settings === undefined) return [];
  return screens.flatMap((screen) => {
    const found = screen.searched?.(settings);
    return found === undefined ? [] : [pageItem(screen, found.icon, [frame(found.words), found.words])];
  });
}

/** Lists the sections of each screen that has any. */
type SectionLists = ReadonlyMap<string, () => readonly Section[]>;

/** Loads what lists the sections of the screens that the caller may open. */
function useSections(): SectionLists {
  const [lists, setLists] = useState<SectionLists>(new Map());
  useEffect(() => {
    let left = false;
    for (const { id, sections } of offeredScreens())
      if (sections !== undefined)
        void loadModule(sections).then(async (list) => {
          await textsReady();
          if (!left) setLists((before) => new Map([...before, [id, list]]));
        });
    return () => void (left = true);
  }, []);
  return lists;
}

function sectionItems(lists: SectionLists): PageItem[] {
  return offeredScreens().flatMap((screen) =>
    (lists.get(screen.id)?.() ?? []).map(({ to, title, words }) => ({
      to,
      title,
      aside: frame(screen.title),
      icon: screen.icon ?? '',
      titles: [title],
      words: [...words, frame(screen.title), screen.title],
    })),
  );
}

/** Before something is typed: what is used most. */
function firstItems(): Item[] {
  const used = [...new Set([...recent.value, ...favourites.value])]
    .map(operationOf)
    .filter((found) => found !== undefined);
  return [...used.map(toolItem), ...pageItems()].slice(0, MOST_SHOWN);
}

function foundItems(query: string, sections: SectionLists): Item[] {
  const tools = rankTools(catalog.value?.operations ?? [], query);
  const pages = rankPages([...pageItems(), ...otherPages(), ...sectionItems(sections)], query);
  return [...pages, ...tools.map(({ item, score }) => ({ item: toolItem(item), score }))]
    .sort((a, b) => b.score - a.score)
    .slice(0, MOST_SHOWN)
    .map(({ item }) => item);
}

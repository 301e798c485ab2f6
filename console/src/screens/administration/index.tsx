import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { administers, config, loadCatalog, loadModule } from '../../api/index.ts';
import type { ScreenProps } from '../../app/screen-props.ts';
import { Empty, LinkButton, Loading } from '../../components/index.ts';
import { SectionLinks } from '../../components/section-links.tsx';
import { textsReady } from '../../i18n/index.ts';
import './administration.css';
import { addressOf, offeredSections, type Section } from './sections.ts';
import { t } from './texts.ts';

/** The administration: one section at a time, each loaded when it is first shown. */
export function Screen({ params }: ScreenProps) {
  const id = params['rest'] ?? '';
  const known = config.value;
  const shown = offeredSections();
  const isFull = known === undefined || administers(known);
  // The overview is of everything.
  const section = shown.find((each) => each.id === id) ?? (id === '' ? shown[0] : undefined);
  return (
    <div class="page">
      <header class="page-head">
        <div class="row between">
          <h1>{t('Administration')}</h1>
          {isFull ? (
            <LinkButton size="small" icon="footprints" href="welcome">
              {t('First steps')}
            </LinkButton>
          ) : null}
        </div>
      </header>
      <SectionLinks
        label={t('Sections')}
        current={section?.id}
        sections={shown.map((each) => ({
          id: each.id,
          title: t(each.title),
          href: addressOf(each),
        }))}
      />
      {section === undefined ? (
        <Empty icon="map-pin-off" title={t('There is no such section')}>
          <LinkButton href="administration">{t('Overview')}</LinkButton>
        </Empty>
      ) : (
        <SectionHost key={section.id} section={section} />
      )}
    </div>
  );
}

function SectionHost({ section }: { readonly section: Section }) {
  const [Shown, setShown] = useState<ComponentType | undefined>();
  useEffect(() => {
    let current = true;
    void loadCatalog();
    void loadModule(section.load).then(async (component) => {
      await textsReady();
      if (current) setShown(() => component);
    });
    return () => {
      current = false;
    };
  }, [section]);
  return Shown === undefined ? <Loading label={t('Loading')} /> : <Shown />;
}

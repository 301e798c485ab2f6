import { useEffect, useRef } from 'preact/hooks';
import { Icon } from './icon.tsx';
import './section-links.css';

export interface SectionLink {
  readonly id: string;
  readonly title: string;
  readonly href: string;
  readonly icon?: string;
}

interface SectionLinksProps {
  readonly label: string;
  readonly sections: readonly SectionLink[];
  /** The id of the one that is shown. */
  readonly current: string | undefined;
}

/** Links to the sections of a screen, which have addresses. Import it with the screen that needs it. */
export function SectionLinks({ label, sections, current }: SectionLinksProps) {
  const nav = useRef<HTMLElement>(null);
  // On narrow pages not all of them are in view.
  useEffect(() => {
    const shown = nav.current?.querySelector('[aria-current]');
    shown?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [current]);
  return (
    <nav ref={nav} class="sections" aria-label={label}>
      {sections.map(({ id, title, href, icon }) => (
        <a key={id} href={href} aria-current={id === current ? 'page' : undefined}>
          {icon === undefined ? null : <Icon name={icon} size={18} />}
          {title}
        </a>
      ))}
    </nav>
  );
}

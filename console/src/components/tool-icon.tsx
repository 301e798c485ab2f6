import allIcons from '../../.generated/all-icons.svg?url';
import names from '../../.generated/icon-names.json';
import { Icon } from './icon.tsx';

const known: ReadonlySet<string> = new Set(names);

interface ToolIconProps {
  /** Name of a Lucide icon, or an SVG path of a 24 by 24 grid. */
  readonly icon: string;
  readonly size?: number;
}

/** The icon that an operation or category declares. */
export function ToolIcon({ icon, size = 22 }: ToolIconProps) {
  if (known.has(icon)) return <Icon name={icon} size={size} />;
  return (
    <svg class="icon" width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
      {/^[Mm][\s\d.-]/.test(icon) ? <path d={icon} /> : <use href={`${allIcons}#${icon}`} />}
    </svg>
  );
}

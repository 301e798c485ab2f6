import sprite from '../../.generated/icons.svg?url';

interface IconProps {
  /** Name of a Lucide icon. */
  readonly name: string;
  readonly size?: number;
  /** Read to people who do not see it; without it the icon is decoration. */
  readonly label?: string;
}

/** They point along the text, so they turn around in pages from right to left. */
const DIRECTED = /^(arrow|chevron)-(left|right)$/;

/** An icon of the console's sprite. */
export function Icon({ name, size = 20, label }: IconProps) {
  return (
    <svg
      class={DIRECTED.test(name) ? 'icon directed' : 'icon'}
      width={size}
      height={size}
      {...(label === undefined ? { 'aria-hidden': 'true' } : { role: 'img', 'aria-label': label })}
    >
      <use href={`${sprite}#${name}`} />
    </svg>
  );
}

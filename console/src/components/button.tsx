import type { AllHTMLAttributes, ComponentChildren } from 'preact';
import { Icon } from './icon.tsx';

export interface ButtonProps extends Omit<AllHTMLAttributes<HTMLButtonElement>, 'icon' | 'size' | 'type'> {
  readonly type?: 'button' | 'submit';
  readonly kind?: 'primary' | 'plain' | 'quiet' | 'danger';
  readonly size?: 'small' | 'normal' | 'large';
  readonly icon?: string;
  /** Shows that it works, and ignores clicks. */
  readonly busy?: boolean;
  readonly children?: ComponentChildren;
}

export function Button({
  kind = 'plain',
  size = 'normal',
  icon,
  busy = false,
  class: extra = '',
  children,
  onClick,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...(rest as object)}
      class={`button ${kind} ${size} ${String(extra)}`}
      aria-busy={busy ? 'true' : undefined}
      onClick={busy ? undefined : onClick}
    >
      {busy ? (
        <span class="spinner" />
      ) : icon === undefined ? null : (
        <Icon name={icon} size={size === 'small' ? 16 : 18} />
      )}
      {children}
    </button>
  );
}

export interface IconButtonProps extends Omit<ButtonProps, 'children' | 'icon'> {
  readonly icon: string;
  /** Its name, read aloud and shown as a tooltip. */
  readonly label: string;
}

/** A button with an icon alone. */
export function IconButton({ label, class: extra = '', kind = 'quiet', ...rest }: IconButtonProps) {
  return <Button {...rest} kind={kind} class={`icon-button ${String(extra)}`} aria-label={label} title={label} />;
}

type LinkButtonProps = Omit<AllHTMLAttributes<HTMLAnchorElement>, 'size' | 'icon' | 'kind'> &
  Pick<ButtonProps, 'kind' | 'size' | 'icon'>;

/** A link that looks like a button. */
export function LinkButton({
  kind = 'plain',
  size = 'normal',
  icon,
  class: extra = '',
  children,
  ...rest
}: LinkButtonProps) {
  return (
    <a {...(rest as object)} class={`button ${kind} ${size} ${String(extra)}`}>
      {icon === undefined ? null : <Icon name={icon} size={size === 'small' ? 16 : 18} />}
      {children}
    </a>
  );
}

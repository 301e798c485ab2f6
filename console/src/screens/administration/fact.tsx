import type { ComponentChildren } from 'preact';

/** One fact of a list `<dl class="facts">`. */
export function Fact({ label, children }: { readonly label: string; readonly children: ComponentChildren }) {
  return (
    <div class="card">
      <dt class="soft small">{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

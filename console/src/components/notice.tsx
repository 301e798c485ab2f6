import type { ComponentChildren } from 'preact';
import { t } from '../i18n/frame.ts';
import type { Problem } from '../api/index.ts';
import { Icon } from './icon.tsx';

interface NoticeProps {
  readonly kind?: 'info' | 'done' | 'warning' | 'error';
  readonly title?: string;
  readonly children?: ComponentChildren;
  /** Buttons. */
  readonly actions?: ComponentChildren;
}

const icons = { info: 'info', done: 'circle-check', warning: 'triangle-alert', error: 'circle-alert' } as const;

/** A message in the page. */
export function Notice({ kind = 'info', title, children, actions }: NoticeProps) {
  return (
    <div class={`notice ${kind}`} role={kind === 'error' ? 'alert' : undefined}>
      <Icon name={icons[kind]} />
      <div class="notice-text">
        {title === undefined ? null : <p class="notice-title">{title}</p>}
        {children}
        {actions === undefined ? null : <div class="row">{actions}</div>}
      </div>
    </div>
  );
}

/** An error of a call with what helps, and the server's own words where those of the page are others. */
export function ProblemNotice({
  problem,
  hints = problem.serverText === undefined ? problem.hints : [],
  actions,
}: {
  readonly problem: Problem;
  /** The server's, or the same in words of the page. */
  readonly hints?: readonly string[];
  readonly actions?: ComponentChildren;
}) {
  const text = problem.isNetwork
    ? t('The server cannot be reached. Check the connection and try again.')
    : problem.message;
  return (
    <Notice kind="error" actions={actions}>
      <p dir="auto">{text}</p>
      {hints.map((hint) => (
        <p key={hint} class="soft" dir="auto">
          {hint}
        </p>
      ))}
      {problem.serverText === undefined ? null : (
        <details class="small">
          <summary>{t('Details')}</summary>
          <p class="soft" lang="en" dir="ltr">
            {problem.serverText}
          </p>
        </details>
      )}
      {problem.status >= 500 && problem.requestId !== undefined ? (
        <p class="soft small">
          {t('Request')} <code>{problem.requestId}</code>
        </p>
      ) : null}
    </Notice>
  );
}

interface EmptyProps {
  readonly icon: string;
  readonly title: string;
  /** It is all that the page shows: its title is the heading of the page. */
  readonly whole?: true;
  readonly children?: ComponentChildren;
}

/** Says why there is nothing, and what to do. */
export function Empty({ icon, title, whole, children }: EmptyProps) {
  return (
    <div class="empty">
      <Icon name={icon} size={32} />
      {whole === true ? <h1 class="empty-title">{title}</h1> : <p class="empty-title">{title}</p>}
      {children}
    </div>
  );
}

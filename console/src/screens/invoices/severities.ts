import type { Severity, Violation } from './answers.ts';
import { t } from './texts.ts';

/** The worst first. */
export const severities: readonly Severity[] = ['fatal', 'warning', 'information'];

export const severityIcons: Readonly<Record<Severity, string>> = {
  fatal: 'circle-x',
  warning: 'triangle-alert',
  information: 'info',
};

export function worstOf(violations: readonly Violation[]): Severity {
  return severities.find((each) => violations.some(({ severity }) => severity === each)) ?? 'information';
}

/** How many violations of a severity there are. */
export function countText(severity: Severity, count: number): string {
  if (severity === 'fatal') return t.count(count, '{count} error', '{count} errors');
  if (severity === 'warning') return t.count(count, '{count} warning', '{count} warnings');
  return t.count(count, '{count} remark', '{count} remarks');
}

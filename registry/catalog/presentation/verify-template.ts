import type { PipelineTemplate } from '@quire/registry';
import type { Report } from '../verify-shared.js';
import { LONGEST_LABEL, verifyIcon, verifyLabel } from './verify-declared.js';

const LONGEST_SUMMARY = 120;

/** Checks a pipeline template as far as one plugin knows it: its operations may be those of other plugins. */
export function verifyTemplate({ id, title, summary, icon, steps }: PipelineTemplate, report: Report): void {
  if (typeof id !== 'string' || !/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(id))
    report(`its id is ${JSON.stringify(id)}; it must be lower-case words with hyphens.`);
  verifyLabel(title, 'its title', LONGEST_LABEL, report);
  verifyLabel(summary, 'its summary', LONGEST_SUMMARY, report);
  if (icon === undefined) report('has no icon.');
  verifyIcon(icon, report);
  if (!Array.isArray(steps) || steps.length === 0) report('has no steps.');
  else
    for (const [i, { operation, parameters, ask = [], name }] of (steps as PipelineTemplate['steps']).entries()) {
      if (typeof operation !== 'string' || !/^[a-z][a-z0-9-]*(\/[a-z0-9-]+)+$/.test(operation))
        report(
          `step ${i + 1}: operation is ${JSON.stringify(operation)}; it must be a path such as general/merge-pdfs.`,
        );
      if (name !== undefined && (typeof name !== 'string' || name.trim() === ''))
        report(`step ${i + 1}: name is ${JSON.stringify(name)}; it must be a text such as {{file.base}}-signed.`);
      if (typeof parameters !== 'object' || parameters === null) report(`step ${i + 1} has no parameters.`);
      else if (!Array.isArray(ask) || !ask.every((name) => typeof name === 'string'))
        report(`step ${i + 1}: ask is ${JSON.stringify(ask)}; it must be a list of names of fields.`);
      else
        for (const name of ask.filter((each) => Object.hasOwn(parameters, each)))
          report(`step ${i + 1} asks for ${name}, which has a value in its parameters.`);
    }
}

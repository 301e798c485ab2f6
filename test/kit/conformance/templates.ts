import Joi from 'joi';
import { nearestPath, stepFaults } from '@quire/catalog';
import type { Plugin } from '@quire/registry';

/**
 * Faults of the plugin's pipeline templates as far as it knows their operations. Operations of other plugins are
 * checked by the server that has them.
 */
export function templateFaults({ operations, templates = [] }: Plugin, prefixes: readonly string[]): string[] {
  const own = new Map(operations.map((operation) => [operation.path, operation]));
  return templates.flatMap(({ id, steps }) =>
    steps.flatMap((step) => {
      const operation = own.get(step.operation);
      const faults =
        operation === undefined
          ? unknownOperation(step.operation, prefixes, [...own.keys()])
          : stepFaults({ operation, schema: operation.params(Joi) as Joi.ObjectSchema }, step);
      return faults.map((fault) => `template ${id}: ${fault}`);
    }),
  );
}

function unknownOperation(path: string, prefixes: readonly string[], own: readonly string[]): string[] {
  if (!prefixes.includes(path.split('/')[0] ?? '')) return [];
  const near = nearestPath(path, own);
  return [`the plugin has no operation "${path}"${near === undefined ? '' : `; did you mean "${near}"?`}`];
}

import { isQuireError, type AskedStep, type Logger, type SavedPipeline, type SavedPipelines } from '@quire/registry';
import { folderSettings } from '../../folders/index.js';
import { folderPipelines } from '../../watched-folders/index.js';
import { presetPipelines } from './endpoints/index.js';
import { parseDefinition, stepsWithin } from './index.js';
import type { Settings } from '../../settings/index.js';

/**
 * Returns the pipelines saved on this server: those of the web tool and those of watched folders. Reads the files each
 * time, because people edit them there. Those with branches are left out: a list of steps is not what they are.
 */
export function savedPipelinesOf({
  settings,
  log,
}: {
  readonly settings: Settings;
  readonly log: Logger;
}): SavedPipelines {
  return {
    list: async () => [
      ...(await presetPipelines(settings)).flatMap(({ name, json }): SavedPipeline[] => {
        try {
          const { steps } = parseDefinition(json.replace(/^\ufeff/, ''));
          return branches(steps) ? [] : [{ kind: 'preset', name, steps: stepsOf(steps) }];
        } catch (error) {
          if (!isQuireError(error)) throw error;
          return [];
        }
      }),
      ...(await folderPipelines(folderSettings(settings), log)).flatMap(({ folder, steps }): SavedPipeline[] =>
        branches(steps) ? [] : [{ kind: 'watchedFolder', name: folder, steps: stepsOf(steps) }],
      ),
    ],
  };
}

/** True if a step contains steps. */
function branches(steps: readonly unknown[]): boolean {
  return stepsWithin(steps).some(({ pointer }) => !/^\/pipeline\/\d+$/.test(pointer));
}

/** Returns the valid steps and skips everything else. */
function stepsOf(steps: readonly unknown[]): AskedStep[] {
  return steps.flatMap((step) => {
    const { operation, parameters } = (step ?? {}) as { readonly operation?: unknown; readonly parameters?: unknown };
    return typeof operation === 'string'
      ? [
          {
            operation,
            parameters:
              typeof parameters === 'object' && parameters !== null && !Array.isArray(parameters)
                ? (parameters as Record<string, unknown>)
                : {},
          },
        ]
      : [];
  });
}

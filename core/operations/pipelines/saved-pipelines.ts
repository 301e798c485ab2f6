import { isQuireError, type AskedStep, type Logger, type SavedPipeline, type SavedPipelines } from '@quire/registry';
import { folderPipelines, scanSettings } from '../../watched-folders/index.js';
import { presetPipelines } from './endpoints/index.js';
import { parseDefinition } from './index.js';
import type { Settings } from '../../settings/index.js';

/**
 * Returns the pipelines saved on this server: those of the web tool and those of watched folders. Reads the files each
 * time, because people edit them there.
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
          return [{ kind: 'preset', name, steps: stepsOf(parseDefinition(json.replace(/^\ufeff/, '')).steps) }];
        } catch (error) {
          if (!isQuireError(error)) throw error;
          return [];
        }
      }),
      ...(await folderPipelines(scanSettings(settings, 1), log)).map(({ folder, steps }): SavedPipeline => ({
        kind: 'watchedFolder',
        name: folder,
        steps: stepsOf(steps),
      })),
    ],
  };
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

import type { JoiRoot } from '@quire/registry';
import { folderStates } from '../index.js';

const outcomes = ['done', 'partly', 'failed'] as const;

const text = (joi: JoiRoot) => joi.string().allow('').required();
const instant = (joi: JoiRoot) => joi.string().isoDate().required();
const count = (joi: JoiRoot, meaning: string) => joi.number().integer().min(0).required().description(meaning);
const texts = (joi: JoiRoot) => joi.array().items(joi.string().allow('')).required();

export const outcome = (joi: JoiRoot) => joi.string().valid(...outcomes);

function folderMembers(joi: JoiRoot) {
  return {
    id: joi.string().required(),
    path: joi.string().required().description('Path of the folder below its watched root'),
    root: joi.string().allow(null).required().description('Name of the watched root; null when there is only one'),
    node: joi.string().required().description('The node that works there, or last looked'),
    state: joi
      .string()
      .valid(...folderStates)
      .required()
      .description(
        'settling: waits until files are complete; waiting: files wait for their turn; elsewhere: another node has ' +
          'the folder and shows no state; problem: see `problem`',
      ),
    running: count(joi, 'Runs that are active'),
    waiting: count(joi, 'Runs and incomplete files that wait'),
    pipeline: joi
      .object({ file: joi.string().required(), name: joi.string().required() })
      .label('WatchedFolderPipeline')
      .allow(null)
      .required()
      .description('Null when the folder has none, or one that cannot be read'),
    problem: joi
      .object({
        kind: joi.string().required().description('As in `_folder-problem.json`'),
        detail: text(joi),
        since: instant(joi),
        errors: joi
          .array()
          .required()
          .items(joi.object({ pointer: text(joi), detail: text(joi) }).label('WatchedFolderFault')),
      })
      .label('WatchedFolderProblem')
      .allow(null)
      .required()
      .description('Why its files are not processed; null when they are'),
    done: count(joi, 'Files that were processed'),
    failed: count(joi, 'Files that failed'),
    doneToday: count(joi, 'Files that were processed today (UTC)'),
    failedToday: count(joi, 'Files that failed today (UTC)'),
    failedFiles: count(joi, 'Failed files that were not processed again or forgotten'),
    lastRun: joi
      .object({ id: joi.string().required(), endedAt: instant(joi), outcome: outcome(joi).required() })
      .label('WatchedFolderLastRun')
      .allow(null)
      .required(),
  };
}

export const folderList = (joi: JoiRoot) =>
  joi
    .object({
      folders: joi
        .array()
        .required()
        .items(joi.object(folderMembers(joi)).label('WatchedFolder')),
      next: joi.string().allow(null).required().description('`after` of the following page; null on the last'),
      roots: joi
        .array()
        .required()
        .items(
          joi
            .object({
              path: joi.string().required().description('Relative to the base folder, or only the name of the folder'),
              inBase: joi.boolean().required(),
            })
            .label('WatchedRoot'),
        )
        .description('Where watched folders are'),
    })
    .label('WatchedFolders');

export const folderDetail = (joi: JoiRoot) =>
  joi
    .object({
      ...folderMembers(joi),
      definition: joi
        .object({
          file: joi.string().required(),
          name: joi.string().required(),
          pipeline: joi
            .array()
            .required()
            .items(
              joi
                .object({ operation: joi.string().allow(''), parameters: joi.object().unknown() })
                .unknown()
                .label('WatchedFolderStep')
                .description('An operation with its parameters, or a step with `if`, `parallel` or `each`'),
            ),
          outputDir: joi.string().allow(''),
          outputFileName: joi.string().allow(''),
          hidden: texts(joi).description('JSON Pointers of parameters that are left out because they are passwords'),
        })
        .label('WatchedFolderDefinition')
        .allow(null)
        .required()
        .description('Null when the node that answers cannot read one'),
    })
    .label('WatchedFolderDetail');

const reportedError = (joi: JoiRoot) =>
  joi
    .object({
      code: joi.string().required(),
      status: joi.number().integer().required(),
      title: text(joi),
      detail: text(joi),
      errors: joi.array().items(joi.object({ pointer: text(joi), detail: text(joi) }).label('WatchedFolderFault')),
      step: joi
        .object({ index: joi.number().integer().required(), operation: text(joi) })
        .description('The step that failed; the first is 0'),
    })
    .label('WatchedFolderError')
    .description('As in a problem response');

export const runList = (joi: JoiRoot) =>
  joi
    .object({
      runs: joi.array().required().items(run(joi)),
      next: joi.string().allow(null).required().description('`before` of the following page; null on the last'),
    })
    .label('WatchedFolderRuns');

function run(joi: JoiRoot) {
  return joi
    .object({
      id: joi.string().required(),
      outcome: outcome(joi).required().description('partly: some of its files failed'),
      takenAt: instant(joi),
      endedAt: instant(joi),
      ms: count(joi, 'Milliseconds of work'),
      attempts: count(joi, 'More than one if the server stopped in between'),
      retry: joi.boolean().required().description('It processed failed files again'),
      pipeline: joi.object({ file: joi.string().required(), name: joi.string().required() }).required(),
      fileCount: count(joi, 'Files of the run'),
      files: joi
        .array()
        .required()
        .description('At most 200')
        .items(
          joi
            .object({
              name: joi.string().required(),
              bytes: count(joi, 'Size'),
              status: joi.string().valid('done', 'failed').required(),
              keptAs: joi.string().description('Where it was put, inside its folder; missing when it was deleted'),
              error: reportedError(joi),
            })
            .label('WatchedFolderFile'),
        ),
      outputCount: count(joi, 'Results of the run'),
      outputs: texts(joi).description('At most 200; in the finished folder, or only the name elsewhere'),
      dropped: joi
        .array()
        .required()
        .items(
          joi.object({
            file: text(joi),
            step: joi.number().integer().required(),
            operation: text(joi),
            reason: text(joi).description('`filter`, `kind`, or `error` for a step with `onError: skip`'),
            pointer: joi.string().description('Of the step, if it is inside of another one or failed'),
            code: joi.string().description('Of the error'),
          }),
        )
        .description('Files that a step left out'),
      effects: texts(joi),
      warnings: texts(joi).description('Also what was repaired or lost in damaged files'),
    })
    .label('WatchedFolderRun');
}

export const failedList = (joi: JoiRoot) =>
  joi
    .object({
      files: joi
        .array()
        .required()
        .items(
          joi
            .object({
              id: joi.string().required(),
              run: joi.string().required(),
              name: joi.string().required(),
              keptAs: joi.string().required().description('Where it is, inside its folder'),
              bytes: count(joi, 'Size'),
              failedAt: instant(joi),
              here: joi
                .boolean()
                .allow(null)
                .required()
                .description('False when it is no longer there; null when the node that answers cannot see the folder'),
              error: reportedError(joi).required(),
            })
            .label('WatchedFolderFailedFile'),
        ),
      total: count(joi, 'All failed files of the folder'),
      next: joi.string().allow(null).required().description('`before` of the following page; null on the last'),
    })
    .label('WatchedFolderFailedFiles');

export const retried = (joi: JoiRoot) =>
  joi
    .object({
      retried: texts(joi).description('Ids of the files that are processed again'),
      gone: texts(joi).description('Names of the files that are no longer where their run left them'),
      left: count(joi, 'Failed files that are left'),
    })
    .label('WatchedFolderRetry');

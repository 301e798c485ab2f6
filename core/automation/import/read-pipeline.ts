import { isAbsolute, resolve } from 'node:path';
import { isObject } from '../../operations/pipelines/index.js';
import type { FolderHandOver } from '../folders/folder-hand-over.js';
import { usualContent } from '../automations/model.js';
import type { ConnectorOptions } from '../connectors/model.js';
import {
  ignoredMembers,
  nameOf,
  type DraftDestination,
  type DraftInput,
  type Finding,
  type ReadDocument,
} from './draft.js';

/** Folders that the placeholders of `outputDir` mean. */
export interface FolderPlaces {
  /** `{outputFolder}`, absolute. */
  readonly finished: string;
  /** The folder of this server that has the file. */
  readonly watched?: Pick<FolderHandOver, 'path' | 'results' | 'originals'>;
}

const KNOWN = ['name', 'description', 'pipeline', 'outputDir', 'outputFileName', 'values', '_examples'];
/** Members that say what a step is. */
const FORMS = ['operation', 'filter', 'if', 'parallel', 'each'];

/**
 * Reads a pipeline of a watched folder by the rules of the contract (`docs/interface/automation.yml`, conversion of
 * legacy watched folders).
 */
export function readPipeline(
  value: Readonly<Record<string, unknown>>,
  file: string,
  places: FolderPlaces,
): ReadDocument {
  const findings: Finding[] = ignoredMembers(value, KNOWN);
  const written = value['pipeline'] as readonly unknown[];
  const kept = written.flatMap((step, i) => {
    const pointer = `/pipeline/${i}`;
    if (!isObject(step) || !FORMS.some((form) => form in step)) {
      findings.push({ kind: 'differs', pointer, detail: 'is left out: it names no operation' });
      return [];
    }
    return [{ pointer, step: withoutFile(step, pointer, findings) }];
  });
  if (kept.length === 0) return { faults: [{ pointer: '/pipeline', detail: 'has no step that names an operation' }] };
  const name = nameOf(value['name'], file);
  const { description, values } = value;
  const destination = destinationOf(value, name, places, findings);
  const inputs = inputsOf(name, places, findings);
  return {
    draft: {
      kind: 'pipeline',
      name,
      content: {
        ...usualContent,
        description: typeof description === 'string' ? description.slice(0, 2000) : '',
        work: { pipeline: kept.map(({ step }) => step), values: isObject(values) ? values : {} },
      },
      steps: kept.map(({ pointer }) => pointer),
      inputs,
      destinations: [destination],
      files: new Map(),
      findings,
    },
  };
}

/** Files that arrive in the folder that has the pipeline. */
function inputsOf(name: string, { watched }: FolderPlaces, findings: Finding[]): readonly DraftInput[] {
  if (watched === undefined) {
    const detail = 'the file does not say where files come from: add a source, or start it with files of your own';
    findings.push({ kind: 'todo', pointer: '', detail });
    return [];
  }
  const { path, originals } = watched;
  const mode = originals === 'delete' ? 'consume' : 'snapshot';
  if (mode === 'snapshot')
    findings.push({
      kind: 'differs',
      pointer: '',
      detail: 'processed files stay in the folder, in place of processing/done, and are not processed again',
    });
  findings.push({
    kind: 'differs',
    pointer: '',
    detail: 'files that cannot be processed stay in the folder, parked with the reason, in place of a folder for them',
  });
  return [
    {
      pointer: '',
      source: { name, type: 'folder', options: { directory: path, mode } },
      trigger: () => ({ type: 'arrival' }),
    },
  ];
}

/** Steps of exports name the file that they get, which has no meaning. */
function withoutFile(step: Record<string, unknown>, pointer: string, findings: Finding[]): object {
  const { parameters, ...rest } = step;
  if (!isObject(parameters) || !('fileInput' in parameters)) return step;
  const { fileInput: _, ...kept } = parameters;
  findings.push({
    kind: 'translated',
    pointer: `${pointer}/parameters/fileInput`,
    detail: 'is left out: every step gets the files of the step before it',
  });
  return { ...rest, parameters: kept };
}

function destinationOf(
  { outputDir, outputFileName }: Readonly<Record<string, unknown>>,
  name: string,
  places: FolderPlaces,
  findings: Finding[],
): DraftDestination {
  const directory = places.watched?.results ?? folderOf(outputDir, places, findings);
  const pattern = patternOf(outputFileName, name);
  const options: ConnectorOptions = { directory, ...(pattern === undefined ? {} : { filenamePattern: pattern }) };
  findings.push({
    kind: 'translated',
    pointer: '/outputDir',
    detail: `results go to the folder ${JSON.stringify(directory)}`,
  });
  return { pointer: '/outputDir', target: { type: 'folder', options } };
}

function folderOf(pattern: unknown, { finished }: FolderPlaces, findings: Finding[]): string {
  const text = typeof pattern === 'string' ? pattern.trim() : '';
  if (text === '' || text === 'httpWebRequest') return finished;
  if (text.includes('{folderName}'))
    findings.push({
      kind: 'todo',
      pointer: '/outputDir',
      detail: 'names the watched folder, which the file does not say: choose the folder of the results',
    });
  const filled = text
    .replaceAll('{outputFolder}', () => finished)
    .replaceAll('{folderName}', '')
    .replace(/\\?watchedFolders/g, '');
  return isAbsolute(filled) ? resolve(filled) : resolve(finished, filled);
}

/** Undefined when outputs keep their names. */
function patternOf(pattern: unknown, name: string): string | undefined {
  const text = typeof pattern === 'string' ? pattern.trim() : '';
  if (text === '' || text === '{filename}') return undefined;
  return text.replaceAll('{pipelineName}', () => name.replace(/[^\p{L}\p{N}._ -]/gu, '_')).replace(/[/\\]/g, '_');
}

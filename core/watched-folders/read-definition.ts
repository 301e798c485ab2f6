import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { FolderProblem } from './folder-problem.js';

/** The pipeline of a watched folder. */
export interface FolderDefinition {
  /** Name of the file. */
  readonly file: string;
  readonly json: string;
  /** The name in the definition, else the name of the file. */
  readonly name: string;
  readonly outputDir?: string;
  readonly outputFileName?: string;
}

const LARGEST = 1024 * 1024;
/** Limit for the JSON files that are read if none is named as an export for folder scanning. */
const MOST_LOOKED_AT = 200;

interface Read {
  readonly file: string;
  readonly value?: Readonly<Record<string, unknown>>;
  readonly json: string;
  readonly fault?: string;
}

/**
 * Finds the one pipeline among the JSON files of a folder: the file named `….folder-scan.json`, else the only JSON
 * file, else the only one with a list `pipeline`. Throws FolderProblem if there is none, if there are several, or if it
 * cannot be read as a pipeline.
 */
export async function readDefinition(folder: string, names: readonly string[]): Promise<FolderDefinition> {
  const json = names.filter((name) => /\.json$/i.test(name)).sort();
  const exported = json.filter((name) => /\.folder-scan\.json$/i.test(name));
  const candidates = exported.length > 0 ? exported : json;
  if (candidates.length === 0)
    throw new FolderProblem(
      'no-pipeline',
      'The folder has files but no pipeline. Put a pipeline definition (a .json file) into it.',
    );
  const read = await Promise.all(candidates.slice(0, MOST_LOOKED_AT).map((name) => readOne(folder, name)));
  const pipelines = candidates.length === 1 ? read : read.filter(({ value }) => Array.isArray(value?.['pipeline']));
  if (pipelines.length > 1)
    throw new FolderProblem(
      'several-pipelines',
      `The folder has several pipelines, but only one is allowed: ${pipelines
        .slice(0, 10)
        .map(({ file }) => file)
        .join(', ')}.`,
    );
  const [found] = pipelines;
  if (found === undefined)
    throw new FolderProblem(
      'pipeline-invalid',
      `None of the JSON files is a pipeline: ${read
        .slice(0, 10)
        .map(({ file, fault }) => `${file} (${fault ?? 'has no list "pipeline"'})`)
        .join(', ')}.`,
    );
  if (found.value === undefined)
    throw new FolderProblem('pipeline-invalid', `${found.file}: ${found.fault ?? 'is not a pipeline'}.`);
  return describe(found, found.value);
}

async function readOne(folder: string, file: string): Promise<Read> {
  const path = join(folder, file);
  if ((await stat(path)).size > LARGEST) return { file, json: '', fault: `is larger than ${LARGEST} bytes` };
  const json = (await readFile(path, 'utf8')).replace(/^\ufeff/, '');
  try {
    const value: unknown = JSON.parse(json);
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return { file, json, fault: 'is not a JSON object' };
    return { file, json, value: value as Record<string, unknown> };
  } catch (error) {
    return { file, json, fault: `is not JSON: ${(error as Error).message.slice(0, 200)}` };
  }
}

function describe({ file, json }: Read, value: Readonly<Record<string, unknown>>): FolderDefinition {
  const text = (member: 'outputDir' | 'outputFileName'): string | undefined => {
    const given = value[member] ?? undefined;
    if (given === undefined || typeof given === 'string') return given;
    throw new FolderProblem('pipeline-invalid', `${file}: ${member} must be a string.`, [
      { pointer: `/${member}`, detail: 'must be a string' },
    ]);
  };
  const outputDir = text('outputDir');
  const outputFileName = text('outputFileName');
  const named = value['name'];
  return {
    file,
    json,
    name:
      typeof named === 'string' && named.trim() !== ''
        ? named
        : file.replace(/\.json$/i, '').replace(/\.folder-scan$/i, ''),
    ...(outputDir === undefined ? {} : { outputDir }),
    ...(outputFileName === undefined ? {} : { outputFileName }),
  };
}

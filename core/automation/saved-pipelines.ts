import { randomUUID } from 'node:crypto';
import type { Catalog } from '@quire/catalog';
import { AccessError, InputError, type Clock, type Principal } from '@quire/registry';
import { isObject, parseDefinition, type FindSaved, type PipelineReport } from '../operations/pipelines/index.js';
import { inVersions } from './assets/asset-uses.js';
import { placeOf, readInputs, type ReadInputs } from './declared-inputs.js';
import { keepSecrets, keepSteps, maskSecrets } from './step-secrets.js';
import { readValues, sampleValues } from './input-values.js';
import type { PipelineContent, PipelineRecord, Right, SavedPipeline, Share, VersionFacts } from './model.js';
import type { PipelineRecords } from './pipeline-records.js';

/** Most pipelines of one owner. */
const MOST_PIPELINES = 1000;
const API = '/api/v1/';

export interface SavedPipelineDeps {
  readonly records: PipelineRecords;
  readonly clock: Clock;
  readonly loginEnabled: boolean;
  catalog(): Catalog;
  /** Called with the stored files that a deleted pipeline named. */
  released(assetIds: Iterable<string>): Promise<void>;
  /** Checks a definition, as `pipeline/validate` does. */
  report(json: string, principal: Principal, savedAs?: string): Promise<PipelineReport>;
}

/** What an author sends; `version`: the one that it is based on, to find changes of others. */
export interface SentPipeline extends PipelineContent {
  readonly name: string;
  readonly sharedWith: readonly Share[];
}

/** A saved pipeline with values, ready to be run. */
export interface Runnable {
  /** As `pipeline/handleData` takes it. */
  readonly json: string;
  /** Values of the call that are no inputs. */
  readonly ignored: readonly string[];
}

/** Pipelines that people have saved under a name: who may see, change and run them. */
export class SavedPipelines {
  constructor(private readonly deps: SavedPipelineDeps) {}

  /** Throws PIPELINE_INVALID with every fault, and PIPELINE_CONFLICT when the name is taken. */
  async create(principal: Principal, { name, sharedWith, ...sent }: SentPipeline): Promise<SavedPipeline> {
    const { records, clock, loginEnabled } = this.deps;
    const content = keepSecrets(this.deps.catalog(), sent, undefined);
    await this.#mustRun(principal, name, content);
    const ownerId = loginEnabled ? principal.id : '';
    const owned = (await records.all()).filter((record) => record.ownerId === ownerId);
    if (owned.length >= MOST_PIPELINES)
      throw new InputError('PIPELINE_CONFLICT', {
        detail: `You have ${owned.length} saved pipelines, the most that one owner may have; delete one first`,
      });
    const now = clock.now().getTime();
    const ownerName = loginEnabled ? principal.name : null;
    const record = await records.add(
      { id: randomUUID(), name, ownerId, ownerName, sharedWith, createdAt: now },
      { content, savedAt: now, savedBy: ownerName },
    );
    return this.#shown(record, record, principal);
  }

  /** Those that the caller may run, by name. */
  async list(principal: Principal): Promise<readonly SavedPipeline[]> {
    const records = await this.deps.records.all();
    const own = records.filter((record) => this.#rightOf(record, principal) !== undefined);
    return Promise.all(own.map((record) => this.#shown(record, record, principal)));
  }

  /** Those that the caller may run now, as the API document describes them. */
  async tools(principal: Principal) {
    return (await this.list(principal))
      .filter(({ faults }) => faults.length === 0)
      .map(({ record, content: { title, description }, fields }) => ({
        name: record.name,
        title,
        description,
        fields,
      }));
  }

  /** Throws NOT_FOUND for an unknown one, an unknown version, and for one that the caller may not run. */
  async get(principal: Principal, name: string, version?: number): Promise<SavedPipeline> {
    const { record, facts } = await this.#find(principal, name, version);
    return this.#shown(record, facts, principal);
  }

  /**
   * Saves the next version. Throws NOT_FOUND, PIPELINE_READ_ONLY for those who may only run it, PIPELINE_INVALID, and
   * PIPELINE_CONFLICT when it was changed after the version `basedOn`.
   */
  async change(
    principal: Principal,
    name: string,
    { name: newName, sharedWith, ...sent }: SentPipeline,
    basedOn?: number,
  ): Promise<SavedPipeline> {
    const { record } = await this.#editable(principal, name);
    if (basedOn !== undefined && basedOn !== record.version)
      throw new InputError('PIPELINE_CONFLICT', {
        detail: `The pipeline "${name}" has changed: its version is ${record.version}, yours is based on ${basedOn}`,
      });
    const content = keepSecrets(this.deps.catalog(), sent, this.deps.records.contentOf(record, record));
    await this.#mustRun(principal, newName, content);
    return this.#save(principal, record, content, { name: newName, sharedWith });
  }

  /** Makes the content of an earlier version the next one. Throws as `change`. */
  async restore(principal: Principal, name: string, version: number): Promise<SavedPipeline> {
    await this.#editable(principal, name);
    const { record, facts } = await this.#find(principal, name, version);
    return this.#save(principal, record, this.deps.records.contentOf(record, facts), {});
  }

  /** The newest first. Throws NOT_FOUND, and PIPELINE_READ_ONLY for those who may only run it. */
  async versions(principal: Principal, name: string): Promise<readonly VersionFacts[]> {
    const { record } = await this.#editable(principal, name);
    return this.deps.records.versions(record);
  }

  async remove(principal: Principal, name: string): Promise<void> {
    const { records, released } = this.deps;
    const { record } = await this.#editable(principal, name);
    const named = await inVersions(records, record);
    await records.remove(record);
    await released(named);
  }

  mayRun(record: PipelineRecord, principal: Principal): boolean {
    return this.#rightOf(record, principal) !== undefined;
  }

  /** Throws NOT_FOUND, INPUT_INVALID for values that the author does not allow, and PIPELINE_INVALID. */
  async runnable(principal: Principal, name: string, version: number | undefined, sent: object): Promise<Runnable> {
    const { record, facts } = await this.#find(principal, name, version);
    const content = this.deps.records.contentOf(record, facts);
    const inputs = this.#inputs(content);
    const { values, faults, ignored } = readValues(inputs.fields, content.inputs, { ...sent });
    if (faults.length > 0)
      throw new InputError('INPUT_INVALID', { detail: faults.map(({ detail }) => detail).join('; ') }, faults);
    const json = jsonOf(name, inputs, values);
    const { faults: wrong } = await this.deps.report(json, principal);
    const own = wrong.filter(({ pointer }) => inputAt(content, pointer) !== undefined);
    if (own.length > 0 && own.length === wrong.length) {
      // In the words of the caller, who knows the inputs and not the steps.
      const errors = own.map(({ pointer, detail }) => ({ pointer: `/${inputAt(content, pointer)}`, detail }));
      throw new InputError('INPUT_INVALID', { detail: errors.map(({ detail }) => detail).join('; ') }, errors);
    }
    return { json, ignored };
  }

  /**
   * A definition as it is edited, with the stored secrets in place of their masks, as when it is saved; `step`: only
   * the step at this pointer. Throws NOT_FOUND, PIPELINE_READ_ONLY for those who may only run it, and PIPELINE_INVALID.
   */
  async trial(principal: Principal, name: string, sent: string, step?: string): Promise<string> {
    const { record } = await this.#editable(principal, name);
    const { steps, values } = parseDefinition(sent);
    const stored = this.deps.records.contentOf(record, record).definition.pipeline;
    // A mask that stands for nothing is refused before the step runs.
    const kept = keepSteps(this.deps.catalog(), steps, stored, () => undefined);
    const pipeline = step === undefined ? kept : [valueAt({ pipeline: kept }, step)];
    return JSON.stringify({ pipeline, ...(values === undefined ? {} : { values }) });
  }

  /** Finds a pipeline that is a step of another one; undefined for one that the caller may not run. */
  readonly asStep: FindSaved = async (name, version, principal) => {
    const record = await this.deps.records.byName(name);
    if (record === undefined || this.#rightOf(record, principal) === undefined) return undefined;
    const facts = await this.deps.records.version(record, version ?? record.version);
    if (facts === undefined) return undefined;
    const content = this.deps.records.contentOf(record, facts);
    const { fields, steps } = this.#inputs(content);
    return {
      name,
      steps,
      read: (parameters, open) => readValues(fields, content.inputs, parameters, open),
    };
  };

  async #save(
    principal: Principal,
    record: PipelineRecord,
    content: PipelineContent,
    changes: Partial<Pick<PipelineRecord, 'name' | 'sharedWith'>>,
  ): Promise<SavedPipeline> {
    const savedBy = this.deps.loginEnabled ? principal.name : null;
    const version = { content, savedBy, savedAt: this.deps.clock.now().getTime() };
    const changed = await this.deps.records.addVersion(record, version, changes);
    return this.#shown(changed, changed, principal);
  }

  async #find(
    principal: Principal,
    name: string,
    version?: number,
  ): Promise<{ readonly record: PipelineRecord; readonly facts: VersionFacts }> {
    const record = await this.deps.records.byName(name);
    const facts = record === undefined ? undefined : await this.deps.records.version(record, version ?? record.version);
    if (record === undefined || facts === undefined || this.#rightOf(record, principal) === undefined)
      throw new InputError('NOT_FOUND');
    return { record, facts };
  }

  async #editable(principal: Principal, name: string): Promise<{ readonly record: PipelineRecord }> {
    const found = await this.#find(principal, name);
    if (this.#rightOf(found.record, principal) !== 'edit') throw new AccessError('PIPELINE_READ_ONLY');
    return found;
  }

  #rightOf({ ownerId, sharedWith }: PipelineRecord, { id, role, teamId }: Principal): Right | undefined {
    if (!this.deps.loginEnabled || ownerId === id || role === 'admin') return 'edit';
    const given = sharedWith.filter(
      (share) =>
        share.kind === 'everyone' ||
        (share.kind === 'user' && share.id === id) ||
        (share.kind === 'team' && share.id === teamId),
    );
    return given.some(({ right }) => right === 'edit') ? 'edit' : given[0]?.right;
  }

  async #shown(record: PipelineRecord, facts: VersionFacts, principal: Principal): Promise<SavedPipeline> {
    const content = this.deps.records.contentOf(record, facts);
    const { fields, faults } = await this.#checked(principal, record.name, content);
    const right = this.#rightOf(record, principal) ?? 'use';
    return {
      record,
      version: facts,
      right,
      content: maskSecrets(this.deps.catalog(), content),
      // A form that showed a mask as a value would send it.
      fields: fields.map(({ default: usual, ...field }) =>
        usual === undefined || field.widget === 'secret' ? field : { ...field, default: usual },
      ),
      faults,
    };
  }

  #inputs({ definition, inputs }: PipelineContent): ReadInputs {
    const { operations } = this.deps.catalog();
    return readInputs(definition, inputs, (path) =>
      path.startsWith(API) ? operations.get(path.slice(API.length)) : undefined,
    );
  }

  async #checked(
    principal: Principal,
    name: string,
    content: PipelineContent,
  ): Promise<Pick<SavedPipeline, 'fields' | 'faults'>> {
    const inputs = this.#inputs(content);
    const report = await this.deps.report(jsonOf('', inputs, sampleValues(inputs.fields)), principal, name);
    const defaults = readValues(inputs.fields, content.inputs, sampleValues(inputs.fields));
    const wrongDefaults = defaults.faults.map(({ pointer, detail }) => ({
      pointer: `/inputs/${content.inputs.findIndex(({ name }) => `/${name}` === pointer)}/default`,
      detail,
    }));
    const inSteps = report.faults.map(({ pointer, detail }) => ({ pointer: `/definition${pointer}`, detail }));
    return { fields: inputs.fields, faults: [...inputs.faults, ...wrongDefaults, ...inSteps] };
  }

  async #mustRun(principal: Principal, name: string, content: PipelineContent): Promise<void> {
    const { faults } = await this.#checked(principal, name, content);
    const [first] = faults;
    if (first === undefined) return;
    const count = faults.length > 1 && faults.length;
    throw new InputError('PIPELINE_INVALID', { first: `${first.pointer} ${first.detail}`, count }, faults);
  }
}

/** The value at a JSON pointer. Throws INPUT_INVALID when there is none. */
function valueAt(root: object, pointer: string): unknown {
  let value: unknown = root;
  for (const name of pointer.split('/').slice(1))
    value =
      typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;
  if (isObject(value)) return value;
  const detail = `${pointer} is not a step of the definition`;
  throw new InputError('INPUT_INVALID', { detail }, [{ pointer: '/step', detail }]);
}

function jsonOf(name: string, { steps }: ReadInputs, values: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({ ...(name === '' ? {} : { name }), pipeline: steps, values });
}

/** The input whose value is at this place of the definition. */
function inputAt({ inputs }: PipelineContent, pointer: string): string | undefined {
  const at = placeOf(pointer);
  return inputs.find(({ field = '' }) => {
    const place = placeOf(field);
    return place !== undefined && place.step === at?.step && place.field === at.field;
  })?.name;
}

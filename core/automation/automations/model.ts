import type { ConnectorOptions } from '../connectors/model.js';

/** A repeated time as the contract writes it (`docs/interface/automation.yml`, trigger options). */
export interface ContractSchedule {
  readonly type: 'every' | 'daily' | 'weekly' | 'monthly';
  /** Of `every`. */
  readonly count?: number;
  readonly unit?: 'MINUTES' | 'HOURS' | 'DAYS';
  /** Time of day (`HH:mm` or `HH:mm:ss`) of the others. */
  readonly at?: string;
  /** Of `weekly`: `MONDAY` … `SUNDAY`. */
  readonly days?: readonly string[];
  /** Of `monthly`; months without that day are skipped. */
  readonly dayOfMonth?: number;
}

export interface ScheduleTrigger {
  readonly type: 'schedule';
  /** Five fields, or six with seconds first. Either this or `schedule`. */
  readonly cron?: string;
  readonly schedule?: ContractSchedule;
  /** IANA time zone. */
  readonly zone: string;
  /** Times that passed while no server ran: one run for all of them, or none. */
  readonly missed: 'once' | 'skip';
}

/** What starts the work on the files of a source. */
export type Trigger = { readonly type: 'manual' } | { readonly type: 'arrival' } | ScheduleTrigger;

export interface AutomationInput {
  /** Id of a source; null where files are only uploaded. */
  readonly source: string | null;
  readonly trigger: Trigger;
}

export interface DestinationSpec {
  /** UUID; it stays the same when the automation is changed, so that nothing is delivered twice. */
  readonly id: string;
  readonly type: string;
  readonly options: ConnectorOptions;
}

/** The pipeline that runs: the name of a saved one (`name@3` pins a version), or its steps. */
export interface Work {
  readonly pipeline: string | readonly unknown[];
  /** Values for the inputs of a saved pipeline, or for placeholders in the steps. */
  readonly values: Readonly<Record<string, unknown>>;
}

export interface Filters {
  /** Patterns of file names with `*` and `?`; empty: every name. */
  readonly names: readonly string[];
  /** File types by extension, without the dot; empty: every type. */
  readonly kinds: readonly string[];
  /** In bytes. */
  readonly minBytes: number | null;
  readonly maxBytes: number | null;
}

/** What an author decides about an automation. */
export interface AutomationContent {
  readonly description: string;
  readonly work: Work;
  readonly inputs: readonly AutomationInput[];
  /** None: results stay with the run, as files of its job. */
  readonly destinations: readonly DestinationSpec[];
  readonly filters: Filters;
  /** A file must be unchanged for this long before it is taken. */
  readonly quietMs: number;
  /** `version`: a file is processed again when it has changed; `content`: never the same bytes twice. */
  readonly once: 'version' | 'content';
  readonly order: 'oldest' | 'name';
  /** Files that are worked on at once. */
  readonly concurrency: number;
  /** Failures that may pass are tried again this often; the pause grows four times each time, to one hour at most. */
  readonly retry: { readonly times: number; readonly firstMs: number };
  /** Members of a policy that the server gives no meaning to. */
  readonly policy?: {
    readonly outputOptions: ConnectorOptions;
    readonly icon?: string;
    /** Sources whose options the destinations have. */
    readonly outputIds?: readonly string[] | undefined;
    /** Its listing in a store. */
    readonly storeId?: string;
  };
}

/** What an automation has where nobody says otherwise. */
export const usualContent: Omit<AutomationContent, 'work' | 'inputs' | 'destinations' | 'policy'> = {
  description: '',
  filters: { names: [], kinds: [], minBytes: null, maxBytes: null },
  quietMs: 0,
  once: 'version',
  order: 'oldest',
  concurrency: 2,
  retry: { times: 3, firstMs: 5000 },
};

/** An automation as stored. Times are milliseconds since 1970. */
export interface AutomationRecord {
  /** UUID, or the id that was chosen through the interface of policies. */
  readonly id: string;
  readonly name: string;
  /** Team and name in small letters, or the folder of the file storage, which no two share. */
  readonly nameKey: string;
  /** Whether schedules and arrivals start it. */
  readonly enabled: boolean;
  /** Empty when it was made while login was off. */
  readonly ownerId: string;
  readonly ownerName: string | null;
  readonly teamId: string | null;
  /** The folder of the file storage whose processing it is (`core/automation/processing-folders`). */
  readonly storageFolder?: string;
  /** Its place in the list of the team. */
  readonly place: number;
  readonly createdAt: number;
  readonly savedAt: number;
  /** Grows with every save. */
  readonly revision: number;
  /** Encrypted AutomationContent, because parameters and options may be secrets. */
  readonly content: string;
}

export interface Automation extends Omit<AutomationRecord, 'content'> {
  readonly content: AutomationContent;
}

import { availableParallelism } from 'node:os';
import type { SettingsValues } from '../../settings/index.js';

type IntegerKey = { [K in keyof SettingsValues]: SettingsValues[K] extends number ? K : never }[keyof SettingsValues];
type TextKey = { [K in keyof SettingsValues]: SettingsValues[K] extends string ? K : never }[keyof SettingsValues];

/** One external program that operations use. */
export interface ProgramInfo {
  /** File names on PATH, the first one found is taken. */
  readonly commands: readonly string[];
  /**
   * A file beside the resolved command that is run instead: the program itself, without its launcher, so that the
   * process is a direct child of the server.
   */
  readonly besides?: string;
  /**
   * An npm package that brings the program, packed, for some platforms (`linux-x64`); it precedes PATH, and the
   * caller unpacks it.
   */
  readonly packed?: { readonly name: string; readonly file: string; readonly platforms: readonly string[] };
  /** True for one that reserves far more address space than it uses: its caller watches the memory in use. */
  readonly watched?: boolean;
  /** True for one that does not work without /proc, which containers may deny to confined programs. */
  readonly needsProc?: boolean;
  /** Programs that it starts itself. */
  readonly uses?: readonly string[];
  /** Prints the version quickly. */
  readonly versionArguments: readonly string[];
  /** Setting of an absolute path that goes before PATH. */
  readonly pathKey?: TextKey;
  /** Setting of how many run at once; 0, or none, means `atOnce`. */
  readonly limitKey?: IntegerKey;
  readonly atOnce: number;
  /** Setting of the minutes after which one is stopped; 0, or none, means `minutes`. */
  readonly timeoutKey?: IntegerKey;
  readonly minutes: number;
  /** Name in `endpoints.groupsToRemove`: with the group removed, the program is not run. */
  readonly toolGroup?: string;
  /** Argument of deploy/install-programs.sh that installs it, if it is not installed by default. */
  readonly installArgument?: string;
  /** Address space of one process, in MB; of one that is watched, the memory in use with all its children. */
  readonly memoryMb: number;
  /** Added to the environment of every run. */
  readonly environment?: Readonly<Record<string, string>>;
}

/**
 * The programs that the server may call. They are run as separate processes and never linked.
 * Names are those of `needs.programs` in operations.
 */
export const programTable = {
  libreoffice: {
    commands: ['soffice', 'libreoffice'],
    besides: 'soffice.bin',
    versionArguments: ['--version'],
    pathKey: 'system.customPaths.operations.soffice',
    toolGroup: 'LibreOffice',
    memoryMb: 4096,
    limitKey: 'processExecutor.sessionLimit.libreOfficeSessionLimit',
    atOnce: 1,
    timeoutKey: 'processExecutor.timeoutMinutes.libreOfficetimeoutMinutes',
    minutes: 30,
  },
  qpdf: {
    commands: ['qpdf'],
    versionArguments: ['--version'],
    toolGroup: 'qpdf',
    memoryMb: 3072,
    limitKey: 'processExecutor.sessionLimit.qpdfSessionLimit',
    atOnce: 4,
    timeoutKey: 'processExecutor.timeoutMinutes.qpdfTimeoutMinutes',
    minutes: 30,
  },
  ghostscript: {
    commands: ['gs'],
    versionArguments: ['--version'],
    toolGroup: 'Ghostscript',
    memoryMb: 3072,
    limitKey: 'processExecutor.sessionLimit.ghostscriptSessionLimit',
    atOnce: 8,
    timeoutKey: 'processExecutor.timeoutMinutes.ghostscriptTimeoutMinutes',
    minutes: 30,
  },
  // Under the AGPL: run as it is, and no part of this product.
  mutool: {
    commands: ['mutool'],
    versionArguments: ['-v'],
    installArgument: '--with-mupdf',
    atOnce: 2,
    minutes: 30,
    memoryMb: 3072,
  },
  // One process per page and core: several threads within a process make it slower.
  tesseract: {
    commands: ['tesseract'],
    versionArguments: ['--version'],
    toolGroup: 'tesseract',
    memoryMb: 3072,
    environment: { OMP_THREAD_LIMIT: '1' },
    limitKey: 'processExecutor.sessionLimit.tesseractSessionLimit',
    atOnce: availableParallelism(),
    timeoutKey: 'processExecutor.timeoutMinutes.tesseractTimeoutMinutes',
    minutes: 30,
  },
  // Under the GPL or the MPL: run as it is, and no part of this product. A heap, classes and code of known size,
  // because Java else takes its share of the machine's memory and not of the address space that it is given; one
  // compiler, because most checks are over before a second one pays.
  verapdf: {
    commands: ['verapdf'],
    versionArguments: ['--version'],
    pathKey: 'system.customPaths.operations.verapdf',
    uses: ['java'],
    toolGroup: 'veraPDF',
    installArgument: '--with-verapdf',
    atOnce: 2,
    minutes: 30,
    memoryMb: 3072,
    environment: {
      JDK_JAVA_OPTIONS:
        '-Xmx512m -Xss8m -XX:CompressedClassSpaceSize=128m -XX:ReservedCodeCacheSize=96m -XX:+UseSerialGC ' +
        '-XX:TieredStopAtLevel=1 -XX:-UsePerfData -Djava.awt.headless=true -Djava.io.tmpdir=.tmp ' +
        '-Duser.home=.tmp',
    },
  },
  // Prints HTML (core/engines/browser). The tool group is that under which existing settings switch the printing of
  // HTML off. Under the GPL: run as it is, and no part of this product.
  calibre: {
    commands: ['ebook-convert'],
    needsProc: true,
    versionArguments: ['--version'],
    pathKey: 'system.customPaths.operations.calibre',
    toolGroup: 'Calibre',
    installArgument: '--with-calibre',
    memoryMb: 8192,
    limitKey: 'processExecutor.sessionLimit.calibreSessionLimit',
    atOnce: 1,
    timeoutKey: 'processExecutor.timeoutMinutes.calibretimeoutMinutes',
    minutes: 30,
    environment: { QT_QPA_PLATFORM: 'offscreen' },
  },
  chromium: {
    commands: ['chromium', 'chromium-browser', 'google-chrome-stable'],
    packed: { name: '@sparticuz/chromium', file: 'bin/chromium.br', platforms: ['linux-x64'] },
    watched: true,
    needsProc: true,
    versionArguments: ['--version'],
    pathKey: 'browser.path',
    toolGroup: 'Weasyprint',
    installArgument: '--with-chromium',
    memoryMb: 2048,
    limitKey: 'processExecutor.sessionLimit.weasyPrintSessionLimit',
    atOnce: 16,
    timeoutKey: 'processExecutor.timeoutMinutes.weasyPrinttimeoutMinutes',
    minutes: 30,
  },
} as const satisfies Record<string, ProgramInfo>;

/** Name of a program that the server may call. */
export type ProgramName = keyof typeof programTable;

/** The row of a program, typed as the general shape. */
export function programInfo(name: ProgramName): ProgramInfo {
  return programTable[name];
}

/**
 * The command that installs a program on Debian and Ubuntu; the one for all that need no asking when the name is not in
 * the table.
 */
export function installCommand(name: string): string {
  const { installArgument }: Partial<ProgramInfo> = Object.hasOwn(programTable, name)
    ? programInfo(name as ProgramName)
    : {};
  return `sudo sh deploy/install-programs.sh${installArgument === undefined ? '' : ` ${installArgument}`}`;
}

/** Every name of the table. */
export const programNames = Object.keys(programTable) as readonly ProgramName[];

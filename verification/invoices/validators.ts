import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline';

/** A fault that phive reports; `rule` is null for a fault of the schema and for the Factur-X rules without a number. */
export interface PhiveFault {
  readonly artefact: string;
  readonly rule: string | null;
  readonly level: 'fatal_error' | 'error' | 'warn' | 'info';
  readonly place: string | null;
  readonly line: number;
  readonly message: string;
}

export interface PhiveAnswer {
  readonly file: string;
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly faults: readonly PhiveFault[];
}

export interface MustangAnswer {
  readonly file: string;
  readonly valid: boolean;
  readonly profile: string | null;
  /** Undefined for a file that is no PDF. */
  readonly pdfA: boolean | null;
  readonly faults: readonly {
    readonly level: string;
    readonly part: string;
    readonly rule: string;
    readonly section: number;
    readonly place: string | null;
    readonly message: string;
  }[];
}

/** A program that answers each line of its input with a line of JSON. */
class LineProgram {
  readonly #process: ChildProcessWithoutNullStreams;
  readonly #waiting: { resolve: (line: string) => void; reject: (error: Error) => void }[] = [];
  #errors = '';

  constructor(command: string) {
    this.#process = spawn(command);
    this.#process.stderr.on('data', (data: Buffer) => {
      this.#errors = (this.#errors + data.toString()).slice(-2000);
    });
    createInterface({ input: this.#process.stdout }).on('line', (line) => this.#waiting.shift()?.resolve(line));
    this.#process.on('error', (error) => this.#fail(error));
    this.#process.on('close', (code) => this.#fail(new Error(`${command} ended with ${code}: ${this.#errors}`)));
  }

  async ask<Answer extends object>(request: string): Promise<Answer> {
    const line = await new Promise<string>((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      this.#process.stdin.write(`${request}\n`);
    });
    const answer = JSON.parse(line) as Answer & { readonly failure?: string };
    if (answer.failure !== undefined) throw new Error(`${request}: ${answer.failure}`);
    return answer;
  }

  stop(): void {
    this.#process.stdin.end();
  }

  #fail(error: Error): void {
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }
}

/** The published artefacts, run by phive in one JVM. With a file for its answers it judges no document twice. */
export class Phive {
  readonly #program = new LineProgram('quire-phive');
  readonly #known = new Map<string, PhiveAnswer>();

  constructor(private readonly answers?: string) {
    if (answers === undefined) return;
    mkdirSync(dirname(answers), { recursive: true });
    if (!existsSync(answers)) return;
    for (const line of readFileSync(answers, 'utf8').split('\n').filter(Boolean)) {
      const { key, answer } = JSON.parse(line) as { key: string; answer: PhiveAnswer };
      this.#known.set(key, answer);
    }
  }

  /** Judges a file by a set of rules, such as `eu.cen.en16931:ubl:1.3.16`. */
  async judge(set: string, path: string): Promise<PhiveAnswer> {
    const key = `${set} ${createHash('sha256').update(readFileSync(path)).digest('base64')}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const answer = await this.#program.ask<PhiveAnswer>(`${set}\t${path}`);
    this.#known.set(key, answer);
    if (this.answers !== undefined) appendFileSync(this.answers, `${JSON.stringify({ key, answer })}\n`);
    return answer;
  }

  stop(): void {
    this.#program.stop();
  }
}

/** Mustang, with the PDFs too, in one JVM. */
export class Mustang {
  readonly #program = new LineProgram('quire-mustang');

  judge(path: string): Promise<MustangAnswer> {
    return this.#program.ask(path);
  }

  stop(): void {
    this.#program.stop();
  }
}

export function areValidatorsInstalled(): boolean {
  return ['quire-phive', 'quire-mustang'].every(
    (command) => spawnSync('sh', ['-c', `command -v ${command}`]).status === 0,
  );
}

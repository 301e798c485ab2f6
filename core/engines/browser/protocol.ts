import type { Readable, Writable } from 'node:stream';

/** A request of a page that waits for an answer, as the browser reports it. */
export interface PausedRequest {
  readonly requestId: string;
  readonly request: { readonly url: string; readonly method: string };
  readonly frameId: string;
  /** `Document`, `Stylesheet`, `Image`, `Font` and others. */
  readonly resourceType: string;
}

/** What the browser is asked for when it prints; lengths are in inches. */
export interface PrintSettings {
  readonly paperWidth: number;
  readonly paperHeight: number;
  readonly marginTop: number;
  readonly marginRight: number;
  readonly marginBottom: number;
  readonly marginLeft: number;
  readonly scale: number;
  readonly printBackground: boolean;
  readonly preferCSSPageSize: boolean;
  readonly generateTaggedPDF: boolean;
  readonly generateDocumentOutline: boolean;
  readonly displayHeaderFooter: boolean;
  readonly headerTemplate?: string;
  readonly footerTemplate?: string;
}

interface Header {
  readonly name: string;
  readonly value: string;
}

type None = Readonly<Record<never, never>>;

/**
 * The commands of the DevTools protocol that the server sends, each with its parameters and its result
 * (https://chromedevtools.github.io/devtools-protocol/tot).
 */
export interface Commands {
  'Target.createBrowserContext': [None, { readonly browserContextId: string }];
  'Target.disposeBrowserContext': [{ readonly browserContextId: string }, None];
  'Target.createTarget': [
    { readonly url: string; readonly browserContextId: string; readonly enableBeginFrameControl: boolean },
    { readonly targetId: string },
  ];
  'Target.attachToTarget': [{ readonly targetId: string; readonly flatten: true }, { readonly sessionId: string }];
  'Target.setAutoAttach': [
    { readonly autoAttach: true; readonly waitForDebuggerOnStart: true; readonly flatten: true },
    None,
  ];
  'Runtime.runIfWaitingForDebugger': [None, None];
  'Inspector.enable': [None, None];
  'Page.enable': [None, None];
  'Network.enable': [{ readonly maxTotalBufferSize: number; readonly maxResourceBufferSize: number }, None];
  'Fetch.enable': [{ readonly patterns: readonly { readonly urlPattern: string }[] }, None];
  'Emulation.setScriptExecutionDisabled': [{ readonly value: boolean }, None];
  'Emulation.setEmulatedMedia': [{ readonly media: 'print' }, None];
  'Fetch.continueRequest': [{ readonly requestId: string }, None];
  'Fetch.failRequest': [{ readonly requestId: string; readonly errorReason: 'Aborted' | 'BlockedByClient' }, None];
  'Fetch.fulfillRequest': [
    {
      readonly requestId: string;
      readonly responseCode: number;
      readonly responseHeaders: readonly Header[];
      /** In base64. */
      readonly body: string;
    },
    None,
  ];
  'Page.navigate': [{ readonly url: string }, { readonly errorText?: string; readonly loaderId?: string }];
  'Page.handleJavaScriptDialog': [{ readonly accept: boolean }, None];
  'Runtime.evaluate': [
    { readonly expression: string; readonly awaitPromise: true; readonly returnByValue: true },
    { readonly result: { readonly value?: unknown }; readonly exceptionDetails?: { readonly text: string } },
  ];
  'Page.printToPDF': [PrintSettings & { readonly transferMode: 'ReturnAsStream' }, { readonly stream: string }];
  'IO.read': [
    { readonly handle: string; readonly size: number },
    { readonly data: string; readonly base64Encoded?: boolean; readonly eof: boolean },
  ];
}

/** A message that nobody asked for. Its shape depends on the method. */
export interface ProtocolEvent {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** Undefined for events of the browser itself. */
  readonly sessionId?: string;
}

interface Answer {
  readonly id?: number;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

interface Waiting {
  readonly method: string;
  readonly sessionId: string | undefined;
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/**
 * Speaks the DevTools protocol through two pipes, each message ended by a zero byte; no port is open. Commands are
 * answered in the order in which they were sent, so several may be sent at once.
 */
export class BrowserConnection {
  readonly #waiting = new Map<number, Waiting>();
  readonly #sessions = new Map<string, (event: ProtocolEvent) => void>();
  #begun: Buffer[] = [];
  #count = 0;
  #closed = false;

  constructor(
    private readonly to: Writable,
    from: Readable,
  ) {
    from.on('data', (chunk: Buffer) => this.#read(chunk));
    for (const stream of [to, from]) {
      stream.on('error', () => this.#close());
      stream.on('close', () => this.#close());
    }
  }

  /** Rejects when the browser refuses the command, when the session has ended and when the pipe is closed. */
  send<C extends keyof Commands>(method: C, params: Commands[C][0], sessionId?: string): Promise<Commands[C][1]> {
    return new Promise((resolve, reject) => {
      if (this.#closed) return reject(new Error('the browser is not connected'));
      const id = ++this.#count;
      this.#waiting.set(id, { method, sessionId, resolve: resolve as (result: unknown) => void, reject });
      this.to.write(`${JSON.stringify({ id, method, params, ...(sessionId === undefined ? {} : { sessionId }) })}\0`);
    });
  }

  /** Calls `listener` with each event of the session, also with the one by which it ends. */
  listen(sessionId: string, listener: (event: ProtocolEvent) => void): void {
    this.#sessions.set(sessionId, listener);
  }

  /** Forgets a session; its commands that are not answered yet are rejected. */
  drop(sessionId: string): void {
    this.#sessions.delete(sessionId);
    this.#reject(({ sessionId: of }) => of === sessionId, 'the page was closed');
  }

  #read(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(0); end >= 0; end = chunk.indexOf(0, start)) {
      const rest = chunk.subarray(start, end);
      const message = this.#begun.length === 0 ? rest : Buffer.concat([...this.#begun, rest]);
      this.#begun = [];
      start = end + 1;
      this.#receive(JSON.parse(message.toString('utf8')) as Answer & ProtocolEvent);
    }
    if (start < chunk.length) this.#begun.push(chunk.subarray(start));
  }

  #receive(message: Answer & ProtocolEvent): void {
    if (message.id === undefined) {
      // A session ends by an event of the one that attached it.
      const ended = message.method === 'Target.detachedFromTarget' ? message.params['sessionId'] : undefined;
      const sessionId = typeof ended === 'string' ? ended : message.sessionId;
      if (sessionId !== undefined) this.#sessions.get(sessionId)?.(message);
      if (typeof ended === 'string') this.drop(ended);
      return;
    }
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if (message.error === undefined) waiting?.resolve(message.result);
    else waiting?.reject(new Error(`${waiting.method}: ${message.error.message}`));
  }

  #reject(which: (waiting: Waiting) => boolean, why: string): void {
    for (const [id, waiting] of this.#waiting) {
      if (!which(waiting)) continue;
      this.#waiting.delete(id);
      waiting.reject(new Error(`${waiting.method}: ${why}`));
    }
  }

  #close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.to.destroy();
    this.#reject(() => true, 'the browser has closed the connection');
  }
}

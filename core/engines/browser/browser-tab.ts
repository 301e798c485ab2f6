import type { BrowserConnection, Commands, PausedRequest, PrintSettings, ProtocolEvent } from './protocol.js';

/** What a page gets for a request. */
export type TabAnswer =
  | { readonly kind: 'file'; readonly body: Buffer; readonly headers: Readonly<Record<string, string>> }
  /** The request goes on inside the browser. */
  | { readonly kind: 'continue' }
  /** `Aborted` leaves what is shown, where `BlockedByClient` would show an error page. */
  | { readonly kind: 'refuse'; readonly reason: 'Aborted' | 'BlockedByClient' };

/** A request of a page. */
export interface TabRequest {
  readonly url: string;
  readonly method: string;
  /** `Document` for a navigation. */
  readonly type: string;
  readonly inMainFrame: boolean;
}

/** Types of files whose arrival a page that is printed waits for. */
const shown: ReadonlySet<unknown> = new Set(['Stylesheet', 'Image', 'Font']);

/** Bytes of a PDF that are requested at once. */
const READ_BYTES = 4 * 1024 * 1024;

/**
 * A page in a browser context of its own, which shares nothing with those of other documents. No script of it runs, and
 * every request waits for an answer of this server.
 */
export class BrowserTab {
  /** Rejects when the page crashes or is closed. */
  readonly over: Promise<never>;
  /** True when it can no longer be used. */
  gone = false;
  /** Requests for what is shown that are neither answered nor refused yet. */
  readonly #pending = new Set<unknown>();
  /** The page's own session first, then those of its parts. */
  readonly #sessions: string[] = [];
  #answer: ((request: TabRequest) => Promise<TabAnswer>) | undefined;
  #onOver: ((error: Error) => void) | undefined;
  #onLoad: (() => void) | undefined;
  #onQuiet: (() => void) | undefined;
  #address = '';
  /** True once the page that was asked for has taken the place of the empty one. */
  #committed = false;

  private constructor(
    private readonly connection: BrowserConnection,
    /** Identifier of its context. */
    readonly context: string,
    private readonly frame: string,
    private readonly session: string,
  ) {
    this.over = new Promise((_resolve, reject) => {
      this.#onOver = reject;
    });
    this.over.catch(() => undefined);
  }

  /** Opens an empty page, ready for `load`. */
  static async open(connection: BrowserConnection): Promise<BrowserTab> {
    const { browserContextId } = await connection.send('Target.createBrowserContext', {});
    try {
      const { targetId } = await connection.send('Target.createTarget', {
        url: 'about:blank',
        browserContextId,
        enableBeginFrameControl: true,
      });
      const { sessionId } = await connection.send('Target.attachToTarget', { targetId, flatten: true });
      // The frame of a page has the identifier of its target.
      const tab = new BrowserTab(connection, browserContextId, targetId, sessionId);
      await tab.#confine(sessionId);
      return tab;
    } catch (error) {
      await connection.send('Target.disposeBrowserContext', { browserContextId }).catch(() => undefined);
      throw error;
    }
  }

  /** Loads the page at an address; `answer` decides about each request. Rejects when there is no page. */
  async load(address: string, answer: (request: TabRequest) => Promise<TabAnswer>): Promise<void> {
    this.#answer = answer;
    this.#address = address;
    const loaded = new Promise<void>((resolve) => (this.#onLoad = resolve));
    const { errorText } = await this.connection.send('Page.navigate', { url: address }, this.session);
    if (errorText !== undefined) throw new Error(`Page.navigate: ${errorText}`);
    await loaded;
  }

  /** Runs a script of this server in the page and returns its result. */
  async evaluate(expression: string): Promise<unknown> {
    const { result, exceptionDetails } = await this.connection.send(
      'Runtime.evaluate',
      { expression, awaitPromise: true, returnByValue: true },
      this.session,
    );
    if (exceptionDetails !== undefined) throw new Error(`Runtime.evaluate: ${exceptionDetails.text}`);
    return result.value;
  }

  /**
   * Waits until style sheets, images and fonts have arrived or failed. Returns false when there was nothing to wait
   * for. Requests that a script of `evaluate` has caused are known when it returns: the page reports both in order.
   */
  async quiet(): Promise<boolean> {
    if (this.#pending.size === 0) return false;
    await new Promise<void>((resolve) => (this.#onQuiet = resolve));
    return true;
  }

  /** Prints the page and gives the bytes of the PDF. */
  async *print(settings: PrintSettings): AsyncGenerator<Buffer> {
    const { connection, session } = this;
    const { stream: handle } = await connection.send(
      'Page.printToPDF',
      { ...settings, transferMode: 'ReturnAsStream' },
      session,
    );
    const read = (): Promise<Commands['IO.read'][1]> => {
      const reading = connection.send('IO.read', { handle, size: READ_BYTES }, session);
      reading.catch(() => undefined);
      return reading;
    };
    // The end is reported by a read of its own, which is sent at once. The stream ends with the page.
    const reads = [read(), read()];
    for (let ended = false; !ended;) {
      const { data, base64Encoded = false, eof } = await (reads.shift() ?? read());
      const bytes = Buffer.from(data, base64Encoded ? 'base64' : 'utf8');
      if (bytes.length === READ_BYTES) reads.push(read());
      if (bytes.length > 0) yield bytes;
      ended = eof;
    }
  }

  /** Closes the page with its context. Resolves when nothing of it runs any more. */
  async close(): Promise<void> {
    this.gone = true;
    await this.connection.send('Target.disposeBrowserContext', { browserContextId: this.context });
    for (const session of this.#sessions) this.connection.drop(session);
  }

  /** Sets what holds for the page and for each target that it opens, before anything of that runs. */
  async #confine(session: string): Promise<void> {
    const { connection } = this;
    this.#sessions.push(session);
    connection.listen(session, (event) => this.#notice(event, session));
    await Promise.all([
      connection.send(
        'Target.setAutoAttach',
        { autoAttach: true, waitForDebuggerOnStart: true, flatten: true },
        session,
      ),
      connection.send('Inspector.enable', {}, session),
      connection.send('Page.enable', {}, session),
      // The browser keeps no copies of what was loaded.
      connection.send('Network.enable', { maxTotalBufferSize: 0, maxResourceBufferSize: 0 }, session),
      connection.send('Fetch.enable', { patterns: [{ urlPattern: '*' }] }, session),
      connection.send('Emulation.setScriptExecutionDisabled', { value: true }, session),
      connection.send('Emulation.setEmulatedMedia', { media: 'print' }, session),
    ]);
  }

  #notice({ method, params }: ProtocolEvent, session: string): void {
    switch (method) {
      case 'Fetch.requestPaused':
        // A page that was closed meanwhile accepts no answers.
        this.#decide(params as unknown as PausedRequest, session).catch(() => undefined);
        break;
      case 'Network.requestWillBeSent':
        if (shown.has(params['type'])) this.#pending.add(params['requestId']);
        break;
      case 'Network.loadingFinished':
      case 'Network.loadingFailed':
        this.#pending.delete(params['requestId']);
        if (this.#pending.size === 0) this.#onQuiet?.();
        break;
      case 'Page.frameNavigated':
        this.#committed ||= isFrame(params['frame'], this.frame, this.#address);
        break;
      case 'Page.loadEventFired':
        if (this.#committed && session === this.session) this.#onLoad?.();
        break;
      case 'Page.javascriptDialogOpening':
        void this.connection.send('Page.handleJavaScriptDialog', { accept: false }, session).catch(() => undefined);
        break;
      case 'Inspector.targetCrashed':
      case 'Target.detachedFromTarget':
        if (session !== this.session) break;
        this.gone = true;
        this.#onOver?.(method === 'Inspector.targetCrashed' ? new TabCrashed() : new Error('the page was closed'));
        break;
      case 'Target.attachedToTarget':
        void this.#admit(params['sessionId']).catch(() => undefined);
    }
  }

  /** Lets a part of the page run that the browser keeps in another process, under the same rules. */
  async #admit(session: unknown): Promise<void> {
    if (typeof session !== 'string') return;
    await this.#confine(session);
    await this.connection.send('Runtime.runIfWaitingForDebugger', {}, session);
  }

  async #decide({ requestId, request, frameId, resourceType }: PausedRequest, session: string): Promise<void> {
    const answer = await this.#answer?.({
      url: request.url,
      method: request.method,
      type: resourceType,
      inMainFrame: frameId === this.frame,
    }).catch(() => undefined);
    const { connection } = this;
    if (answer?.kind === 'continue') await connection.send('Fetch.continueRequest', { requestId }, session);
    else if (answer?.kind === 'file')
      await connection.send(
        'Fetch.fulfillRequest',
        {
          requestId,
          responseCode: 200,
          responseHeaders: Object.entries(answer.headers).map(([name, value]) => ({ name, value })),
          body: answer.body.toString('base64'),
        },
        session,
      );
    else
      await connection.send(
        'Fetch.failRequest',
        { requestId, errorReason: answer?.reason ?? 'BlockedByClient' },
        session,
      );
  }
}

/** True when the frame of an event is the given one and shows the address. */
function isFrame(frame: unknown, id: string, address: string): boolean {
  const { id: of, url } = frame as { readonly id?: unknown; readonly url?: unknown };
  return of === id && url === address;
}

/** The process of a page ended by itself or was ended. */
export class TabCrashed extends Error {
  override readonly name = 'TabCrashed';
  constructor() {
    super('the page crashed');
  }
}

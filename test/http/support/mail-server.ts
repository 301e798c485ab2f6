import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A mail as the server received it. */
export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** Headers and body as sent. */
  readonly data: string;
}

/** A mail server on loopback that keeps every mail (RFC 5321), or refuses recipients that contain `refused`. */
export class MailServer {
  readonly mails: ReceivedMail[] = [];
  /** How often somebody has connected. */
  connections = 0;
  /** Ends connections after each mail without a word, as servers do that wait no longer. */
  endsConnections = false;
  /** Greets nobody who connects. */
  silent = false;
  readonly #sockets = new Set<Socket>();

  private constructor(private readonly server: Server) {}

  static async start(): Promise<MailServer> {
    const server = createServer();
    const mailServer = new MailServer(server);
    server.on('connection', (socket) => {
      mailServer.connections += 1;
      mailServer.#sockets.add(socket);
      socket.once('close', () => mailServer.#sockets.delete(socket));
      let [text, from, inData] = ['', '', false];
      let to: string[] = [];
      const say = (line: string): boolean => socket.write(`${line}\r\n`);
      socket.on('error', () => undefined);
      socket.on('data', (chunk: Buffer) => {
        text += chunk.toString('utf8');
        for (;;) {
          const end = inData ? text.indexOf('\r\n.\r\n') : text.indexOf('\r\n');
          if (end < 0) return;
          const piece = text.slice(0, end);
          text = text.slice(end + (inData ? 5 : 2));
          if (inData) {
            mailServer.mails.push({ from, to, data: piece });
            [from, to, inData] = ['', [], false];
            say('250 accepted');
            if (mailServer.endsConnections) setTimeout(() => socket.destroy(), 5);
          } else if (/^(EHLO|HELO)/i.test(piece)) say('250 test');
          else if (/^MAIL FROM:/i.test(piece)) {
            from = piece.slice(10);
            say('250 fine');
          } else if (/^RCPT TO:/i.test(piece)) {
            const refused = piece.includes('refused');
            if (!refused) to.push(piece.slice(8));
            say(refused ? '550 no such box' : '250 fine');
          } else if (/^DATA/i.test(piece)) {
            inData = true;
            say('354 go on');
          } else if (/^QUIT/i.test(piece)) {
            say('221 bye');
            socket.end();
          } else say('250 fine');
        }
      });
      if (!mailServer.silent) say('220 test');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return mailServer;
  }

  /** The `mail.*` settings that reach it. */
  get settings(): Readonly<Record<string, unknown>> {
    return {
      enabled: true,
      enableInvites: true,
      host: '127.0.0.1',
      port: (this.server.address() as AddressInfo).port,
      from: 'quire@example.org',
    };
  }

  /** Text of the last mail to this address, unfolded from quoted-printable. */
  lastTo(address: string): string {
    const mail = this.mails.findLast(({ to }) => to.some((each) => each.includes(address)));
    return (mail?.data ?? '')
      .replace(/=\r\n/g, '')
      .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  }

  stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }
}

import { pino, stdTimeFunctions, type Logger as Pino, type LoggerOptions } from 'pino';
import type { Logger } from '@quire/registry';
import type { Settings } from '../settings/index.js';
import { gatherLines } from './gather-lines.js';

/**
 * Creates the server's log: JSON lines with an ISO 8601 time (UTC) and the level's name, or readable lines on a
 * terminal.
 */
export async function createLog(settings: Settings): Promise<Pino> {
  const level = settings.get('logging.level');
  const pretty = settings.get('logging.pretty') ?? process.stdout.isTTY === true;
  const options: LoggerOptions = {
    level,
    base: null,
    redact: ['req.headers["x-api-key"]', 'req.headers.authorization'],
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (name) => ({ level: name }) },
  };
  if (!pretty) return pino(options, gatherLines(pino.destination({ dest: process.stdout.fd, sync: true })));
  const { default: prettyStream } = await import('pino-pretty');
  return pino(
    options,
    prettyStream({
      colorize: process.stdout.isTTY === true,
      translateTime: 'SYS:HH:MM:ss',
      ignore: 'requestId,req,res,responseTime',
    }),
  );
}

/** Adapts the log to the interface that plugins and core modules use. */
export function asLogger(log: Pino): Logger {
  return {
    debug: (data, message) => log.debug(data, message),
    info: (data, message) => log.info(data, message),
    warn: (data, message) => log.warn(data, message),
    error: (data, message) => log.error(data, message),
  };
}

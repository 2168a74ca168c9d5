// Structured logs, one JSON object a line, without tokens, passwords or contents.
import pino, { type DestinationStream, type Logger, type LoggerOptions } from 'pino'

export type Log = Logger

/** A logger; `level` silent in tests. It writes to standard output unless told otherwise. */
export function createLog(level: string, destination?: DestinationStream): Log {
  const options: LoggerOptions = {
    level,
    redact: {
      paths: ['password', '*.password', 'token', '*.token', 'req.headers.authorization', 'req.headers.cookie'],
      censor: '[removed]',
    },
    serializers: { err: pino.stdSerializers.err },
  }
  return destination === undefined ? pino(options) : pino(options, destination)
}

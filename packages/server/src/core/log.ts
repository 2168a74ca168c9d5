// Structured logs, one JSON object a line, without tokens, passwords or contents.
import pino, { type Logger } from 'pino'

export type Log = Logger

/** A logger; `level` silent in tests. */
export function createLog(level: string): Log {
  return pino({
    level,
    redact: {
      paths: ['password', '*.password', 'token', '*.token', 'req.headers.authorization', 'req.headers.cookie'],
      censor: '[removed]',
    },
    serializers: { err: pino.stdSerializers.err },
  })
}

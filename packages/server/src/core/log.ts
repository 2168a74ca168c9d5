// Structured logs, one JSON object a line, without tokens, passwords or contents.
import pino, { type DestinationStream, type Logger, type LoggerOptions } from 'pino'

export type Log = Logger

/** PostgreSQL's class of errors about a value, which its message quotes. */
const aboutValue = /^22/

/**
 * What is written of an error: its kind, its place in our code, and of PostgreSQL's its code and constraint. Never its
 * other fields: `detail` may hold a whole row.
 */
function plainError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error }
  const { code, constraint } = error as { code?: unknown; constraint?: unknown }
  const quotes = typeof code === 'string' && aboutValue.test(code)
  return {
    type: error.name,
    message: quotes ? 'a value was refused' : error.message,
    ...(code === undefined ? {} : { code }),
    ...(constraint === undefined ? {} : { constraint }),
    // The first line of a stack repeats the message, which may have several.
    stack: (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line)),
  }
}

/** A logger; `level` silent in tests. It writes to standard output unless told otherwise. */
export function createLog(level: string, destination?: DestinationStream): Log {
  const options: LoggerOptions = { level, serializers: { err: plainError } }
  return destination === undefined ? pino(options) : pino(options, destination)
}

// Structured logs: one JSON object per line, or readable lines on a terminal. They contain no tokens, passwords or
// contents.
import pino, { type DestinationStream, type Logger, type LoggerOptions } from 'pino'

export type Log = Logger

/** PostgreSQL's class of data errors, whose messages quote the value. */
const aboutValue = /^22/

/** An error without data that it may quote. */
export interface PlainError {
  readonly type: string
  readonly message?: string
  readonly code?: string
  readonly constraint?: string
  readonly stack?: readonly string[]
}

/**
 * The logged part of an error: its kind, its position in our code, and for PostgreSQL its code and constraint. Never
 * its other fields: `detail` may hold a whole row.
 */
export function plainError(error: unknown): PlainError {
  if (!(error instanceof Error)) return { type: typeof error }
  const { code, constraint } = error as { code?: string | number; constraint?: string }
  const quotes = typeof code === 'string' && aboutValue.test(code)
  return {
    type: error.name,
    message: quotes ? 'a value was refused' : error.message,
    ...(code === undefined ? {} : { code: String(code) }),
    ...(constraint === undefined ? {} : { constraint }),
    // The first line of a stack repeats the message, which may have several lines.
    stack: (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line)),
  }
}

/** Creates a logger. `level` is silent in tests. It writes to standard output unless a destination is given. */
export function createLog(level: string, destination?: DestinationStream): Log {
  const options: LoggerOptions = { level, serializers: { err: plainError } }
  const to = destination ?? (process.stdout.isTTY ? forPeople(process.stdout) : undefined)
  return to === undefined ? pino(options) : pino(options, to)
}

/** The fields of a log line that are shown beside its message. */
interface Line {
  readonly level: number
  readonly time: number
  readonly msg?: string
  readonly from?: string
  readonly err?: { readonly type?: string; readonly message?: string; readonly stack?: readonly string[] }
}

const levelNames = new Map([
  [40, 'warning: '],
  [50, 'error: '],
  [60, 'error: '],
])

/** Formats log lines for a terminal. Routine output of other programs is left out. */
export function forPeople(out: DestinationStream): DestinationStream {
  return {
    write(text) {
      const { level, time, msg = '', from, err, ...rest } = JSON.parse(text) as Line
      if (from !== undefined && level <= 30) return
      const { pid: _pid, hostname: _hostname, ...facts } = rest as Record<string, unknown>
      const told = Object.entries(facts).map(
        ([name, value]) => ` ${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
      )
      const why = err === undefined ? '' : `: ${err.type} ${err.message ?? ''}`.trimEnd()
      const stack = (err?.stack ?? []).map((line) => `\n${line}`).join('')
      const clock = new Date(time).toTimeString().slice(0, 8)
      out.write(`${clock} ${levelNames.get(level) ?? ''}${msg}${told.join('')}${why}${stack}\n`)
    },
  }
}

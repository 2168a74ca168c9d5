// Structured logs, one JSON object a line, on a terminal lines for people; without tokens, passwords or contents.
import pino, { type DestinationStream, type Logger, type LoggerOptions } from 'pino'

export type Log = Logger

/** PostgreSQL's class of errors about a value, which its message quotes. */
const aboutValue = /^22/

/** An error without what it may quote. */
export interface PlainError {
  readonly type: string
  readonly message?: string
  readonly code?: string
  readonly constraint?: string
  readonly stack?: readonly string[]
}

/**
 * What is written of an error: its kind, its place in our code, and of PostgreSQL's its code and constraint. Never its
 * other fields: `detail` may hold a whole row.
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
    // The first line of a stack repeats the message, which may have several.
    stack: (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line)),
  }
}

/** A logger; `level` silent in tests. It writes to standard output unless told otherwise. */
export function createLog(level: string, destination?: DestinationStream): Log {
  const options: LoggerOptions = { level, serializers: { err: plainError } }
  const to = destination ?? (process.stdout.isTTY ? forPeople(process.stdout) : undefined)
  return to === undefined ? pino(options) : pino(options, to)
}

/** What is written of a line beside its message. */
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

/** Writes lines that somebody reads who sits before them; what another program tells of its own course is left out. */
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

/*
 * What a start shows. On a terminal: one line for each step with its progress, then the address, the account and the
 * next step; the details are in a file. Without a terminal: plain lines beside the log.
 */
import { createWriteStream, type WriteStream } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import type { DestinationStream } from 'pino'
import { forPeople } from './core/log.ts'

/** The output of a start. */
export interface StartScreen {
  /** Where log lines go; undefined: standard output. */
  readonly log: DestinationStream | undefined
  /** Whether a person reads it now, so that a password may be shown. */
  readonly isTerminal: boolean
  /** Shows a step while it runs, and that it is done. */
  step<T>(name: string, work: () => Promise<T>): Promise<T>
  readonly say: (line: string) => void
  /** Ends the start: shows where the server is and what comes next. */
  ready(facts: Ready): void
}

/** What the operator needs to know when the server is ready. */
export interface Ready {
  /** The address to open, then further ones for colleagues. */
  readonly addresses: readonly string[]
  /** The generated password of `admin`, at the first start. */
  readonly password?: string | undefined
  /** The data folder, if anything is stored there. */
  readonly dataDir?: string | undefined
}

interface Terminal extends DestinationStream {
  readonly isTTY?: boolean
}

interface LogLine {
  readonly level: number
  readonly step?: number
  readonly of?: number
}

/** Warnings and errors are shown at once, everything else is for the file. */
const leastShown = 40

/** Opens the output of a start. `folder` receives the file with the details, `start.log`. */
export function openStartScreen(out: Terminal, folder: string | undefined, title: string): StartScreen {
  if (out.isTTY !== true) return plainScreen(out)
  const shown = forPeople(out)
  const path = folder === undefined ? undefined : join(folder, 'start.log')
  let file: WriteStream | undefined
  if (path !== undefined) {
    file = createWriteStream(path, { mode: 0o600 })
    // A start does not fail because its details cannot be written.
    file.on('error', () => {
      file = undefined
    })
  }
  let current: string | undefined
  let isReady = false
  const paint = (progress = ''): void => {
    if (current !== undefined) out.write(`\r\x1b[K  … ${current}${progress}`)
  }
  const line = (text: string): void => {
    out.write(`${current === undefined ? '' : '\r\x1b[K'}${text}\n`)
    paint()
  }
  out.write(`${title}\n\n`)
  return {
    isTerminal: true,
    log: {
      write(text) {
        if (isReady) return shown.write(text)
        file?.write(text)
        const { level, step, of } = JSON.parse(text) as LogLine
        if (step !== undefined) paint(` ${step} of ${of}`)
        if (level < leastShown) return
        if (current !== undefined) out.write('\r\x1b[K')
        shown.write(text)
        paint()
      },
    },
    async step(name, work) {
      const from = performance.now()
      current = name
      paint()
      // Something moves, also in a long step.
      const ticking = setInterval(() => paint(` ${Math.round((performance.now() - from) / 1000)} s`), 1000)
      try {
        const value = await work()
        out.write(`\r\x1b[K  ✓ ${name}\n`)
        return value
      } catch (error) {
        out.write(`\r\x1b[K  ✗ ${name}\n`)
        throw error
      } finally {
        clearInterval(ticking)
        current = undefined
      }
    },
    say: line,
    ready({ addresses, password, dataDir }) {
      const [address = '', ...others] = addresses
      const rows: [string, string][] = [
        ['Address', address],
        ...others.map((each): [string, string] => ['Colleagues', each]),
        ...(password === undefined
          ? []
          : ([
              ['Account', 'admin'],
              ['Password', password],
            ] as [string, string][])),
        ...(dataDir === undefined ? [] : ([['Data', dataDir]] as [string, string][])),
        ...(file === undefined || path === undefined ? [] : ([['Details', path]] as [string, string][])),
      ]
      out.write(`\n${rows.map(([name, value]) => `  ${name.padEnd(12)}${value}`).join('\n')}\n\n`)
      out.write(
        password === undefined
          ? '  Cloudoc is ready. Stop it with Ctrl+C.\n'
          : '  Next: open the address and sign in; the password is shown this once. The wizard sets up your company.\n  Stop Cloudoc with Ctrl+C.\n',
      )
      isReady = true
      file?.end()
    },
  }
}

function plainScreen(out: DestinationStream): StartScreen {
  const say = (line: string): void => out.write(`${line}\n`)
  return {
    isTerminal: false,
    log: undefined,
    step: (_name, work) => work(),
    say,
    ready({ addresses, dataDir }) {
      const [address = '', ...others] = addresses
      if (dataDir !== undefined) say(`Data: ${dataDir}`)
      for (const each of others) say(`Colleagues use ${each}`)
      say(`Cloudoc is ready at ${address}`)
    },
  }
}

type Interfaces = ReturnType<typeof networkInterfaces>

/**
 * The addresses under which a server is reached that listens on `host`: for all interfaces this machine first, then the
 * addresses that colleagues can use.
 */
export function addressesOf(
  { scheme, host, port }: { scheme: string; host: string; port: number },
  interfaces: Interfaces = networkInterfaces(),
): string[] {
  const hosts = /^(0\.0\.0\.0|::)$/.test(host) ? ['localhost', ...reachable(host, interfaces)] : [host]
  return hosts.map((each) => `${scheme}://${each.includes(':') ? `[${each}]` : each}:${port}`)
}

/** Addresses of this machine in networks. Link-local ones need a zone, which browsers do not accept. */
function reachable(host: string, interfaces: Interfaces): string[] {
  return Object.values(interfaces)
    .flatMap((each) => each ?? [])
    .filter(({ internal, family }) => !internal && (family === 'IPv4' || host === '::'))
    .map(({ address }) => address)
    .filter((address) => !/^(fe80:|169\.254\.)/i.test(address))
}

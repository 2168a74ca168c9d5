/*
 * The audit, forwarded to a collector as it is sealed: RFC 5424 over UDP (RFC 5426), TCP (RFC 6587, counted) or TLS
 * (RFC 5425). The place in the chain is kept, so a collector that was away gets what it missed, in order. Who acts waits for
 * none of it: the elected process reads behind the seals, and a collector that hangs or lies costs one connection.
 *
 * A collector acknowledges nothing: what was written right before a connection broke is sent once more, with the same `seq`.
 */
import { createSocket } from 'node:dgram'
import { connect as connectTcp, isIPv6, type Socket } from 'node:net'
import { hostname } from 'node:os'
import { connect as connectTls } from 'node:tls'
import type { InstallationSetting } from '@cloudoc/contract'
import { resumableScan } from '../../core/resumable-scan.ts'
import type { Services } from '../../core/services.ts'
import { type Entry, listSealed } from './list.ts'

/** Where the forwarding is: behind which row, and what was wrong last. */
export const forwarding = resumableScan<{
  seq: number | null
  sentAt: number | null
  problem: string
  problemAt: number
}>('syslog', { seq: null, sentAt: null, problem: '', problemAt: 0 })

/** How long a collector may take, and how long it is left alone after it failed. */
export interface SyslogTimes {
  readonly connectMs: number
  readonly writeMs: number
  readonly firstRetryMs: number
  readonly lastRetryMs: number
  /** What was written so shortly before a connection broke may not have arrived. */
  readonly doubtMs: number
}

export const usualSyslogTimes: SyslogTimes = {
  connectMs: 5000,
  writeMs: 10_000,
  firstRetryMs: 1000,
  lastRetryMs: 60_000,
  doubtMs: 10_000,
}

const rowBatch = 200
/** log audit */
const facility = 13
const [warning, informational] = [4, 6]
/** A datagram that no network splits beyond what RFC 5426 asks of receivers; and a frame of a stream. */
const longest = { udp: 2048, tcp: 8192, tls: 8192 } as const
/** The enterprise number of documentation: we have none of our own. */
const dataId = 'cloudoc@32473'

const printable = (text: string, most: number): string => text.replaceAll(/[^!-~]/g, '_').slice(0, most) || '-'

// In values of structured data these three are escaped; what could break a line is not let through.
const valueOf = (text: string): string =>
  text.replaceAll(/[\p{Cc}\u2028\u2029]/gu, ' ').replaceAll(/["\\\]]/g, (one) => `\\${one}`)

/** One row as a message. What is too long loses its end, never a part of a character. */
export function messageOf(entry: Entry, transport: keyof typeof longest, host = hostname()): Buffer {
  const { seq, at, kind, call, by, outsider, address, items, itemCount, people, refused, detail, hash } = entry
  const severity = refused === '' ? informational : warning
  const data: readonly (readonly [string, string | number])[] = [
    ['seq', seq],
    ['kind', kind],
    ['account', by?.account ?? ''],
    ['outsider', outsider ?? ''],
    ['ip', address],
    ['result', refused === '' ? 'success' : refused],
    ['items', itemCount],
    ['hash', hash],
  ]
  const head = `<${facility * 8 + severity}>1 ${new Date(at).toISOString()} ${printable(host, 255)} cloudoc - ${printable(call, 32)} [${dataId}${data
    .filter(([, value]) => value !== '')
    .map(([name, value]) => ` ${name}="${valueOf(String(value))}"`)
    .join('')}] \ufeff`
  const named = items.map(({ fId, fType, fName }) => `${fType === 2 ? 'd' : 'f'}${fId} ${fName}`).join('; ')
  const persons = people.map(({ account, accountName }) => `${accountName} (${account})`).join('; ')
  const words = [by?.accountName ?? outsider ?? '', call, named, persons, detail === '{}' ? '' : detail].filter(
    (one) => one !== '',
  )
  const text = words.join(' | ').replaceAll(/[\p{Cc}\u2028\u2029]/gu, ' ')
  const whole = Buffer.from(head + text)
  if (whole.length <= longest[transport]) return whole
  let end = longest[transport]
  while (end > 0 && ((whole[end] ?? 0) & 0xc0) === 0x80) end -= 1
  return whole.subarray(0, end)
}

interface Collector {
  readonly host: string
  readonly port: number
  readonly transport: keyof typeof longest
  /** Who has signed its certificate, where that is none whom everybody trusts. */
  readonly ca: string
}

function collectorOf({ inner }: Pick<InstallationSetting, 'inner'>): Collector | undefined {
  const { syslog_host: host, syslog_port: port, syslog_transport: transport, syslog_ca: ca } = inner
  return host === '' ? undefined : { host, port, transport, ca: ca.join('\n') }
}

interface Line {
  send(messages: readonly Buffer[], signal: AbortSignal): Promise<void>
  /** Whether it still stands. */
  readonly isOpen: () => boolean
  end(): void
}

/** Fails with what the first of both says, or when the time is over. */
function within<T>(ms: number, signal: AbortSignal, what: string, work: Promise<T>): Promise<T> {
  const over = AbortSignal.any([signal, AbortSignal.timeout(ms)])
  return Promise.race([
    work,
    new Promise<never>((_, reject) => {
      const end = (): void => reject(new Error(what))
      if (over.aborted) end()
      else over.addEventListener('abort', end, { once: true })
    }),
  ])
}

async function openStream(to: Collector, times: SyslogTimes, signal: AbortSignal): Promise<Line> {
  const { host, port } = to
  const isTls = to.transport === 'tls'
  const socket: Socket = isTls
    ? connectTls({ host, port, ...(isIPv6(host) ? {} : { servername: host }), ...(to.ca !== '' && { ca: to.ca }) })
    : connectTcp({ host, port })
  let failed: Error | undefined
  socket.on('error', (error) => {
    failed = error
  })
  // What it may say is nothing to us.
  socket.resume()
  const opened = new Promise<void>((resolve, reject) => {
    socket.once(isTls ? 'secureConnect' : 'connect', resolve)
    socket.once('error', reject)
    socket.once('close', () => reject(new Error('closed')))
  })
  try {
    await within(times.connectMs, signal, 'timed out', opened)
  } catch (error) {
    socket.destroy()
    throw error
  }
  socket.setKeepAlive(true, 30_000)
  return {
    async send(messages, until) {
      const frames = Buffer.concat(messages.flatMap((message) => [Buffer.from(`${message.length} `), message]))
      const written = new Promise<void>((resolve, reject) => {
        socket.once('close', () => reject(failed ?? new Error('closed')))
        socket.write(frames, (error) => (error instanceof Error ? reject(error) : resolve()))
      })
      await within(times.writeMs, until, 'timed out', written)
    },
    isOpen: () => !socket.destroyed && socket.writable && failed === undefined && !socket.readableEnded,
    end: () => socket.destroy(),
  }
}

function openDatagrams({ host, port }: Collector, times: SyslogTimes): Line {
  const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4')
  let isOpen = true
  for (const event of ['error', 'close'] as const)
    socket.on(event, () => {
      isOpen = false
    })
  socket.unref()
  return {
    async send(messages, until) {
      for (const message of messages) {
        const sent = new Promise<void>((resolve, reject) => {
          socket.send(message, port, host, (error) => (error === null ? resolve() : reject(error)))
        })
        await within(times.writeMs, until, 'timed out', sent)
      }
    },
    isOpen: () => isOpen,
    end: () => {
      if (isOpen) socket.close()
    },
  }
}

/** Forwards some; answers whether more waits. Holds one connection between two rounds. */
export function createForwarder(
  { db, settings, now }: Pick<Services, 'db' | 'settings' | 'now'>,
  times: SyslogTimes = usualSyslogTimes,
): (signal: AbortSignal) => Promise<boolean> {
  let line: (Line & { readonly to: string }) | undefined
  /** The last batch, as long as nobody can know that it has arrived. */
  let doubted: { readonly from: number; readonly at: number } | undefined
  let failures = 0
  let rests = 0
  const end = (): void => {
    line?.end()
    line = undefined
  }
  const watched = new WeakSet<AbortSignal>()
  return async (signal) => {
    if (!watched.has(signal)) {
      watched.add(signal)
      signal.addEventListener('abort', end, { once: true })
    }
    const to = collectorOf(await settings.current())
    if (to === undefined) {
      end()
      return false
    }
    const name = JSON.stringify(to)
    if (line !== undefined && line.to !== name) {
      end()
      failures = 0
      rests = 0
    }
    if (performance.now() < rests) return false
    const place = await forwarding.read(db)
    if (place.seq === null) {
      // From now on, not what happened before somebody wanted it.
      const head = await db.selectFrom('audit_head').select('seq').orderBy('seq', 'desc').limit(1).executeTakeFirst()
      await forwarding.write(db, { ...place, seq: head?.seq ?? 0 })
      return true
    }
    let { seq } = place
    if (line !== undefined && !line.isOpen()) {
      end()
      if (doubted !== undefined && performance.now() - doubted.at < times.doubtMs) seq = Math.min(seq, doubted.from)
    }
    const { entries, last } = await listSealed(db, seq, rowBatch)
    if (last === undefined) return false
    try {
      if (entries.length > 0) {
        line ??= {
          ...(to.transport === 'udp' ? openDatagrams(to, times) : await openStream(to, times, signal)),
          to: name,
        }
        doubted = { from: seq, at: performance.now() }
        await line.send(
          entries.map((entry) => messageOf(entry, to.transport)),
          signal,
        )
        doubted = { from: seq, at: performance.now() }
      }
    } catch (error) {
      end()
      if (signal.aborted) return false
      rests = performance.now() + Math.min(times.firstRetryMs * 2 ** failures, times.lastRetryMs)
      failures += 1
      const problem = error instanceof Error ? error.message.slice(0, 200) : 'failed'
      if (place.problem !== problem) await forwarding.write(db, { ...place, problem, problemAt: now() })
      return false
    }
    failures = 0
    await forwarding.write(db, { seq: last, sentAt: now(), problem: '', problemAt: 0 })
    return true
  }
}

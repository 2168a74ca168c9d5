/*
 * Forwards the audit to a collector as it is sealed: RFC 5424 over UDP (RFC 5426), TCP (RFC 6587, octet counting) or
 * TLS (RFC 5425). The position in the chain is stored, so a collector that was down gets the missed rows in order. No
 * request waits for it: the elected process reads sealed rows, and a collector that hangs or misbehaves costs one
 * connection.
 *
 * A collector acknowledges nothing: rows written shortly before a connection broke are sent once more, with the same
 * `seq`.
 */
import { createSocket } from 'node:dgram'
import { connect as connectTcp, isIPv6, type Socket } from 'node:net'
import { hostname } from 'node:os'
import { connect as connectTls } from 'node:tls'
import type { InstallationSetting } from '@cloudoc/contract'
import { resumableScan } from '../../core/resumable-scan.ts'
import type { Services } from '../../core/services.ts'
import { type Entry, listSealed } from './list.ts'

/** The state of the forwarding: the last row sent, and the last problem. */
export const forwarding = resumableScan<{
  seq: number | null
  sentAt: number | null
  problem: string
  problemAt: number
}>('syslog', { seq: null, sentAt: null, problem: '', problemAt: 0 })

/** Timeouts of the collector, and the retry delays after a failure. */
export interface SyslogTimes {
  readonly connectMs: number
  readonly writeMs: number
  readonly firstRetryMs: number
  readonly lastRetryMs: number
  /** Rows written this shortly before a connection broke may not have arrived. */
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
/** The facility "log audit". */
const facility = 13
const [warning, informational] = [4, 6]
/** The size of a datagram that receivers must accept by RFC 5426; and of a frame of a stream. */
const longest = { udp: 2048, tcp: 8192, tls: 8192 } as const
/** The enterprise number for documentation: the product has none of its own. */
const dataId = 'cloudoc@32473'

const printable = (text: string, most: number): string => text.replaceAll(/[^!-~]/g, '_').slice(0, most) || '-'

// Structured data requires escaping these three characters. Characters that could break a line are replaced.
const valueOf = (text: string): string =>
  text.replaceAll(/[\p{Cc}\u2028\u2029]/gu, ' ').replaceAll(/["\\\]]/g, (one) => `\\${one}`)

/** Formats one row as a message. A message that is too long is truncated, never inside a character. */
export function messageOf(entry: Entry, transport: keyof typeof longest, host = hostname()): Buffer {
  const { seq, at, kind, call, by, outsider, address, items, itemCount, people, objects, refused, detail, hash } = entry
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
  const words = [
    by?.accountName ?? outsider ?? '',
    call,
    named,
    persons,
    objects.join('; '),
    detail === '{}' ? '' : detail,
  ].filter((one) => one !== '')
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
  /** The CA of its certificate, if it is not a publicly trusted one. */
  readonly ca: string
}

function collectorOf({ inner }: Pick<InstallationSetting, 'inner'>): Collector | undefined {
  const { syslog_host: host, syslog_port: port, syslog_transport: transport, syslog_ca: ca } = inner
  return host === '' ? undefined : { host, port, transport, ca: ca.join('\n') }
}

interface Line {
  send(messages: readonly Buffer[], signal: AbortSignal): Promise<void>
  /** Whether the connection is still open. */
  readonly isOpen: () => boolean
  end(): void
}

/** Fails with the first failure of work or signal, or after the timeout. */
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
  // Anything the collector sends is discarded.
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

/** Forwards one batch; returns whether more rows wait. Keeps one connection open between two rounds. */
export function createForwarder(
  { db, settings, now }: Pick<Services, 'db' | 'settings' | 'now'>,
  times: SyslogTimes = usualSyslogTimes,
): (signal: AbortSignal) => Promise<boolean> {
  let line: (Line & { readonly to: string }) | undefined
  /** The last batch, while it is uncertain whether it has arrived. */
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
      // Starts at the current end: rows before forwarding was enabled are not sent.
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

// Requests a download with the session of the page. Refusals become their result codes.
import { codeOf, codes } from '@cloudoc/domain'
import { envelopeOf, rawRequestHeaders } from '../../core/call/api.ts'
import { renewSession } from '../../core/session/session.ts'
import type { Incoming, ResumePoint } from './receive-file.ts'
import { TransferFailure } from './states.ts'

/** The address of a copy with a watermark ([R146]). */
const markedAddress = /\/downloadWatermark\/\d+/
/** Milliseconds without progress after which an answer counts as lost. */
const stalledMs = 60_000
/** Status codes of a proxy whose server is unavailable. */
const away: readonly number[] = [502, 503, 504]

/** Requests a download, or the rest of it. `redirect` defines the handling of contents in another storage location. */
export async function fetchDownload(
  address: string,
  goOn: ResumePoint | undefined,
  signal: AbortSignal,
  redirect: 'manual' | 'follow' = 'manual',
): Promise<Incoming> {
  for (;;) {
    const response = await ask(address, goOn, signal, redirect)
    // Only the browser itself may follow a redirect to another storage location.
    if (response.type === 'opaqueredirect') throw new TransferFailure('elsewhere')
    if (response.ok && !isWord(response)) return incoming(response, signal)
    const length = lengthIn(response)
    // No bytes remain: the content is already complete.
    if (response.status === 416 && goOn !== undefined && length === goOn.from) {
      return { from: length, total: length, etag: goOn.etag, name: nameIn(response), chunks: nothing() }
    }
    if (response.status === 416) return fetchDownload(address, undefined, signal, redirect)
    const envelope = envelopeOf(await response.text().catch(() => ''))
    if (envelope?.result === codes.notLoggedIn.code || response.status === 401 || response.status === 266) {
      if (await renewSession()) continue
      throw new TransferFailure('notLoggedIn')
    }
    if (envelope === undefined) throw new TransferFailure(away.includes(response.status) ? 'network' : 'http')
    const code = codeOf(envelope.result) ?? 'unknown'
    const isMarked = code === 'downloadLimit' && markedAddress.test(address)
    throw new TransferFailure(isMarked ? 'watermarkDownloadLimit' : code, envelope.msg)
  }
}

/** Whether the server answers with a JSON envelope instead of a content. */
function isWord({ headers }: Response): boolean {
  const isJson = headers.get('content-type')?.startsWith('application/json') === true
  return isJson && headers.get('content-disposition') === null
}

async function ask(
  address: string,
  goOn: ResumePoint | undefined,
  signal: AbortSignal,
  redirect: RequestRedirect,
): Promise<Response> {
  const range = goOn && { range: `bytes=${goOn.from}-`, 'if-range': goOn.etag }
  try {
    return await fetch(address, {
      headers: { ...rawRequestHeaders(), ...range },
      credentials: 'same-origin',
      cache: 'no-store',
      redirect,
      signal,
    })
  } catch {
    throw new TransferFailure(signal.aborted ? 'withdrawn' : 'network')
  }
}

function incoming(response: Response, signal: AbortSignal): Incoming {
  const { headers, status } = response
  const [, from = '0'] = /^bytes (\d+)-/.exec(headers.get('content-range') ?? '') ?? []
  // A compressed answer has a different length than its content.
  const isPlain = headers.get('content-encoding') === null
  const whole = isPlain ? headers.get('content-length') : null
  return {
    from: status === 206 ? Number(from) : 0,
    total: status === 206 ? lengthIn(response) : whole === null ? undefined : Number(whole),
    etag: headers.get('accept-ranges') === 'bytes' ? (headers.get('etag') ?? undefined) : undefined,
    name: nameIn(response),
    chunks: chunksOf(response, signal),
  }
}

function lengthIn({ headers }: Response): number | undefined {
  const [, length] = /\/(\d+)$/.exec(headers.get('content-range') ?? '') ?? []
  return length === undefined ? undefined : Number(length)
}

function nameIn({ headers }: Response): string | undefined {
  const [, name] = /filename\*=UTF-8''(\S+)$/.exec(headers.get('content-disposition') ?? '') ?? []
  try {
    return name === undefined ? undefined : decodeURIComponent(name)
  } catch {
    return undefined
  }
}

async function* nothing(): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  // The answer is complete.
}

async function* chunksOf(response: Response, signal: AbortSignal): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const reader = response.body?.getReader()
  if (reader === undefined) return
  const lost = (): TransferFailure => new TransferFailure(signal.aborted ? 'withdrawn' : 'network')
  try {
    for (;;) {
      const { promise: stalled, reject } = Promise.withResolvers<never>()
      const timer = setTimeout(() => reject(lost()), stalledMs)
      const read = await Promise.race([reader.read(), stalled])
        .catch(() => {
          throw lost()
        })
        .finally(() => clearTimeout(timer))
      if (read.done) return
      yield read.value
    }
  } finally {
    void reader.cancel().catch(() => undefined)
  }
}

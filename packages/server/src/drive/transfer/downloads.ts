// What every download of a file has in common: it is counted, recorded, marked, encrypted, and taken from a grant.
import type { DownloadMethod } from '@cloudoc/contract'
import type { Facts } from '@cloudoc/domain'
import { fail } from '@cloudoc/domain'
import type { Access } from '../../core/access.ts'
import type { AccountActor } from '../../core/actor.ts'
import type { Contents } from '../../core/blobs/contents.ts'
import { actorOf, type Context } from '../../core/call/context.ts'
import type { Services } from '../../core/services.ts'
import { createDownloadLimits, grantMeter, type Meter, needsGrant } from '../downloads/index.ts'
import { createNotifyDownloads } from '../follow/index.ts'
import { type Chosen, createCachedChoice, markedContent, placeOf } from '../watermarks/index.ts'
import { createLogDownloads } from './download-log.ts'
import { encryptReply } from './encrypt.ts'
import { type StoredContent, sendContent } from './send-content.ts'

const file = (fId: number) => ({ fType: 1, fId }) as const

/** The way in which a download leaves, as the application that granted it shows it. */
function wayOf({ program, limit }: AccountActor, form: 'file' | 'zip'): DownloadMethod {
  if (program !== undefined) return program.kind === 'app' ? 'webDav' : 'program'
  return form === 'file' && limit !== undefined ? 'ticket' : form
}

/** Creates the steps of a download. */
export function createDownloads(
  services: Pick<Services, 'db' | 'secrets' | 'invalidations'> & Parameters<typeof createNotifyDownloads>[0],
  contents: Contents,
) {
  const { db, secrets, invalidations } = services
  const noteDownloads = createNotifyDownloads(services)
  const logDownloads = createLogDownloads(db)
  const downloadLimits = createDownloadLimits(db, invalidations)
  const keptChoice = createCachedChoice(services)
  /** Logs a download, and decides whether it leaves encrypted ([R190], [R205]). */
  const note = async (context: Context, taken: readonly Access[], version?: number): Promise<void> => {
    const isEncrypted = encryptReply(context, secrets, taken, version)
    await Promise.all([
      noteDownloads(
        context,
        taken.filter(({ row }) => row.f_type === 1),
      ),
      logDownloads(context, taken, version),
      ...(isEncrypted ? [logDownloads(context, taken, version, 'encrypt')] : []),
    ])
  }
  const sendMarked = async (
    context: Context,
    content: StoredContent,
    ext: string,
    chosen: Chosen,
    meter: Meter | undefined,
  ) => {
    const marked = await markedContent(contents, 'copy', content, ext, chosen)
    const { name, modifiedAt } = content
    return sendContent(context, marked.contents, { ...marked.content, name, modifiedAt }, { meter })
  }
  /** Counts the bytes of a download that an application granted; undefined if it needs no grant. */
  const meterOf = (
    context: Context,
    itemId: number,
    facts: Facts,
    version: number,
    form: 'file' | 'zip' = 'file',
  ): Meter | undefined =>
    context.request.method !== 'HEAD' && needsGrant(facts)
      ? grantMeter(db, {
          ...{ itemId, version, now: context.now, address: context.address },
          ...{ accountId: actorOf(context).accountId, way: wayOf(actorOf(context), form) },
        })
      : undefined
  /**
   * Sends a file that counts towards the caller's daily limit, if there is one, and towards the application that
   * granted it. The download is counted before the first byte and refunded if the response is empty. A range of a
   * started download is not counted.
   */
  const counted = async (
    context: Context,
    version: number | undefined,
    fileId: number,
    send: (limited: boolean, meter: Meter | undefined) => Promise<void>,
  ): Promise<void> => {
    const { row, facts } = context.item(file(fileId))
    const taken = { fileId, version: version ?? row.version }
    const meter = meterOf(context, fileId, facts, taken.version)
    const limited = context.request.method === 'HEAD' ? undefined : await downloadLimits(context)
    if (limited === undefined) return send(meter !== undefined, meter)
    const { range } = context.request.headers
    const goesOn = range !== undefined && !range.startsWith('bytes=0-') && (await limited.hasStarted(taken))
    if (!goesOn && !(await limited.take(taken))) return fail('downloadLimit')
    let isSent = false
    try {
      // With a download limit, content is sent by this server and not directly by the store.
      await send(true, meter)
      isSent = context.reply.raw.statusCode < 300
    } finally {
      if (!goesOn && !isSent) await limited.giveBack()
    }
  }
  /** Sends something that is made of the whole file, which counts as one download of it. */
  const wholly = async (meter: Meter | undefined, size: number, send: () => Promise<void>): Promise<void> => {
    await meter?.begin(size, size)
    let isSent = false
    try {
      await send()
      isSent = true
    } finally {
      await meter?.end(isSent ? size : 0)
    }
  }
  /** Sends what has been made of a file instead of the file, as a download of it. */
  const sendMade = (context: Context, fileId: number, made: StoredContent, ext: string): Promise<void> =>
    counted(context, undefined, fileId, async (_limited, meter) => {
      const access = context.item(file(fileId))
      await note(context, [access])
      const chosen = (await keptChoice(context))(placeOf(access), 'download')
      if (chosen !== undefined) return sendMarked(context, made, ext, chosen, meter)
      await sendContent(context, contents, made, { meter })
    })

  return { note, counted, wholly, sendMarked, sendMade, meterOf, logDownloads, downloadLimits, keptChoice }
}
export type Downloads = ReturnType<typeof createDownloads>

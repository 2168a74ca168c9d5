/*
 * Copies and moves to a folder of another server ([R123], X78), loaded on demand. The servers do the work. The page shows
 * how far it is, also after it was loaded again: the numbers of running copies are stored in the browser.
 */
import type { Answer, calls } from '@cloudoc/contract'
import { codeText } from '@cloudoc/domain'
import { api, CallError, mainServer } from '../../core/call/api.ts'
import { currentLocale, t } from '../../core/i18n/i18n.ts'
import { store, stored } from '../../core/storage/storage.ts'
import { dismissToastOf, toast } from '../../core/toast/toast.ts'
import { openFrame, openWindow, type WindowDefinition } from '../../core/windows/index.ts'
import { type ItemRef, isLink } from '../item/item.ts'
import { refreshDrive } from '../lists/lists.ts'
import type { AcrossCheckProps } from './across-check.tsx'
import './across-texts.ts'

/** An item that is sent. */
type Sent = ItemRef & { readonly fName: string }

/** The folder into which items are sent. */
interface Place {
  readonly serverId?: number
  readonly fId: number
  readonly fName: string
}

export type ServerCopy = Answer<typeof calls.getServerCopy>['copy']

const askEveryMs = 1000
const shownMs = 10 * 60_000
const runningKey = 'drive.serverCopies'

/** The names of the servers by number. */
export async function serverNames(): Promise<ReadonlyMap<number, string>> {
  const { list } = await api.getServerList({})
  return new Map(list.map(({ serverId, serverName }) => [serverId, serverName]))
}

export const nameOfServer = (names: ReadonlyMap<number, string>, serverId: number): string =>
  names.get(serverId) ?? t('across.server', { n: serverId })

/** What a copy is called: its first item, and how many there are. */
export function titleOf({ name, items }: Pick<ServerCopy, 'name' | 'items'>): string {
  const first = name === '' ? t('across.unread') : name
  return items > 1 ? t('across.many', { name: first, n: items }) : first
}

/** Percent of the bytes; of the files if all are empty. */
export const percentOf = ({ bytes, bytesDone, files, filesDone }: ServerCopy): number =>
  bytes > 0 ? Math.floor((100 * bytesDone) / bytes) : files > 0 ? Math.floor((100 * filesDone) / files) : 0

const checkWindow: WindowDefinition<AcrossCheckProps, boolean> = {
  title: ({ isMove }) => t(isMove ? 'across.ask.move' : 'across.ask.copy'),
  // The size is ours (X79).
  size: { width: 560, height: 'auto' },
  blocking: true,
  load: () => import('./across-check.tsx').then((module) => module.AcrossCheck),
  sample: { source: '', server: '', target: '', isMove: false, title: '', check: () => Promise.reject(new Error()) },
}

/** Shows what would not arrive, then copies or moves items of one other server into a folder. */
async function sendFrom(serverId: number, items: readonly Sent[], target: Place, isMove: boolean): Promise<void> {
  const names = await serverNames()
  const { serverId: targetServerId = 0, fId: targetFolderId } = target
  const wanted = {
    ...{ sourceServerId: serverId, targetServerId, targetFolderId, conflict: 'keepBoth' as const },
    sourceFileIds: items.filter(({ fType }) => fType === 1).map(({ fId }) => fId),
    sourceFolderIds: items.filter(({ fType }) => fType === 2).map(({ fId }) => fId),
  }
  const props: AcrossCheckProps = {
    ...{ isMove, source: nameOfServer(names, serverId), server: nameOfServer(names, targetServerId) },
    ...{ target: target.fName, title: titleOf({ name: items[0]?.fName ?? '', items: items.length }) },
    check: () => api.of(mainServer).checkServerCopy(wanted, { quiet: true }),
  }
  const yes = await openFrame('cloudoc-server-copy-check', checkWindow as unknown as WindowDefinition, props)
  if (yes !== true) return
  const { copyId } = await api.of(mainServer).copyFilesAndFolders({ ...wanted, isMove })
  void follow(copyId, names)
}

/** Copies or moves items into a folder of another server. */
export async function sendAcross(items: readonly Sent[], target: Place, isMove: boolean): Promise<void> {
  const sendable = items.filter((item) => !isLink(item))
  if (sendable.length < items.length) toast({ kind: 'warning', text: t('across.noShortcuts') })
  const servers = Map.groupBy(sendable, ({ serverId }) => serverId)
  for (const [serverId, group] of servers) await sendFrom(serverId, group, target, isMove)
}

const followed = new Set<number>()

function readRunning(): readonly number[] {
  try {
    const ids: unknown = JSON.parse(stored(runningKey) ?? '[]')
    return Array.isArray(ids) ? ids.filter((id) => typeof id === 'number') : []
  } catch {
    return []
  }
}

const noteRunning = (copyId: number, isRunning: boolean): void => {
  const others = readRunning().filter((id) => id !== copyId)
  store(runningKey, JSON.stringify(isRunning ? [...others, copyId] : others))
}

/** Shows the progress of a copy until its end. */
export async function follow(copyId: number, known?: ReadonlyMap<number, string>): Promise<void> {
  if (followed.has(copyId)) return
  followed.add(copyId)
  noteRunning(copyId, true)
  const key = `server-copy-${copyId}`
  const action = { text: t('across.show'), run: () => void openWindow('cloudoc-server-copies', { copyId }) }
  try {
    const names = known ?? (await serverNames())
    for (;;) {
      // A request that fails is repeated: the copy goes on without the page.
      const found = await api.getServerCopy({ copyId }, { quiet: true }).catch((error: unknown) => {
        if (error instanceof CallError && error.code === 'notFound') return null
        if (error instanceof CallError && error.code === 'notLoggedIn') return 'left' as const
        return undefined
      })
      if (found === 'left') return
      if (found === null) break
      if (found !== undefined) {
        const { copy } = found
        if (copy.state !== 'running') {
          dismissToastOf(key)
          tellEnd(copy, names)
          break
        }
        toast({ key, text: progressText(copy, names), durationMs: shownMs, action })
      }
      await new Promise((resolve) => setTimeout(resolve, askEveryMs))
    }
    noteRunning(copyId, false)
  } finally {
    followed.delete(copyId)
  }
}

function progressText(copy: ServerCopy, names: ReadonlyMap<number, string>): string {
  const name = titleOf(copy)
  if (copy.waitingFor >= 0) return t('across.waiting', { name, server: nameOfServer(names, copy.waitingFor) })
  const server = nameOfServer(names, copy.targetServerId)
  if (!copy.isListed) return t('across.listing', { name, server })
  return t('across.running', { name, server, done: copy.filesDone, files: copy.files, percent: percentOf(copy) })
}

/** The text of a result code. */
export const reasonOf = (result: number): string => codeText(result, currentLocale())

function tellEnd(copy: ServerCopy, names: ReadonlyMap<number, string>): void {
  const name = titleOf(copy)
  refreshDrive()
  const show = {
    text: t('across.show'),
    run: () => void openWindow('cloudoc-server-copies', { copyId: copy.copyId }),
  }
  if (copy.state === 'cancelled') return toast({ kind: 'info', text: t('across.cancelled', { name }) })
  if (copy.state === 'failed')
    return toast({ kind: 'error', text: t('across.failed', { name, why: reasonOf(copy.code) }), action: show })
  if (copy.refused > 0)
    return toast({ kind: 'warning', text: t('across.partly', { name, n: copy.refused }), action: show })
  const place = { name, server: nameOfServer(names, copy.targetServerId), target: copy.targetName }
  toast({ kind: 'success', text: t(copy.isMove ? 'across.moved' : 'across.copied', place), action: show })
}

/** Shows the progress of the copies that ran when the page was left. */
export function followRunning(): void {
  for (const copyId of readRunning()) void follow(copyId)
}

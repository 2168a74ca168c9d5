/*
 * The changes of followed files stored in this browser ([R354]). Unread changes are shown before the server answers, or
 * without it. Changes read in this browser stay read after a reload, even if the server could not be notified ([R095]).
 * In any other conflict the server's state wins, for example for notices read or restored on another device.
 */
import type { NoticeGroup, PushPayload } from '@cloudoc/contract'
import { accountRecords, type FileChange } from '../storage/account-records.ts'
import { store, stored } from '../storage/storage.ts'
import { type Group, pushOf, ruleOf, type StoredNotice, withNotice, withoutNotices } from './notice-groups.ts'

const group: NoticeGroup = 'fileChange'

type Change = PushPayload<'followChange'>

const isChange = (one: StoredNotice): boolean => pushOf(one) === 'followChange'

function rowOf({ remindId, pushType, data }: StoredNotice): Omit<FileChange, 'read'> {
  const { fId, fType, fName, parentFolderId, parentFolderName, ...rest } = data as Change
  const { operateType, operateTime, operatorId, operatorName } = rest
  const where = { fId, fType, fName, parentFolderId, parentFolderName }
  return { remindId: String(remindId), ...where, operateType, operateTime, operatorId, operatorName, pushType }
}

function noticeOf({ remindId, read, ...row }: FileChange): StoredNotice {
  const id = Number(remindId)
  const data: Change = {
    ...row,
    fType: row.fType === 1 ? 1 : 2,
    serverId: 0,
    remindId: id,
    fileId: row.fType === 1 ? row.fId : 0,
    folderId: row.fType === 1 ? 0 : row.fId,
    parentId: row.parentFolderId,
    operate: row.operateType,
  }
  return {
    remindId: id,
    group,
    key: ruleOf(row.pushType)?.key(data) ?? '',
    pushType: row.pushType,
    data,
    time: row.operateTime,
    read,
  }
}

/** The changes stored for one account. */
export interface StoredChanges {
  /** The latest unread changes, as a group; undefined if there are none. */
  readonly unread: () => Promise<Group | undefined>
  /** Stores new changes. */
  readonly record: (arrived: readonly StoredNotice[]) => Promise<void>
  /** Marks these or all as read. Returns which ones, to be confirmed when the server has been notified. */
  readonly read: (which: readonly number[] | 'all') => Promise<readonly number[]>
  /** The server has been notified that these were read. */
  readonly markReported: (ids: readonly number[]) => void
  /** The changes read last are unread again. */
  readonly restored: () => Promise<void>
  /** Which changes in the server's answer were read in this browser without the server knowing it. */
  readonly unreported: (answered: readonly Group[]) => readonly number[]
  /** Updates the stored changes from the server's answer. */
  readonly follow: (answered: readonly Group[]) => Promise<void>
}

/** The changes stored in this browser for an account. */
export function storedChanges(accountId: number): StoredChanges {
  const records = accountRecords(accountId)
  const key = `changesRead-${accountId}`
  const unheard = (): readonly number[] => (stored(key) ?? '').split(',').filter(Boolean).map(Number)
  const setUnheard = (ids: readonly number[]): void => store(key, ids.length === 0 ? undefined : ids.join(','))
  /** The changes marked as read last. */
  let lastRead: readonly number[] = []
  const told = (ids: readonly number[]): void => setUnheard(unheard().filter((id) => !ids.includes(id)))
  const listedOf = (answered: readonly Group[]): ReadonlyMap<number, StoredNotice> =>
    new Map(answered.flatMap(({ list }) => list.filter(isChange).map((one) => [one.remindId, one] as const)))

  return {
    async unread() {
      const list = (await records.unreadFileChanges()).map(noticeOf).reverse()
      return list.reduce<readonly Group[]>((all, one) => withNotice(all, one, 'later'), [])[0]
    },
    async record(arrived) {
      for (const one of arrived) if (isChange(one)) await records.recordFileChange(rowOf(one))
    },
    async read(which) {
      const unread = (await records.fileChanges()).filter(({ read }) => !read).map(({ remindId }) => Number(remindId))
      const ids = which === 'all' ? unread : unread.filter((id) => which.includes(id))
      lastRead = ids
      setUnheard([...new Set([...unheard(), ...ids])])
      if (which === 'all') await records.markAllFileChangesRead()
      else for (const id of ids) await records.markFileChangeRead(String(id))
      return ids
    },
    markReported: told,
    async restored() {
      const again = (await records.fileChanges()).filter(({ remindId }) => lastRead.includes(Number(remindId)))
      for (const { read: _, ...row } of again) await records.recordFileChange(row)
      told(lastRead)
    },
    unreported(answered) {
      const listed = listedOf(answered)
      return unheard().filter((id) => listed.has(id))
    },
    async follow(answered) {
      const own = answered.find((one) => one.group === group)
      const listed = listedOf(answered)
      const isWhole = (own?.total ?? 0) === (own?.list.length ?? 0)
      const oldest = Math.min(...listed.keys())
      const read = new Map((await records.fileChanges()).map((row) => [Number(row.remindId), row.read]))
      for (const [id, one] of [...listed].toReversed())
        if (!unheard().includes(id) && read.get(id) !== false) await records.recordFileChange(rowOf(one))
      for (const [id, isRead] of read)
        if (!isRead && !listed.has(id) && (isWhole || id > oldest)) await records.markFileChangeRead(String(id))
      // The server no longer has the notice, or it was marked as read elsewhere.
      if (isWhole) setUnheard(unheard().filter((id) => listed.has(id)))
    },
  }
}

/** The groups without the notices read in this browser. */
export function withoutRead(groups: readonly Group[], ids: readonly number[]): readonly Group[] {
  return ids.length === 0 ? groups : withoutNotices(groups, ({ remindId }) => ids.includes(remindId))
}

// Exclusive editing and submitting an edited file ([R173], [R174], [R178], [R198]).
import { isFrame } from '@cloudoc/contract'
import { codeOf, codes, hasStatus, itemStatus, LogBit, limits } from '@cloudoc/domain'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { changeIn } from '../../../test/follower.ts'
import { openWorld, type Person, type World } from '../../../test/harness.ts'
import { createSealer } from '../../system/audit/seal.ts'
import { endEditLocks } from './index.ts'

let now = 0
let world: World
let anna: Person
let ben: Person
let folderId = 0
let fileId = 0

/** Two users who may change a file, and a clock that stands still. */
beforeEach(async () => {
  now = Date.UTC(2026, 10, 20)
  world = await openWorld({ now: () => now, elected: false })
  ;[anna, ben] = [await world.person('anna'), await world.person('ben')]
  folderId = await anna.folder(anna.library, 'shared')
  await anna.shares({ folderId }, [{ to: ben, rights: 510 }])
  fileId = await anna.upload(folderId, 'a.txt', 'first')
})

const lock = (person: Person) => person.call('fileEditLock', { fileId })
const editorSeenBy = async (person: Person): Promise<unknown> => {
  const { list } = await person.call('getSubItemList3', { folderId })
  const [row] = list
  const same = { editorId: row?.editorId, editorName: row?.editorName, itemStatus: row?.itemStatus }
  expect(await person.call('getFileInfo', { fileId })).toMatchObject(same)
  expect((await person.call('searchDoc', { keyword: row?.fName ?? '' })).list).toMatchObject([same])
  return [row?.editorId, row?.editorName, row?.editorList, hasStatus(itemStatus(row?.itemStatus ?? 0), 'editAlone')]
}
const nobody = [-1, '', [], false]
const held = (person: Person, name: string) => [person.userId, name, [{ userId: person.userId, name }], true]

describe('a lock', () => {
  // [R178] Edit locks: acquired, renewed, released, expired; others are refused with -40 meanwhile.
  test('[R178] is taken by one of many who ask at once, shown to all, renewed by its holder and given back once', async () => {
    expect(await editorSeenBy(ben)).toEqual(nobody)
    const asked = await Promise.all([anna, ben, anna, ben].map((person) => person.wire('fileEditLock', { fileId })))
    const first = asked[0]?.code === 'success' ? anna : ben
    const [holder, other] = first === anna ? [anna, ben] : [ben, anna]
    const expected = first === anna ? ['success', 'fileLocked'] : ['fileLocked', 'success']
    expect(asked.map(({ code }) => code)).toEqual([...expected, ...expected])
    const { editorId, lockTime, expiresAt, version } = await lock(holder)
    expect([editorId, lockTime, expiresAt, version]).toEqual([holder.userId, now, now + limits.editLockMs, 1])
    for (const person of [anna, ben]) expect(await editorSeenBy(person)).toEqual(held(holder, holder.account))
    now += 60_000
    expect(await lock(holder)).toMatchObject({ lockTime: now - 60_000, expiresAt: now + limits.editLockMs })
    expect(await other.refusal('fileEditUnlock', { fileId })).toBe('noEditLock')
    await holder.call('fileEditUnlock', { fileId })
    expect(await holder.refusal('fileEditUnlock', { fileId })).toBe('noEditLock')
    for (const person of [anna, ben]) expect(await editorSeenBy(person)).toEqual(nobody)
    await lock(other)
  })

  test('[R178] keeps others from changing, renaming, moving and deleting the file, also with its folder, and nobody from reading', async () => {
    await lock(ben)
    const fileIdArray = [fileId]
    const elsewhere = await anna.folder(anna.library, 'elsewhere')
    expect(await anna.uploadWire(folderId, 'a.txt', 'second', { conflict: 'version' })).toMatchObject({
      code: 'fileLocked',
    })
    expect(await anna.refusal('renameFile', { fileId, fileName: 'b.txt' })).toBe('fileLocked')
    const [moved] = await anna.call('fileOrFolderMove', { fileIdArray, targetFolderId: elsewhere })
    expect(moved).toMatchObject({ result: -40, msg: '文件已被锁定' })
    expect(await anna.refusal('fileOrFolderDelete', { fileIdArray })).toBe('fileLocked')
    expect(await anna.refusal('fileOrFolderCompleteDelete', { fileIdArray })).toBe('fileLocked')
    expect(await anna.refusal('fileOrFolderDelete', { folderIdArray: [folderId] })).toBe('fileLocked')
    expect(await anna.refusal('fileOrFolderMove', { folderIdArray: [folderId], targetFolderId: elsewhere })).toBe(
      'fileLocked',
    )
    expect((await anna.download(fileId)).body).toBe('first')
    const [copy] = await anna.call('fileOrFolderCopy', { fileIdArray, targetFolderId: elsewhere })
    expect(await anna.call('getFileInfo', { fileId: copy?.fId ?? 0 })).toMatchObject({ editorId: -1 })
    // The holder may do all of that.
    expect((await ben.uploadWire(folderId, 'a.txt', 'second', { conflict: 'version' })).code).toBe('success')
    await ben.call('renameFile', { fileId, fileName: 'b.txt' })
    expect(await editorSeenBy(anna)).toEqual(held(ben, 'ben'))
    await ben.call('fileOrFolderDelete', { fileIdArray })
    await ben.call('recycleRestore', { fileIdArray })
    expect(await editorSeenBy(anna)).toEqual(nobody)
  })

  test('[R178] goes to who asks for it once its time is over, stays with its holder until then, and ends by itself', async () => {
    await lock(anna)
    now += limits.editLockMs - 1
    expect(await ben.refusal('fileEditLock', { fileId })).toBe('fileLocked')
    now += 1
    expect(await ben.refusal('renameFile', { fileId, fileName: 'b.txt' })).toBe('fileLocked')
    expect(await lock(anna)).toMatchObject({ editorId: anna.userId })
    now += limits.editLockMs
    expect(await lock(ben)).toMatchObject({ editorId: ben.userId, lockTime: now })
    expect(await editorSeenBy(anna)).toEqual(held(ben, 'ben'))
    expect((await anna.submit(fileId, 1, 'lost the lock')).code).toBe('fileLocked')
    const { services } = world.app
    now += limits.editLockMs + limits.editLockGraceMs - 1
    expect(await endEditLocks(services, now)).toBe(0)
    now += 1
    await world.app.settle()
    const live = await anna.listen()
    const [one, other] = await Promise.all([endEditLocks(services, now), endEditLocks(services, now)])
    expect(one + other).toBe(1)
    expect(await editorSeenBy(anna)).toEqual(nobody)
    await world.app.settle()
    const frame = await live.next((each) => changeIn(each)?.fId === fileId)
    expect(changeIn(frame)).toMatchObject({ operateType: 3, operatorId: 0 })
  })

  test('[R178] is had by those alone who may change the file, and goes on without the right to it', async () => {
    await anna.shares({ folderId }, [{ to: ben, rights: 270 }])
    expect(await ben.refusal('fileEditLock', { fileId })).toBe('noPermission')
    await anna.shares({ folderId }, [], { inherit: false })
    expect(await ben.refusal('fileEditLock', { fileId })).toBe('notFound')
    expect(await ben.refusal('fileEditUnlock', { fileId })).toBe('notFound')
    expect(await anna.refusal('fileEditLock', { fileId: folderId })).toBe('notFound')
  })

  // [R178] A lock belongs to the session that acquired it.
  test('[R178] belongs to the session that took it: another one of the same person waits, and goes on when that has ended', async () => {
    await lock(ben)
    const program = await world.signIn('ben', 9)
    const fileIdArray = [fileId]
    expect(await program.wire('fileEditLock', { fileId })).toMatchObject({
      code: 'fileLocked',
      msg: '文件已被锁定 (你在别处正在编辑)',
    })
    expect(await program.refusal('fileEditUnlock', { fileId })).toBe('noEditLock')
    expect((await program.submit(fileId, 1, 'over it')).code).toBe('fileLocked')
    expect((await program.submitAfter(fileId, 1, 'over it')).code).toBe('fileLocked')
    expect((await program.uploadWire(folderId, 'a.txt', 'over it', { conflict: 'version' })).code).toBe('fileLocked')
    expect(await program.refusal('renameFile', { fileId, fileName: 'b.txt' })).toBe('fileLocked')
    expect(await program.refusal('fileOrFolderDelete', { fileIdArray })).toBe('fileLocked')
    expect(await anna.refusal('fileOrFolderDelete', { folderIdArray: [folderId] })).toBe('fileLocked')
    expect((await ben.submit(fileId, 1, 'second')).code).toBe('success')
    // The lock belongs to the session, so another session of the same user neither holds it nor ends it.
    const same = await world.signIn('ben', 6)
    expect(await editorSeenBy(anna)).toEqual(held(ben, 'ben'))
    expect((await anna.submitAfter(fileId, 2, 'over it')).code).toBe('fileLocked')
    expect(await program.call('fileEditLock', { fileId })).toMatchObject({ editorId: ben.userId, version: 2 })
    expect(await same.refusal('fileEditLock', { fileId })).toBe('fileLocked')
    await program.call('logout2', {})
    await same.call('fileEditUnlock', { fileId })
    expect(await editorSeenBy(anna)).toEqual(nobody)
  })

  test('[R178] binds what lies below a folder for the other sessions of its holder, too', async () => {
    await anna.call('fileEditLock', { fileId })
    const program = await world.signIn('anna', 9)
    expect(await program.refusal('fileOrFolderDelete', { folderIdArray: [folderId] })).toBe('fileLocked')
    await anna.call('fileOrFolderDelete', { folderIdArray: [folderId] })
  })

  test('[R178] is told to others who show the file, and written down with whom it was taken from', async () => {
    await world.app.settle()
    const live = await anna.listen()
    await lock(ben)
    await lock(ben)
    await ben.call('fileEditUnlock', { fileId })
    await anna.upload(folderId, 'end.txt')
    await world.app.settle()
    await live.next((frame) => changeIn(frame)?.fName === 'end.txt')
    const told = live.frames.flatMap((frame) => changeIn(frame) ?? []).filter((change) => change.fId === fileId)
    expect(told.map(({ operateType, operatorName }) => [operateType, operatorName])).toEqual([
      [3, 'ben'],
      [3, 'ben'],
    ])
    const logged = await world.app.db.selectFrom('audit').select('detail').where('call', '=', 'fileEditLock').execute()
    expect(logged[0]?.detail).toMatchObject({ log: 2_097_152, from: null })
  })

  // [R316] Push 12: the single editor of a file, current at delivery, to everybody who sees the file.
  test('[R316] [R341] is told with who has it since when, as it is by then, to whoever sees the file and nobody else', async () => {
    const cara = await world.person('cara')
    await world.app.settle()
    const [live, stranger] = [await anna.listen(), await cara.listen()]
    /** The locks that a channel has reported so far, and its position then. */
    const heardBy = async (channel: typeof live) => {
      const mark = await anna.folder(folderId, `mark ${Math.random()}`)
      await world.app.settle()
      const { identity, epoch } = await channel.next((frame) => changeIn(frame)?.fId === mark)
      const locks = channel.frames.splice(0).flatMap((frame) => (isFrame(frame, 'fileLock') ? [frame.data] : []))
      return { locks, at: { lastIdentity: identity, epoch } }
    }
    const told = async () => (await heardBy(live)).locks
    const of = { serverId: 0, fileId }
    const nobodys = { ...of, userId: -1, userName: '', lockTime: 0 }
    const since = now
    await lock(ben)
    expect(await told()).toEqual([{ ...of, userId: ben.userId, userName: 'ben', lockTime: since }])
    now += 1000
    await lock(ben)
    expect(await told()).toEqual([])
    await ben.call('fileEditUnlock', { fileId })
    expect(await told()).toEqual([nobodys])
    await lock(ben)
    await anna.call('forceUnlockFiles', { fileIdArray: [fileId], all: true })
    expect((await told()).at(-1)).toEqual(nobodys)
    // Released while another user waits, the file is already theirs when the event is delivered.
    await lock(anna)
    await ben.call('fileEditWait', { fileId })
    await anna.call('fileEditUnlock', { fileId })
    expect((await told()).at(-1)).toMatchObject({ userId: ben.userId, lockTime: now })
    now += limits.editLockMs + limits.editLockGraceMs
    await world.app.settle()
    expect(await endEditLocks(world.app.services, now)).toBe(1)
    expect(await told()).toEqual([nobodys])
    // A client that reconnects later shows the current state: old lock events are not replayed.
    const { at } = await heardBy(live)
    await lock(ben)
    await world.app.settle()
    now += 61_000
    expect((await heardBy(await anna.listen(at))).locks).toEqual([])
    expect(stranger.frames.filter((frame) => isFrame(frame, 'fileLock'))).toEqual([])
  })

  test('[R121] is shown at links to the file, and binds the link itself in nothing', async () => {
    const [made] = await anna.call('fileOrFolderLink', { fileIdArray: [fileId], targetFolderId: anna.library })
    await lock(ben)
    const row = (await anna.call('getSubItemList3', { folderId: anna.library })).list.find((item) => item.linkId > 0)
    expect(row).toMatchObject({ editorId: ben.userId, editorName: 'ben' })
    await anna.call('shortcutRename', { linkId: made?.linkId ?? 0, linkName: 'the way.txt' })
    await anna.call('fileOrFolderDelete', { linkIdArray: [made?.linkId ?? 0] })
  })
})

describe('a forced unlock', () => {
  const outcome = (answer?: { readonly result: number }) =>
    answer?.result === codes.success.code ? 'success' : codeOf(answer?.result ?? 0)
  const force = async (person: Person, all = true): Promise<unknown> => {
    const [answer] = await person.call('forceUnlockFiles', { fileIdArray: [fileId], all })
    return outcome(answer)
  }

  test('[R149] [R181] [R339] is done by owner and managers; who edited is told of it, and hands in nothing any more', async () => {
    await lock(ben)
    const live = await ben.listen()
    expect(await force(anna, false)).toBe('fileLocked')
    expect(await force(anna)).toBe('success')
    expect(await editorSeenBy(anna)).toEqual(nobody)
    await world.app.settle()
    const frame = await live.next((each) => isFrame(each, 'fileForceUnlocked'))
    expect(frame.data).toEqual({
      serverId: 0,
      fileId,
      fileName: 'a.txt',
      userId: anna.userId,
      userName: anna.account,
      lockType: 1,
      handleTime: now,
    })
    expect((await ben.submit(fileId, 1, 'too late')).code).toBe('noEditLock')
    expect(await force(anna)).toBe('noEditLock')
    await anna.call('renameFile', { fileId, fileName: 'b.txt' })
    const logged = await world.app.db
      .selectFrom('audit')
      .select('detail')
      .where('call', '=', 'forceUnlockFiles')
      .execute()
    expect(logged.map(({ detail }) => detail)).toContainEqual(expect.objectContaining({ editorId: ben.userId }))
  })

  test('[R181] of one’s own takes no right to force, whichever session has it', async () => {
    await lock(ben)
    const program = await world.signIn('ben', 9)
    const live = await ben.listen()
    expect(await force(program, false)).toBe('success')
    expect(await force(program, false)).toBe('noEditLock')
    await world.app.settle()
    const frame = await live.next((each) => isFrame(each, 'fileForceUnlocked'))
    expect(frame.data).toMatchObject({ fileId, userId: ben.userId })
    expect(await program.call('fileEditLock', { fileId })).toMatchObject({ editorId: ben.userId })
  })

  // [R149] Owner and managers with MODIFY force an unlock, where the company allows it and their secret level suffices.
  // [R233] People below the level of a file cannot unlock it.
  test('[R149] [R233] is refused to everybody else, and changes nothing', async () => {
    const cara = await world.person('cara')
    await lock(anna)
    expect(await force(ben)).toBe('noPermission')
    expect(await force(cara)).toBe('notFound')
    await anna.call('fileEditUnlock', { fileId })
    await lock(ben)
    const admin = await world.admin()
    await admin.call('setServerSetting', { force_unlock_file: false })
    expect(await force(anna)).toBe('noPermission')
    await admin.call('setServerSetting', { force_unlock_file: true })
    await world.app.db.updateTable('item').set({ secret_level: 1 }).where('id', '=', fileId).execute()
    expect(await force(anna)).toBe('secretLevel')
    expect(await editorSeenBy(anna)).toEqual(held(ben, 'ben'))
    const { rows } = await sql`select from event where payload::text like '%handleTime%'`.execute(world.app.db)
    expect(rows).toEqual([])
  })

  // [R181] One's own lock is released from any session; those of others with `all`, single or shared, also during a
  // save.
  test('[R181] while it is saved: either the version was there before, or it is refused and nothing is stored', async () => {
    await lock(ben)
    const [saved, forced] = await Promise.all([ben.submit(fileId, 1, 'second'), force(anna)])
    expect(forced).toBe('success')
    const isIn = saved.code === 'success'
    expect(String(saved.code)).toBe(isIn ? 'success' : 'noEditLock')
    expect((await anna.call('getFileInfo', { fileId })).version).toBe(isIn ? 2 : 1)
    expect((await anna.download(fileId)).body).toBe(isIn ? 'second' : 'first')
    expect(await editorSeenBy(anna)).toEqual(nobody)
  })

  test('[R181] of many at once answers for each', async () => {
    const free = await anna.upload(folderId, 'free.txt', 'x')
    const others = await ben.upload(ben.library, 'hers.txt', 'x')
    await lock(ben)
    const answers = await anna.call('forceUnlockFiles', { fileIdArray: [fileId, free, others], all: true })
    expect(answers.map(outcome)).toEqual(['success', 'noEditLock', 'notFound'])
  })
})

describe('who wants a file that somebody edits', () => {
  const told = async (
    live: Awaited<ReturnType<Person['listen']>>,
    name: 'fileUnlocked' | 'unlockApplied' | 'unlockRejected',
  ) => {
    await world.app.settle()
    return (await live.next((each) => isFrame(each, name))).data
  }
  const wait = (person: Person, more = {}) => person.call('fileEditWait', { fileId, ...more })
  const free = () => endEditLocks(world.app.services, now)

  // [R178] The editor of a file receives the request to release it.
  // [R318] The editor of a file receives the request for it, and releases it or declines.
  test('[R178] [R179] [R318] asks its holder, who leaves it: it is locked for who asked, before those who only wait', async () => {
    const cara = await world.person('cara')
    await anna.shares({ folderId }, [
      { to: ben, rights: 510 },
      { to: cara, rights: 510 },
    ])
    expect(await ben.refusal('fileRequestUnlock', { fileId })).toBe('noEditLock')
    await lock(anna)
    const [holder, asker] = [await anna.listen(), await ben.listen()]
    await wait(cara)
    expect(await ben.call('getFileLock', { fileId })).toEqual({
      editorId: anna.userId,
      editorName: 'anna',
      lockTime: now,
    })
    const asked = await ben.call('fileRequestUnlock', { fileId, message: '我改一下 G 列' })
    expect(asked).toEqual({ editorId: anna.userId, editorName: 'anna', lockTime: now })
    expect(await told(holder, 'unlockApplied')).toEqual({
      ...{ serverId: 0, fileId, fileName: 'a.txt', userId: ben.userId, userName: 'ben', applyTime: now },
      message: '我改一下 G 列',
    })
    const answer = { fileId, userId: ben.userId, approved: true }
    expect(await cara.refusal('answerUnlockRequest', answer)).toBe('noEditLock')
    // A user who only waits has not asked for the lock.
    expect(await anna.refusal('answerUnlockRequest', { ...answer, userId: cara.userId })).toBe('notFound')
    await anna.call('answerUnlockRequest', answer)
    const lockTime = now
    expect(await told(asker, 'fileUnlocked')).toEqual({
      ...{ serverId: 0, fileId, fileName: 'a.txt', version: 1, userId: ben.userId, userName: 'ben' },
      ...{ lockTime, keptUntil: now + limits.editKeptMs },
    })
    expect(await editorSeenBy(anna)).toEqual(held(ben, 'ben'))
    expect((await anna.submit(fileId, 1, 'late')).code).toBe('fileLocked')
    expect(await lock(ben)).toMatchObject({ editorId: ben.userId, expiresAt: now + limits.editLockMs })
    expect(await anna.refusal('answerUnlockRequest', answer)).toBe('noEditLock')
  })

  // [R319] The requester is notified that the file is not released.
  test('[R179] [R319] is told when its holder keeps it, and has not waited; asked twice within a minute, the holder hears once', async () => {
    await lock(anna)
    const [holder, asker] = [await anna.listen(), await ben.listen()]
    await Promise.all([0, 1].map(() => ben.call('fileRequestUnlock', { fileId })))
    await told(holder, 'unlockApplied')
    await anna.call('answerUnlockRequest', { fileId, userId: ben.userId, approved: false })
    expect(await told(asker, 'unlockRejected')).toEqual({
      ...{ serverId: 0, fileId, fileName: 'a.txt', userId: anna.userId, userName: 'anna', result: 2, handleTime: now },
    })
    expect(holder.frames.filter((frame) => isFrame(frame, 'unlockApplied'))).toHaveLength(1)
    await anna.call('fileEditUnlock', { fileId })
    expect(await editorSeenBy(ben)).toEqual(nobody)
  })

  test('[R179] has it kept, and does not answer for themselves', async () => {
    await lock(anna)
    await ben.call('fileRequestUnlock', { fileId })
    await anna.call('answerUnlockRequest', { fileId, userId: ben.userId, approved: true })
    expect(await editorSeenBy(anna)).toEqual(held(ben, 'ben'))
    expect(await ben.refusal('answerUnlockRequest', { fileId, userId: ben.userId, approved: true })).toBe('notFound')
    expect(await editorSeenBy(anna)).toEqual(held(ben, 'ben'))
  })

  // [R179] The editor takes ten more minutes, and the requester stays first in the queue.
  test('[R179] [R319] is told in how many minutes it is left, and has it first of all who wait', async () => {
    const cara = await world.person('cara')
    await anna.shares({ folderId }, [
      { to: ben, rights: 510 },
      { to: cara, rights: 510 },
    ])
    await lock(anna)
    await wait(cara)
    now += 1
    const asker = await ben.listen()
    await ben.call('fileRequestUnlock', { fileId })
    const answer = { fileId, userId: ben.userId, approved: false }
    expect(await anna.refusal('answerUnlockRequest', { ...answer, minutes: 61 })).toBe('badRequest')
    await anna.call('answerUnlockRequest', { ...answer, minutes: 10 })
    expect(await told(asker, 'unlockRejected')).toMatchObject({ userName: 'anna', result: 2, minutes: 10 })
    await anna.call('fileEditUnlock', { fileId })
    expect(await editorSeenBy(ben)).toEqual(held(ben, 'ben'))
  })

  // [R180] A released file is reserved for the first in the lock queue, then for the next.
  test('[R180] [R317] waits: given back, it is kept for who came first, and goes on to the next who does not come or passes', async () => {
    const cara = await world.person('cara')
    await anna.shares({ folderId }, [
      { to: ben, rights: 510 },
      { to: cara, rights: 510 },
    ])
    expect(await ben.refusal('fileEditWait', { fileId })).toBe('noEditLock')
    await lock(anna)
    expect(await wait(ben)).toEqual({ before: 0 })
    now += 1
    expect([await wait(cara), await wait(ben)]).toEqual([{ before: 1 }, { before: 0 }])
    const live = await cara.listen()
    await anna.call('fileEditUnlock', { fileId })
    expect(await editorSeenBy(anna)).toEqual(held(ben, 'ben'))
    expect(await anna.refusal('fileEditLock', { fileId })).toBe('fileLocked')
    now += limits.editKeptMs
    expect(await free()).toBe(1)
    expect(await told(live, 'fileUnlocked')).toMatchObject({ fileId, keptUntil: now + limits.editKeptMs })
    expect(await editorSeenBy(anna)).toEqual(held(cara, 'cara'))
    // Passed on with nobody waiting.
    await cara.call('fileEditUnlock', { fileId })
    expect(await editorSeenBy(anna)).toEqual(nobody)
    expect(await world.app.db.selectFrom('edit_wait').selectAll().execute()).toEqual([])
  })

  test('[R180] has it when its holder’s time is over, without the grace; not once they may not edit it, or wait no more', async () => {
    await lock(anna)
    await wait(ben)
    now += limits.editLockMs - 1
    expect(await free()).toBe(0)
    now += 1
    expect(await free()).toBe(1)
    expect(await editorSeenBy(anna)).toEqual(held(ben, 'ben'))
    await lock(ben)
    await wait(anna)
    await wait(anna, { wait: false })
    await ben.call('fileEditUnlock', { fileId })
    expect(await editorSeenBy(ben)).toEqual(nobody)
    await lock(anna)
    await wait(ben)
    await anna.shares({ folderId }, [{ to: ben, rights: 270 }])
    await anna.call('fileEditUnlock', { fileId })
    expect(await editorSeenBy(ben)).toEqual(nobody)
    expect(await ben.refusal('fileEditWait', { fileId })).toBe('noPermission')
    expect(await ben.refusal('fileRequestUnlock', { fileId })).toBe('noPermission')
  })

  test('[R180] [R181] has it after a forced unlock, which ends also that it is kept for somebody', async () => {
    await lock(ben)
    const cara = await world.person('cara')
    await anna.shares({ folderId }, [
      { to: ben, rights: 510 },
      { to: cara, rights: 510 },
    ])
    await wait(cara)
    const force = () => anna.call('forceUnlockFiles', { fileIdArray: [fileId], all: true })
    await force()
    expect(await editorSeenBy(anna)).toEqual(held(cara, 'cara'))
    await force()
    expect(await editorSeenBy(anna)).toEqual(nobody)
  })
})

describe('what was made of a file', () => {
  const latest = async () => [(await anna.call('getFileInfo', { fileId })).version, (await anna.download(fileId)).body]

  // [R198] Lock, download of the version to edit, submission and unlock use the same paths as every upload and
  // download.
  test('[R198] is taken to edit under the lock, by its version, and handed in as the next one', async () => {
    const { version } = await lock(ben)
    expect((await ben.download(fileId, { version: String(version) })).body).toBe('first')
    const wire = await ben.submit(fileId, version, 'second')
    expect(wire).toMatchObject({ code: 'success', data: { fileId, version: 2, fileSize: 6 } })
    expect(await latest()).toEqual([2, 'second'])
    expect((await ben.submit(fileId, 2, 'third')).code).toBe('success')
    expect((await anna.download(fileId, { version: '1' })).body).toBe('first')
    expect(await editorSeenBy(anna)).toEqual(held(ben, 'ben'))
  })

  // [R250] The notice of a submission, by a program or in the page, has fName, fType, time and parentFolderId, and lasts
  // 3 s.
  // [R390] The notice of a submission goes after 3 s.
  // [R395] A completed submission gives a notice in the group of submissions.
  test('[R099] [R250] [R390] [R395] is told on the pages of who handed it in, for 3 seconds, and to nobody else', async () => {
    const program = await world.signIn(ben.account, 9)
    const { version } = await lock(program)
    expect((await program.submit(fileId, version, 'second')).code).toBe('success')
    await world.app.settle()
    const toldTo = async (person: Person) =>
      (await person.call('getNotices', {})).groups.flatMap(({ group, list }) => (group === 'fileSubmit' ? list : []))
    const listed = async (unread: boolean) =>
      (await ben.call('getNoticeList', { group: 'fileSubmit', unread })).list.length
    const told = await toldTo(ben)
    expect(told.map(({ message }) => JSON.parse(message) as object)).toMatchObject([
      { fName: 'a.txt', fType: 1, fId: fileId, parentFolderId: folderId, version: 2, time: now },
    ])
    expect([await toldTo(anna), await listed(true)]).toEqual([[], 1])
    now += 3001
    expect([await toldTo(ben), await listed(true), await listed(false)]).toEqual([[], 0, 1])
    // What is saved in the page takes the place of it.
    await program.call('fileEditUnlock', { fileId })
    const page = await lock(ben)
    expect((await ben.submit(fileId, page.version, 'third')).code).toBe('success')
    await world.app.settle()
    expect((await toldTo(ben)).map(({ message }) => JSON.parse(message) as object)).toMatchObject([
      { fName: 'a.txt', fId: fileId, parentFolderId: folderId, version: 3, time: now },
    ])
    expect([await toldTo(anna), await listed(false)]).toEqual([[], 1])
  })

  // [R173] An edit is submitted only under one's own lock.
  test('[R173] [R174] is refused without the lock, from another version, broken or too large, and changes nothing', async () => {
    const large = 'x'.repeat(2 * 1024 * 1024)
    for (const made of ['second', large]) expect((await ben.submit(fileId, 1, made)).code).toBe('noEditLock')
    await lock(anna)
    expect((await ben.submit(fileId, 1, 'second')).code).toBe('fileLocked')
    await anna.call('fileEditUnlock', { fileId })
    await lock(ben)
    for (const version of [0, 2]) expect((await ben.submit(fileId, version, 'second')).code).toBe('fileConflict')
    expect((await ben.submit(fileId, 1, 'second', 'ab'.repeat(32))).code).toBe('uploadInterrupted')
    const admin = await world.admin()
    await admin.call('setServerSetting', { upload_max_size: 5 })
    expect((await ben.submit(fileId, 1, 'second')).code).toBe('uploadSizeExceeded')
    await admin.call('setServerSetting', { upload_max_size: 0, upload_types_denied: ['txt'] })
    expect((await ben.submit(fileId, 1, 'second')).code).toBe('typeRestricted')
    await anna.shares({ folderId }, [{ to: ben, rights: 270 }])
    expect((await ben.submit(fileId, 1, 'second')).code).toBe('noPermission')
    await anna.shares({ folderId }, [], { inherit: false })
    expect((await ben.submit(fileId, 1, 'second')).code).toBe('notFound')
    expect(await latest()).toEqual([1, 'first'])
    const { rows } = await sql`select from blob`.execute(world.app.db)
    expect(rows).toHaveLength(1)
  })

  // [R174] An edit based on an older version than the newest is refused with -39.
  test('[R174] of the same version by two windows of one person, one is the next version and one is told', async () => {
    await lock(ben)
    const both = await Promise.all([ben.submit(fileId, 1, 'one'), ben.submit(fileId, 1, 'two')])
    expect(both.map(({ code }) => String(code)).toSorted()).toEqual(['fileConflict', 'success'])
    expect(await latest()).toEqual([2, both[0]?.code === 'success' ? 'one' : 'two'])
  })

  test('[R174] [R198] without a lock is taken by the version that it was made of, and by no other; of two at once by one', async () => {
    expect((await ben.submitAfter(fileId, 1, 'second')).code).toBe('success')
    expect((await ben.submitAfter(fileId, 1, 'late')).code).toBe('fileConflict')
    const both = await Promise.all([ben, anna].map((person) => person.submitAfter(fileId, 2, person.account)))
    expect(both.map(({ code }) => String(code)).toSorted()).toEqual(['fileConflict', 'success'])
    const second = both[0]?.code === 'success' ? 'ben' : 'anna'
    expect(await latest()).toEqual([3, second])
    await lock(anna)
    expect((await ben.submitAfter(fileId, 3, 'over it')).code).toBe('fileLocked')
    await anna.call('fileEditUnlock', { fileId })
    const neither = await world.app.http.inject({
      method: 'PUT',
      url: `/services2/upload/submit/${fileId}`,
      headers: { authorization: `Bearer ${ben.token}`, 'content-type': 'application/octet-stream' },
      payload: 'x',
    })
    expect(neither.statusCode).toBe(400)
    expect(await latest()).toEqual([3, second])
  })

  // [R190] A submission over a newer version is logged as a conflict with its outcome: on top of it, or as another
  // file.
  test('[R174] [R190] in place of a newer version is in the log, and so is how that ended', async () => {
    expect((await ben.submitAfter(fileId, 1, 'second')).code).toBe('success')
    const late = await world.signIn(ben.account, 9)
    const large = 'x'.repeat(2 * 1024 * 1024)
    for (const made of ['mine', large]) expect((await anna.submitAfter(fileId, 1, made)).code).toBe('fileConflict')
    expect((await late.uploadWire(folderId, 'a.txt', 'late', { expectedVersion: '1' })).code).toBe('fileConflict')
    // A submission that was not based on an older version is not logged as a conflict.
    expect((await anna.submitAfter(fileId, 2, 'mine', 2)).code).toBe('badRequest')
    expect(await ben.refusal('noteSavedAs', { fileId, version: 2 })).toBe('badRequest')
    expect((await anna.submitAfter(fileId, 2, 'mine', 1)).code).toBe('success')
    await ben.call('noteSavedAs', { fileId, version: 1 })
    const sealer = createSealer(world.app.db, () => now)
    while (await sealer());
    const types = LogBit.conflict | LogBit.resolveConflict
    const { list } = await anna.call('getFileLog', { fileId, types })
    expect(list.map(({ userId, type, from, version, to }) => [userId, type, from, version, to])).toEqual([
      [ben.userId, LogBit.resolveConflict, '1', 3, 'saveAs'],
      [anna.userId, LogBit.resolveConflict, '1', 3, 'overwrite'],
      [ben.userId, LogBit.conflict, '1', 2, ''],
      [anna.userId, LogBit.conflict, '1', 2, ''],
      [anna.userId, LogBit.conflict, '1', 2, ''],
    ])
    expect((await anna.call('getFolderLog', { folderId, types })).list).toHaveLength(5)
    expect((await anna.call('getFileLog', { fileId, types: LogBit.edit })).list.map(({ version }) => version)).toEqual([
      3, 2,
    ])
    // A user who may not submit causes no conflict entries in the log.
    await anna.shares({ folderId }, [{ to: ben, rights: 14 }])
    expect((await ben.submitAfter(fileId, 1, 'no')).code).toBe('noPermission')
    expect(await ben.refusal('noteSavedAs', { fileId, version: 1 })).toBe('noPermission')
    while (await sealer());
    expect((await anna.call('getFileLog', { fileId, types })).list).toHaveLength(5)
  })

  // [R174] An upload that names its base version becomes the next version or is refused with -39, without a lock.
  test('[R174] by its name is an upload with expectedVersion: the next version, the first one, or nothing', async () => {
    const put = (content: string, expectedVersion: number, name = 'a.txt') =>
      ben.uploadWire(folderId, name, content, { expectedVersion: String(expectedVersion) })
    expect(await put('second', 1)).toMatchObject({ code: 'success', data: { fileId, version: 2 } })
    for (const version of [0, 1, 3]) expect((await put('late', version)).code).toBe('fileConflict')
    expect((await put('gone', 1, 'gone.txt')).code).toBe('fileConflict')
    expect(await put('new', 0, 'new.txt')).toMatchObject({ code: 'success', data: { version: 1 } })
    const form = await ben.uploadForm({ folderId, fileName: 'a.txt', expectedVersion: 1 })
    expect(form.code).toBe('fileConflict')
    const { uploadId } = await ben.call('uploadOpen', { folderId, fileName: 'a.txt', fileSize: 5, conflict: 'version' })
    await ben.uploadPart(uploadId, 1, 'third')
    expect(await ben.refusal('uploadComplete', { uploadId, expectedVersion: 1 })).toBe('fileConflict')
    expect(await ben.call('uploadComplete', { uploadId, expectedVersion: 2 })).toMatchObject({ fileId, version: 3 })
    expect(await latest()).toEqual([3, 'third'])
    expect(await anna.names(folderId)).toEqual(['a.txt', 'new.txt'])
  })

  test('[R207] counts for limits of space, to the byte, though two files are handed in at once', async () => {
    const other = await anna.upload(folderId, 'b.txt', 'first')
    await lock(ben)
    await ben.call('fileEditLock', { fileId: other })
    await (await world.admin()).call('modifyAccount', { userId: ben.userId, quota: 9 })
    const both = await Promise.all([ben.submit(fileId, 1, '12345'), ben.submit(other, 1, '12345')])
    expect(both.map(({ code }) => String(code)).toSorted()).toEqual(['success', 'userSizeExceeded'])
  })
})

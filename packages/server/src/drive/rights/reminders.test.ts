// Who is notified that their rights changed, and with what content. A wrong recipient list is a data leak.
import { isFrame, type PushPayload } from '@cloudoc/contract'
import { OperateType, Right, rights, rightsGroup, ShareType } from '@cloudoc/domain'
import { describe, expect, test } from 'vitest'
import { type Person, sharedWorld } from '../../../test/harness.ts'
import { shareTypeOf } from './reminders.ts'

const world = sharedWorld()
const { edit, preview } = rightsGroup

/** Returns the notices that a user received, oldest first, and clears them. */
async function told(person: Person): Promise<string[]> {
  await world.app.settle()
  const { list } = await person.call('getNoticeList', { group: 'authorization' })
  await person.call('ignoreNotices', { all: true })
  const word = new Map<unknown, string>(Object.entries(ShareType).map(([name, type]) => [type, name]))
  return list
    .filter(({ read }) => !read)
    .map(({ message }) => JSON.parse(message) as PushPayload<'shareRemind'>)
    .map(({ shareType, docName }) => `${word.get(shareType)} ${docName}`)
    .toReversed()
}

describe('a change of rights', () => {
  // [R214] People whose rights were granted, reduced or removed are notified by the effective rights before and after;
  // the notice is stored until confirmed.
  test('[R214] [R333] is told to each by what it changed for them: given, reduced, taken', async () => {
    const [anna, ben] = [await world.person('anna'), await world.person('ben')]
    const [cara, dora] = [await world.person('cara'), await world.person('dora')]
    const folderId = await anna.folder(anna.library, '预算')
    const inside = await anna.folder(folderId, '明细')
    await anna.shares({ folderId }, [
      { to: ben, rights: preview },
      { to: cara, rights: edit },
    ])
    expect(await told(ben)).toEqual(['given 预算'])
    expect(await told(cara)).toEqual(['given 预算'])
    await anna.shares({ folderId }, [
      { to: ben, rights: edit },
      { to: cara, rights: preview },
    ])
    expect(await told(ben)).toEqual(['given 预算'])
    expect(await told(cara)).toEqual(['reduced 预算'])
    await anna.shares({ folderId }, [{ to: ben, rights: edit }])
    expect(await told(ben)).toEqual([])
    expect(await told(cara)).toEqual(['cancelled 预算'])
    // Closing inheritance takes away inherited rights.
    await anna.shares({ folderId: inside }, [], { inherit: false })
    expect(await told(ben)).toEqual(['cancelled 明细'])
    expect(await told(dora)).toEqual([])
    expect(await told(anna)).toEqual([])
  })

  test('names the item to nobody who sees it neither before nor after', async () => {
    const [anna, ben, cara] = [await world.person('anna'), await world.person('ben'), await world.person('cara')]
    const { groupId } = await world.group('外部')
    await world.app.db.updateTable('account').set({ group_id: groupId }).where('id', '=', cara.userId).execute()
    const cara2 = await world.signIn(cara.account)
    const fileId = await anna.upload(anna.library, '薪酬.xlsx')
    const live = await ben.listen()
    await anna.shares({ fileId }, [
      { to: ben, rights: Right.deny },
      { to: cara2, rights: edit },
      { to: { groupId }, rights: Right.deny },
    ])
    expect(await told(ben)).toEqual([])
    expect(await told(cara2)).toEqual([])
    expect(live.frames.filter((frame) => isFrame(frame, 'shareRemind'))).toEqual([])
  })

  // [R341] A share has the common fields, and its location only for people who may see it.
  test('[R333] [R341] bears the common fields of all pushes; where the item lies is told to who sees that', async () => {
    const [anna, ben, cara] = [await world.person('anna'), await world.person('ben'), await world.person('cara')]
    const folderId = await anna.folder(anna.library, '投标')
    const fileId = await anna.upload(folderId, '标书.docx')
    await anna.shares({ folderId }, [{ to: cara, rights: preview }])
    const listeners = [await ben.listen(), await cara.listen()]
    await anna.shares({ fileId }, [
      { to: ben, rights: edit },
      { to: cara, rights: edit },
    ])
    const [toBen, toCara] = await Promise.all(
      listeners.map((live) => live.next((frame) => isFrame(frame, 'shareRemind') && frame.data.fId === fileId)),
    )
    const common = { serverId: 0, fId: fileId, fileId, folderId: 0, operate: OperateType.rights, docName: '标书.docx' }
    expect(toBen?.data).toMatchObject({ ...common, parentId: 0, targetName: ben.account })
    expect(toCara?.data).toMatchObject({ ...common, parentId: folderId, targetName: cara.account })
  })

  test('is none for whom it changes nothing: managers, and those who have as much by a department', async () => {
    const [ben, boss] = [await world.person('ben'), await world.person('boss')]
    const { groupId, library } = await world.group('市场')
    const anna = await world.person('anna', { groupId })
    await world.app.db.insertInto('library_manager').values({ library_id: library, account_id: boss.userId }).execute()
    const folderId = await boss.folder(library, '推广')
    await boss.shares({ folderId }, [
      { to: anna, rights: preview },
      { to: ben, rights: preview },
    ])
    expect(await told(anna)).toEqual([])
    expect(await told(ben)).toEqual(['given 推广'])
    const admin = await world.admin()
    await boss.shares({ folderId }, [
      { to: admin, rights: preview },
      { to: ben, rights: preview },
      { to: boss, rights: preview },
    ])
    expect(await told(boss)).toEqual([])
  })

  test('has a word for each of the rights before and after', () => {
    const none = rights(0)
    expect(shareTypeOf(none, none)).toBeUndefined()
    expect(shareTypeOf(none, rights(preview))).toBe(ShareType.given)
    expect(shareTypeOf(rights(preview), rights(edit))).toBe(ShareType.given)
    expect(shareTypeOf(rights(edit), rights(preview))).toBe(ShareType.reduced)
    expect(shareTypeOf(rights(edit), rights(edit))).toBeUndefined()
    expect(shareTypeOf(rights(edit), none)).toBe(ShareType.cancelled)
    // Rights without visibility count as none.
    expect(shareTypeOf(none, rights(Right.upload))).toBeUndefined()
  })
})

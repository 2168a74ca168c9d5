// Comments: who may read and write them, who can be mentioned, and who gets notified.
import { isFrame, type PushPayload } from '@cloudoc/contract'
import { rightsGroup } from '@cloudoc/domain'
import { describe, expect, test } from 'vitest'
import { type Person, sharedWorld } from '../../../test/harness.ts'

const world = sharedWorld()
const { preview, edit } = rightsGroup

async function team() {
  const [anna, ben] = [await world.person('anna'), await world.person('ben')]
  const folderId = await anna.folder(anna.library, '项目')
  const fileId = await anna.upload(folderId, '合同.docx')
  await anna.shares({ folderId }, [{ to: ben, rights: preview }])
  return { anna, ben, folderId, fileId }
}

const words = async (person: Person, fileId: number) =>
  (await person.call('getCommentList', { fileId })).list.map(({ comment, replies }) => [
    comment,
    ...replies.map((reply) => reply.comment),
  ])

/** The comment notices that the user has not acknowledged yet, oldest first. */
async function told(person: Person): Promise<PushPayload<'commentRemind'>[]> {
  await world.app.settle()
  const { list } = await person.call('getNoticeList', { group: 'instantMessage', unread: true, rows: 100 })
  return list.map(({ message }) => JSON.parse(message) as PushPayload<'commentRemind'>).toReversed()
}

describe('[R237] comments', () => {
  // [R237] Comments with star ratings and replies are added, listed, changed and deleted, on files and folders.
  test('[R237] are added with stars, answered, changed and taken back; on a file and on a folder', async () => {
    const { anna, ben, folderId, fileId } = await team()
    const { commentId } = await anna.call('addComment', { fileId, comment: ' 第 4 条已改 ', grade: 4 })
    const { commentId: answer } = await ben.call('addComment', { fileId, comment: '可以', parentCommentId: commentId })
    // A reply to a reply belongs to the same thread and has no star rating.
    await anna.call('addComment', { fileId, comment: '好', parentCommentId: answer, grade: 1 })
    await ben.call('addComment', { fileId, comment: '', grade: 5 })
    expect(await words(anna, fileId)).toEqual([[''], ['第 4 条已改', '可以', '好']])
    const { list, total, threads, grades } = await ben.call('getCommentList', { fileId, order: 'oldest' })
    expect([total, threads]).toEqual([4, 2])
    expect(grades).toEqual({ count: 2, average: 4.5, each: [1, 1, 0, 0, 0] })
    expect(list[0]).toMatchObject({ accountName: anna.account, grade: 4, version: 1, mayEdit: false, mayDelete: false })
    expect(list[0]?.replies[0]).toMatchObject({ accountName: ben.account, mayEdit: true, grade: 0 })
    await anna.call('editComment', { fileId, commentId, comment: '第 4 条已改为 45 天', grade: 0 })
    expect((await ben.call('getCommentList', { fileId })).grades.count).toBe(1)
    expect(await ben.refusal('editComment', { fileId, commentId, comment: 'x' })).toBe('noPermission')
    expect(await ben.refusal('deleteComment', { fileId, commentId })).toBe('noPermission')
    // A deleted comment with replies stays without its text until the last reply is deleted.
    await anna.call('deleteComment', { fileId, commentId })
    expect(await words(ben, fileId)).toEqual([[''], ['', '可以', '好']])
    expect((await ben.call('getCommentList', { fileId, order: 'oldest' })).list[0]).toMatchObject({ deleted: true })
    expect(await ben.refusal('addComment', { fileId, comment: 'x', parentCommentId: commentId })).toBe('notFound')
    const replies = (await anna.call('getCommentList', { fileId, order: 'oldest' })).list[0]?.replies ?? []
    for (const reply of replies) await anna.call('deleteComment', { fileId, commentId: reply.commentId })
    expect(await words(ben, fileId)).toEqual([['']])
    await ben.call('addComment', { folderId, comment: '这里放终稿' })
    expect((await anna.call('getCommentList', { folderId })).total).toBe(1)
    expect(await ben.refusal('addComment', { fileId, comment: '  ' })).toBe('badRequest')
    // A comment belongs to exactly one item.
    const [own] = (await ben.call('getCommentList', { fileId })).list
    expect(await ben.refusal('deleteComment', { folderId, commentId: own?.commentId ?? 0 })).toBe('notFound')
  })

  // [R158] Commenting takes PREVIEW and the setting.
  test('[R158] need PREVIEW, a level that reaches, and the setting', async () => {
    const { anna, ben, fileId, folderId } = await team()
    const cara = await world.person('cara')
    await anna.shares({ folderId }, [
      { to: ben, rights: preview },
      { to: cara, rights: 2 },
    ])
    expect(await cara.refusal('getCommentList', { fileId })).toBe('noPermission')
    expect(await cara.refusal('addComment', { fileId, comment: 'x' })).toBe('noPermission')
    const admin = await world.admin()
    await admin.call('setServerSetting', { file_folder_comment: false })
    expect(await ben.refusal('addComment', { fileId, comment: 'x' })).toBe('noPermission')
    await admin.call('setServerSetting', { file_folder_comment: true })
    await ben.call('addComment', { fileId, comment: 'x' })
  })

  // [R237] People with the right to preview are mentioned and notified, and see comments live.
  test('[R237] are meant for people who may look at the item; those are told, once, and see it live', async () => {
    const { anna, ben, folderId, fileId } = await team()
    const cara = await world.person('cara')
    await anna.shares({ folderId }, [
      { to: ben, rights: edit },
      { to: cara, rights: 2 },
    ])
    const people = async (keyword: string) =>
      (await anna.call('getCommentPeople', { fileId, keyword })).list.map(({ userId }) => userId)
    expect(await people(ben.account)).toEqual([ben.userId])
    // A user who sees the item but may not preview it gets `notFound` and cannot be mentioned.
    expect(await people(cara.account)).toEqual([])
    const meant = { fileId, comment: '请确认', userIdArray: [cara.userId] }
    expect(await anna.refusal('addComment', meant)).toBe('noPermission')
    const [live, deaf] = [await ben.listen(), await cara.listen()]
    const { commentId } = await anna.call('addComment', { ...meant, userIdArray: [ben.userId] })
    const frame = await live.next((one) => isFrame(one, 'commentsChanged'))
    expect(frame.data).toEqual({ fId: fileId, fType: 1 })
    expect(await told(ben)).toMatchObject([
      { fId: fileId, fName: '合同.docx', commentId, comment: '请确认', mentioned: true, operatorId: anna.userId },
    ])
    await world.app.settle()
    expect(deaf.frames.filter((one) => isFrame(one, 'commentsChanged', 'commentRemind'))).toEqual([])
    // Editing a comment notifies only the users who were not mentioned before. A reply notifies the author of the
    // comment it replies to.
    await anna.call('editComment', { fileId, commentId, comment: '请再看', userIdArray: [ben.userId] })
    expect(await told(ben)).toHaveLength(1)
    await ben.call('addComment', { fileId, comment: '好的', parentCommentId: commentId })
    expect(await told(anna)).toMatchObject([{ comment: '好的', mentioned: false, operatorName: ben.account }])
  })

  test('[R237] of others are taken back by who manages the library', async () => {
    const { anna, ben, fileId } = await team()
    const { commentId } = await ben.call('addComment', { fileId, comment: '不妥' })
    expect((await anna.call('getCommentList', { fileId })).list[0]).toMatchObject({ mayEdit: false, mayDelete: true })
    await anna.call('deleteComment', { fileId, commentId })
    expect((await ben.call('getCommentList', { fileId })).total).toBe(0)
  })
})

import { rightsGroup } from '@cloudoc/domain'
import { expect, test } from 'vitest'
import { expectPushesMatchRefetch } from '../../../test/follower.ts'
import { openWorld } from '../../../test/harness.ts'

// [R315] Push 8: folder changes.
test('[R314] [R315] state plus pushes equals a refetch after every changing call, for manager, owner, reader and stranger', async () => {
  const world = await openWorld()
  const admin = await world.admin()
  const [anna, ben, carl] = [await world.person('anna'), await world.person('ben'), await world.person('carl')]
  const root = await world.company()
  const folder = async (parentId: number, folderName: string) =>
    (await admin.call('folderCreate', { parentId, folderName })).folderId
  const [open, team, secret] = [await folder(root, 'open'), await folder(root, 'team'), await folder(root, 'secret')]
  const entry = (to: typeof anna, rights: number) => ({ to, rights })
  await admin.shares({ folderId: team }, [entry(anna, rightsGroup.full), entry(ben, rightsGroup.download)], {
    inherit: false,
  })
  await admin.shares({ folderId: secret }, [entry(anna, rightsGroup.full)], { inherit: false })
  const { roleId } = await admin.call('createRole', { roleName: 'auditors' })
  const ids = { sub: 0, deep: 0, file: 0, hidden: 0, copy: 0 }
  const one = (id: number) => ({ fileIdArray: [id] })
  const batch = async (answers: Promise<readonly { result: number; fId?: number | undefined }[]>): Promise<number> => {
    const [answer] = await answers
    expect(answer?.result).toBe(-1)
    return answer?.fId ?? 0
  }
  await expectPushesMatchRefetch([admin, anna, ben, carl], root, [
    [
      'folderCreate',
      async () => (ids.sub = (await anna.call('folderCreate', { parentId: team, folderName: 'sub' })).folderId),
    ],
    [
      'folderCreate below',
      async () => (ids.deep = (await anna.call('folderCreate', { parentId: ids.sub, folderName: 'deep' })).folderId),
    ],
    ['fileCreate', () => anna.call('fileCreate', { folderId: ids.sub, fileName: 'plan.docx' })],
    ['uploadRaw', async () => (ids.file = await anna.upload(ids.sub, 'a.txt', 'one'))],
    ['uploadRaw of a version', () => anna.upload(ids.sub, 'a.txt', 'two, longer', { conflict: 'version' })],
    ['uploadRaw beside', () => anna.upload(ids.sub, 'a.txt', 'three', { conflict: 'keepBoth' })],
    ['upload where few look', async () => (ids.hidden = await anna.upload(secret, '裁员名单.xlsx', 'x'))],
    [
      'createFolderByPathList',
      () => anna.call('createFolderByPathList', { folderId: ids.sub, pathList: ['x/y/z', 'x/w'] }),
    ],
    ['renameFile', () => anna.call('renameFile', { fileId: ids.file, fileName: 'b.txt' })],
    ['renameFolder', () => anna.call('renameFolder', { folderId: ids.sub, folderName: 'renamed' })],
    ['move within', () => batch(anna.call('fileOrFolderMove', { ...one(ids.file), targetFolderId: ids.deep }))],
    ['move out of sight', () => batch(anna.call('fileOrFolderMove', { ...one(ids.file), targetFolderId: secret }))],
    ['rename out of sight', () => anna.call('renameFile', { fileId: ids.file, fileName: 'secret name.txt' })],
    ['move into sight', () => batch(anna.call('fileOrFolderMove', { ...one(ids.file), targetFolderId: team }))],
    [
      'move of a folder out of sight',
      () => batch(anna.call('fileOrFolderMove', { folderIdArray: [ids.sub], targetFolderId: secret })),
    ],
    [
      'move of a folder into everybody’s sight',
      () => batch(admin.call('fileOrFolderMove', { folderIdArray: [ids.sub], targetFolderId: open })),
    ],
    [
      'move of a folder back',
      () => batch(admin.call('fileOrFolderMove', { folderIdArray: [ids.sub], targetFolderId: team })),
    ],
    [
      'copy of a file',
      async () =>
        (ids.copy = await batch(anna.call('fileOrFolderCopy', { ...one(ids.file), targetFolderId: ids.deep }))),
    ],
    [
      'copy of a folder',
      () => batch(admin.call('fileOrFolderCopy', { folderIdArray: [ids.sub], targetFolderId: open })),
    ],
    ['delete of a file', () => batch(anna.call('fileOrFolderDelete', one(ids.copy)))],
    ['restore', () => batch(anna.call('recycleRestore', one(ids.copy)))],
    ['delete of a folder', () => batch(anna.call('fileOrFolderDelete', { folderIdArray: [ids.deep] }))],
    [
      'restore elsewhere',
      () => batch(anna.call('recycleRestore', { folderIdArray: [ids.deep], targetFolderId: team })),
    ],
    ['complete delete', () => batch(admin.call('fileOrFolderCompleteDelete', one(ids.copy)))],
    ['complete delete out of sight', () => batch(admin.call('fileOrFolderCompleteDelete', one(ids.hidden)))],
    [
      'rights given',
      () => admin.shares({ folderId: team }, [entry(anna, 1022), entry(ben, 270), entry(carl, 6)], { inherit: false }),
    ],
    [
      'rights narrowed',
      () => admin.shares({ folderId: ids.sub }, [entry(anna, 1022), entry(carl, 6)], { inherit: false }),
    ],
    ['rights opened', () => admin.shares({ folderId: ids.sub }, [entry(carl, 6)], { inherit: true })],
    [
      'denied',
      () => admin.shares({ folderId: team }, [entry(anna, 1022), entry(ben, 1), entry(carl, 510)], { inherit: false }),
    ],
    [
      'restricted to one’s own',
      () =>
        admin.shares({ folderId: team }, [entry(anna, 1022), entry(carl, 510)], { inherit: false, restricted: true }),
    ],
    ['an upload into a restricted folder', () => carl.upload(team, 'of carl.txt')],
    [
      'a rename in a restricted folder',
      () => anna.call('renameFile', { fileId: ids.file, fileName: 'of somebody.txt' }),
    ],
    [
      'open again',
      () => admin.shares({ folderId: team }, [{ to: { roleId }, rights: 6 }], { inherit: false, restricted: false }),
    ],
    ['a role given', () => admin.call('changePeople', { userIds: [ben.userId], addRoleId: roleId })],
    [
      'the bin emptied',
      async () => {
        await batch(admin.call('fileOrFolderDelete', one(ids.file)))
        await admin.call('recycleClean', {})
      },
    ],
  ])
})

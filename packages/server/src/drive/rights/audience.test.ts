import { expect, test } from 'vitest'
import { changeIn } from '../../../test/follower.ts'
import { type Listener, openWorld, type Person, sharedWorld } from '../../../test/harness.ts'
import { Pauses } from '../../../test/pauses.ts'

const world = sharedWorld()

const folder = async (person: Person, folderName: string, parentId = person.library): Promise<number> =>
  (await person.call('folderCreate', { parentId, folderName })).folderId

/** All pushes that a user has received so far. A change by the same user marks the end. */
async function toldTo(person: Person, live: Listener): Promise<string> {
  await folder(person, `mark ${live.frames.length}`)
  await live.next((frame) => changeIn(frame)?.fName.startsWith('mark') === true)
  return JSON.stringify(live.frames)
}

// [R314] Push 7: file changes reach those alone who may see the file.
test('[R314] whoever may not see an item is told nothing of it, not even when its rows are gone', async () => {
  const [anna, ben] = [await world.person('anna'), await world.person('ben')]
  const team = await folder(anna, 'team')
  await anna.shares({ folderId: team }, [{ to: ben, rights: 510 }])
  const secret = await anna.upload(await folder(anna, 'closed'), '裁员一.txt')
  const live = await ben.listen()
  await anna.shares({ fileId: secret }, [], { inherit: false })
  const target = { fileIdArray: [secret], targetFolderId: team }
  await anna.call('fileOrFolderMove', target)
  await anna.call('renameFile', { fileId: secret, fileName: '裁员二.txt' })
  await anna.upload(team, '裁员二.txt', 'new', { conflict: 'version' })
  await anna.call('fileOrFolderDelete', { fileIdArray: [secret] })
  await anna.call('recycleRestore', { fileIdArray: [secret] })
  await anna.call('fileOrFolderCompleteDelete', { fileIdArray: [secret] })
  const told = await toldTo(ben, live)
  expect(told).not.toContain('裁员')
  expect(told).not.toMatch(new RegExp(`"(fId|fileId)":${secret}[,}]`))
})

test('[R314] a name from before somebody was let in is never told to them', async () => {
  const pauses = new Pauses()
  const world = await openWorld({ pause: pauses.at })
  const [anna, ben] = [await world.person('anna'), await world.person('ben')]
  const live = await ben.listen()
  await world.app.settle()
  // The sequencer is paused, so everything is delivered at once after the last change.
  const stop = pauses.hold('sequenced')
  const team = await folder(anna, '裁员计划')
  await stop.reached
  await anna.call('renameFolder', { folderId: team, folderName: 'plan' })
  await anna.shares({ folderId: team }, [{ to: ben, rights: 6 }])
  stop.release()
  await live.next((frame) => changeIn(frame)?.fName === 'plan')
  expect(await toldTo(ben, live)).not.toContain('裁员')
})

// [R210] In a restricted folder people see only their own uploads.
test('[R210] [R314] in a restricted folder everybody hears of their own items, its manager of all', async () => {
  const [anna, ben, carl] = [await world.person('anna'), await world.person('ben'), await world.person('carl')]
  const team = await folder(anna, 'team')
  const both = [ben, carl].map((to) => ({ to, rights: 510 }))
  await anna.shares({ folderId: team }, both, { restricted: true })
  const listeners = await Promise.all([anna, ben, carl].map((person) => person.listen()))
  await ben.upload(team, 'of ben.txt')
  const told = await Promise.all(
    [anna, ben, carl].map(async (person, n) => (await toldTo(person, listeners[n] as Listener)).includes('of ben.txt')),
  )
  expect(told).toEqual([true, true, false])
})

test('[R314] a name given after an item left somebody’s sight is not told with what happened before', async () => {
  const world = await openWorld({ elected: false })
  const [anna, ben] = [await world.person('anna'), await world.person('ben')]
  const team = await folder(anna, 'team')
  const closed = await folder(anna, 'closed')
  await anna.shares({ folderId: team }, [{ to: ben, rights: 6 }])
  const live = await ben.listen()
  // All four changes are committed before any of them is delivered.
  const fileId = await anna.upload(team, 'a.txt')
  await anna.call('fileOrFolderMove', { fileIdArray: [fileId], targetFolderId: closed })
  await anna.call('renameFile', { fileId, fileName: 'secret.txt' })
  await anna.upload(team, 'last.txt')
  await world.app.settle()
  await live.next((frame) => changeIn(frame)?.fName === 'last.txt')
  expect(JSON.stringify(live.frames)).not.toContain('secret')
})

test('[R314] who loses sight of an item is told that it is gone, without its new name or place', async () => {
  const [anna, ben] = [await world.person('anna'), await world.person('ben')]
  const team = await folder(anna, 'team')
  const closed = await folder(anna, 'closed')
  await anna.shares({ folderId: team }, [{ to: ben, rights: 6 }])
  const fileId = await anna.upload(team, 'a.txt')
  const live = await ben.listen()
  await anna.call('fileOrFolderMove', { fileIdArray: [fileId], targetFolderId: closed })
  await anna.call('renameFile', { fileId, fileName: 'secret.txt' })
  const told = await toldTo(ben, live)
  const gone = live.frames.map(changeIn).findLast((change) => change?.fId === fileId)
  expect(gone).toMatchObject({
    operateType: 4,
    fName: '',
    parentFolderId: team,
    parentId: team,
    version: 0,
    fileSize: 0,
  })
  expect(told).not.toMatch(new RegExp(`secret|"parent(Folder)?Id":${closed}[,}]`))
})

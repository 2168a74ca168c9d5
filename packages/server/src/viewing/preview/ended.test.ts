// The preview right is revoked while a user reads: every later request is refused, in every process.
import { codes, rightsGroup } from '@cloudoc/domain'
import type { InjectOptions } from 'light-my-request'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openWorld, type Person, type World } from '../../../test/harness.ts'
import { emptyDocument } from '../../documents/empty-documents.ts'

let world: World
let other: World
let admin: Person
let anna: Person
beforeAll(async () => {
  world = await openWorld()
  other = await openWorld({ peer: world })
  admin = await world.admin()
  anna = await world.person('anna', { secretLevel: 2 })
})
afterAll(async () => {
  await other.app.close()
  await world.app.close()
})

let readers = 0
/** A user reads a document and a table in a separate library. */
async function reading(rights: number) {
  readers += 1
  const ben = await world.person(`ben${readers}`, { secretLevel: 0 })
  const { libraryId } = await admin.call('createLibrary', {
    name: `读 ${ben.account}`,
    kind: 'project',
    ownerId: anna.userId,
  })
  const above = await anna.folder(libraryId, '上级')
  const folderId = await anna.folder(above, '资料')
  await anna.shares({ folderId: above }, [{ to: ben, rights }])
  const docx = emptyDocument('docx')
  const fileId = await anna.upload(folderId, 'a.docx', docx)
  const textId = await anna.upload(folderId, 'b.txt', 'first')
  const { url, previewKey } = await ben.call('getDocumentPreviewURL', { fileId })
  const own = await ben.call('getDocumentPreviewURL', { fileId: textId })
  await vi.waitFor(
    async () => expect((await ben.call('getPreviewStatus', { previewKey })).state).toBe(codes.success.code),
    { timeout: 120_000, interval: 50 },
  )
  let picture = ''
  await vi.waitFor(
    async () => {
      picture = (await ben.call('getThumbnailURLs', { fileIdArray: [fileId] })).list[0]?.url ?? ''
      expect(picture).not.toBe('')
    },
    { timeout: 120_000, interval: 50 },
  )
  const words = await ben.call('getWordsURL', { fileId, version: 1 })
  await vi.waitFor(
    async () => expect((await ben.call('getWordsURL', { fileId, version: 1 })).state).toBe(codes.success.code),
    { timeout: 120_000, interval: 50 },
  )
  const range = { headers: { range: 'bytes=0-15' } }
  const streams: Readonly<Record<string, InjectOptions>> = {
    'what was made': { url },
    'a range of it': { url, ...range },
    'its small picture': { url: picture },
    'its words': { url: words.url },
    'the text as it is': { url: own.url },
    'a range of that': { url: own.url, ...range },
  }
  return { ben, fileId, textId, folderId, above, libraryId, previewKey, streams }
}
type Reading = Awaited<ReturnType<typeof reading>>

/** The results of every request that a page makes while it displays the file. */
async function asked({ ben, fileId, previewKey, streams }: Reading, at: World): Promise<Record<string, string>> {
  const said: Record<string, string> = {}
  for (const [what, options] of Object.entries(streams)) {
    const response = await at.app.http.inject(options)
    const isRefused = String(response.headers['content-type']).startsWith('application/json')
    said[what] = isRefused ? String(response.json<{ result: number }>().result) : 'shown'
  }
  const there = ben.at(at)
  said['how far it is'] = String((await there.wire('getPreviewStatus', { previewKey })).result)
  said['its address'] = String((await there.wire('getDocumentPreviewURL', { fileId })).result)
  said['a version'] = String((await there.wire('getDocumentPreviewURLVersion', { fileId, version: 1 })).result)
  said['the words of it'] = String((await there.wire('getWordsURL', { fileId, version: 1 })).result)
  return said
}

const ways: Readonly<Record<string, readonly [number, (reading: Reading) => Promise<unknown>]>> = {
  'the entry gives sight alone': [
    codes.noPermission.code,
    ({ above, ben }) => anna.shares({ folderId: above }, [{ to: ben, rights: 2 }]),
  ],
  'the entry is taken away': [codes.notFound.code, ({ above }) => anna.shares({ folderId: above }, [])],
  'the folder inherits no more': [
    codes.notFound.code,
    ({ folderId }) => anna.shares({ folderId }, [], { inherit: false }),
  ],
  'the level rises': [
    codes.secretLevel.code,
    ({ fileId, textId }) => anna.call('setSecretLevel', { fileIdArray: [fileId, textId], secretLevel: 2 }),
  ],
  'the files are deleted': [
    codes.notFound.code,
    ({ fileId, textId }) => anna.call('fileOrFolderDelete', { fileIdArray: [fileId, textId] }),
  ],
  'the folder above is deleted': [
    codes.notFound.code,
    ({ above }) => anna.call('fileOrFolderDelete', { folderIdArray: [above] }),
  ],
  'the folder is moved away': [
    codes.notFound.code,
    async ({ folderId, libraryId }) => {
      const targetFolderId = await anna.folder(libraryId, '别处')
      const [moved] = await anna.call('fileOrFolderMove', { folderIdArray: [folderId], targetFolderId })
      expect(moved?.result).toBe(codes.success.code)
    },
  ],
  'the library is closed': [
    codes.notFound.code,
    ({ libraryId }) => admin.call('changeLibrary', { libraryId, closed: true }),
  ],
}

// [R166] When the right ends while reading (entry, inheritance, level, deletion, move, closed library, frozen account),
// every further request is refused by every process, with -4, -3 or -90.
describe('[R163] [R166] in the middle of reading', () => {
  test.each(Object.entries(ways))(
    '%s: all that is asked for after that is refused, by every process',
    async (_, way) => {
      const [code, lose] = way
      const read = await reading(rightsGroup.download)
      for (const at of [world, other])
        expect(new Set(Object.values(await asked(read, at)))).toEqual(new Set(['shown', '-1']))
      await lose(read)
      for (const at of [other, world]) {
        const said = await asked(read, at)
        expect(said).toEqual(Object.fromEntries(Object.keys(said).map((what) => [what, String(code)])))
      }
    },
  )

  test('the account is frozen: nothing that its addresses lead to comes any more', async () => {
    const read = await reading(rightsGroup.download)
    await asked(read, other)
    await admin.call('setAccountState', { userId: read.ben.userId, state: 'frozen' })
    for (const at of [other, world]) {
      const said = Object.values(await asked(read, at))
      expect(said.filter((code) => code === 'shown' || code === '-1')).toEqual([])
    }
  })
})

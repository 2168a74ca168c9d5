// What a legal hold covers cannot be removed, by any call, protocol, job or rule.
import { type Call, type CallName, callsByName } from '@cloudoc/contract'
import { rightsGroup } from '@cloudoc/domain'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { emptyBins, pruneVersions } from '../src/drive/libraries/retention.ts'
import { installation } from '../src/installation.ts'
import { openWorld, type Person, requestFor, type World } from './harness.ts'
import { itemInputs, type OwnItems } from './item-inputs.ts'
import { purgeAll } from './purge.ts'

let world: World
let admin: Person
let anna: Person
beforeAll(async () => {
  world = await openWorld({ elected: false })
  admin = await world.admin()
  anna = await world.person('anna')
})

/** A folder with a file of two versions and a comment, and a file in the recycle bin. */
interface Kept {
  readonly folderId: number
  readonly fileId: number
  readonly binnedId: number
  readonly commentId: number
}

let made = 0
async function makeKept(parentId: number): Promise<Kept> {
  made += 1
  const folderId = await anna.folder(parentId, `组 ${made}`)
  const fileId = await anna.upload(folderId, 'a.zip', 'one')
  await anna.upload(folderId, 'a.zip', 'second', { conflict: 'version' })
  const binnedId = await anna.upload(folderId, 'gone.txt')
  await anna.call('fileOrFolderDelete', { fileIdArray: [binnedId] })
  const { commentId } = await anna.call('addComment', { fileId, comment: '定稿' })
  return { folderId, fileId, binnedId, commentId }
}

/** Everything that a hold must keep, as lines. */
async function contentOf({ folderId, fileId, binnedId }: Kept): Promise<string[]> {
  const ids = [folderId, fileId, binnedId]
  const { rows } = await sql<{ line: string }>`
    select 'item ' || id as line from item where id = any(${ids}) and not purged
    union all select 'version ' || item_id || ' ' || number || ' ' || blob_id from version where item_id = any(${ids})
    union all select 'comment ' || id || ' ' || text from comment where item_id = any(${ids}) and deleted_at is null`.execute(
    world.app.db,
  )
  return rows.map(({ line }) => line).sort()
}

const atOnce = 6
async function forEachCall(work: (name: CallName) => Promise<void>): Promise<void> {
  for (let from = 0; from < places.length; from += atOnce)
    await Promise.all(places.slice(from, from + atOnce).map(({ name }) => work(name)))
}

const changing = (Object.entries(callsByName) as [CallName, Call][]).filter(
  ([, call]) => call.actors?.includes('account') !== false && call.kind !== 'read' && call.kind !== 'stream',
)
const places = changing.flatMap(([name, call]) => {
  const inputs = itemInputs(call)
  return inputs.length === 0 ? [] : [{ name, inputs }]
})

/** Makes a call with every field that can name an item of the set, and returns the results. */
async function tryCall(name: CallName, kept: Kept, own: OwnItems): Promise<Set<number>> {
  const results = new Set<number>()
  for (const { kind, naming } of itemInputs(callsByName[name]))
    for (const id of kind === 'folder' ? [kept.folderId] : [kept.fileId, kept.binnedId]) {
      const input = naming(id, own)
      if (input === undefined) continue
      const real = {
        ...input,
        ...('commentId' in input && { commentId: kept.commentId }),
        ...('version' in input && { version: 1 }),
      }
      const request = requestFor(name, real, anna.token)
      if (callsByName[name].payload === 'raw') Object.assign(request, { payload: 'content' })
      const body = (await world.app.http.inject(request)).json<{ result: number; data: unknown }>()
      results.add(body.result)
      if (Array.isArray(body.data)) for (const one of body.data as { result: number }[]) results.add(one.result)
    }
  return results
}

describe('a hold over a folder', () => {
  /** The calls that remove something of an item that no hold covers. A new one is added here. */
  const removing = ['deleteComment', 'deleteVersion', 'editComment', 'fileOrFolderCompleteDelete']
  let own: OwnItems
  let loose: number
  let held: number
  beforeAll(async () => {
    const folderId = await anna.folder(anna.library, '目标')
    own = { library: anna.library, folderId, fileId: await anna.upload(anna.library, 'own.zip') }
    loose = await anna.folder(anna.library, '自由')
    held = await anna.folder(anna.library, '保全')
    await admin.call('placeHold', { name: '每个接口', reason: '核查', itemIdArray: [held] })
  })

  test('of every call that names items, those that remove are known', async () => {
    const found: string[] = []
    await forEachCall(async (name) => {
      const kept = await makeKept(loose)
      const before = await contentOf(kept)
      await tryCall(name, kept, own)
      const after = new Set(await contentOf(kept))
      if (before.some((line) => !after.has(line))) found.push(name)
    })
    expect(found.toSorted()).toEqual(removing)
    expect(places.length).toBeGreaterThan(50)
  }, 60_000)

  test('none removes anything that is held, and those that would say so', async () => {
    await forEachCall(async (name) => {
      const kept = await makeKept(held)
      const before = await contentOf(kept)
      const results = await tryCall(name, kept, own)
      expect(
        (await contentOf(kept)).filter((line) => before.includes(line)),
        name,
      ).toEqual(before)
      if (removing.includes(name)) expect([...results], name).toContain(-474)
    })
  }, 60_000)

  test('emptying the bin leaves it there and says so', async () => {
    const [there, free] = [await makeKept(held), await makeKept(loose)]
    const { count, kept } = await anna.call('recycleClean', {})
    expect(count).toBeGreaterThan(0)
    expect(kept).toBeGreaterThan(0)
    expect(await contentOf(there)).toContain(`item ${there.binnedId}`)
    expect(await contentOf(free)).not.toContain(`item ${free.binnedId}`)
  })

  test('nothing that a network drive does over it removes anything', async () => {
    const kept = await makeKept(held)
    const before = await contentOf(kept)
    const { token } = await anna.call('createMyProgram', { kind: 'app', name: '网络驱动器', write: true, days: 30 })
    const { list } = await anna.call('getRootFolderSetting', {})
    const root = `/dav/${list.find(({ fId }) => fId === anna.library)?.fName ?? ''}`
    const authorization = `Basic ${Buffer.from(`${anna.account}:${token}`).toString('base64')}`
    const send = async (method: string, path: string, more: Record<string, string> = {}, body?: string) => {
      const headers = { authorization, host: '127.0.0.1', ...more }
      const url = encodeURI(`${root}${path}`)
      const sent = { method: method as 'GET', url, headers, ...(body !== undefined && { payload: body }) }
      return (await world.app.http.inject(sent)).statusCode
    }
    const over = (path: string) => ({
      destination: encodeURI(`http://127.0.0.1${root}/保全/组 ${made}/${path}`),
      overwrite: 'T',
    })
    const folder = `/保全/组 ${made}`
    expect(await send('PUT', `${folder}/a.zip`, {}, 'third')).toBe(204)
    expect(await send('PUT', '/over.zip', {}, 'over')).toBe(201)
    for (const method of ['COPY', 'MOVE']) await send(method, '/over.zip', over('a.zip'))
    expect((await contentOf(kept)).filter((line) => before.includes(line))).toEqual(before)
    for (const path of [`${folder}/a.zip`, folder]) expect(await send('DELETE', path)).toBeLessThan(300)
    expect((await contentOf(kept)).filter((line) => before.includes(line))).toEqual(before)
  })

  test('a folder above it cannot be deleted for good, nor what was moved out of it', async () => {
    const above = await anna.folder(anna.library, '上级')
    const inside = await anna.folder(above, '下级')
    const kept = await makeKept(inside)
    await admin.call('placeHold', { name: '下级', reason: '核查', itemIdArray: [inside] })
    const purge = async (input: { fileIdArray?: number[]; folderIdArray?: number[] }) =>
      (await anna.call('fileOrFolderCompleteDelete', { ...input, withDeleted: true })).map(({ result }) => result)
    expect(await purge({ folderIdArray: [above] })).toEqual([-474])
    await anna.call('fileOrFolderMove', { targetFolderId: own.folderId, fileIdArray: [kept.fileId] })
    expect(await purge({ fileIdArray: [kept.fileId] })).toEqual([-474])
    expect(await purge({ folderIdArray: [own.folderId] })).toEqual([-474])
    await anna.call('fileOrFolderDelete', { folderIdArray: [above] })
    expect(await purge({ folderIdArray: [above] })).toEqual([-474])
    await anna.call('recycleRestore', { folderIdArray: [above] })
  })

  test('rules of the library leave it: days in the bin, and numbers of versions', async () => {
    const [there, free] = [await makeKept(held), await makeKept(loose)]
    const [before, freeBefore] = [await contentOf(there), await contentOf(free)]
    const { settings, db } = world.app.services
    await sql`update library set kept_versions = 1, bin_days = 1 where id = ${anna.library}`.execute(db)
    const time = Date.now() + 3 * 86_400_000
    while (await emptyBins({ db, settings }, time));
    await pruneVersions({ db, settings }, { after: 0 }, time)
    await purgeAll(db)
    expect(await contentOf(there)).toEqual(before)
    // Of the other, the old version and the item in the bin are gone.
    expect(await contentOf(free)).toHaveLength(freeBefore.length - 3)
    await sql`update library set kept_versions = null, bin_days = null where id = ${anna.library}`.execute(db)
  })

  test('a statement that goes round the rules is refused by the database', async () => {
    const kept = await makeKept(held)
    const { db } = world.app
    for (const statement of [
      sql`update item set purged = true where id = ${kept.fileId}`,
      sql`delete from item where id = ${kept.binnedId}`,
      sql`delete from version where item_id = ${kept.fileId}`,
      sql`update version set blob_id = (select max(blob_id) from version where item_id <> ${kept.fileId}) where item_id = ${kept.fileId}`,
      sql`delete from comment where item_id = ${kept.fileId}`,
    ])
      await expect(statement.execute(db)).rejects.toMatchObject({ code: '23001' })
  })
})

describe('a hold over a person', () => {
  let ben: Person
  let carl: Person
  let shared: number
  beforeAll(async () => {
    ben = await world.person('ben')
    carl = await world.person('carl')
    shared = await carl.folder(carl.library, '共用')
    await carl.shares({ folderId: shared }, [{ to: ben, rights: rightsGroup.full }])
  })
  const result = async (who: Person, input: { fileIdArray?: number[]; folderIdArray?: number[] }) =>
    (await who.call('fileOrFolderCompleteDelete', { ...input, withDeleted: true }))[0]?.result

  test('covers what they made or changed, anywhere, and their own library, also after they left', async () => {
    const [his, others] = [await ben.upload(shared, 'b.txt'), await carl.upload(shared, 'c.txt')]
    const changed = await carl.upload(shared, 'd.txt')
    await ben.upload(shared, 'd.txt', 'by ben', { conflict: 'version' })
    const inOwn = await ben.upload(ben.library, 'own.txt')
    const { holdId } = await admin.call('placeHold', { name: '某人', reason: '核查', userIdArray: [ben.userId] })
    for (const fileId of [his, changed]) expect(await result(carl, { fileIdArray: [fileId] })).toBe(-474)
    expect(await carl.refusal('deleteVersion', { fileId: changed, version: 1 })).toBe('keptByRule')
    expect(await result(carl, { folderIdArray: [shared] })).toBe(-474)
    expect(await result(carl, { fileIdArray: [others] })).toBe(-1)
    // What he makes later is covered too.
    expect(await result(carl, { fileIdArray: [await ben.upload(shared, 'later.txt')] })).toBe(-474)

    const names = { userId: ben.userId, successorId: carl.userId }
    const { seen } = await admin.call('getHandover', names)
    await admin.call('handOver', { ...names, seen })
    const library = await sql<{ id: number; owner_id: number }>`
      select id, owner_id from library where id = ${ben.library}`.execute(world.app.db)
    expect(library.rows[0]?.owner_id).toBe(carl.userId)
    expect(await result(carl, { fileIdArray: [inOwn] })).toBe(-474)
    await admin.call('liftHold', { holdId, reason: '结案' })
    expect(await result(carl, { fileIdArray: [inOwn] })).toBe(-1)
  })
})

/**
 * Why rows of tables that refer to items or contents may be removed while a hold is in force. A new table that does is
 * added here, with a trigger if its rows are part of what people wrote.
 */
const rowsOfItems: Readonly<Record<string, 'trigger' | 'no content' | 'a copy' | 'other content'>> = {
  audit_archive: 'other content',
  blob_problem: 'a copy',
  blob_sums: 'a copy',
  client_package: 'other content',
  comment: 'trigger',
  content_text: 'a copy',
  dav_lock: 'no content',
  dav_property: 'no content',
  download_grant: 'no content',
  edit_wait: 'no content',
  entry: 'no content',
  exchange_arrival_content: 'a copy',
  exchange_file: 'a copy',
  external_link: 'no content',
  favorite: 'no content',
  folder_order: 'no content',
  folder_space: 'no content',
  follow: 'no content',
  item: 'trigger',
  item_origin: 'no content',
  item_tag: 'no content',
  library: 'no content',
  mail: 'other content',
  mail_attachment: 'a copy',
  offline_mark: 'no content',
  process: 'no content',
  recent: 'no content',
  removed_process: 'no content',
  rendition: 'a copy',
  rendition_pages: 'a copy',
  review: 'no content',
  rights_change: 'no content',
  rollback: 'no content',
  scan: 'a copy',
  sensitive_file: 'no content',
  sensitive_result: 'a copy',
  shared_edit: 'no content',
  shared_editor: 'no content',
  sign_activity: 'no content',
  sign_revision: 'other content',
  talk_file: 'other content',
  together_document: 'a copy',
  together_member: 'no content',
  urge: 'no content',
  version: 'trigger',
}

test('of every table that refers to items or contents it is decided whether a hold keeps its rows', async () => {
  const { rows } = await sql<{ name: string }>`
    select distinct k.conrelid::regclass::text as name from pg_constraint k
    where k.contype = 'f' and k.confrelid in ('item'::regclass, 'blob'::regclass)`.execute(world.app.db)
  expect(rows.map(({ name }) => name).toSorted()).toEqual(Object.keys(rowsOfItems).toSorted())
  const { rows: triggers } = await sql<{ name: string }>`
    select distinct tgrelid::regclass::text as name from pg_trigger where tgname like '%_held'`.execute(world.app.db)
  const kept = Object.entries(rowsOfItems).flatMap(([name, why]) => (why === 'trigger' ? [name] : []))
  expect(triggers.map(({ name }) => name)).toEqual(expect.arrayContaining(kept))
  expect(Object.keys(installation.tables)).toEqual(expect.arrayContaining(Object.keys(rowsOfItems)))
})

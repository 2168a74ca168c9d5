// The log of a file or folder, as a user who sees it reads it.
import { LogBit } from '@cloudoc/domain'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { openWorld, type Person, requestFor, type World } from '../../../test/harness.ts'
import { createSealer } from '../../system/audit/seal.ts'

const day = 24 * 60 * 60_000
const noon = new Date(2026, 10, 24, 12).getTime()
const names = new Map<number, string>(Object.entries(LogBit).map(([name, bit]) => [bit, name]))

// [R189] The log of a file or folder filtered by type, person and date, paged and as a table, limited to what the
// reader may know.
describe('[R189] the log', () => {
  let world: World
  let now = noon - 40 * day
  let anna: Person
  let ben: Person
  let folderId: number
  let fileId: number
  const seal = async (): Promise<void> => {
    const sealer = createSealer(world.app.db, () => now)
    while (await sealer());
  }
  const kinds = async (person: Person, more: object = {}): Promise<string[]> =>
    (await person.call('getFileLog', { fileId, ...more })).list.map(({ type }) => names.get(type) ?? `${type}`)

  beforeAll(async () => {
    world = await openWorld({ elected: false, now: () => now })
    const again = async (account: string) => world.signIn(account)
    anna = await world.person('anna')
    ben = await world.person('ben')
    folderId = await anna.folder(anna.library, '合同')
    fileId = await anna.upload(folderId, '采购.txt', 'first')
    await anna.shares({ folderId }, [{ to: ben, rights: 14 }])
    now = noon - 3 * day
    ;[anna, ben] = [await again('anna'), await again('ben')]
    await anna.call('renameFile', { fileId, fileName: '采购框架.txt' })
    await anna.upload(folderId, '采购框架.txt', 'second', { conflict: 'version' })
    now = noon
    ;[anna, ben] = [await again('anna'), await again('ben')]
    await ben.call('getDocumentPreviewURL', { fileId })
    await ben.download(fileId)
    await anna.download(fileId, { version: '1' })
    await seal()
  })

  // [R190] Operations on a file are in its log by type: changes, tags, links, rights and levels, edits, downloads and
  // previews.
  test('[R190] tells whoever manages an item all of it, the newest first, with what was changed', async () => {
    const { list } = await anna.call('getFileLog', { fileId })
    expect(list.map(({ type, userName, version, from, to }) => [names.get(type), userName, version, from, to])).toEqual(
      [
        ['download', 'anna', 1, '', ''],
        ['download', 'ben', 2, '', ''],
        ['preview', 'ben', 2, '', ''],
        ['edit', 'anna', 2, '', ''],
        ['rename', 'anna', 0, '采购.txt', '采购框架.txt'],
        ['add', 'anna', 0, '', ''],
      ],
    )
  })

  test('tells others what changed, and of people what they did themselves', async () => {
    expect(await kinds(ben)).toEqual(['download', 'preview', 'edit', 'rename', 'add'])
    expect((await ben.call('getFileLog', { fileId })).list.slice(0, 2).map(({ userId }) => userId)).toEqual([
      ben.userId,
      ben.userId,
    ])
  })

  test('is looked through by kinds, days, people and names, and comes in pages', async () => {
    expect(await kinds(anna, { types: LogBit.edit | LogBit.rename })).toEqual(['edit', 'rename'])
    expect(await kinds(anna, { range: 'today' })).toEqual(['download', 'download', 'preview'])
    expect(await kinds(anna, { range: 'last7days' })).toHaveLength(5)
    expect(await kinds(anna, { range: 'last30days' })).toHaveLength(5)
    expect(await kinds(anna, { userId: ben.userId })).toEqual(['download', 'preview'])
    expect(await kinds(anna, { query: 'BEN' })).toEqual(['download', 'preview'])
    expect(await kinds(anna, { query: 'nobody' })).toEqual([])
    const first = await anna.call('getFileLog', { fileId, rows: 4 })
    const rest = await anna.call('getFileLog', { fileId, rows: 4, after: first.list.at(-1)?.logId })
    expect([first.list.length, first.next, rest.list.length, rest.next]).toEqual([4, first.list[3]?.logId, 2, 0])
  })

  test('of a folder holds what happened in it, and nothing of what cannot be seen', async () => {
    const secret = await anna.folder(folderId, '密')
    await anna.shares({ folderId: secret }, [], { inherit: false })
    const hidden = await anna.upload(secret, '不见.txt')
    const gone = await anna.upload(folderId, '旧.txt')
    await anna.call('fileOrFolderDelete', { fileIdArray: [gone] })
    await seal()
    const seen = (await ben.call('getFolderLog', { folderId })).list
    expect(seen.map(({ fName }) => fName)).not.toContain('密')
    expect(seen.map(({ fId }) => fId)).not.toContain(hidden)
    expect(seen[0]).toMatchObject({ type: LogBit.delete, fName: '旧.txt' })
    const all = (await anna.call('getFolderLog', { folderId })).list
    expect(all.map(({ fId }) => fId)).toEqual(expect.arrayContaining([secret, hidden, folderId]))
    expect(all.filter(({ type }) => type === LogBit.permissionChange)).toHaveLength(2)
  })

  // [R189] The log of a folder with thousands of items is as complete as that of a small one, newest first, with
  // bounded work per page.
  test('[R189] of a folder with thousands of items tells as much as that of a small one, from the newest on', async () => {
    const room = await anna.folder(anna.library, '项目')
    await anna.shares({ folderId: room }, [{ to: ben, rights: 14 }])
    const inner = await anna.folder(room, '一期')
    const read = await anna.upload(inner, '方案.txt', 'one')
    const closed = await anna.folder(room, '薪酬')
    await anna.shares({ folderId: closed }, [], { inherit: false })
    const unseen = await anna.upload(closed, '名单.txt')
    // A right granted below a folder that the user cannot see appears in the item's own log.
    await anna.shares({ fileId: unseen }, [{ to: ben, rights: 14 }])
    await anna.call('renameFile', { fileId: unseen, fileName: '名单二.txt' })
    await ben.download(read)
    await anna.download(read)
    await anna.call('renameFile', { fileId: read, fileName: '方案二.txt' })
    const old = await anna.upload(inner, '旧稿.txt')
    await anna.call('fileOrFolderDelete', { fileIdArray: [old] })
    const away = await anna.folder(inner, '废弃')
    await anna.upload(away, '废稿.txt')
    await anna.call('fileOrFolderDelete', { folderIdArray: [away] })
    const elsewhere = await anna.folder(anna.library, '别处')
    const brought = await anna.upload(elsewhere, '移来.txt')
    await anna.call('fileOrFolderMove', { fileIdArray: [brought], targetFolderId: inner })
    await anna.call('renameFolder', { folderId: room, folderName: '项目二' })
    await seal()

    const logs = async (person: Person, more: object = {}) => {
      const list = []
      let after: { after?: number } = {}
      for (;;) {
        const page = await person.call('getFolderLog', { folderId: room, ...more, ...after })
        list.push(...page.list)
        if (page.next === 0) return list
        after = { after: page.next }
      }
    }
    const all = async () => [
      await logs(anna),
      await logs(ben),
      await logs(ben, { rows: 1 }),
      await logs(anna, { types: LogBit.rename | LogBit.download, query: 'ben' }),
    ]
    const small = await all()
    expect(small[0]?.length).toBeGreaterThan(small[1]?.length ?? 0)
    await sql`insert into item (library_id, parent_id, f_type, name, name_key, name_sort, search_text, created_by,
        created_at, modified_by, modified_at)
      select ${anna.library}, ${inner}, 1, n, n, n, n, ${anna.userId}, ${now}, ${anna.userId}, ${now}
      from generate_series(1, 2001) as n`.execute(world.app.db)
    expect(await all()).toEqual(small)

    // Other events of the library are scanned, up to a limit per page.
    await sql`insert into audit (at, account_id, call, address, items, detail)
      select ${now}, ${anna.userId}, 'renameFile', '', array[${elsewhere}::bigint], '{"log": 256}'
      from generate_series(1, 4200)`.execute(world.app.db)
    await seal()
    const { list, next } = await ben.call('getFolderLog', { folderId: room })
    expect([list, next > 0]).toEqual([[], true])
    expect(await all()).toEqual(small)
  })

  test('is taken along as a table, without what is not told', async () => {
    const { url, headers } = requestFor('exportFileLog', { fileId }, ben.token)
    const { rawPayload, headers: answered } = await world.app.http.inject({ url, headers: { ...headers } })
    expect(answered['content-type']).toBe('text/csv; charset=utf-8')
    const lines = rawPayload.toString().split('\r\n').slice(0, -1)
    expect(lines[0]).toBe('\ufeff时间（Asia/Shanghai）,操作人,操作,对象,版本,从,到')
    expect(lines).toHaveLength(6)
    expect(lines[4]).toContain('重命名,采购框架.txt,,采购.txt,采购框架.txt')
  })
})

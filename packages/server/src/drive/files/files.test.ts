// Creating, renaming, moving and copying items, and the pushes about it.

import { createHash } from 'node:crypto'
import { ItemRecord } from '@cloudoc/contract'
import { codes } from '@cloudoc/domain'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { explain, planNodes, recordStatements } from '../../../test/explain.ts'
import { longTest } from '../../../test/full.ts'
import { openWorld, type Person, type World } from '../../../test/harness.ts'
import { Pauses } from '../../../test/pauses.ts'
import { lockFolderMoves, maxDepth } from '../tree/index.ts'

const pauses = new Pauses()
let world: World
let anna: Person
let ben: Person
let folderId: number
let runs = 0

beforeAll(async () => {
  world = await openWorld({ elected: false, pause: pauses.at })
  anna = await world.person('anna')
  ben = await world.person('ben')
})

beforeEach(async () => {
  runs += 1
  folderId = await make(anna.library, `夹 ${runs}`)
})

const make = async (parentId: number, folderName: string): Promise<number> =>
  (await anna.call('folderCreate', { parentId, folderName })).folderId
const first = async (answers: Promise<{ result: number; fId?: number | undefined; name: string }[]>) =>
  (await answers)[0] ?? expect.fail('no answer')

async function waitsForAdvisoryLock(): Promise<boolean> {
  const { rows } = await sql<{ waits: boolean }>`
    select exists (select 1 from pg_locks where locktype = 'advisory' and not granted) as waits`.execute(world.app.db)
  return rows[0]?.waits === true
}

// [R125] Moving into itself (-7) or into the same folder (-8) is refused.
describe('[R125] moving', () => {
  test('into itself, below itself and to where it is already are refused with -7, -7 and -8', async () => {
    const inner = await make(folderId, 'inner')
    const fileId = await anna.upload(folderId, 'x.txt')
    const move = (targetFolderId: number, ids: object) =>
      first(anna.call('fileOrFolderMove', { targetFolderId, ...ids }))
    expect(await move(folderId, { folderIdArray: [folderId] })).toMatchObject({ result: -7 })
    expect(await move(inner, { folderIdArray: [folderId] })).toMatchObject({ result: -7 })
    expect(await move(folderId, { folderIdArray: [inner] })).toMatchObject({ result: -8 })
    expect(await move(folderId, { fileIdArray: [fileId] })).toMatchObject({ result: -8 })
    expect(await move(anna.library, { folderIdArray: [anna.library] })).toMatchObject({ result: -4 })
    expect(
      await first(anna.call('fileOrFolderCopy', { targetFolderId: inner, folderIdArray: [folderId] })),
    ).toMatchObject({ result: -7 })
    expect(await anna.names(folderId)).toEqual(['inner', 'x.txt'])
  })

  test('A into B/x and B into A/y at the same moment do not make a ring: one goes, the other is refused with -7', async () => {
    const [a, b] = [await make(folderId, 'A'), await make(folderId, 'B')]
    const [x, y] = [await make(b, 'x'), await make(a, 'y')]
    const stop = pauses.hold('commit fileOrFolderMove')
    const one = first(anna.call('fileOrFolderMove', { targetFolderId: x, folderIdArray: [a] }))
    await stop.reached
    const two = first(anna.call('fileOrFolderMove', { targetFolderId: y, folderIdArray: [b] }))
    // The second call waits for the library's move lock until the first has committed.
    await expect.poll(() => waitsForAdvisoryLock()).toBe(true)
    stop.release()
    expect([(await one).result, (await two).result]).toEqual([-1, -7])
    expect(await anna.names(x)).toEqual(['A'])
  })

  // [R124] Cutting into another library asks and then copies.
  test('[R124] into another library it copies and leaves the source, whose folder tells of no change', async () => {
    const { library } = await world.group(`部门 ${runs}`)
    const admin = await world.admin()
    await admin.shares({ folderId: library }, [{ to: anna, rights: 510 }])
    const inner = await make(folderId, 'inner')
    await anna.upload(inner, 'x.txt', 'content')
    const answer = await first(anna.call('fileOrFolderMove', { targetFolderId: library, folderIdArray: [inner] }))
    expect(answer.fId).not.toBe(inner)
    const [copy] = (await anna.call('getSubItemList3', { folderId: answer.fId ?? 0 })).list
    expect((await anna.download(copy?.fId ?? 0)).body).toBe('content')
    expect(await anna.names(inner)).toEqual(['x.txt'])
  })

  test('needs the rights to move and delete, and those to put things into the target', async () => {
    const fileId = await anna.upload(folderId, 'x.txt')
    const target = await make(anna.library, `target ${runs}`)
    const result = async (own: number, there: number): Promise<number> => {
      await anna.shares({ folderId }, [{ to: ben, rights: own }])
      await anna.shares({ folderId: target }, [{ to: ben, rights: there }])
      return (await first(ben.call('fileOrFolderMove', { targetFolderId: target, fileIdArray: [fileId] }))).result
    }
    expect(await result(2 + 4 + 8 + 32, 510)).toBe(-4)
    expect(await result(2 + 128, 510)).toBe(-4)
    expect(await result(510, 6)).toBe(-4)
    expect(await result(510, 2 + 16)).toBe(-1)
  })

  test('a tree never grows deeper than the limit, by making, listing paths, moving, copying or restoring', async () => {
    const path = (depth: number): string => Array.from({ length: depth }, (_, i) => `d${i}`).join('/')
    const room = maxDepth - 2
    expect(await anna.refusal('createFolderByPathList', { folderId, pathList: [path(room + 1)] })).toBe('tooDeep')
    const [deep] = await anna.call('createFolderByPathList', { folderId, pathList: [path(room)] })
    const deepest = deep?.folderId ?? 0
    expect(await anna.refusal('folderCreate', { parentId: deepest, folderName: 'x' })).toBe('tooDeep')
    expect((await anna.uploadWire(deepest, 'x.txt', '')).code).toBe('tooDeep')
    const other = await make(anna.library, `other ${runs}`)
    await anna.call('createFolderByPathList', { folderId: other, pathList: ['a/b'] })
    const [above] = await anna.call('createFolderByPathList', { folderId, pathList: [path(room - 2)] })
    const into = { targetFolderId: above?.folderId ?? 0, folderIdArray: [other] }
    expect(await first(anna.call('fileOrFolderMove', into))).toMatchObject({ result: codes.tooDeep.code })
    expect(await first(anna.call('fileOrFolderCopy', into))).toMatchObject({ result: codes.tooDeep.code })
    await anna.call('fileOrFolderDelete', { folderIdArray: [other] })
    expect(await first(anna.call('recycleRestore', into))).toMatchObject({ result: codes.tooDeep.code })
    const [fits] = await anna.call('createFolderByPathList', { folderId, pathList: [path(room - 3)] })
    expect(await first(anna.call('recycleRestore', { ...into, targetFolderId: fits?.folderId ?? 0 }))).toMatchObject({
      result: -1,
    })
  })
})

describe('[R121] copying', () => {
  test('shares the content, carries level and flags, and brings only what the copier may see and copy', async () => {
    const tree = await make(folderId, 'tree')
    const fileId = await anna.upload(tree, 'x.txt', 'content')
    await anna.upload(tree, 'x.txt', 'newer', { conflict: 'version' })
    await world.app.db.updateTable('item').set({ secret_level: 2, doc_flag: 4 }).where('id', '=', fileId).execute()
    const hidden = await make(tree, 'hidden')
    await anna.upload(hidden, 'below.txt')
    const shown = await anna.upload(tree, 'shown.txt')
    await anna.call('fileOrFolderDelete', { fileIdArray: [await anna.upload(tree, 'deleted.txt')] })
    await anna.shares({ folderId: tree }, [{ to: ben, rights: 510 }])
    await anna.shares({ folderId: hidden }, [{ to: ben, rights: 1 }])
    await anna.shares({ fileId: shown }, [{ to: ben, rights: 2 }])
    const { fId = 0 } = await first(
      ben.call('fileOrFolderCopy', { targetFolderId: ben.library, folderIdArray: [tree] }),
    )
    const { list, total } = await ben.call('getSubItemList3', { folderId: fId })
    expect([total, list.map((item) => item.fName)]).toEqual([1, ['x.txt']])
    expect(list[0]).toMatchObject({ secretLevel: 2, docFlag: 4, version: 1, fileSize: 5, creatorName: 'ben' })
    const blobs = await world.app.db
      .selectFrom('version')
      .select(['item_id', 'blob_id'])
      .where('item_id', 'in', [fileId, list[0]?.fId ?? 0])
      .orderBy('blob_id')
      .execute()
    expect(new Set(blobs.map((row) => row.blob_id)).size).toBe(2)
    expect((await ben.call('getShareList', { folderId: fId })).entries).toEqual([])
  })

  test('[R121] a name that is taken hundreds of times costs a few looks to number', async () => {
    const pathList = ['a', ...Array.from({ length: 300 }, (_, i) => `a (${i + 2})`)].filter(
      (name) => name !== 'a (250)',
    )
    await anna.call('createFolderByPathList', { folderId, pathList })
    const source = await make(anna.library, `source ${runs}`)
    const id = await make(source, 'a')
    const copy = () =>
      first(anna.call('fileOrFolderCopy', { targetFolderId: folderId, folderIdArray: [id], conflict: 'keepBoth' }))
    const { value, statements } = await recordStatements(copy)
    expect(value.name).toBe('a (250)')
    expect(statements.filter(({ text }) => /\bitem\b/.test(text)).length).toBeLessThan(20)
    expect((await copy()).name).toBe('a (302)')
  })

  // [R206] A restricted document is not downloaded without the right to change it.
  test('[R206] a restricted document leaves its place only by those who may change it', async () => {
    const fileId = await anna.upload(folderId, 'x.txt')
    await world.app.db.updateTable('item').set({ doc_flag: 1 }).where('id', '=', fileId).execute()
    await anna.shares({ folderId }, [{ to: ben, rights: 2 + 4 + 8 + 32 + 128 }])
    for (const call of ['fileOrFolderCopy', 'fileOrFolderMove'] as const) {
      expect(await first(ben.call(call, { targetFolderId: ben.library, fileIdArray: [fileId] }))).toMatchObject({
        result: -410,
      })
    }
  })

  test('[R121] each item of a batch is answered on its own', async () => {
    const one = await anna.upload(folderId, 'one.txt')
    const two = await anna.upload(folderId, 'two.txt')
    const target = await make(folderId, 'target')
    await anna.upload(target, 'ONE.txt')
    const wire = await anna.wire('fileOrFolderCopy', {
      targetFolderId: target,
      fileIdArray: [one, two, 4_711_000],
      linkIdArray: [5],
    })
    expect(wire.status).toBe(200)
    expect(wire.result).toBe(-5)
    expect((wire.data as { name: string; result: number }[]).map(({ name, result }) => [name, result])).toEqual([
      ['one.txt', -5],
      ['two.txt', -1],
      ['', -3],
      ['', -3],
    ])
  })
})

describe('[R119] createFolderByPathList', () => {
  longTest(
    '10,000 paths are made with few statements, each folder once, and a second time nothing is made',
    async () => {
      const pathList = Array.from({ length: 10_000 }, (_, i) => `年 ${i % 10}/月 ${i % 100}/日 ${i}`)
      const { value: made, statements } = await recordStatements(() =>
        anna.call('createFolderByPathList', { folderId, pathList }),
      )
      expect(made.map((each) => each.path)).toEqual(pathList)
      expect(new Set(made.map((each) => each.folderId)).size).toBe(10_000)
      expect(statements.filter(({ text }) => /\bitem\b/.test(text)).length).toBeLessThan(20)
      expect((await anna.call('getSubItemList3', { folderId })).total).toBe(10)
      const again = await anna.call('createFolderByPathList', { folderId, pathList })
      expect(again).toEqual(made)
      const some = await anna.call('getFolderInfo', { folderId: made[4321]?.folderId ?? 0 })
      expect(some.pathString).toBe(`anna/夹 ${runs}/年 1/月 21`)
    },
  )

  test('uses what is there, tells nothing of hidden folders, makes all or nothing', async () => {
    const there = await make(folderId, '有')
    await anna.upload(folderId, '文件.txt')
    await anna.shares({ folderId }, [{ to: ben, rights: 510 }])
    const closed = await make(folderId, '看')
    await anna.shares({ folderId: closed }, [{ to: ben, rights: 1 }])
    const readable = await make(folderId, '读')
    await anna.shares({ folderId: readable }, [{ to: ben, rights: 2 }])
    const used = await ben.call('createFolderByPathList', { folderId, pathList: ['有', '/有//新/', '', '读'] })
    expect(used.map((each) => each.folderId)).toEqual([there, expect.any(Number), folderId, readable])
    const refusal = (pathList: string[]) => ben.refusal('createFolderByPathList', { folderId, pathList })
    expect(await refusal(['好/一', '看/二'])).toBe('alreadyExists')
    expect(await refusal(['好/一', '文件.txt/二'])).toBe('alreadyExists')
    expect(await refusal(['好/一', '读/二'])).toBe('noPermission')
    expect(await refusal(['好/一', '有/..'])).toBe('illegalName')
    expect(await anna.names(folderId)).toEqual(['读', '看', '有', '文件.txt'])
  })

  test('two calls that make the same folders at once both get them', async () => {
    const pathList = Array.from({ length: 200 }, (_, i) => `同 ${i % 7}/${i}`)
    const [one, two] = await Promise.all([
      anna.call('createFolderByPathList', { folderId, pathList }),
      anna.call('createFolderByPathList', { folderId, pathList: [...pathList].reverse() }),
    ])
    expect(two.reverse()).toEqual(one)
    expect((await anna.call('getSubItemList3', { folderId })).total).toBe(7)
  })
})

describe('[R119] checkFileExist', () => {
  test('answers the names that are taken, however they are written, 10,000 in one look', async () => {
    const fileId = await anna.upload(folderId, 'Été.txt', 'content')
    const id = await make(folderId, '夹子')
    const names = [
      'e\u0301te\u0301.TXT',
      '夹子',
      'free.txt',
      'a*b',
      '',
      ...Array.from({ length: 9000 }, (_, i) => `${i}.txt`),
    ]
    const { value, statements } = await recordStatements(() =>
      anna.call('checkFileExist', { folderId, fileNames: names }),
    )
    expect(value).toEqual([
      {
        fileName: names[0],
        fId: fileId,
        fType: 1,
        fileSize: 7,
        modifyTime: expect.any(Number) as number,
        version: 1,
        lastOperatorName: 'anna',
        editorName: '',
        sha256: createHash('sha256').update('content').digest('hex'),
      },
      {
        fileName: '夹子',
        fId: id,
        fType: 2,
        fileSize: 0,
        modifyTime: expect.any(Number) as number,
        version: 0,
        lastOperatorName: 'anna',
        editorName: '',
        sha256: '',
      },
    ])
    expect(statements.filter(({ text }) => /\bitem\b/.test(text)).length).toBeLessThan(6)
    await anna.call('fileOrFolderDelete', { fileIdArray: [fileId] })
    expect((await anna.call('checkFileExist', { folderId, fileNames: ['été.txt'] })).length).toBe(0)
  })

  test('tells the hash of the present version, to those who may read it, and who edits it', async () => {
    const hash = (content: string) => createHash('sha256').update(content).digest('hex')
    const asked = async (who: Person) => {
      const [one] = await who.call('checkFileExist', { folderId, fileNames: ['a.txt'] })
      return [one?.version, one?.sha256, one?.editorName]
    }
    const fileId = await anna.upload(folderId, 'a.txt', 'one')
    await anna.upload(folderId, 'a.txt', 'two', { conflict: 'version' })
    await anna.call('fileEditLock', { fileId })
    expect(await asked(anna)).toEqual([2, hash('two'), ''])
    await anna.shares({ folderId }, [{ to: ben, rights: 6 }])
    expect(await asked(ben)).toEqual([2, hash('two'), 'anna'])
    // A user who may only see the name learns nothing about the content.
    await anna.shares({ folderId }, [{ to: ben, rights: 2 }])
    expect(await asked(ben)).toEqual([2, '', 'anna'])
  })
})

// [R109] Item records have all fields, limited to what the caller may see.
describe('[R109] what is told of an item', () => {
  // [R116] The info calls, and conversion between ids and item id strings.
  test('[R116] a record has every documented field, and each call that tells of an item tells the same', async () => {
    const fileId = await anna.upload(folderId, '第1章.docx', '12345')
    const item = await anna.call('getFileInfo', { fileId })
    const ofSome = ['colleague', 'libraryReadOnly', 'linkRights', 'operations', 'sha256']
    expect([...Object.keys(item), ...ofSome].sort()).toEqual(Object.keys(ItemRecord.shape).sort())
    expect(item).toMatchObject({
      fId: fileId,
      fid: `0-${fileId}`,
      fName: '第1章.docx',
      fType: 1,
      extName: 'docx',
      version: 1,
      rights: 2048,
      itemIdStr: `s0f${fileId}`,
      pathItemIdStr: `s0f-${anna.library}/s0f-${folderId}`,
      path: `${anna.library}/${folderId}`,
      pathString: `anna/夹 ${runs}`,
      ownerId: anna.userId,
      serverId: 0,
      secretLevel: 0,
      secretInfo: { secretLevel: 0 },
      docFlag: 0,
      editorId: -1,
      parentFolderId: folderId,
      parentFolderName: `夹 ${runs}`,
      parentItemIdStr: `s0f-${folderId}`,
      fileSize: 5,
      lastOperatorName: 'anna',
      creatorName: 'anna',
    })
    expect((await anna.call('getSubItemList3', { folderId })).list).toEqual([item])
    expect((await anna.call('searchDoc', { keyword: '第1章', folderId })).list).toEqual([item])
    expect(await anna.call('getFileItemInfo', { itemIdStr: item.itemIdStr })).toEqual(item)
    expect(await anna.call('getFileItemId', { fType: 1, fId: fileId })).toBe(item.itemIdStr)
    const { folder, ancestors } = await anna.call('getFolderInfo2', { folderId })
    expect(folder).toEqual(await anna.call('getFolderInfo', { folderId }))
    expect(ancestors).toEqual([await anna.call('getFolderInfo', { folderId: anna.library })])
    expect((await anna.call('getSubItemList3', { folderId: -2 })).list).toEqual(ancestors)
  })

  // [R114] An item is identified by server, type and id together, and the other type with the same id is not found;
  // getFileInfo and getFolderInfo have the documented paths with an id alone, where the name of the call is the type
  // and its address the server.
  test('[R114] a written id names server, kind and item together, or nothing', async () => {
    const fileId = await anna.upload(folderId, 'a.txt')
    const asked = async (itemIdStr: string) => (await anna.wire('getFileItemInfo', { itemIdStr })).result
    expect(await asked(`s0f${fileId}`)).toBe(-1)
    expect(await asked(`s0f-${folderId}`)).toBe(-1)
    // A wrong item type, and another server.
    for (const other of [`s0f-${fileId}`, `s0f${folderId}`, `s7f${fileId}`])
      expect(await asked(other), other).toBe(codes.notFound.code)
    for (const part of [`${fileId}`, `f${fileId}`, `f-${folderId}`, 's0', 's0f', `s0f-`, `sf${fileId}`])
      expect([codes.notFound.code, codes.badRequest.code], part).toContain(await asked(part))
  })

  test('paths start below the last folder that is hidden, in every call', async () => {
    const secret = await make(folderId, '机密')
    const open = await make(secret, '公开')
    const inner = await make(open, '里')
    const fileId = await anna.upload(inner, 'x.txt')
    await anna.shares({ folderId: open }, [{ to: ben, rights: 510 }])
    const { ancestors, folder } = await ben.call('getFolderInfo2', { folderId: inner })
    expect([ancestors.map((item) => item.fName), folder.pathString]).toEqual([['公开'], '公开'])
    const item = await ben.call('getFileInfo', { fileId })
    expect(item).toMatchObject({ pathString: '公开/里', path: `${open}/${inner}`, parentFolderName: '里' })
    const copy = await first(ben.call('fileOrFolderCopy', { targetFolderId: ben.library, folderIdArray: [inner] }))
    await ben.call('fileOrFolderDelete', { fileIdArray: [fileId] })
    const told = JSON.stringify([
      ancestors,
      folder,
      item,
      copy,
      await ben.call('getRecycleList', {}),
      await ben.call('getRootFolderSetting', {}),
    ])
    expect(told).not.toContain('机密')
    expect(told).not.toContain(`夹 ${runs}`)
  })

  test('[R249] versions are listed newest first, page by page', async () => {
    const fileId = await anna.upload(folderId, 'x.txt', '1')
    for (let n = 2; n <= 5; n += 1) await anna.upload(folderId, 'x.txt', 'x'.repeat(n), { conflict: 'version' })
    const page = await anna.call('getVersionList', { fileId, from: 1, rows: 2 })
    expect(page.total).toBe(5)
    expect(
      page.list.map(({ version, fileSize, creatorName, isLatest }) => [version, fileSize, creatorName, isLatest]),
    ).toEqual([
      [4, 4, 'anna', false],
      [3, 3, 'anna', false],
    ])
    expect((await anna.call('getVersionList', { fileId, from: 0, rows: 1 })).list[0]?.isLatest).toBe(true)
  })
})

test('reading an item at any depth, and a list of its folder, runs over keys alone', async () => {
  const fileId = await anna.upload(folderId, 'x.txt')
  const { plans } = await explain(world, () => anna.call('getFileInfo', { fileId }))
  expect(plans.length).toBeGreaterThan(0)
  for (const { root, text } of plans.filter(({ mode }) => mode === 'generic')) {
    const scans = planNodes(root).filter((node) => node['Node Type'] === 'Seq Scan' && node['Relation Name'] === 'item')
    expect(scans, text).toEqual([])
  }
})

test('[R124] a folder whose own folder goes away while it is being moved goes away with it, and takes no name of it', async () => {
  const outer = await make(folderId, 'a')
  const inner = await make(outer, 'a')
  let moving: ReturnType<typeof anna.refusal> | undefined
  await world.app.db.transaction().execute(async (tx) => {
    // Holds the lock that serializes folder moves; the gates have passed.
    await lockFolderMoves(tx, anna.library)
    moving = anna.refusal('fileOrFolderMove', {
      targetFolderId: folderId,
      folderIdArray: [inner],
      conflict: 'keepBoth',
    })
    await vi.waitFor(async () => {
      const { rows } = await sql<{ n: number }>`
        select count(*)::int as n from pg_stat_activity
        where datname = current_database() and wait_event = 'advisory'`.execute(world.app.db)
      expect(rows[0]?.n).toBe(1)
    }, 10_000)
    await anna.call('fileOrFolderDelete', { folderIdArray: [outer] })
  })
  expect(await moving).toBe('notFound')
  expect(await anna.names(folderId)).toEqual([])
})

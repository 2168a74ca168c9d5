// Search by name, as users type it.
import { type Kysely, sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { up as foldStoredNames } from '../../../migrations/0358-simplified-names-and-pdfs.ts'
import { recordStatements } from '../../../test/explain.ts'
import { longTest } from '../../../test/full.ts'
import { openWorld, type Person, type World } from '../../../test/harness.ts'
import { purgeAll } from '../../../test/purge.ts'
import { indexAllNames, requeueNames, signsOf, wordSigns } from './index.ts'

let world: World
let anna: Person
let ben: Person
const names = [
  '重庆采购合同.docx',
  '重要通知.txt',
  '长城计划.pdf',
  '员工手册 2026 最终版.pdf',
  'Quarterly Report.xlsx',
  '100%完成.txt',
  '100x完成.txt',
  'a_b.txt',
  'axb.txt',
  '反斜杠\u2216.txt',
  'Ｆｕｌｌ宽.txt',
  '女儿绿.txt',
  '①号文件.txt',
  '𠮷野家.txt',
  '財務報表與預算.txt',
  '库存预算.txt',
  '銀行存單.txt',
  '乾隆大典.txt',
]

describe.each([
  { when: 'just after the change', settle: () => Promise.resolve() },
  { when: 'when the index has caught up', settle: () => indexAllNames(world.app.db) },
])('$when', ({ settle }) => {
  beforeAll(async () => {
    world = await openWorld({ elected: false })
    anna = await world.person('anna')
    ben = await world.person('ben')
    for (const name of names) await anna.upload(anna.library, name)
  })

  /** The hits of a search, in order. */
  async function found(who: Person, keyword: string, folderId?: number): Promise<string[]> {
    await settle()
    const { list } = await who.call('searchDoc', { keyword, ...(folderId === undefined ? {} : { folderId }) })
    return list.map((item) => item.fName)
  }

  // [R240] Search by part of a name, pinyin or initials, limited by rights, page by page.
  describe('[R240] what is found', () => {
    test.each<readonly [why: string, keyword: string, expected: readonly string[]]>([
      ['part of a name', '采购', ['重庆采购合同.docx']],
      ['one character', '同', ['重庆采购合同.docx']],
      ['the initials, by the reading that the phrase has', 'cqcght', ['重庆采购合同.docx']],
      ['two initials', 'cq', ['重庆采购合同.docx']],
      ['the full pinyin', 'chongqing', ['重庆采购合同.docx']],
      ['the other reading of the same character', 'zhongyao', ['重要通知.txt']],
      ['a character of two readings', 'changcheng', ['长城计划.pdf']],
      ['the first two letters of a syllable', 'zh', ['重要通知.txt', '员工手册 2026 最终版.pdf']],
      ['Chinese and initials in one word', '重庆ht', ['重庆采购合同.docx']],
      ['several words', '手册 2026', ['员工手册 2026 最终版.pdf']],
      ['several words in another order and script', '2026 shouce', ['员工手册 2026 最终版.pdf']],
      ['every word must be there', '手册 合同', []],
      ['without case', 'REPORT', ['Quarterly Report.xlsx']],
      ['without width', 'full', ['Ｆｕｌｌ宽.txt']],
      ['with the width of the query', 'ＦＵＬＬ', ['Ｆｕｌｌ宽.txt']],
      ['a percent sign is a percent sign', '100%', ['100%完成.txt']],
      ['an underscore is an underscore', 'a_b', ['a_b.txt']],
      ['a sign alone', '%', ['100%完成.txt']],
      ['ü typed as v', 'nver', ['女儿绿.txt']],
      ['a sign that folds to a digit is found as it is', '①号', ['①号文件.txt']],
      ['and as the digit', '1号', ['①号文件.txt']],
      ['a character beyond the basic plane', '𠮷野', ['𠮷野家.txt']],
      ['simplified for traditional', '财务报表', ['財務報表與預算.txt']],
      ['traditional for traditional', '財務報表', ['財務報表與預算.txt']],
      ['traditional for both, in two characters', '預算', ['財務報表與預算.txt', '库存预算.txt']],
      ['one traditional character for a simplified one', '庫', ['库存预算.txt']],
      ['traditional by initials', 'cwbb', ['財務報表與預算.txt']],
      ['traditional by the reading of its phrase', 'yinhangcundan', ['銀行存單.txt']],
      ['a character that reads otherwise than its simplified one', 'qianlong', ['乾隆大典.txt']],
      ['and as the simplified one reads', 'ganlong', ['乾隆大典.txt']],
      ['with what nobody sees in the query', 'cq\u200b', ['重庆采购合同.docx']],
      ['signs that stand beside letters', 'l宽', ['Ｆｕｌｌ宽.txt']],
      ['nothing asked for', '', []],
      ['nothing evil', "'; drop table item; --", []],
      ['a backslash alone', '\\', []],
    ])('%s', async (_why, keyword, expected) => {
      expect((await found(anna, keyword)).sort()).toEqual([...expected].sort())
    })

    test('forty words cost no error and find only what has them all', async () => {
      expect(await found(anna, Array.from({ length: 40 }, (_, i) => `词语${i}号`).join(' '))).toEqual([])
      expect(await found(anna, '员工 手册 工手 202 026 2026 最终 最终版 终版. pdf .pdf')).toEqual([
        '员工手册 2026 最终版.pdf',
      ])
    })

    test('a rename is found by the new name and no longer by the old one', async () => {
      const fileId = await anna.upload(anna.library, '旧名字.txt')
      await anna.call('renameFile', { fileId, fileName: '新称呼.txt' })
      expect(await found(anna, '旧名字')).toEqual([])
      expect(await found(anna, 'xch')).toEqual(['新称呼.txt'])
    })
  })

  describe('[R240] where is searched', () => {
    test('a folder scope finds what lies below it, at any depth, and nothing beside', async () => {
      const { folderId } = await anna.call('folderCreate', { parentId: anna.library, folderName: '范围' })
      const { folderId: inner } = await anna.call('folderCreate', { parentId: folderId, folderName: '内层' })
      await anna.upload(inner, '范围里的蓝图.txt')
      await anna.upload(anna.library, '范围外的蓝图.txt')
      expect(await found(anna, '蓝图', folderId)).toEqual(['范围里的蓝图.txt'])
      expect((await found(anna, '蓝图', -2)).sort()).toEqual(['范围外的蓝图.txt', '范围里的蓝图.txt'].sort())
      expect(await found(anna, '蓝图', -1)).toEqual([])
      expect(await ben.refusal('searchDoc', { keyword: '蓝图', folderId })).toBe('notFound')
      expect(await anna.refusal('searchDoc', { keyword: '蓝图', scrollId: 'x.y' })).toBe('badRequest')
    })

    test('what others have is found only where it is shared, and told with a path that starts there', async () => {
      const { folderId: secret } = await anna.call('folderCreate', { parentId: anna.library, folderName: '机密项目' })
      const { folderId } = await anna.call('folderCreate', { parentId: secret, folderName: '公开部分' })
      await anna.upload(secret, '机密灯塔.txt')
      await anna.upload(folderId, '公开灯塔.txt')
      expect(await found(ben, '灯塔')).toEqual([])
      await anna.shares({ folderId }, [{ to: ben, rights: 6 }])
      await settle()
      const { list } = await ben.call('searchDoc', { keyword: '灯塔' })
      expect(list.map((item) => [item.fName, item.pathString])).toEqual([['公开灯塔.txt', '公开部分']])
      expect(JSON.stringify(list)).not.toContain('机密')
    })

    test('what moves into a shared folder is found there, what moves out no longer, and so are single shared files', async () => {
      const make = async (parentId: number, folderName: string): Promise<number> =>
        (await anna.call('folderCreate', { parentId, folderName })).folderId
      const shared = await make(anna.library, '共用区')
      const inner = await make(shared, '共用区内')
      const other = await make(anna.library, '别处')
      const hidden = await make(other, '琉璃')
      await anna.upload(hidden, '琉璃瓦.txt')
      const staying = await anna.upload(inner, '琉璃灯.txt')
      const single = await anna.upload(other, '琉璃盏.txt')
      await anna.upload(other, '琉璃塔.txt')
      await anna.shares({ folderId: shared }, [{ to: ben, rights: 6 }])
      await anna.shares({ fileId: single }, [{ to: ben, rights: 6 }])
      expect((await found(ben, '琉璃')).sort()).toEqual(['琉璃灯.txt', '琉璃盏.txt'].sort())
      await anna.call('fileOrFolderMove', { targetFolderId: inner, folderIdArray: [hidden] })
      await anna.call('fileOrFolderMove', { targetFolderId: other, fileIdArray: [staying] })
      expect((await found(ben, '琉璃')).sort()).toEqual(['琉璃', '琉璃瓦.txt', '琉璃盏.txt'].sort())
      expect((await found(anna, '琉璃', inner)).sort()).toEqual(['琉璃', '琉璃瓦.txt'].sort())
      expect((await found(anna, '琉璃', other)).sort()).toEqual(['琉璃灯.txt', '琉璃盏.txt', '琉璃塔.txt'].sort())
    })

    test('a shared tree of very many folders is searched to its last folder', async () => {
      const { folderId } = await anna.call('folderCreate', { parentId: anna.library, folderName: '大树' })
      const pathList = Array.from({ length: 700 }, (_, i) => `${i}/枝叶 ${i}`)
      await anna.call('createFolderByPathList', { folderId, pathList })
      await anna.shares({ folderId }, [{ to: ben, rights: 6 }])
      expect(await found(ben, '枝叶 699')).toEqual(['枝叶 699'])
      expect(await found(anna, '枝叶 699', folderId)).toEqual(['枝叶 699'])
    })

    longTest(
      'what lies in a deleted folder is not found, however much of it there is, and the rest is found in one call',
      async () => {
        await anna.upload(anna.library, '年度凤凰.txt')
        const { folderId } = await anna.call('folderCreate', { parentId: anna.library, folderName: '凤凰旧档' })
        const pathList = Array.from({ length: 6000 }, (_, i) => `${i % 60}/凤凰 ${i}`)
        await anna.call('createFolderByPathList', { folderId, pathList })
        await anna.call('fileOrFolderDelete', { folderIdArray: [folderId] })
        await settle()
        const first = await anna.call('searchDoc', { keyword: '凤凰' })
        expect(first.list.map((item) => item.fName)).toEqual(['年度凤凰.txt'])
        expect(first.scrollId).toBeNull()
      },
    )
  })

  test('[R240] what is the word comes before what begins with it and that before the rest, folders among files first', async () => {
    await anna.upload(anna.library, '星图.txt')
    await anna.call('folderCreate', { parentId: anna.library, folderName: '星图' })
    await anna.upload(anna.library, '星图 (二).txt')
    await anna.upload(anna.library, '老星图.txt')
    const ordered = ['星图', '星图.txt', '星图 (二).txt', '老星图.txt']
    for (const keyword of ['星图', 'xt', 'xingtu', ' 星图 ']) {
      const told = await found(anna, keyword)
      // Two letters also match extensions, which rank below these.
      expect(told.slice(0, 4)).toEqual(ordered)
    }
    expect(await found(anna, '星图.txt')).toEqual(['星图.txt', '老星图.txt'])
    expect(await found(anna, '星图 (')).toEqual(['星图 (二).txt'])
    const only = async (fType: 1 | 2) =>
      (await anna.call('searchDoc', { keyword: '星图', fType })).list.map((item) => item.fName)
    expect([await only(1), await only(2)]).toEqual([ordered.slice(1), ['星图']])
  })

  // [R240] Exact matches rank before prefix matches, and those before the rest, however many there are.
  longTest(
    '[R240] old names that are the word are told before thousands of newer ones that hold it, and each hit once',
    async () => {
      const { folderId } = await anna.call('folderCreate', { parentId: anna.library, folderName: '天' })
      await anna.upload(folderId, '彗星.txt')
      await anna.upload(folderId, '彗星表.txt')
      const made = await anna.call('folderCreate', { parentId: folderId, folderName: '彗星' })
      const pathList = Array.from({ length: 1500 }, (_, i) => `看彗星 ${i}`)
      await anna.call('createFolderByPathList', { folderId, pathList })
      await settle()
      const seen: string[] = []
      for (let scrollId: string | null | undefined; scrollId !== null; ) {
        const page: { list: { fName: string }[]; scrollId: string | null } = await anna.call('searchDoc', {
          keyword: '彗星',
          rows: 200,
          ...(scrollId === undefined ? {} : { scrollId }),
        })
        seen.push(...page.list.map((item) => item.fName))
        scrollId = page.scrollId
      }
      expect(seen.slice(0, 3)).toEqual(['彗星', '彗星.txt', '彗星表.txt'])
      expect([seen.length, new Set(seen).size, made.folderId > 0]).toEqual([1503, 1503, true])
    },
  )

  test('[R240] scrolling tells every hit once, also when hits change in between', async () => {
    const { folderId } = await anna.call('folderCreate', { parentId: anna.library, folderName: '卷' })
    const pathList = Array.from({ length: 250 }, (_, i) => `滚动条目${i}`)
    await anna.call('createFolderByPathList', { folderId, pathList })
    await settle()
    const seen: number[] = []
    let scrollId: string | null = null
    do {
      const page: { list: { fId: number; fName: string }[]; scrollId: string | null } = await anna.call('searchDoc', {
        keyword: '滚动条目',
        rows: 40,
        ...(scrollId === null ? {} : { scrollId }),
      })
      seen.push(...page.list.map((item) => item.fId))
      const [first] = page.list
      if (first !== undefined)
        await anna.call('renameFolder', { folderId: first.fId, folderName: `滚动条目改${first.fId}` })
      await settle()
      scrollId = page.scrollId
    } while (scrollId !== null)
    expect(new Set(seen).size).toBe(seen.length)
    expect(seen.length).toBe(250)
  })

  test('[R240] one hidden hit hides nothing that lies beside it, however many there are', async () => {
    const { folderId } = await anna.call('folderCreate', { parentId: anna.library, folderName: '并列' })
    const pathList = Array.from({ length: 230 }, (_, i) => `并列条目${i}`)
    const made = await anna.call('createFolderByPathList', { folderId, pathList })
    await anna.shares({ folderId }, [{ to: ben, rights: 6 }])
    await anna.shares({ folderId: made.at(-3)?.folderId ?? 0 }, [{ to: ben, rights: 1 }])
    await settle()
    const page = await ben.call('searchDoc', { keyword: '并列条目', rows: 200 })
    const rest = await ben.call('searchDoc', { keyword: '并列条目', rows: 200, scrollId: page.scrollId ?? '' })
    expect([page.list.length, rest.list.length, rest.scrollId]).toEqual([200, 29, null])
  })
})

describe('the index of names', () => {
  beforeAll(async () => {
    world = await openWorld({ elected: false })
    anna = await world.person('anna')
    ben = await world.person('ben')
  })

  test('[R240] what happens while somebody scrolls and the index catches up is told once or, where it is newer, not', async () => {
    const { folderId } = await anna.call('folderCreate', { parentId: anna.library, folderName: '卷' })
    const pathList = Array.from({ length: 120 }, (_, i) => `追赶条目${i}`)
    const made = await anna.call('createFolderByPathList', { folderId, pathList: pathList.slice(0, 60) })
    await indexAllNames(world.app.db)
    made.push(...(await anna.call('createFolderByPathList', { folderId, pathList: pathList.slice(60) })))
    const seen: number[] = []
    let scrollId: string | undefined
    for (let page = 0; ; page += 1) {
      const { list, scrollId: next } = await anna.call('searchDoc', {
        keyword: '追赶条目',
        rows: 25,
        ...(scrollId === undefined ? {} : { scrollId }),
      })
      seen.push(...list.map((item) => item.fId))
      if (page === 1) await indexAllNames(world.app.db)
      if (page === 3) await anna.upload(folderId, '追赶条目新.txt')
      if (next === null) break
      scrollId = next
    }
    expect(seen.length).toBe(120)
    expect(new Set(seen)).toEqual(new Set(made.map((item) => item.folderId)))
  })

  longTest(
    '[R240] who sees one small place full of old names finds few of them in one go and many in their order',
    async () => {
      const carl = await world.person('carl')
      const fill = async (person: Person, name: string, count: number): Promise<Set<string>> => {
        const made = Array.from({ length: count }, (_, i) => `${name} ${i}`)
        await person.call('createFolderByPathList', { folderId: person.library, pathList: made })
        await indexAllNames(world.app.db)
        return new Set(made)
      }
      const few = await fill(carl, '独有旧名', 5)
      const many = await fill(carl, '陈年旧名', 400)
      await fill(anna, '新近旧名', 2200)
      const searched = await recordStatements(() => carl.call('searchDoc', { keyword: '独有' }))
      expect(new Set(searched.value.list.map((item) => item.fName))).toEqual(few)
      const windows = searched.statements.filter(({ text }) => text.includes('from search_item where number +'))
      expect(windows.map(({ text }) => /d\.signs && .* limit \$\d+\s+\)/s.test(text))).toEqual([true])
      const seen: string[] = []
      for (let scrollId: string | null | undefined; scrollId !== null; ) {
        const page: { list: { fName: string }[]; scrollId: string | null } = await carl.call('searchDoc', {
          keyword: '旧名',
          rows: 90,
          ...(scrollId === undefined ? {} : { scrollId }),
        })
        seen.push(...page.list.map((item) => item.fName))
        scrollId = page.scrollId
      }
      expect(seen.length).toBe(405)
      expect([new Set(seen.slice(0, 400)), new Set(seen.slice(400))]).toEqual([many, few])
    },
  )

  longTest(
    '[R240] rows that were indexed before how they fit was known are found all the same, and told in order once it is',
    async () => {
      const { db } = world.app
      const folderId = (await anna.call('folderCreate', { parentId: anna.library, folderName: '旧索引' })).folderId
      await anna.upload(folderId, '陨石.txt')
      await anna.call('createFolderByPathList', {
        folderId,
        pathList: Array.from({ length: 60 }, (_, i) => `看陨石${i}`),
      })
      await indexAllNames(db)
      // In the format of older rows: only with the signs of terms and locations.
      const { rows } = await sql<{
        item_id: number
        number: number
        library_id: number
        parent_id: number
        text: string
      }>`
      select * from search_item`.execute(db)
      for (const { item_id: id, number, library_id: libraryId, parent_id: parentId, text } of rows) {
        const signs = signsOf(wordSigns(text), { id, libraryId, parentId, isFolder: false, number })
        await sql`update search_item set signs = ${signs}::int[] where item_id = ${id}`.execute(db)
      }
      await sql`delete from stamp where name = 'search signs'`.execute(db)
      const first = async (more = {}) => {
        const { list } = await anna.call('searchDoc', { keyword: '陨石', rows: 10, ...more })
        return [list.length, list[0]?.fName]
      }
      expect([await first({ rows: 200 }), await first({ fType: 2 })]).toEqual([
        [61, '陨石.txt'],
        [10, '看陨石9'],
      ])
      expect(await first()).toEqual([10, '看陨石9'])
      await indexAllNames(db)
      expect(await first()).toEqual([10, '陨石.txt'])
      expect(await first({ fType: 2 })).toEqual([10, '看陨石9'])
    },
  )

  test('[R240] a name is found by its present form alone, at every moment of a change', async () => {
    const find = async (keyword: string): Promise<number[]> =>
      (await anna.call('searchDoc', { keyword })).list.map((item) => item.fId)
    const fileId = await anna.upload(anna.library, '青石板.txt')
    await indexAllNames(world.app.db)
    await anna.call('renameFile', { fileId, fileName: '白石板.txt' })
    expect([await find('青石'), await find('白石'), await find('石板')]).toEqual([[], [fileId], [fileId]])
    await indexAllNames(world.app.db)
    expect([await find('青石'), await find('白石'), await find('石板')]).toEqual([[], [fileId], [fileId]])
    await anna.call('fileOrFolderDelete', { fileIdArray: [fileId] })
    expect(await find('石板')).toEqual([])
    await anna.call('recycleRestore', { fileIdArray: [fileId] })
    expect(await find('石板')).toEqual([fileId])
    await anna.call('fileOrFolderCompleteDelete', { fileIdArray: [fileId] })
    expect(await find('石板')).toEqual([])
  })

  test('[R240] a new content makes its file the newest hit', async () => {
    const first = await anna.upload(anna.library, '新旧次序 1.txt')
    const second = await anna.upload(anna.library, '新旧次序 2.txt')
    const order = async (): Promise<number[]> =>
      (await anna.call('searchDoc', { keyword: '新旧次序' })).list.map((item) => item.fId)
    expect(await order()).toEqual([second, first])
    await indexAllNames(world.app.db)
    expect(await order()).toEqual([second, first])
    await anna.upload(anna.library, '新旧次序 1.txt', 'more', { conflict: 'version' })
    expect(await order()).toEqual([first, second])
    await indexAllNames(world.app.db)
    expect(await order()).toEqual([first, second])
  })

  test('[R240] what a copied folder and a complete deletion leave behind is what is there', async () => {
    const { db } = world.app
    const { folderId } = await anna.call('folderCreate', { parentId: anna.library, folderName: '原件' })
    for (const n of [1, 2, 3]) await anna.upload(folderId, `抄本 ${n}.txt`)
    const { folderId: target } = await anna.call('folderCreate', { parentId: anna.library, folderName: '去处' })
    await anna.call('fileOrFolderCopy', { targetFolderId: target, folderIdArray: [folderId] })
    const hits = async (): Promise<number> => (await anna.call('searchDoc', { keyword: '抄本' })).list.length
    expect(await hits()).toBe(6)
    await indexAllNames(db)
    expect(await hits()).toBe(6)
    await anna.call('fileOrFolderCompleteDelete', { folderIdArray: [target] })
    expect(await hits()).toBe(3)
    await purgeAll(db)
    await indexAllNames(db)
    expect(await hits()).toBe(3)
    const { rows } = await sql`
      select item_id from search_item where not exists (select 1 from item where id = item_id)`.execute(db)
    expect(rows).toEqual([])
  })
})

test('[R240] an item that is indexed anew is found once, on one page and over several', async () => {
  const own = await openWorld({ elected: false })
  const { db } = own.app
  const anna = await own.person('anna')
  for (const n of [1, 2, 3]) await anna.upload(anna.library, `twofold ${n}.txt`)
  await indexAllNames(db)
  await db.transaction().execute(requeueNames)
  const first = await anna.call('searchDoc', { keyword: 'twofold' })
  expect(first.list.map(({ fName }) => fName)).toEqual(['twofold 3.txt', 'twofold 2.txt', 'twofold 1.txt'])
  const found: string[] = []
  for (let scrollId: string | null | undefined; scrollId !== null; ) {
    const page = await anna.call('searchDoc', { keyword: 'twofold', rows: 1, ...(scrollId && { scrollId }) })
    found.push(...page.list.map(({ fName }) => fName))
    scrollId = page.scrollId
  }
  expect(found).toEqual(['twofold 3.txt', 'twofold 2.txt', 'twofold 1.txt'])
})

test('[R240] names stored by an older build, in traditional characters, are found by simplified ones after the update', async () => {
  const old = await openWorld({ elected: false })
  const lin = await old.person('老林')
  const { folderId } = await lin.call('folderCreate', { parentId: lin.library, folderName: '會計檔案' })
  await lin.upload(folderId, '銀行存單.txt')
  const { db } = old.app
  await sql`update item set search_text = name || chr(10) || 'x' || chr(1) || 'x' || chr(2) || 'x'
    where id = ${folderId} or parent_id = ${folderId}`.execute(db)
  await sql`update account set name = '陳總', search_text = account_key || chr(10) || '陳總', search_grams = '{}'
    where id = ${lin.userId}`.execute(db)
  await indexAllNames(db)
  const before = await sql<{ name: string; search_text: string }>`
    select name, search_text from item where not name ~ '檔|單' order by id`.execute(db)
  await db.transaction().execute((tx) => foldStoredNames(tx as unknown as Kysely<never>))
  for (const settle of [() => Promise.resolve(), () => indexAllNames(db)]) {
    await settle()
    for (const [keyword, name] of [
      ['会计档案', '會計檔案'],
      ['會計', '會計檔案'],
      ['存单', '銀行存單.txt'],
      ['yinhang', '銀行存單.txt'],
    ])
      expect(
        (await lin.call('searchDoc', { keyword: keyword ?? '' })).list.map(({ fName }) => fName),
        keyword,
      ).toEqual([name])
  }
  for (const keyword of ['陈总', '陳', '陈', 'cz'])
    expect((await lin.call('searchItem2', { searchType: 'user', keyword })).list.map(({ name }) => name)).toEqual([
      '陳總',
    ])
  const after = await sql<{ name: string; search_text: string }>`
    select name, search_text from item where not name ~ '檔|單' order by id`.execute(db)
  expect(after.rows).toEqual(before.rows)
})

// Search in names and contents, with filters, sort orders, facet counts and passages: what is found, and by whom.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { calls, Input, SearchFacets, SearchQuery } from '@cloudoc/contract'
import { demoFiles } from '@cloudoc/devkit/demo'
import { codes, docTypeOf, extNameOf, rightsGroup, searchSizes } from '@cloudoc/domain'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { type Person, sharedWorld } from '../../../test/harness.ts'
import { extraConnections, lockIsWaitedFor } from '../../../test/lock-waits.ts'
import { randomOf } from '../../../test/random.ts'
import { joinLines, normalised } from '../../core/folding.ts'
import { enqueueAll } from '../../core/queue/rows.ts'
import { emptyDocument } from '../../documents/index.ts'
import { contentText, textJobKinds } from './content-text.ts'
import { areSized } from './documents.ts'
import { indexAllNames } from './index.ts'
import { sizeSigns } from './index-signs.ts'

const world = sharedWorld()
const documents = join(import.meta.dirname, '../../../test/documents')
const { preview } = rightsGroup
type Asked = Partial<Input<(typeof calls)['searchDoc']>>

/** Waits until the text of everything saved is extracted and indexed. */
async function read(): Promise<void> {
  await world.app.settle()
  await indexAllNames(world.app.db)
  await vi.waitFor(
    async () => {
      const { rows } = await sql`select 1 from job where kind = any(${[...textJobKinds]}) and due is not null`.execute(
        world.app.db,
      )
      expect(rows).toEqual([])
    },
    { timeout: 120_000, interval: 20 },
  )
}

async function find(who: Person, keyword: string, more: Asked = {}) {
  return who.call('searchDoc', { keyword, scope: 'all', ...more })
}
/** The facet counts by filter and value. */
function byValue(facets: SearchFacets | undefined): Record<string, Record<string, number>> {
  const { isMore: _, ...counts } = facets ?? expect.fail('no counts')
  return Object.fromEntries(
    Object.entries(counts).map(([name, all]) => [
      name,
      Object.fromEntries(all.map(({ value, total }) => [value, total])),
    ]),
  )
}
const names = async (who: Person, keyword: string, more: Asked = {}): Promise<string[]> =>
  (await find(who, keyword, more)).list.map(({ fName }) => fName)

describe('[R240] [R241] contents', () => {
  let anna: Person
  let folderId: number
  beforeAll(async () => {
    anna = await world.person('anna')
    folderId = await anna.folder(anna.library, '资料')
    await anna.upload(folderId, '会议.txt', '第一行\n星云项目的付款周期为 45 天\n第三行写着 Kubernetes 集群')
    await anna.upload(folderId, '清单.csv', '名称,数量\n蓝宝石,31415')
    await anna.upload(folderId, '繁體.txt', '採購合約與後續處理')
    await anna.upload(folderId, '部首.txt', '⻓⻔⽔利 ｆｕｌｌ')
    await anna.upload(folderId, '星云手册.md', '# 说明\n没有别的')
    await read()
  })

  test.each<readonly [why: string, keyword: string, expected: readonly string[]]>([
    ['a part of a word', '付款', ['会议.txt']],
    ['more of it', '项目的付款周', ['会议.txt']],
    ['across two words', '款周', ['会议.txt']],
    ['digits', '31415', ['清单.csv']],
    ['a part of them', '141', ['清单.csv']],
    ['English among Chinese, without case', 'kubernetes', ['会议.txt']],
    ['a part of that', 'bernet', ['会议.txt']],
    ['words in any order', '集群 付款', ['会议.txt']],
    ['one word in the name and one in the content', '会议 付款', ['会议.txt']],
    ['simplified for traditional', '采购合约', ['繁體.txt']],
    ['traditional for traditional', '採購', ['繁體.txt']],
    ['traditional for simplified', '項目的付款', ['会议.txt']],
    ['radicals as the characters that they stand for', '长门水利', ['部首.txt']],
    ['wide letters', 'full', ['部首.txt']],
    ['a phrase', '"项目的付款周期为 45"', ['会议.txt']],
    ['a phrase that does not stand so', '"付款项目"', []],
    ['without a word', '星云 -付款', ['星云手册.md']],
    ['with it', '星云', ['会议.txt', '星云手册.md']],
    ['a name by its initials', 'xysc', ['星云手册.md']],
    ['no content by its initials', 'fkzq', []],
    ['what is in none', '氤氲', []],
    ['nothing', '', []],
    ['a minus alone', '-付款', []],
    ['what would be a pattern', '%_%', []],
  ])('%s', async (_why, keyword, expected) => {
    expect((await names(anna, keyword, { folderId })).sort()).toEqual([...expected].sort())
  })

  test('plain text is found while documents wait to be read', async () => {
    const ids = [await anna.upload(folderId, '慢一.docx', '一'), await anna.upload(folderId, '慢二.docx', '二')]
    await read()
    const beside = extraConnections(world)
    await beside.transaction().execute(async (tx) => {
      const { rows } = await sql<{ id: number }>`
        select b.id from blob b join version v on v.blob_id = b.id where v.item_id = any(${ids}) for update of b`.execute(
        tx,
      )
      const asked = rows.map(({ id: blobId }) => ({ blobId, ext: 'docx' }))
      await world.app.db.transaction().execute((own) => enqueueAll({ tx: own, now: Date.now() }, contentText, asked))
      await lockIsWaitedFor(beside, '%key share%')
      await anna.upload(folderId, '快.txt', '玳瑁色的伞')
      await vi.waitFor(async () => expect(await names(anna, '玳瑁', { folderId })).toEqual(['快.txt']), {
        timeout: 120_000,
        interval: 20,
      })
    })
    await read()
  })

  test('[R241] words are looked for where the scope says', async () => {
    expect(await names(anna, '星云', { folderId, scope: 'name' })).toEqual(['星云手册.md'])
    expect(await names(anna, '星云', { folderId, scope: 'content' })).toEqual(['会议.txt'])
  })

  test('what was typed in one go is looked for in parts where it stands nowhere, and that is told', async () => {
    const answer = await find(anna, '星云付款周期', { folderId })
    expect(answer.list.map(({ fName }) => fName)).toEqual(['会议.txt'])
    expect(answer.looser).toEqual(['星云', '付款', '周期'])
    expect((await find(anna, '付款周期', { folderId })).looser).toBeUndefined()
  })

  test('a letter that is wrong is offered as it may have been meant, with how much that finds', async () => {
    expect((await find(anna, '付款周其', { folderId, facets: true })).suggestions).toEqual([
      { keyword: '付款周期', total: 1 },
    ])
    expect((await find(anna, 'kubernates', { folderId, facets: true })).suggestions).toEqual([
      { keyword: 'kubernetes', total: 1 },
    ])
    expect((await find(anna, '星云 蓝保石', { folderId, facets: true })).suggestions).toEqual([])
  })

  test('says where the words stand, with the marks on them, in the list and in the whole document', async () => {
    const { list, highlights } = await find(anna, '付款 集群', { folderId })
    const [passage] = highlights?.map((one) => one.passage) ?? []
    expect(highlights).toMatchObject([{ itemIdStr: list[0]?.itemIdStr, in: ['content'], times: 2 }])
    expect(passage).toMatchObject({
      kind: 'line',
      name: '2',
      text: '星云项目的付款周期为 45 天',
      marks: [{ from: 5, to: 7 }],
    })
    const fileId = list[0]?.fId ?? 0
    const matches = await anna.call('getSearchMatches', { fileId, keyword: '付款 集群' })
    expect(matches.total).toBe(2)
    expect(
      matches.list.map(({ name, text, marks }) => [name, ...marks.map(({ from, to }) => text.slice(from, to))]),
    ).toEqual([
      ['2', '付款'],
      ['3', '集群'],
    ])
    expect((await find(anna, 'xysc', { folderId })).highlights).toMatchObject([
      { in: ['pinyin'], times: 0, passage: null },
    ])
  })

  test('follows what is saved: a new version is found by its words, an old one no longer, a deleted file by none', async () => {
    const fileId = await anna.upload(folderId, '变化.txt', '琥珀色的灯')
    await read()
    expect(await names(anna, '琥珀')).toEqual(['变化.txt'])
    await anna.upload(folderId, '变化.txt', '翡翠色的灯', { conflict: 'version' })
    expect(await names(anna, '琥珀')).toEqual([])
    await read()
    expect([await names(anna, '琥珀'), await names(anna, '翡翠')]).toEqual([[], ['变化.txt']])
    await anna.call('renameFile', { fileId, fileName: '改名.txt' })
    expect(await names(anna, '翡翠')).toEqual(['改名.txt'])
    await anna.call('fileOrFolderDelete', { fileIdArray: [fileId] })
    expect(await names(anna, '翡翠')).toEqual([])
  })

  test('the words of a content are kept once, and go with it', async () => {
    const other = await anna.folder(anna.library, '抄本')
    for (const name of ['甲.txt', '乙.txt']) await anna.upload(other, name, '孔雀石与绿松石')
    await read()
    expect((await names(anna, '绿松石')).sort()).toEqual(['乙.txt', '甲.txt'].sort())
    const { rows } = await sql<{
      blob_id: number
    }>`select blob_id from content_text where text like '%绿松石%'`.execute(world.app.db)
    expect(rows.length).toBe(1)
    await sql`delete from version where blob_id = ${rows[0]?.blob_id}`.execute(world.app.db)
    await sql`delete from blob where id = ${rows[0]?.blob_id}`.execute(world.app.db)
    const left = await sql`select 1 from content_text where text like '%绿松石%'`.execute(world.app.db)
    expect(left.rows).toEqual([])
    expect(await names(anna, '绿松石')).toEqual([])
  })

  // [R241] Contents of docx, xlsx, pptx, pdf and text are found, with the page, sheet, slide or line.
  test('[R241] finds words inside docx, xlsx, pptx and pdf, and names the page, the sheet or the slide', async () => {
    const made = await anna.folder(anna.library, '文档')
    const wanted = [
      '会议室智能化管理办法（2026-04-25修订）.docx',
      '碳排放核算管理办法（2026-01-27修订）.pdf',
      '市场部碳排放核算预算说明.pptx',
      '市场部碳排放核算预算说明.xlsx',
    ]
    for (const file of demoFiles(emptyDocument)) {
      const name = file.name.replace('市场部招标采购门户预算说明.xlsx', wanted[3] ?? '')
      if (wanted.includes(name)) await anna.upload(made, name, await file.bytes())
      if (file.library.key === 'admin') break
    }
    await anna.upload(made, 'broken.docx', 'no document')
    // A document whose content arrives in several chunks.
    await anna.upload(made, 'course.ppt', gunzipSync(readFileSync(join(documents, 'course.ppt.gz'))))
    await read()
    const where = async (keyword: string) => {
      const { list, highlights } = await find(anna, keyword, { folderId: made })
      return list.map(({ fName }, n) => {
        const { kind, name } = highlights?.[n]?.passage ?? {}
        return [fName.split('.')[1], kind, name].join(' ')
      })
    }
    expect(await where('金额超过7250元的事项')).toEqual(['docx whole '])
    expect(await where('金额超过483250元')).toEqual(['pdf page 1'])
    expect(await where('条码终端295台')).toEqual(['pptx slide 3'])
    expect(await where('从回收站恢复误删的文件')).toEqual([expect.stringMatching(/^ppt slide /)])
    expect(await where('优先采用视频会议')).toEqual(expect.arrayContaining(['xlsx sheet 说明']))
  }, 60_000)

  test('lines that a page has broken are one again', () => {
    expect(joinLines(normalised('付款\n周期为\n45 天\nEnglish\nline'))).toBe('付款周期为45 天\nEnglish\nline')
  })
})

describe('[R241] filters, orders and counts', () => {
  let ben: Person
  let top: number
  let inner: number
  beforeAll(async () => {
    ben = await world.person('ben')
    top = await ben.folder(ben.library, '筛选')
    inner = await ben.folder(top, '里层')
    await ben.upload(top, '极光一.docx', 'x')
    await ben.upload(top, '极光二.xlsx', 'x'.repeat(2 * 1024 * 1024))
    await ben.upload(inner, '极光三.pdf', 'x'.repeat(10))
    await ben.upload(inner, '极光四.mp4', 'x'.repeat(20))
    await ben.upload(inner, '极光五.png', 'x'.repeat(30))
    await ben.upload(top, '说明.txt', '极光'.repeat(3))
    await ben.folder(top, '极光六')
    const { now } = world.app.services
    const days = async (name: string, ago: number): Promise<void> => {
      await sql`update item set modified_at = ${now() - ago * 86_400_000} where name = ${name}`.execute(world.app.db)
    }
    await days('极光一.docx', 3)
    await days('极光三.pdf', 20)
    await days('极光四.mp4', 200)
    await days('极光五.png', 500)
    await read()
  })
  const sorted = async (more: Asked): Promise<string> =>
    (await names(ben, '极光', more))
      .map((name) => name.slice(2, 3))
      .sort()
      .join('')

  test.each<readonly [more: Asked, expected: string]>([
    [{}, '一三二五六四.'],
    [{ docType: 'word' }, '一'],
    [{ docType: 'excel' }, '二'],
    [{ docType: 'ppt' }, ''],
    [{ docType: 'pdf' }, '三'],
    [{ docType: 'image' }, '五'],
    [{ docType: 'media' }, '四'],
    [{ docType: 'other' }, '.'],
    [{ docType: 'folder' }, '六'],
    [{ fType: 2 }, '六'],
    [{ days: 1 }, '二六.'],
    [{ days: 7 }, '一二六.'],
    [{ days: 30 }, '一三二六.'],
    [{ days: 365 }, '一三二六四.'],
    [{ timeTo: Date.now() - 100 * 86_400_000 }, '五四'],
    [{ timeFrom: Date.now() - 300 * 86_400_000, timeTo: Date.now() - 10 * 86_400_000 }, '三四'],
    [{ sizeTo: 1024 * 1024 }, '一三五四.'],
    [{ sizeFrom: 1024 * 1024, sizeTo: 5 * 1024 * 1024 }, '二'],
    [{ sizeFrom: 15, sizeTo: 25 }, '四.'],
    [{ scope: 'name' }, '一三二五六四'],
    [{ scope: 'content' }, '.'],
    [{ days: 30, docType: 'pdf', sizeTo: 100 }, '三'],
  ])('%j', async (more, expected) => {
    const want = [...expected].sort().join('')
    expect(await sorted(more)).toBe(want)
    // The same with facet counts.
    expect(await sorted({ ...more, facets: true })).toBe(want)
  })

  // [R241] Size is filtered in the index, also for entries indexed before sizes were, and for a file whose size alone
  // changed.
  test('[R241] sizes narrow by signs, which rows that are older than these are given, and a file whose size alone has changed', async () => {
    const { db } = world.app
    const mb = 1024 * 1024
    const signs = [...sizeSigns(0), ...sizeSigns(2 ** 40)]
    const strip = (): Promise<unknown> =>
      sql`update search_document set signs = array(select unnest(signs) except select unnest(${signs}::int[]))`.execute(
        db,
      )
    await sql`delete from stamp where name = 'search sizes'`.execute(db)
    await strip()
    expect(await sorted({ sizeFrom: mb })).toBe('二')
    await indexAllNames(db)
    expect(await areSized(db)).toBe(true)
    expect(await sorted({ sizeFrom: mb })).toBe('二')
    expect((await sorted({ sizeTo: mb })).length).toBe(5)

    await sql`update item set size = ${3 * mb} where name = '极光三.pdf'`.execute(db)
    expect(await sorted({ sizeFrom: 2.5 * mb })).toBe('三')
    await indexAllNames(db)
    expect(await sorted({ sizeFrom: 2.5 * mb })).toBe('三')
    await sql`update item set size = 10 where name = '极光三.pdf'`.execute(db)
    await indexAllNames(db)

    // The search depends on the signs: without them nothing is found.
    await strip()
    expect(await sorted({ sizeFrom: mb })).toBe('')
    await sql`delete from stamp where name = 'search sizes'`.execute(db)
    await indexAllNames(db)
    expect(await sorted({ sizeFrom: mb })).toBe('二')
  })

  // [R241] Date, size, type, place and scope filter on the server, alone and combined, with counts of the other values.
  test('[R241] below a folder, in any of the orders, and with counts of what else there is', async () => {
    expect(await sorted({ folderId: inner })).toBe([...'三四五'].sort().join(''))
    expect(await names(ben, '极光', { sort: 'size', docType: 'excel' })).toEqual(['极光二.xlsx'])
    const bySize = await names(ben, '极光', { sort: 'size', order: 'desc', scope: 'name' })
    expect(bySize.slice(0, 4)).toEqual(['极光二.xlsx', '极光五.png', '极光四.mp4', '极光三.pdf'])
    expect((await names(ben, '极光', { sort: 'time', order: 'asc' })).slice(0, 2)).toEqual(['极光五.png', '极光四.mp4'])
    expect((await names(ben, '极光', { sort: 'name', scope: 'name', days: 7 })).length).toBe(3)
    const { facets, total } = await find(ben, '极光', { facets: true, days: 30, docType: 'pdf', folderId: top })
    expect(total).toBe(1)
    expect(facets?.isMore).toBe(false)
    expect(byValue(facets)).toEqual({
      scopes: { all: 1, name: 1, content: 0, tag: 0 },
      docTypes: { all: 5, word: 1, excel: 1, ppt: 0, pdf: 1, image: 0, media: 0, other: 1, folder: 1 },
      days: { all: 1, 1: 0, 7: 0, 30: 1, 365: 1 },
      sizes: { all: 1, 0: 1, 1: 0, 2: 0, 3: 0, 4: 0, 5: 0 },
      tags: { all: 1 },
      places: { all: 1, here: 1 },
    })
  })

  // [R240] Words of names and contents in any order, quoted phrases, exclusion with minus, simplified and traditional,
  // digits; a word with one letter wrong is offered as a suggestion; pages by scrollId.
  test('[R240] page by page each hit is told once, in the order of the whole', async () => {
    const whole = await names(ben, '极光', { sort: 'time' })
    for (const more of [{ sort: 'time' }, { sort: 'time', facets: true }] satisfies Asked[]) {
      const seen: string[] = []
      for (let scrollId: string | null | undefined; scrollId !== null; ) {
        const page: Awaited<ReturnType<typeof find>> = await find(ben, '极光', {
          ...more,
          rows: 2,
          ...(scrollId === undefined ? {} : { scrollId }),
        })
        seen.push(...page.list.map(({ fName }) => fName))
        scrollId = page.scrollId
      }
      expect(seen).toEqual(whole)
    }
    expect(await ben.refusal('searchDoc', { keyword: '极光', scope: 'all', scrollId: 'f.x' })).toBe('badRequest')
  })

  test('[R241] above a thousand hits the newest are counted, and that there are more is told', async () => {
    const many = await ben.folder(ben.library, '很多')
    const pathList = Array.from({ length: 1005 }, (_, n) => `浩瀚 ${n}`)
    await ben.call('createFolderByPathList', { folderId: many, pathList })
    for (const moment of ['waiting', 'indexed']) {
      const { total, isMore, facets } = await find(ben, '浩瀚', { facets: true })
      expect([total, isMore, facets?.isMore, byValue(facets)['docTypes']?.['folder']], moment).toEqual([
        1000,
        true,
        true,
        1000,
      ])
      await read()
    }
    const { list, isMore } = await find(ben, '浩瀚 1004', { facets: true })
    expect([list.length, isMore]).toEqual([1, false])
  })
})

// [R240] With few results while contents wait to be indexed, a message says so.
describe('[R240] contents that wait to be read', () => {
  test('are told to who has stored them, where hardly anything is found, and nowhere else', async () => {
    const erna = await world.person('erna')
    const fritz = await world.person('fritz')
    const fileId = await erna.upload(erna.library, '云杉.txt', '云杉')
    await read()
    const asked = { scope: 'all', facets: true } as const
    expect((await find(erna, '冷杉', asked)).isReading).toBeUndefined()
    // A job that failed temporarily and is retried in a minute.
    const due = Date.now() + 60_000
    await sql`
      insert into job (kind, key, input, due, created_at)
      select ${textJobKinds[0]}, 'spruce', jsonb_build_object('blobId', blob_id), ${due}::bigint, ${due}::bigint
      from version where item_id = ${fileId}`.execute(world.app.db)
    expect((await find(erna, '冷杉', asked)).isReading).toBe(true)
    // Files waiting for other users are not disclosed.
    expect((await find(fritz, '冷杉', asked)).isReading).toBeUndefined()
    expect((await find(erna, '冷杉', { ...asked, scope: 'name' })).isReading).toBeUndefined()
    await sql`delete from job where key = 'spruce'`.execute(world.app.db)
  })
})

describe('[R240] searches that are kept', () => {
  test('by a name, for whoever keeps them alone, as they were asked', async () => {
    const [carl, dora] = [await world.person('carl'), await world.person('dora')]
    const query = { keyword: '合同', days: 30, docType: 'pdf', sort: 'time' } as const
    const { searchId } = await carl.call('saveSearch', { name: '本月合同', query })
    await carl.call('saveSearch', { name: '别的', query: { keyword: 'x' } })
    expect((await carl.call('getSavedSearches', {})).list.map(({ name }) => name)).toEqual(['别的', '本月合同'])
    expect((await carl.call('saveSearch', { name: '本月合同', query: { keyword: '新' } })).searchId).toBe(searchId)
    expect((await carl.call('getSavedSearches', {})).list[0]).toEqual({
      searchId,
      name: '本月合同',
      query: { keyword: '新' },
    })
    expect((await dora.call('getSavedSearches', {})).list).toEqual([])
    expect(await dora.refusal('deleteSavedSearch', { searchId })).toBe('notFound')
    expect(await dora.refusal('renameSavedSearch', { searchId, name: '我的' })).toBe('notFound')
    expect(await carl.refusal('renameSavedSearch', { searchId, name: '别的' })).toBe('alreadyExists')
    await carl.call('renameSavedSearch', { searchId, name: '十一月合同' })
    expect((await carl.call('getSavedSearches', {})).list.map(({ name }) => name)).toEqual(['十一月合同', '别的'])
    await carl.call('deleteSavedSearch', { searchId })
    expect((await carl.call('getSavedSearches', {})).list.map(({ name }) => name)).toEqual(['别的'])
  })
})

describe('[R241] nothing is found that somebody may not see', () => {
  test('words of a content count for whoever may read it alone, in both directions', async () => {
    const [anna, ben] = [await world.person('anna'), await world.person('ben')]
    const folderId = await anna.folder(anna.library, '只见其名')
    const fileId = await anna.upload(folderId, '信天翁.txt', '里面写着朱鹮和天鹅')
    await anna.upload(folderId, '信天翁二.txt', '没有别的')
    // With the right to see only: the name is searchable, the content is not.
    await anna.shares({ folderId }, [{ to: ben, rights: 2 }])
    await read()
    expect((await names(ben, '信天翁', { facets: true })).sort()).toEqual(['信天翁.txt', '信天翁二.txt'])
    expect(await names(ben, '朱鹮')).toEqual([])
    expect(await names(ben, '信天翁 朱鹮', { facets: true })).toEqual([])
    // Excluding the file would disclose its content.
    expect((await names(ben, '信天翁 -朱鹮')).sort()).toEqual(['信天翁.txt', '信天翁二.txt'])
    expect(await names(anna, '信天翁 -朱鹮')).toEqual(['信天翁二.txt'])
    const { highlights, facets } = await find(ben, '信天翁', { facets: true })
    expect(highlights?.every(({ times, passage }) => times === 0 && passage === null)).toBe(true)
    expect(byValue(facets)['scopes']).toEqual({ all: 2, name: 2, content: 0, tag: 0 })
    expect((await find(ben, '朱环鸟', { facets: true })).suggestions).toEqual([])
    expect(await ben.refusal('getSearchMatches', { fileId, keyword: '朱鹮' })).toBe('noPermission')
    await anna.shares({ folderId }, [{ to: ben, rights: preview }])
    expect(await names(ben, '朱鹮')).toEqual(['信天翁.txt'])
    await anna.shares({ folderId }, [])
    expect(await names(ben, '信天翁')).toEqual([])
    expect(await ben.refusal('getSearchMatches', { fileId, keyword: '朱鹮' })).toBe('notFound')
  })
})

describe('[R241] nothing leaks', () => {
  const words = ['麒麟', '獬豸', '貔貅', 'unicorn'] as const
  const dayMs = 86_400_000
  interface One {
    readonly id: number
    readonly fType: 1 | 2
    name: string
    readonly text: string
    readonly size: number
    readonly at: number
    /** The ancestor folders. */
    readonly above: readonly number[]
  }
  type Narrowed = Partial<SearchQuery> & { fType?: 1 | 2; facets?: boolean; rows?: number }
  const byId = (a: number, b: number): number => a - b
  const idsOf = (all: readonly One[]): number[] => all.map(({ id }) => id).toSorted(byId)

  /**
   * Random rights and levels. The expectation is computed for each item individually from what the item itself
   * discloses.
   */
  // [R241] Nothing is found, counted, quoted or suggested that the caller may not see or read.
  test('[R241] with random rights and levels, no filter, order, count, page, passage or suggestion tells more than asking for each item', async () => {
    const next = randomOf(20_261_124)
    const pick = <T>(all: readonly T[]): T => all[Math.floor(next() * all.length)] ?? expect.fail('nothing')
    const { now } = world.app.services
    const owner = await world.person('owner', { secretLevel: 3 })
    const admin = await world.admin()
    const { roleId } = await admin.call('createRole', { roleName: `泄漏 ${Date.now()}` })
    const people = await Promise.all([0, 1].map((n) => world.person(`leak-${n}`, { secretLevel: n })))
    await admin.call('changePeople', { userIds: [people[0]?.userId ?? 0], addRoleId: roleId })

    // The test data: nested folders with files.
    const root = { id: await owner.folder(owner.library, '林'), above: [owner.library] as readonly number[] }
    const folders: One[] = [{ ...root, fType: 2, name: '林', text: '', size: 0, at: now() }]
    const files: One[] = []
    const ago = async (id: number): Promise<number> => {
      const at = now() - pick([0, 3, 20, 200, 500]) * dayMs
      await sql`update item set modified_at = ${at} where id = ${id}`.execute(world.app.db)
      return at
    }
    for (let n = 0; n < 7; n++) {
      const { id: parent, above } = pick(folders)
      const name = `${pick([...words, '枝'])} ${n}`
      const id = await owner.folder(parent, name)
      folders.push({ id, fType: 2, name, text: '', size: 0, at: await ago(id), above: [...above, parent] })
    }
    for (let n = 0; n < 36; n++) {
      const name = `${pick([...words, '其他'])} ${n}.${pick(['txt', 'md', 'csv'])}`
      const text = `第 ${n} 号\n${pick([...words, '无'])}与${pick([...words, '无'])}\n${'.'.repeat(pick([0, 100, 1000]))}`
      const { id: parent, above } = pick(folders)
      const id = await owner.upload(parent, name, text)
      const size = Buffer.byteLength(text)
      files.push({ id, fType: 1, name, text, size, at: await ago(id), above: [...above, parent] })
    }
    for (const { id: folderId } of folders) {
      const entries = people.flatMap((to) => (next() < 0.5 ? [{ to, rights: pick([1, 2, 2, 6, 14]) }] : []))
      const ofRole = next() < 0.3 ? [{ to: { roleId }, rights: pick([1, 2, 6]) }] : []
      await owner.shares({ folderId }, [...entries, ...ofRole], { inherit: next() < 0.7 })
    }
    for (const { id } of files) {
      if (next() < 0.3) await owner.shares({ fileId: id }, [{ to: pick(people), rights: pick([1, 2, 6]) }])
      if (next() < 0.25)
        await sql`update item set secret_level = ${pick([1, 2])} where id = ${id}`.execute(world.app.db)
    }
    const said = new Map<number, string>()
    for (const { id } of files.slice(0, 12)) {
      said.set(id, pick(words))
      await owner.call('addComment', { fileId: id, comment: `关于${said.get(id)}` })
    }
    // Company tags, and tags of another user.
    const tags: { tagId: number; name: string; of: Person | undefined; on: ReadonlySet<number> }[] = []
    for (const [n, of] of [undefined, undefined, owner, ...people].entries()) {
      const name = `${pick(words)}签 ${n}`
      const input = { tagName: name, colour: 'red' } as const
      const { tagId } = await (of === undefined ? admin.call('saveCompanyTag', input) : of.call('saveTag', input))
      const fileIdArray = files.flatMap(({ id }) => (next() < 0.3 ? [id] : []))
      const answers = await (of ?? owner).call('setItemTags', { fileIdArray, addTagIds: [tagId] })
      const on = answers.flatMap(({ id, result }) => (result === codes.success.code ? [Number(id.slice(1))] : []))
      tags.push({ tagId, name, of, on: new Set(on) })
    }
    await read()
    // Items changed after indexing are searched in their current state.
    for (const file of files.filter(() => next() < 0.15)) {
      file.name = `${pick(words)} 改${file.name.slice(file.name.indexOf(' '))}`
      await owner.call('renameFile', { fileId: file.id, fileName: file.name })
      await sql`update item set modified_at = ${file.at} where id = ${file.id}`.execute(world.app.db)
    }
    await owner.call('fileOrFolderDelete', { fileIdArray: files.slice(0, 3).map(({ id }) => id) })
    const all = [...folders, ...files]

    const asked = (): Narrowed => ({
      ...(next() < 0.5 ? { facets: true } : {}),
      ...(next() < 0.5 ? { scope: pick(['name', 'content', 'tag', 'comment', 'all'] as const) } : {}),
      ...(next() < 0.2 ? { docType: pick(['other', 'excel', 'folder'] as const) } : {}),
      ...(next() < 0.2 ? { days: pick([1, 7, 30, 365]) } : {}),
      ...(next() < 0.1 ? { timeFrom: now() - 300 * dayMs, timeTo: now() - 10 * dayMs } : {}),
      ...(next() < 0.2 ? pick([{ sizeTo: 100 }, { sizeFrom: 100 }, { sizeFrom: 100, sizeTo: 900 }]) : {}),
      ...(next() < 0.2 ? { folderId: pick(folders).id } : {}),
      ...(next() < 0.2 ? { tagId: pick(tags).tagId } : {}),
      ...(next() < 0.1 ? { fType: pick([1, 2] as const) } : {}),
      ...(next() < 0.6 ? { sort: pick(['time', 'size', 'name', 'relevance'] as const) } : {}),
      ...(next() < 0.3 ? { order: pick(['asc', 'desc'] as const) } : {}),
      rows: pick([3, 5, 60]),
    })
    let [told, hidden] = [0, 0]
    for (const person of people) {
      const may = new Map<number, boolean>()
      for (const { id, fType } of all) {
        const wire = await (fType === 1
          ? person.wire('getFileInfo', { fileId: id })
          : person.wire('getFolderInfo', { folderId: id }))
        if (wire.code !== 'success') continue
        const matches = await person.wire('getSearchMatches', { fileId: id, keyword: 'x' })
        may.set(id, fType === 1 && matches.code === 'success')
      }
      const bears = (one: One, tag: (typeof tags)[number]): boolean =>
        (tag.of === undefined || tag.of === person) && tag.on.has(one.id)
      /** Where an item contains a term, as far as the user may know. */
      const holds = (one: One, word: string, isOfComments: boolean) => ({
        name: one.name.includes(word),
        content: may.get(one.id) === true && one.text.includes(word),
        tag: tags.some((tag) => tag.name.includes(word) && bears(one, tag)),
        comment: isOfComments && may.get(one.id) === true && said.get(one.id) === word,
      })
      const inScope = (where: ReturnType<typeof holds>, scope: Narrowed['scope'] = 'all'): boolean =>
        scope === 'all' ? Object.values(where).includes(true) : where[scope]
      /** The conditions of the search, separately. */
      const parts = {
        scopes: (one: One, word: string, more: Narrowed) =>
          inScope(holds(one, word, more.scope === 'comment'), more.scope),
        docTypes: (one: One, _: string, { docType }: Narrowed) => docType === undefined || typeOf(one) === docType,
        days: ({ at }: One, _: string, { days, timeFrom = 0, timeTo = Infinity }: Narrowed) =>
          at >= Math.max(timeFrom, days === undefined ? 0 : now() - days * dayMs) && at < timeTo,
        sizes: ({ fType, size }: One, _: string, { sizeFrom, sizeTo }: Narrowed) =>
          (sizeFrom ?? sizeTo) === undefined || (fType === 1 && size >= (sizeFrom ?? 0) && size < (sizeTo ?? Infinity)),
        tags: (one: One, _: string, { tagId }: Narrowed) =>
          tagId === undefined || tags.some((tag) => tag.tagId === tagId && bears(one, tag)),
        places: ({ above }: One, _: string, { folderId }: Narrowed) =>
          folderId === undefined || above.includes(folderId),
      }
      const typeOf = ({ name, fType }: One) => docTypeOf({ fType, ext: fType === 1 ? extNameOf(name) : '' })
      const passes = (one: One, word: string, more: Narrowed, except?: keyof typeof parts): boolean =>
        Object.entries(parts).every(([name, part]) => name === except || part(one, word, more))
      for (let n = 0; n < 90; n++) {
        const [word, without, more] = [pick(words), next() < 0.4 ? pick(words) : undefined, asked()]
        if (without === word) continue
        const keyword = without === undefined ? word : `${word} -${without}`
        const why = JSON.stringify([person.account, keyword, more])
        if (more.folderId !== undefined && !may.has(more.folderId)) {
          expect(await person.refusal('searchDoc', { keyword, ...more }), why).toBe('notFound')
          continue
        }
        const around = all.filter((one) => {
          if (!may.has(one.id) || (more.fType !== undefined && one.fType !== more.fType)) return false
          if (!inScope(holds(one, word, more.scope === 'comment'))) return false
          if (without === undefined) return true
          const { name, content } = holds(one, without, false)
          return !name && !content
        })
        const expected = around.filter((one) => passes(one, word, more))
        const seen: number[] = []
        for (let scrollId: string | null | undefined; scrollId !== null; ) {
          const page: Awaited<ReturnType<typeof find>> = await find(person, keyword, {
            ...more,
            ...(scrollId === undefined ? {} : { scrollId }),
          })
          seen.push(...page.list.map(({ fId }) => fId))
          scrollId = page.scrollId
          expect([page.total, page.isMore], why).toEqual([expected.length, false])
          for (const [at, { fId }] of page.list.entries()) {
            const one = all.find(({ id }) => id === fId)
            const where = one && holds(one, word, more.scope === 'comment')
            const mark = page.highlights?.[at] ?? expect.fail('no highlight')
            expect(mark.in.includes('content'), why).toBe(where?.content)
            expect(mark.in.includes('tag'), why).toBe(where?.tag)
            expect(mark.in.includes('comment'), why).toBe(where?.comment)
            if (where?.content !== true) expect(mark, why).toMatchObject({ times: 0, passage: null })
            else expect(one?.text, why).toContain(mark.passage?.text)
          }
          const counted = page.facets === undefined ? {} : byValue(page.facets)
          for (const [part, values] of Object.entries(counted)) {
            const name = part as keyof typeof parts
            const left = around.filter((one) => passes(one, word, more, name))
            for (const [value, total] of Object.entries(values)) {
              const chosen: Narrowed =
                name === 'scopes'
                  ? { scope: value as 'all' }
                  : name === 'docTypes'
                    ? { docType: value as 'pdf' }
                    : name === 'days'
                      ? { days: Number(value) }
                      : name === 'sizes'
                        ? { sizeFrom: searchSizes[Number(value)]?.from, sizeTo: searchSizes[Number(value)]?.to }
                        : more
              // Comments are searched only if requested.
              const ofComments = more.scope === 'comment'
              const is = (one: One): boolean =>
                value === 'all' ||
                (name === 'scopes'
                  ? inScope(holds(one, word, ofComments), chosen.scope)
                  : parts[name](one, word, chosen))
              expect(total, `${why} ${name} ${value}`).toBe(left.filter(is).length)
            }
          }
          for (const { total } of page.suggestions ?? []) expect(total).toBeLessThanOrEqual(may.size)
        }
        expect(seen.toSorted(byId), why).toEqual(idsOf(expected))
        told += seen.length
        hidden += all.filter(({ name, text }) => name.includes(word) || text.includes(word)).length - around.length
      }
      for (const word of words) {
        // Names only, page by page, as the command palette requests them.
        for (const fType of [1, 2] as const) {
          const seen: number[] = []
          for (let scrollId: string | null | undefined; scrollId !== null; ) {
            const from = scrollId === undefined ? {} : { scrollId }
            const page = await person.call('searchDoc', { keyword: word, fType, rows: 4, ...from })
            seen.push(...page.list.map(({ fId }) => fId))
            scrollId = page.scrollId
          }
          const named = all.filter((one) => one.fType === fType && may.has(one.id) && one.name.includes(word))
          expect(seen.toSorted(byId)).toEqual(idsOf(named))
        }
        // With one letter changed: the suggestions occur in text that the user may read, with the correct count.
        const { suggestions = [] } = await find(person, `${word.slice(0, -1)}x`, { facets: true })
        for (const { keyword, total } of suggestions)
          expect([keyword, total]).toEqual([
            keyword,
            all.filter((one) => may.has(one.id) && inScope(holds(one, keyword, false))).length,
          ])
      }
    }
    // All rights are revoked between two pages.
    const [person = expect.fail('nobody')] = people
    const begun: { keyword: string; rows: number; sort: 'time'; scrollId: string }[] = []
    for (const keyword of words) {
      const wanted = { keyword, rows: 1, sort: 'time' } as const
      const { scrollId } = await person.call('searchDoc', wanted)
      if (scrollId !== null) begun.push({ ...wanted, scrollId })
    }
    expect(begun).not.toEqual([])
    for (const { id: folderId } of folders) await owner.shares({ folderId }, [], { inherit: false })
    for (const { id: fileId } of files.slice(3)) await owner.shares({ fileId }, [], { inherit: false })
    for (const more of begun) expect(await person.call('searchDoc', more)).toMatchObject({ list: [], total: 0 })
    expect(Math.min(told, hidden)).toBeGreaterThan(100)
  }, 120_000)
})

// [R241] Tags and comments as scopes, a tag as a filter; other people's tags and items without the right to preview
// give no result.
describe('[R241] tags and comments', () => {
  let anna: Person
  let ben: Person
  let [plan, note, hidden] = [0, 0, 0]
  const tagsOf = async (who: Person) => (await who.call('getTagList', {})).list
  beforeAll(async () => {
    anna = await world.person('tag-anna')
    ben = await world.person('tag-ben')
    const shared = await anna.folder(anna.library, '带标签')
    plan = await anna.upload(shared, '方案.txt', '正文甲')
    note = await anna.upload(shared, '紧急通告.txt', '正文乙')
    hidden = await anna.upload(await anna.folder(anna.library, '别人看不到'), '方案丙.txt', '正文丙')
    await anna.shares({ folderId: shared }, [{ to: ben, rights: 2 }])
    const { tagId } = await anna.call('saveTag', { tagName: '紧急', colour: 'red' })
    await anna.call('setItemTags', { fileIdArray: [plan, hidden], addTagIds: [tagId] })
    await anna.call('addComment', { fileId: plan, comment: '还差一张 Gantt 图' })
    await anna.call('addComment', { fileId: hidden, comment: '还差一张 Gantt 图' })
    await read()
  })

  test('a tag of another person is as one that does not exist, and so is a scroll id', async () => {
    const [tag] = (await anna.call('getTagList', { keyword: '紧急', rows: 10 })).list
    const asked = async (tagId: number, more: Asked = {}) => {
      const { took: _, ...answer } = await find(ben, '方案', { tagId, facets: true, ...more })
      return answer
    }
    expect(await asked(tag?.tagId ?? 0)).toEqual(await asked(987_654))
    expect(await asked(tag?.tagId ?? 0, { facets: false })).toEqual(await asked(987_654, { facets: false }))
    for (const more of [{ scope: 'all' as const }, {}]) {
      const { scrollId } = await anna.call('searchDoc', { keyword: '方案', rows: 1, ...more })
      expect(scrollId).not.toBeNull()
      const id = scrollId ?? ''
      expect(await anna.refusal('searchDoc', { keyword: '方案', rows: 1, ...more, scrollId: 'f.1.1.1.0' })).toBe(
        'badRequest',
      )
      expect(await ben.refusal('searchDoc', { keyword: '方案', rows: 1, ...more, scrollId: id })).toBe('badRequest')
      await anna.call('searchDoc', { keyword: '方案', rows: 1, ...more, scrollId: id })
    }
  })

  test('are a scope each; the full text holds the names of tags; a tag narrows', async () => {
    expect((await names(anna, '紧急', { scope: 'tag' })).toSorted()).toEqual(['方案.txt', '方案丙.txt'])
    expect((await names(anna, '紧急')).toSorted()).toEqual(['方案.txt', '方案丙.txt', '紧急通告.txt'])
    expect(await names(anna, '紧急 通告')).toEqual(['紧急通告.txt'])
    expect(await names(anna, '紧急', { scope: 'name' })).toEqual(['紧急通告.txt'])
    expect((await names(anna, 'gantt', { scope: 'comment' })).toSorted()).toEqual(['方案.txt', '方案丙.txt'])
    expect(await names(anna, 'gantt')).toEqual([])
    // Terms of one and two letters in comments have their own index, which follows edits and deletions.
    expect((await names(anna, '一张', { scope: 'comment' })).toSorted()).toEqual(['方案.txt', '方案丙.txt'])
    expect((await names(anna, '图', { scope: 'comment' })).toSorted()).toEqual(['方案.txt', '方案丙.txt'])
    const { commentId } = await anna.call('addComment', { fileId: note, comment: '再看一遍' })
    expect(await names(anna, '一遍', { scope: 'comment' })).toEqual(['紧急通告.txt'])
    await anna.call('editComment', { fileId: note, commentId, comment: '看过两次' })
    expect(await names(anna, '一遍', { scope: 'comment' })).toEqual([])
    expect(await names(anna, '两次', { scope: 'comment' })).toEqual(['紧急通告.txt'])
    await anna.call('deleteComment', { fileId: note, commentId })
    expect(await names(anna, '两次', { scope: 'comment' })).toEqual([])
    const [tag] = await tagsOf(anna)
    expect((await names(anna, '正文', { tagId: tag?.tagId })).toSorted()).toEqual(['方案.txt', '方案丙.txt'])
    const { facets, highlights } = await find(anna, '紧急', { tagId: tag?.tagId, facets: true })
    expect(byValue(facets)).toMatchObject({ scopes: { all: 2, name: 0, tag: 2 }, tags: { all: 3, here: 2 } })
    expect(highlights?.map((one) => one.in)).toEqual([['tag'], ['tag']])
  })

  test('of others, and of what one may not see or look at, find nothing', async () => {
    const [tag] = await tagsOf(anna)
    expect(await names(ben, '紧急', { scope: 'tag' })).toEqual([])
    expect(await names(ben, '方案', { tagId: tag?.tagId })).toEqual([])
    // A user who may see a file but not preview it cannot find it by its comments.
    expect(await names(ben, 'gantt', { scope: 'comment' })).toEqual([])
    expect(note).toBeGreaterThan(0)
  })
})

import { gunzipSync } from 'node:zlib'
import type { Rendition, RenditionHead } from '@cloudoc/contract'
import { codes, defaultFormats, LogBit } from '@cloudoc/domain'
import { sql } from 'kysely'
import sharp from 'sharp'
import { beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { packedDocument, sample } from '../../../test/corpus.ts'
import { type Person, sharedWorld } from '../../../test/harness.ts'
import { emptyDocument } from '../../documents/empty-documents.ts'
import { dropUnused } from './renditions.ts'

const world = sharedWorld()
let anna: Person
let ben: Person
beforeAll(async () => {
  anna = await world.person('preview-anna')
  ben = await world.person('preview-ben')
})

const get = (person: Person | undefined, url: string, headers: Record<string, string> = {}) =>
  world.app.http.inject({ url, headers: { ...(person && { authorization: `Bearer ${person.token}` }), ...headers } })
const codeOf = (response: { json: () => unknown }): number => (response.json() as { result: number }).result

/** The final state of the conversion. */
async function ended(person: Person, previewKey: string): Promise<number> {
  let state = 0
  await vi.waitFor(
    async () => {
      state = (await person.call('getPreviewStatus', { previewKey })).state
      expect(state).not.toBe(codes.converting.code)
    },
    { timeout: 120_000, interval: 50 },
  )
  return state
}

function bodyOf(packed: Buffer): Rendition {
  const length = packed.readUInt32LE(0)
  const head = JSON.parse(packed.toString('utf8', 4, 4 + length)) as RenditionHead
  const { at = 0, size = 0 } = head.parts[0] ?? {}
  return JSON.parse(gunzipSync(packed.subarray(4 + length + at, 4 + length + at + size)).toString()) as Rendition
}

const picture = (): Promise<Buffer> =>
  sharp({ create: { width: 900, height: 300, channels: 3, background: '#ff0000' } })
    .png()
    .toBuffer()

async function folderFor(rights: number): Promise<number> {
  const folderId = await anna.folder(anna.library, `shared ${rights} ${Math.random()}`)
  await anna.shares({ folderId }, [{ to: ben, rights }])
  return folderId
}

describe('what is made of a file to be shown', () => {
  // [R163] A file has a preview address per person, which shows a rendition made once per content and ends with the
  // right.
  test('[R163] [R168] is made once for a content, is the same for whoever may look, and ends with the right', async () => {
    const folderId = await folderFor(6)
    const csv = Buffer.from('名称,数量\n合同,3\n')
    const [one, two] = [await anna.upload(folderId, 'one.csv', csv), await anna.upload(folderId, 'two.csv', csv)]
    const first = await ben.call('getDocumentPreviewURL', { fileId: one })
    expect(first.form).toBe('rendition')
    expect(await ended(ben, first.previewKey)).toBe(codes.success.code)
    const shown = await get(undefined, first.url)
    expect(bodyOf(shown.rawPayload)).toMatchObject({ kind: 'sheets', sheets: [{ rows: 2, columns: 2 }] })

    // The other file has the same content, so nothing is converted.
    const second = await anna.call('getDocumentPreviewURL', { fileId: two })
    expect(await anna.call('getPreviewStatus', { previewKey: second.previewKey })).toMatchObject({
      state: codes.success.code,
    })
    const { rows } =
      await sql`select 1 from rendition r join version v on v.blob_id = r.blob_id where v.item_id = ${one}`.execute(
        world.app.db,
      )
    expect(rows).toHaveLength(1)

    await anna.shares({ folderId }, [{ to: ben, rights: 2 }])
    expect(codeOf(await get(undefined, first.url))).toBe(codes.noPermission.code)
    expect(await ben.refusal('getPreviewStatus', { previewKey: first.previewKey })).toBe('noPermission')
  })

  // [R168] However many people open however many documents at once, each content is rendered once, and no request waits
  // for a second connection while holding one (32 people, 200 documents in test:full).
  test('[R168] many people who open many documents at once have each content made once', async () => {
    const [people, documents] = inject('full') ? [32, 200] : [6, 6]
    const folderId = await folderFor(6)
    const readers = await Promise.all(Array.from({ length: people }, (_, n) => world.person(`preview-many-${n}`)))
    await anna.shares(
      { folderId },
      readers.map((to) => ({ to, rights: 6 })),
    )
    // Every third file shares its content with another.
    const contentOf = (n: number): Buffer => Buffer.from(`名称,数量\n合同 ${n % 3 === 2 ? n - 1 : n},${people}\n`)
    const fileIds: number[] = []
    for (let n = 0; n < documents; n += 1) fileIds.push(await anna.upload(folderId, `${n}.csv`, contentOf(n)))
    const wanted = readers.flatMap((reader, n) =>
      // The readers start with different files.
      fileIds.map((_, at) => ({ reader, fileId: fileIds[(at + 7 * n) % documents] ?? 0 })),
    )
    const keys = new Map<number, string>()
    const next = wanted.values()
    const open = async (): Promise<void> => {
      for (const { reader, fileId } of next)
        keys.set(fileId, (await reader.call('getDocumentPreviewURL', { fileId })).previewKey)
    }
    await Promise.all(readers.map(() => open()))
    for (const key of keys.values()) expect(await ended(anna, key)).toBe(codes.success.code)
    const { rows } = await sql<{ blob: string; attempts: number; jobs: number }>`
      select v.blob_id::text as blob, max(j.attempts)::int as attempts, count(distinct j.id)::int as jobs
      from version v join job j on j.kind = 'conversion' and j.key like v.blob_id || '-view-%'
      where v.item_id = any(${fileIds}) group by v.blob_id`.execute(world.app.db)
    expect(rows).toHaveLength(new Set(fileIds.map((_, n) => contentOf(n).toString())).size)
    expect(rows.filter(({ attempts, jobs }) => attempts !== 1 || jobs !== 1)).toEqual([])
  }, 600_000)

  // [R163] A version has a preview address of its own.
  test('[R163] a version has an address of its own, and one that is missing is -35', async () => {
    const fileId = await anna.upload(anna.library, 'versions.csv', Buffer.from('a,b\n1,2\n'))
    await anna.upload(anna.library, 'versions.csv', Buffer.from('a\n'), { conflict: 'version' })
    const { url, previewKey } = await anna.call('getDocumentPreviewURLVersion', { fileId, version: 1 })
    expect(await ended(anna, previewKey)).toBe(codes.success.code)
    expect(bodyOf((await get(undefined, url)).rawPayload)).toMatchObject({ sheets: [{ columns: 2 }] })
    expect(await anna.refusal('getDocumentPreviewURLVersion', { fileId, version: 9 })).toBe('versionMissing')
  })

  // [R164] With the right to preview only, the server sends renditions, never the bytes of the original; audio and
  // video need the right to download.
  test('[R164] [R201] with the right to preview alone a picture comes made anew, and its bytes do not', async () => {
    const folderId = await folderFor(6)
    const bytes = await picture()
    const fileId = await anna.upload(folderId, 'a.png', bytes)
    expect((await anna.call('getDocumentPreviewURL', { fileId })).form).toBe('original')
    const { url, form, previewKey } = await ben.call('getDocumentPreviewURL', { fileId })
    expect(form).toBe('rendition')
    expect(await ended(ben, previewKey)).toBe(codes.success.code)
    const { rawPayload } = await get(undefined, url)
    expect(bodyOf(rawPayload)).toMatchObject({ kind: 'picture', width: 900, height: 300 })
    expect(rawPayload.includes(bytes.subarray(0, 40))).toBe(false)
    expect(codeOf(await get(ben, `/services2/preview/content?fileId=${fileId}`))).toBe(codes.noPermission.code)
    // Videos and audio are played from their original bytes, so only for users who may download them.
    const film = await anna.upload(folderId, 'a.webm', Buffer.from('film'))
    expect((await anna.call('getDocumentPreviewURL', { fileId: film })).form).toBe('original')
    expect(await ben.refusal('getDocumentPreviewURL', { fileId: film })).toBe('conversionUnsupported')
    expect((await get(ben, `/services2/preview/content?fileId=${film}`)).rawPayload.includes('film')).toBe(false)
    const text = await anna.upload(folderId, 'a.txt', Buffer.from('正文'))
    expect((await anna.call('getDocumentPreviewURL', { fileId: text })).form).toBe('original')
    expect((await ben.call('getDocumentPreviewURL', { fileId: text })).form).toBe('rendition')
    expect(codeOf(await get(ben, `/services2/preview/content?fileId=${text}`))).toBe(codes.noPermission.code)
  })

  // [R164] An office server shows the formats listed for it, where preview is 1 and for people with the right to
  // download.
  // [R165] Seven lists of formats, sent to clients, edited in the browser, applied by the server: preview, playback,
  // download, thumbnail, office server and co-editing there.
  // [R166] In part (the sandbox itself needs a Windows driver, X42): without the right to download a secure view is
  // shown, with a watermark, without copy, print and download.
  test('[R164] [R165] [R166] the lists say what shows a file, an office server is for those who may have it, others look at it securely', async () => {
    const admin = await world.admin()
    const folderId = await folderFor(6)
    const fileId = await anna.upload(folderId, 'b.docx', Buffer.from(emptyDocument('docx') ?? []))
    const shown = (person: Person) => person.call('getDocumentPreviewURL', { fileId })
    expect(await shown(ben)).toMatchObject({ form: 'rendition', secure: false })
    try {
      await admin.call('setServerSetting', {
        preview: 1,
        preview_context: '/office/view?ui=zh',
        security_preview: true,
      })
      const { form, url, secure } = await shown(anna)
      expect([form, secure]).toEqual(['office', false])
      const query = new URL(url, 'http://here').searchParams
      expect([url.split('?')[0], query.get('ui'), query.get('fileName')]).toEqual(['/office/view', 'zh', 'b.docx'])
      const { rawPayload } = await get(undefined, new URL(query.get('url') ?? '').href.replace(/^https?:\/\/[^/]+/, ''))
      expect(rawPayload.toString('latin1', 0, 2)).toBe('PK')
      expect(await shown(ben)).toMatchObject({ form: 'rendition', secure: true })
      await admin.call('setServerSetting', { preview_download: ['docx'], preview_thumbnail: ['png'] })
      expect(await anna.refusal('getDocumentPreviewURL', { fileId })).toBe('conversionUnsupported')
      const { list } = await anna.call('getThumbnailURLs', { fileIdArray: [fileId] })
      expect(list[0]?.result).toBe(codes.conversionUnsupported.code)
      const told = JSON.parse(await ben.call('getServerSetting', { code: 'preview_format' })) as Record<
        string,
        string[]
      >
      expect([told['download'], told['thumbnail']]).toEqual([['docx'], ['png']])
      expect(await admin.refusal('setServerSetting', { preview_context: '//elsewhere.example' })).toBe('badRequest')
    } finally {
      await admin.call('setServerSetting', {
        preview: 0,
        preview_context: '',
        security_preview: false,
        preview_download: [],
        preview_thumbnail: [...defaultFormats.thumbnail],
      })
    }
  })

  // [R067] Only what the person may download is stored offline, and the server says for each item whether it may remain
  // stored.
  test('[R067] a browser may keep what one could take along, as long as that is so: nothing restricted, secret, marked or of another version', async () => {
    const admin = await world.admin()
    const folderId = await folderFor(14)
    const fileId = await anna.upload(folderId, 'kept.txt', 'one')
    const seen = await anna.upload(await folderFor(6), 'seen.txt', 'two')
    const keep = async (of: number) => (await ben.call('getDocumentPreviewURL', { fileId: of })).keep
    const kept = async () => {
      const both = [fileId, seen].map((id) => ({ fileId: id, version: 1 }))
      return (await ben.call('getKeepableFiles', { kept: both })).fileIds
    }
    expect([await keep(fileId), await keep(seen), await kept()]).toEqual([true, false, [fileId]])
    expect((await ben.call('getDocumentPreviewURLVersion', { fileId, version: 1 })).keep).toBe(false)
    const another = [{ fileId, version: 2 }]
    expect((await ben.call('getKeepableFiles', { kept: another })).fileIds, 'no such version').toEqual([])
    expect((await ben.call('getKeepableFiles', { kept: [{ fileId, version: 1 }] })).current).toEqual([
      { fileId, version: 1 },
    ])

    // No offline copy of restricted or secret files, whatever rights the user has.
    const mara = await world.person('preview-mara', { secretLevel: 2 })
    await world.app.db
      .insertInto('library_manager')
      .values({ library_id: anna.library, account_id: mara.userId })
      .execute()
    const hers = async () => {
      const { fileIds } = await mara.call('getKeepableFiles', { kept: [{ fileId, version: 1 }] })
      return [(await mara.call('getDocumentPreviewURL', { fileId })).keep, fileIds.length > 0]
    }
    expect(await hers()).toEqual([true, true])
    await mara.call('setDocRestricted', { fileIdArray: [fileId], restricted: true })
    expect(await hers()).toEqual([false, false])
    await mara.call('setDocRestricted', { fileIdArray: [fileId], restricted: false })
    await mara.call('setSecretLevel', { fileIdArray: [fileId], secretLevel: 1 })
    expect(await hers()).toEqual([false, false])
    await mara.call('setSecretLevel', { fileIdArray: [fileId], secretLevel: 0 })

    await admin.call('setServerSetting', { keep_offline: false })
    try {
      expect([await keep(fileId), await kept()]).toEqual([false, []])
    } finally {
      await admin.call('setServerSetting', { keep_offline: true })
    }
    expect(await kept()).toEqual([fileId])

    // No offline copy where downloads of this client are encrypted ([R205]).
    await admin.call('setServerSetting', { encryption_download: true })
    try {
      const onWindows = await world.app.http.inject({
        method: 'POST',
        url: '/services2/preview/getKeepableFiles',
        headers: { authorization: `Bearer ${ben.token}`, 'user-agent': 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)' },
        payload: { kept: [{ fileId, version: 1 }] },
      })
      expect(onWindows.json<{ data: unknown }>().data).toEqual({ fileIds: [], current: [] })
      expect(await kept()).toEqual([fileId])
    } finally {
      await admin.call('setServerSetting', { encryption_download: false })
    }

    // No offline copy of files that are displayed or downloaded with a watermark.
    for (const use of ['onPreview', 'onDownload'] as const) {
      const marked = { templateName: use, text: '{name}', onPreview: false, onDownload: false, [use]: true }
      const { templateId } = await admin.call('saveWatermarkTemplate', marked)
      try {
        await admin.call('setWatermarkRules', { watermarkRules: [{ templateId, target: 'all', targetId: 0 }] })
        expect([await keep(fileId), await kept()], use).toEqual([false, []])
      } finally {
        await admin.call('setWatermarkRules', { watermarkRules: [] })
        await admin.call('deleteWatermarkTemplate', { templateId })
      }
    }
    expect([await keep(fileId), await kept()]).toEqual([true, [fileId]])

    await anna.call('fileOrFolderDelete', { fileIdArray: [fileId] })
    expect(await kept()).toEqual([])
    expect(await ben.refusal('getKeepableFiles', { kept: another })).toBe('notFound')
  })

  // [R190] Preloading a neighbouring file is not logged as a preview.
  test('[R190] what shows the neighbours is made without its being told as a look at them', async () => {
    const folderId = await folderFor(6)
    const fileId = await anna.upload(folderId, 'beside.csv', Buffer.from('beside\n1\n'))
    await ben.call('prepareDocuments', { fileIdArray: [fileId] })
    expect(await ended(ben, `${fileId}-1`)).toBe(codes.success.code)
    const { rows } = await sql`
      select 1 from audit where account_id = ${ben.userId} and (detail ->> 'log')::bigint & ${LogBit.preview} <> 0
        and detail::text like ${`%${fileId}%`}`.execute(world.app.db)
    const { list } = await ben.call('getRecentHistory', {})
    expect([rows.length, list.filter(({ fId }) => fId === fileId)]).toEqual([0, []])
  })

  // [R168] The text used for comparing versions is read once per content, and its state is awaited.
  test('[R168] [R188] the words of a version are read once for a content and end with the right', async () => {
    const folderId = await folderFor(6)
    const fileId = await anna.upload(folderId, 'words.md', Buffer.from('# 标题\n\n正文\n'))
    await anna.upload(folderId, 'words.md', Buffer.from('# 标题\n\n改过\n'), { conflict: 'version' })
    let url = ''
    await vi.waitFor(
      async () => {
        const answer = await ben.call('getWordsURL', { fileId, version: 1 })
        expect(answer.state).toBe(codes.success.code)
        ;({ url } = answer)
      },
      { timeout: 120_000, interval: 100 },
    )
    const words = gunzipSync((await get(undefined, url)).rawPayload).toString()
    expect(JSON.parse(words)).toEqual([{ kind: 'whole', name: '', text: '标题\n正文' }])
    expect((await ben.call('getWordsURL', { fileId, version: 1 })).percent).toBe(100)
    expect(await ben.refusal('getWordsURL', { fileId, version: 9 })).toBe('versionMissing')
    const picture = await anna.upload(folderId, 'no.bin', Buffer.from('x'))
    expect(await ben.refusal('getWordsURL', { fileId: picture, version: 1 })).toBe('conversionUnsupported')
    await anna.shares({ folderId }, [{ to: ben, rights: 2 }])
    expect(codeOf(await get(undefined, url))).toBe(codes.noPermission.code)
  })

  // [R168] Conversions are awaited, end by themselves, and report why they failed.
  test('[R168] what cannot be shown says why, and is tried again when it is asked for', async () => {
    const fileId = await anna.upload(anna.library, 'broken.docx', Buffer.from('no document'))
    const { previewKey, url } = await anna.call('getDocumentPreviewURL', { fileId })
    expect(await ended(anna, previewKey)).toBe(codes.conversionFailed.code)
    expect(codeOf(await get(undefined, url))).toBe(codes.conversionFailed.code)
    await anna.call('convertAgain', { previewKey })
    expect(await ended(anna, previewKey)).toBe(codes.conversionFailed.code)
    const odd = await anna.upload(anna.library, 'odd.dwg', Buffer.from('x'))
    expect(await anna.refusal('getDocumentPreviewURL', { fileId: odd })).toBe('conversionUnsupported')
  })

  test('[R168] preview_cells is how many cells of a table are shown; that there are more is said', async () => {
    const admin = await world.admin()
    const table = (n: number) => Buffer.from(`${n},b\n`.repeat(700))
    const isCut = async (n: number): Promise<boolean | undefined> => {
      const fileId = await anna.upload(await folderFor(6), 'cells.csv', table(n))
      const { previewKey, url } = await ben.call('getDocumentPreviewURL', { fileId })
      expect(await ended(ben, previewKey)).toBe(codes.success.code)
      const shown = bodyOf((await get(undefined, url)).rawPayload)
      return shown.kind === 'sheets' ? shown.cut : undefined
    }
    expect(await isCut(1)).toBe(false)
    await admin.call('setServerSetting', { preview_cells: 1000 })
    expect(await isCut(2)).toBe(true)
    await admin.call('setServerSetting', { preview_cells: 500_000 })
  })

  // [R168] A time-out is -202, and with too many waiting no conversion starts (-204); of a table with more cells than
  // the setting allows the first are shown, with a note (-203).
  test('[R168] what took too long is -202, and where too many wait nothing more is begun: -204', async () => {
    const { db } = world.app
    const fileId = await anna.upload(anna.library, 'quick.csv', 'a,b\n1,2\n')
    const { previewKey } = await anna.call('getDocumentPreviewURLVersion', { fileId, version: 1 })
    const folderId = await folderFor(6)
    const slow = await anna.upload(folderId, 'slow.csv', 'a,b\n3,4\n')
    const asked = await ben.call('getDocumentPreviewURL', { fileId: slow })
    expect(await ended(ben, asked.previewKey)).toBe(codes.success.code)
    await sql`delete from rendition r using version v where v.blob_id = r.blob_id and v.item_id = ${slow}`.execute(db)
    await sql`update job set state = 'failed', result = null, error_code = 'timeout', error_message = 'late'
      where kind = 'conversion' and (input ->> 'blobId')::bigint in (select blob_id from version where item_id = ${slow})`.execute(
      db,
    )
    expect(await ben.call('getPreviewStatus', { previewKey: asked.previewKey })).toMatchObject({
      state: codes.conversionTimedOut.code,
      msg: codes.conversionTimedOut.zh,
    })
    const far = Date.now() + 86_400_000
    await sql`insert into job (kind, key, input, due, created_at)
      select 'conversion', 'filler ' || n, '{}', ${far}::bigint, 0 from generate_series(1, 5000) n`.execute(db)
    expect(await ben.refusal('getDocumentPreviewURL', { fileId: slow })).toBe('noConversionLock')
    expect((await anna.call('getPreviewStatus', { previewKey })).state).toBe(codes.success.code)
    await sql`delete from job where key like 'filler %'`.execute(db)
    expect((await ben.call('getDocumentPreviewURL', { fileId: slow })).form).toBe('rendition')
    expect(await ended(ben, asked.previewKey)).toBe(codes.success.code)
  })

  // [R063] The previewer opens by serverId, fType, fId and itemIdStr on a page of its own.
  test('[R063] opened as a page of its own, an address leads to the previewer', async () => {
    const fileId = await anna.upload(anna.library, 'page.docx', Buffer.from(emptyDocument('docx') ?? []))
    const { url } = await anna.call('getDocumentPreviewURL', { fileId })
    const response = await get(undefined, url, { 'sec-fetch-dest': 'document' })
    expect([response.statusCode, response.headers['location']]).toEqual([
      302,
      `/window/previewer?serverId=0&fType=1&fId=${fileId}&itemIdStr=s0f${fileId}&version=1`,
    ])
  })

  // [R169] Thumbnails are made once per content and shown in the grid, the gallery, the info panel and the search
  // results.
  test('[R169] pictures of a list are small and made of the contents', async () => {
    const folderId = await folderFor(6)
    const fileIdArray = [
      await anna.upload(folderId, 'b.png', await picture()),
      await anna.upload(folderId, 'b.bin', Buffer.from('x')),
    ]
    let list: readonly { result: number; url: string }[] = []
    await vi.waitFor(
      async () => {
        ;({ list } = await ben.call('getThumbnailURLs', { fileIdArray }))
        expect(list[0]?.result).toBe(codes.success.code)
      },
      { timeout: 120_000, interval: 50 },
    )
    const { width, height, format } = await sharp((await get(undefined, list[0]?.url ?? '')).rawPayload).metadata()
    expect([width, height, format]).toEqual([480, 160, 'webp'])
    expect(list[1]).toMatchObject({ result: codes.conversionUnsupported.code, url: '' })
  })

  // [R169] The number of pages or slides of a PDF, OFD or presentation and the length of a video are shown on its tile,
  // in the info panel and the window of properties, with the right to preview; nothing where it is unknown (flowing
  // text, audio, videos never played).
  test('[R169] how many pages and slides there are is known with the picture, once for a content, to who may look into it', async () => {
    const folderId = await folderFor(6)
    const [pdf, deck, text] = [await sample('pdf'), packedDocument('deck.odp'), await sample('docx')]
    const fileIdArray = [
      await anna.upload(folderId, 'a.pdf', Buffer.from(pdf)),
      await anna.upload(folderId, 'b.odp', deck),
      await anna.upload(folderId, 'c.docx', Buffer.from(text)),
      await anna.upload(folderId, 'unseen.odp', deck),
    ]
    await anna.shares({ fileId: fileIdArray[3] ?? 0 }, [{ to: ben, rights: 1 }])
    const counted = async () => {
      const { list } = await ben.call('getThumbnailURLs', { fileIdArray })
      return list.map(({ result, pages }) => [result, pages])
    }
    const { success, notFound } = codes
    const [{ code: isThere }, { code: isNone }] = [success, notFound]
    await vi.waitFor(
      async () =>
        expect(await counted()).toEqual([
          [isThere, 1],
          [isThere, 3],
          [isThere, 0],
          [isNone, 0],
        ]),
      { timeout: 120_000, interval: 50 },
    )
  })

  // [R169] The picture of a video, which nothing on the server draws, comes from the browser of somebody who may change
  // it and plays it: once per content, re-encoded.
  describe('[R169] a film, of which a browser gives the picture', () => {
    const frame = (side = 320): Promise<Buffer> =>
      sharp({ create: { width: side, height: side / 2, channels: 3, background: '#0000ff' } })
        .jpeg()
        .withExif({ IFD0: { Copyright: 'SECRET' } })
        .toBuffer()
    let films = 0
    const film = (): Buffer => Buffer.from(`a film ${films++} ${Math.random()}`)
    const given = async (of: { previewKey: string }, picture?: Buffer) => ({
      previewKey: of.previewKey,
      lengthMs: 65_000,
      picture: (picture ?? (await frame())).toString('base64'),
    })
    const open = (person: Person, fileId: number) => person.call('getDocumentPreviewURL', { fileId })
    const listed = async (person: Person, fileId: number) =>
      (await person.call('getThumbnailURLs', { fileIdArray: [fileId] })).list[0]

    test('is asked for once by who may change it, is drawn anew, and is there for all who see the content', async () => {
      const folderId = await folderFor(6)
      const content = film()
      const fileId = await anna.upload(folderId, 'a.mp4', content)
      expect(await listed(anna, fileId)).toMatchObject({ result: codes.conversionUnsupported.code })
      const opened = await open(anna, fileId)
      expect(opened.wantsPicture).toBe(true)
      const both = await Promise.all([
        anna.call('givePreviewPicture', await given(opened)),
        anna.call('givePreviewPicture', await given(opened, await frame(200))),
      ])
      expect(both.filter(({ isTaken }) => isTaken)).toHaveLength(1)
      expect(await anna.call('givePreviewPicture', await given(opened))).toEqual({ isTaken: false })
      expect((await open(anna, fileId)).wantsPicture).toBe(false)

      const copy = await anna.upload(folderId, 'copy.mov', content)
      for (const id of [fileId, copy]) {
        const found = await listed(ben, id)
        expect(found).toMatchObject({ result: codes.success.code, pages: 0, lengthMs: 65_000 })
        const bytes = (await get(undefined, found?.url ?? '')).rawPayload
        expect((await sharp(bytes).metadata()).format).toBe('webp')
        expect(bytes.includes('SECRET')).toBe(false)
      }
    })

    test('is not taken of who may only have it, nor of who brought the same content later', async () => {
      const folderId = await folderFor(14)
      const content = film()
      const fileId = await anna.upload(folderId, 'a.webm', content)
      const seen = await open(ben, fileId)
      expect(seen).toMatchObject({ form: 'original', wantsPicture: false })
      expect(await ben.refusal('givePreviewPicture', await given(seen))).toBe('noPermission')
      const own = await open(ben, await ben.upload(ben.library, 'b.webm', content))
      expect(own.wantsPicture).toBe(false)
      expect(await ben.call('givePreviewPicture', await given(own))).toEqual({ isTaken: false })
      expect(await listed(anna, fileId)).toMatchObject({ result: codes.conversionUnsupported.code })
    })

    test('is refused where it is no picture, too large, of no film, or of a version that has gone', async () => {
      const fileId = await anna.upload(anna.library, `refused ${Math.random()}.mp4`, film())
      const opened = await open(anna, fileId)
      const broken = Buffer.concat([(await picture()).subarray(0, 60), Buffer.alloc(200)])
      const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')
      for (const bytes of [Buffer.from('not a picture'), svg, broken, await frame(1200), Buffer.alloc(0)])
        expect(await anna.refusal('givePreviewPicture', await given(opened, bytes))).toBe('pictureRefused')
      expect(await anna.refusal('givePreviewPicture', await given(opened, Buffer.alloc(200_000)))).toBe('badRequest')
      expect(await listed(anna, fileId)).toMatchObject({ result: codes.conversionUnsupported.code })

      const sound = await open(anna, await anna.upload(anna.library, `refused ${Math.random()}.mp3`, film()))
      expect(sound.wantsPicture).toBe(false)
      expect(await anna.refusal('givePreviewPicture', await given(sound))).toBe('conversionUnsupported')
      const gone = { previewKey: `${fileId}-7` }
      expect(await anna.refusal('givePreviewPicture', await given(gone))).toBe('versionMissing')
    })
  })

  test('what nobody has looked at for longest is let go of where there is too much', async () => {
    const { db } = world.app
    await sql`update rendition set used_at = used_at + 1 where kind <> 'picture'`.execute(db)
    const { rows } = await sql<{ size: number }>`select sum(size)::int as size from rendition`.execute(db)
    expect(await dropUnused(db, Number(rows[0]?.size))).toBe(0)
    let dropped = 0
    for (let some = await dropUnused(db, 0); some > 0; some = await dropUnused(db, 0)) dropped += some
    expect(dropped).toBeGreaterThan(1)
    expect((await sql`select 1 from rendition where made_id is not null`.execute(db)).rows).toEqual([])
  })
})

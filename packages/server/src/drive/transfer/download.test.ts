import { once } from 'node:events'
import { readdir, readlink, truncate, unlink } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { calendarDay, codes } from '@cloudoc/domain'
import { strToU8, zipSync } from 'fflate'
import { sql } from 'kysely'
import { beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { longTest } from '../../../test/full.ts'
import { openWorld, type Person, sharedS3, type World } from '../../../test/harness.ts'
import { RawRequest } from '../../../test/raw-http.ts'
import { unzipped } from '../../../test/unzip.ts'
import { rangeOf, userContentHeaders } from './send-content.ts'
import { openZip } from './zip.ts'

const text = '0123456789'

async function get(
  person: Person,
  url: string,
  headers: Record<string, string> = {},
  token: string | null = person.token,
) {
  const authorization = token === null ? {} : { authorization: `Bearer ${token}` }
  return person.world.app.http.inject({ method: 'GET', url, headers: { ...authorization, ...headers } })
}
const fileUrl = (fileId: number, more = ''): string => `/DownloadServlet?fileId=${fileId}${more}`
const codeOf = (response: { json: () => unknown }): number => (response.json() as { result: number }).result

/** The contents of a zip: path to content; folders with a trailing slash and null. */
async function unzip(bytes: Buffer): Promise<Record<string, string | null>> {
  const found = Object.entries(await unzipped(bytes))
  return Object.fromEntries(found.map(([path, content]) => [path, content?.toString() ?? null]))
}

let world: World
let anna: Person
let ben: Person
beforeAll(async () => {
  world = await openWorld()
  anna = await world.person('anna')
  ben = await world.person('ben')
})

/** Number of objects that this process, or its S3 server, has open. */
async function openObjects(): Promise<number> {
  const fds = `/proc/${inject('store') === 's3' ? (await sharedS3()).pid : 'self'}/fd`
  const links = await Promise.all((await readdir(fds)).map((fd) => readlink(join(fds, fd)).catch(() => '')))
  return links.filter((link) => link.startsWith(world.folder) && /\/[0-9a-f]{64}\.|\/objects\//.test(link)).length
}

/** Larger than the connection's buffers. */
const big = Buffer.alloc(32 * 1024 * 1024, 'large content ')

/** Starts a download and stops reading after the beginning of the response. */
async function begun(person: Person, path: string, headers: Record<string, string> = {}): Promise<RawRequest> {
  const request = await RawRequest.open(person, 'GET', path, headers)
  await once(request.socket, 'data')
  request.socket.pause()
  return request
}

/** The audited calls of one user on these items, each with the items it names. */
async function toldOf(person: Person, ids: readonly number[]): Promise<[call: string, items: number[]][]> {
  const { rows } = await sql<{ call: string; items: string[] }>`
    select call, items from audit
    where items && ${ids}::bigint[] and account_id = ${person.userId} order by id`.execute(world.app.db)
  return rows.map(({ call, items }) => [call, items.map(Number)])
}

let folders = 0
/** Creates a folder of Anna's on which Ben has the given rights. */
async function folderFor(rights: number): Promise<number> {
  folders += 1
  const { folderId } = await anna.call('folderCreate', { parentId: anna.library, folderName: `f${folders}` })
  await anna.shares({ folderId }, [{ to: ben, rights }])
  return folderId
}

// [R128] Owners and managers export folders as a zip, with a token or a ticket in the address.
// [R160] The server refuses an export by anybody else.
test('[R128] [R160] owners and managers export folders as one zip; others may download them and not export', async () => {
  const folderId = await folderFor(1022)
  await anna.upload(folderId, '甲.txt', text)
  const exported = await get(anna, `/services2/file/query/exportFolder2/${folderId}`)
  expect(await unzip(exported.rawPayload)).toEqual({ [`f${folders}/甲.txt`]: text })
  expect(codeOf(await get(ben, `/services2/file/query/exportFolder2/${folderId}`))).toBe(codes.noPermission.code)
  // Downloads with a ticket in the URL (X36) that is valid for exactly these folders.
  const by = async (person: Person, ids: number[], asked = ids): Promise<unknown> => {
    const { ticket } = await person.call('createDownloadTicket', { folderIdArray: asked })
    const url = `/services2/file/query/exportFolder2/${ids.join()}?access_token=${ticket}`
    const answer = await get(person, url, {}, null)
    return answer.headers['content-type'] === 'application/zip' ? 'a zip' : codeOf(answer)
  }
  expect(await by(anna, [folderId])).toBe('a zip')
  expect(await by(anna, [folderId], [anna.library])).toBe(codes.noPermission.code)
  expect(await by(ben, [folderId])).toBe(codes.noPermission.code)
  expect(codeOf(await get(ben, `/services2/file/query/exportFolder2/${ben.library},${anna.library}`))).toBe(
    codes.notFound.code,
  )
})

describe('[R284] [R285] a limit of downloads', () => {
  // [R284] A daily download limit, counted exactly, and refused when it is used up.
  // [R285] Security and audit administrators receive push 41 for each person near or at the limit, one notice per
  // person.
  // [R329] Push 41 when a person approaches the download limit and when they reach it, to security and audit
  // administrators only.
  test('[R284] [R285] [R329] is counted exactly, however many ask at once; what goes on, HEAD and 304 count nothing; each file of a zip does', async () => {
    const [admin, cleo] = [await world.admin(), await world.person('cleo')]
    const folderId = await cleo.folder(cleo.library, '限额')
    const [one, two] = [await cleo.upload(folderId, '甲.txt', text), await cleo.upload(folderId, '乙.txt', text)]
    const set = (perDay: number) =>
      admin.call('setDownloadLimit', { subjectType: 'user', subjectId: cleo.userId, perDay })
    const { limitId } = await set(3)
    const answers = await Promise.all(Array.from({ length: 12 }, () => get(cleo, fileUrl(one))))
    expect(answers.filter(({ statusCode, body }) => statusCode === 200 && body === text)).toHaveLength(3)
    const refused = answers.filter(({ headers }) => `${headers['content-type']}`.includes('json'))
    expect(refused.map((answer) => codeOf(answer))).toEqual(Array(9).fill(codes.downloadLimit.code))
    const today = async () => {
      const { count, limit } = await cleo.call('getDownloadToday', {})
      return [count, limit]
    }
    expect(await today()).toEqual([3, 3])
    // Resuming a started download counts as the same one. A range request for a file not started counts as a new
    // download.
    expect((await get(cleo, fileUrl(one), { range: 'bytes=5-' })).body).toBe('56789')
    expect(codeOf(await get(cleo, fileUrl(two), { range: 'bytes=5-' }))).toBe(codes.downloadLimit.code)
    const again = await set(5)
    expect(await admin.refusal('removeDownloadLimit', { limitId })).toBe('notFound')
    const { etag = '' } = answers.find(({ statusCode }) => statusCode === 200)?.headers ?? {}
    expect((await get(cleo, fileUrl(one), { 'if-none-match': etag })).statusCode).toBe(304)
    const head = { method: 'HEAD' as const, url: fileUrl(one), headers: { authorization: `Bearer ${cleo.token}` } }
    await cleo.world.app.http.inject(head)
    // A download counted for an empty response is refunded right afterwards.
    await expect.poll(today).toEqual([3, 5])
    // A zip contains as many files as the limit leaves, and lists the omitted ones.
    const zip = await get(cleo, `/DownloadMultiFile?files=fo_${folderId},fi_${one}`)
    const names = Object.keys(await unzip(zip.rawPayload))
    expect(names.filter((name) => name.endsWith('.txt') && !name.startsWith('未包含'))).toHaveLength(2)
    expect(names.some((name) => name.startsWith('未包含'))).toBe(true)
    expect(await today()).toEqual([5, 5])
    expect(codeOf(await get(cleo, `/DownloadMultiFile?files=fo_${folderId}`))).toBe(codes.downloadLimit.code)
    // The users responsible are notified, each once however often the limit is exceeded.
    const told = async (person: Person) =>
      (await person.call('getNotices', {})).groups.find(({ group }) => group === 'downloadLimit')?.total ?? 0
    await expect.poll(() => told(cleo)).toBe(1)
    await expect.poll(() => told(admin)).toBe(1)
    expect((await admin.call('getDownloadAudit', {})).list).toContainEqual(
      expect.objectContaining({ accountId: cleo.userId, count: 5 }),
    )
    expect((await admin.call('getDownloadLimits', {})).list).toMatchObject([{ subjectId: cleo.userId, perDay: 5 }])
    expect(await cleo.refusal('getDownloadAudit', {})).toBe('noPermission')
    await admin.call('removeDownloadLimit', { limitId: again.limitId })
    expect((await get(cleo, fileUrl(one))).body).toBe(text)
    expect(await today()).toEqual([5, 0])
  })

  test('the day begins in the company’s time zone, also where clocks are put back', () => {
    const at = (moment: string, zone: string) => {
      const { day, until } = calendarDay(Date.parse(moment), zone)
      return [day, new Date(until).toISOString()]
    }
    expect(at('2026-11-25T15:59:59Z', 'Asia/Shanghai')).toEqual(['2026-11-25', '2026-11-25T16:00:00.000Z'])
    expect(at('2026-11-25T16:00:00Z', 'Asia/Shanghai')).toEqual(['2026-11-26', '2026-11-26T16:00:00.000Z'])
    expect(at('2026-10-25T01:00:00Z', 'Europe/Berlin')).toEqual(['2026-10-25', '2026-10-25T23:00:00.000Z'])
    expect(at('2026-11-25T00:00:00Z', 'Asia/Kathmandu')).toEqual(['2026-11-25', '2026-11-25T18:15:00.000Z'])
  })
})

describe('one file', () => {
  // [R201] Downloads with ranges, versions and tickets.
  test('[R201] a range is answered with exactly its bytes, what no range is with the whole', async () => {
    const fileId = await anna.upload(await folderFor(270), 'a.txt', text)
    const cases: [range: string, status: number, body: string, contentRange?: string][] = [
      ['bytes=0-0', 206, '0', 'bytes 0-0/10'],
      ['bytes=0-', 206, text, 'bytes 0-9/10'],
      ['bytes=9-9', 206, '9', 'bytes 9-9/10'],
      ['bytes=8-99', 206, '89', 'bytes 8-9/10'],
      ['bytes=-3', 206, '789', 'bytes 7-9/10'],
      ['bytes=-99', 206, text, 'bytes 0-9/10'],
      ['bytes=10-', 416, '', 'bytes */10'],
      ['bytes=-0', 416, '', 'bytes */10'],
      ['bytes=5-2', 200, text],
      ['bytes=0-1,4-5', 200, text],
      ['bytes=', 200, text],
      ['lines=0-1', 200, text],
      ['bytes=a-b', 200, text],
    ]
    for (const [range, status, body, contentRange] of cases) {
      const response = await get(anna, fileUrl(fileId), { range })
      expect({ range, status: response.statusCode, body: response.body }).toEqual({ range, status, body })
      expect(response.headers['content-range']).toBe(contentRange)
      if (status !== 416) expect(response.headers['content-length']).toBe(String(body.length))
    }
    expect(rangeOf('bytes=0-0', 0)).toBe(null)
  })

  test('[R201] ETag answers 304, and If-Range gives a part only of the same content', async () => {
    const folderId = await folderFor(270)
    const fileId = await anna.upload(folderId, 'a.txt', text)
    const { etag = '' } = (await get(anna, fileUrl(fileId))).headers
    for (const known of [etag, `"x", ${etag}`, `W/${etag}`, '*']) {
      const response = await get(anna, fileUrl(fileId), { 'if-none-match': known })
      expect([known, response.statusCode, response.body]).toEqual([known, 304, ''])
    }
    expect((await get(anna, fileUrl(fileId), { 'if-none-match': '"x"' })).statusCode).toBe(200)
    const part = { range: 'bytes=0-1' }
    expect((await get(anna, fileUrl(fileId), { ...part, 'if-range': etag })).body).toBe('01')
    await anna.upload(folderId, 'a.txt', 'abcdefghij', { conflict: 'version' })
    expect((await get(anna, fileUrl(fileId), { ...part, 'if-range': etag })).body).toBe('abcdefghij')
    const same = await anna.upload(folderId, 'b.txt', text)
    expect((await get(anna, fileUrl(same))).headers.etag).toBe(etag)
  })

  test('[R201] HEAD answers the same headers without a body', async () => {
    const fileId = await anna.upload(await folderFor(270), 'a.txt', text)
    const response = await world.app.http.inject({
      method: 'HEAD',
      url: fileUrl(fileId),
      headers: { authorization: `Bearer ${anna.token}` },
    })
    expect([response.statusCode, response.body, response.headers['content-length']]).toEqual([200, '', '10'])
  })

  test('[R201] each version is given by its number, and one that is missing is -35', async () => {
    const folderId = await folderFor(270)
    const fileId = await anna.upload(folderId, 'a.txt', 'one')
    await anna.upload(folderId, 'a.txt', 'two', { conflict: 'version' })
    expect((await anna.download(fileId)).body).toBe('two')
    expect((await anna.download(fileId, { version: '1' })).body).toBe('one')
    for (const version of ['0', '3', '999999999']) {
      expect(codeOf(await anna.download(fileId, { version }))).toBe(codes.versionMissing.code)
    }
    expect((await anna.download(fileId, { version: '-1' })).statusCode).toBe(400)
    expect(await anna.refusal('createDownloadTicket', { fileIdArray: [fileId], version: 3 })).toBe('versionMissing')
  })

  test('the pictures of a list are asked for together, and are not told as previews', async () => {
    const folderId = await folderFor(6)
    const ids = [await anna.upload(folderId, 'a.png', 'one'), await anna.upload(folderId, 'b.png', 'two')]
    const { list } = await ben.call('getThumbnailURLs', { fileIdArray: ids })
    expect(list.map(({ fileId }) => fileId)).toEqual(ids)
    // The thumbnail is being made, or the file was found to be no image; the previews have their own tests.
    const none: number[] = [codes.converting.code, codes.conversionFailed.code]
    expect(list.filter(({ result }) => !none.includes(result))).toEqual([])
    expect(await toldOf(ben, ids)).toEqual([['getThumbnailURLs', ids]])
  })

  test('the picture of a file that may not be looked into has a code of its own, and is left out of what is told', async () => {
    const folderId = await folderFor(6)
    const ids = [await anna.upload(folderId, 'a.png', 'one'), await anna.upload(folderId, 'b.png', 'two')]
    await anna.shares({ fileId: ids[1] ?? 0 }, [{ to: ben, rights: 1 }])
    const [seen = 0, unseen = 0] = ids
    const left = await ben.call('getThumbnailURLs', { fileIdArray: [unseen, seen, 99_999_999] })
    // The visible file's thumbnail is being made, or it was found to be no image.
    expect(left.list.map(({ fileId, result, url }) => [fileId, result === codes.notFound.code, url !== ''])).toEqual([
      [unseen, true, false],
      [seen, false, false],
      [99_999_999, true, false],
    ])
    expect(left.list[0]?.msg).toBe(codes.notFound.zh)
    expect(await toldOf(ben, ids)).toEqual([['getThumbnailURLs', [seen]]])
    expect(await ben.refusal('getThumbnailURLs', { fileIdArray: [unseen, 99_999_999] })).toBe('notFound')
    expect(await ben.refusal('getThumbnailURLs', { fileIdArray: [-1] })).toBe('notFound')
  })

  // [R163] Archives are listed, rar and 7z too, and one file is extracted with the right to download the archive.
  test('[R163] one file of an archive is downloaded by whoever may have the archive, as an attachment', async () => {
    const folderId = await anna.folder(anna.library, 'packed')
    const zip = zipSync({ '资料/清单.html': strToU8('<b>1</b>'), 'b.txt': strToU8('2') })
    const fileId = await anna.upload(folderId, 'a.zip', Buffer.from(zip))
    const entry = (path: string): string =>
      `/services2/file/query/downloadArchiveEntry?${new URLSearchParams({ fileId: String(fileId), path }).toString()}`
    const taken = await get(anna, entry('资料/清单.html'))
    expect([taken.statusCode, taken.payload]).toEqual([200, '<b>1</b>'])
    expect(taken.headers['content-disposition']).toContain(encodeURIComponent('清单.html'))
    expect(taken.headers['content-security-policy']).toContain('sandbox')
    expect(codeOf(await get(anna, entry('资料/none.html')))).toBe(codes.notFound.code)
    await anna.shares({ folderId }, [{ to: ben, rights: 6 }])
    expect(codeOf(await get(ben, entry('b.txt')))).toBe(codes.noPermission.code)
    const { ticket } = await anna.call('createDownloadTicket', { fileIdArray: [fileId], folderIdArray: [] })
    expect((await get(anna, `${entry('b.txt')}&access_token=${ticket}`, {}, null)).payload).toBe('2')
  })

  // [R163] One file of an archive is extracted into a folder, with the secret level of the archive.
  test('[R163] one file of an archive becomes a file in a folder, with the secret level of the archive, by whoever may have the one and put into the other', async () => {
    const folderId = await anna.folder(anna.library, 'packed to save')
    const target = await anna.folder(anna.library, 'saved')
    const zip = zipSync({ '资料/清单.txt': strToU8('甲乙丙'), 'a:b?.txt': strToU8('1') })
    const fileId = await anna.upload(folderId, 'a.zip', Buffer.from(zip))
    const entry = { fileId, path: '资料/清单.txt', folderId: target }
    const saved = await anna.call('saveArchiveEntry', entry)
    expect(saved).toMatchObject({ fName: '清单.txt', parentFolderId: target, version: 1 })
    expect((await get(anna, fileUrl(saved.fileId))).payload).toBe('甲乙丙')
    // Existing files are not overwritten.
    expect(await anna.call('saveArchiveEntry', entry)).toMatchObject({ fName: '清单 (2).txt' })

    const refusals = [
      { ...entry, path: '资料/none.txt' },
      { ...entry, path: '资料/' },
      { ...entry, path: 'a:b?.txt' },
      { ...entry, fileId: saved.fileId },
      { ...entry, version: 9 },
    ]
    const said = await Promise.all(refusals.map((input) => anna.refusal('saveArchiveEntry', input)))
    expect(said).toEqual(['notFound', 'illegalName', 'illegalName', 'conversionUnsupported', 'versionMissing'])
    expect((await anna.names(target)).toSorted()).toEqual(['清单 (2).txt', '清单.txt'])

    // A user who may read only the archive, or only the folder, cannot save.
    await anna.shares({ folderId }, [{ to: ben, rights: 6 }])
    const his = { ...entry, folderId: ben.library }
    expect(await ben.refusal('saveArchiveEntry', his)).toBe('noPermission')
    await anna.shares({ folderId }, [{ to: ben, rights: 14 }])
    await anna.shares({ folderId: target }, [{ to: ben, rights: 14 }])
    expect(await ben.refusal('saveArchiveEntry', entry)).toBe('noPermission')
    expect(await ben.call('saveArchiveEntry', his)).toMatchObject({ fName: '清单.txt' })

    const lena = await world.person('packer', { secretLevel: 2 })
    const secret = await lena.upload(lena.library, 'secret.zip', Buffer.from(zip))
    await world.app.db.updateTable('item').set({ secret_level: 1 }).where('id', '=', secret).execute()
    const out = await lena.call('saveArchiveEntry', { ...entry, fileId: secret, folderId: lena.library })
    expect(await lena.call('getFileInfo', { fileId: out.fileId })).toMatchObject({ secretLevel: 1 })
  })

  // [R163] A file in an archive is previewed with the right to download the archive, nested archives too.
  test('[R163] what one file of an archive holds is shown to whoever may have the archive, archives in it too', async () => {
    const folderId = await anna.folder(anna.library, 'packed and shown')
    const inner = zipSync({ '里面.txt': strToU8('x') })
    const zip = zipSync({
      '资料/清单.html': strToU8('<b>甲方</b><script>x()</script>'),
      'in.zip': inner,
      'a.dwg': inner,
    })
    const fileId = await anna.upload(folderId, 'a.zip', Buffer.from(zip))
    const { url } = await anna.call('getDocumentPreviewURL', { fileId })
    const ticket = new URL(url, 'http://a').searchParams.get('access_token') ?? ''
    const shown = (path: string): string =>
      `/services2/preview/archiveEntry?${new URLSearchParams({ fileId: String(fileId), path, access_token: ticket }).toString()}`
    const bodyOf = async (path: string): Promise<unknown> => {
      const { rawPayload } = await get(anna, shown(path), {}, null)
      const start = 4 + rawPayload.readUInt32LE(0)
      const { parts } = JSON.parse(rawPayload.toString('utf8', 4, start)) as { parts: { at: number; size: number }[] }
      return JSON.parse(gunzipSync(rawPayload.subarray(start, start + (parts[0]?.size ?? 0))).toString())
    }
    expect(await bodyOf('资料/清单.html')).toMatchObject({ kind: 'flow', blocks: [{ runs: [{ text: '甲方' }] }] })
    expect(await bodyOf('in.zip')).toMatchObject({ kind: 'listing', entries: [{ path: '里面.txt' }] })
    expect(codeOf(await get(anna, shown('a.dwg'), {}, null))).toBe(codes.conversionUnsupported.code)
    expect(codeOf(await get(anna, shown('none.txt'), {}, null))).toBe(codes.notFound.code)
    await anna.shares({ folderId }, [{ to: ben, rights: 6 }])
    const { url: his } = await ben.call('getDocumentPreviewURL', { fileId })
    const other = new URL(his, 'http://a').searchParams.get('access_token') ?? ''
    expect(codeOf(await get(ben, shown('in.zip').replace(ticket, other), {}, null))).toBe(codes.noPermission.code)
  })

  test('[R201] what people uploaded is an attachment that runs nowhere', async () => {
    const folderId = await folderFor(270)
    for (const name of ['page.html', 'image.svg', 'script.js', 'x.xhtml', 'noext.txt']) {
      const fileId = await anna.upload(folderId, name, '<script>alert(1)</script>')
      const { url, form } = await anna.call('getDocumentPreviewURL', { fileId })
      // Files for which the server makes a rendition are not displayed in their original form.
      expect(form).toBe(name.endsWith('html') ? 'rendition' : 'original')
      const shown = form === 'original' ? [await get(anna, url, {}, null)] : []
      for (const response of [await get(anna, fileUrl(fileId)), ...shown]) {
        expect([name, response.statusCode, response.headers]).toMatchObject([
          name,
          200,
          {
            'content-security-policy': "sandbox; default-src 'none'",
            'x-content-type-options': 'nosniff',
            'referrer-policy': 'no-referrer',
          },
        ])
        expect(response.headers['content-disposition']).toMatch(/^attachment;/)
      }
    }
  })

  test('[R201] a name travels whole, and can neither end its header nor its quotes', async () => {
    const folderId = await folderFor(270)
    for (const name of ['合同 “终稿” 😀.docx', "it's (1) 100%.txt", 'a;b=c.txt']) {
      const fileId = await anna.upload(folderId, name, 'x')
      const header = String((await anna.download(fileId)).headers['content-disposition'])
      expect(decodeURIComponent(/filename\*=UTF-8''(\S+)$/.exec(header)?.[1] ?? '')).toBe(name)
      expect(header).toMatch(/^attachment; filename="[\x20-\x7e]*"; filename\*=UTF-8''[\w.%!~-]+$/)
    }
    for (const hostile of ['a\r\nset-cookie: x=1', 'a"; filename="b.exe', 'a\\"b', 'a\u0000b']) {
      const header = userContentHeaders(hostile)['content-disposition'] ?? ''
      expect(header).toMatch(/^[\x20-\x7e]*$/)
      expect(header.match(/"/g)).toHaveLength(2)
    }
  })

  test('[R201] an object that is missing is an error, not a broken file', async () => {
    const lost = await openWorld()
    const carl = await lost.person('carl')
    const fileId = await carl.upload(carl.library, 'a.txt', 'lost')
    const { key } = await lost.app.db.selectFrom('blob').select('key').executeTakeFirstOrThrow()
    await unlink(join(lost.folder, 'blobs', key))
    const one = await carl.download(fileId)
    expect([one.statusCode, codeOf(one)]).toEqual([500, codes.serverException.code])
    const many = await get(carl, `/DownloadMultiFile?files=fi_${fileId}`)
    expect([many.statusCode, codeOf(many)]).toEqual([500, codes.serverException.code])
  })
})

describe('large files', () => {
  const received = (request: RawRequest): Promise<number> => {
    request.socket.resume()
    return request.ended.then((text) => text.length - text.indexOf('\r\n\r\n') - 4)
  }

  longTest('[R201] an answer that waits for its turn on a connection is let go with the connection', async () => {
    const fileId = await anna.upload(await folderFor(270), 'big.bin', big)
    const request = await begun(anna, fileUrl(fileId))
    request.write(`GET ${fileUrl(fileId)} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${anna.token}\r\n\r\n`)
    await vi.waitFor(async () => expect(await openObjects()).toBe(2), 120_000)
    request.cut()
    await vi.waitFor(async () => expect(await openObjects()).toBe(0), 120_000)
  })

  test('[R201] a receiver that does not read makes the server hold one chunk for it', async () => {
    const fileId = await anna.upload(await folderFor(270), 'big.bin', big)
    await world.port()
    const sockets: Socket[] = []
    const onConnection = (socket: Socket) => void sockets.push(socket)
    world.app.http.server.on('connection', onConnection)
    const requests = await Promise.all(
      Array.from({ length: 4 }, () => begun(anna, fileUrl(fileId), { connection: 'close' })),
    )
    world.app.http.server.off('connection', onConnection)
    await vi.waitFor(
      () => expect(sockets.map((socket) => socket.writableLength > 0)).toEqual(Array(4).fill(true)),
      10_000,
    )
    // Time in which a sender without backpressure would continue.
    for (let n = 0; n < 20; n += 1) await anna.names(anna.library)
    for (const socket of sockets) expect(socket.writableLength).toBeLessThanOrEqual(512 * 1024)
    expect(await Promise.all(requests.map(received))).toEqual(Array(4).fill(big.length))
    expect(await openObjects()).toBe(0)
  })

  longTest('[R201] an object that is removed while it is sent arrives whole', async () => {
    const fileId = await anna.upload(await folderFor(270), 'big.bin', Buffer.concat([big, Buffer.from('removed')]))
    const { key } = await world.app.db
      .selectFrom('blob')
      .select('key')
      .where('size', '=', big.length + 7)
      .executeTakeFirstOrThrow()
    const request = await begun(anna, fileUrl(fileId), { connection: 'close' })
    await world.app.blobs.remove(key)
    expect(await received(request)).toBe(big.length + 7)
    expect((await request.ended).endsWith('removed')).toBe(true)
    expect((await anna.download(fileId)).statusCode).toBe(500)
  })

  test('[R201] an object that is shorter than its row says breaks off, and does not look complete', async () => {
    const fileId = await anna.upload(await folderFor(270), 'big.bin', Buffer.concat([big, Buffer.from('cut short')]))
    const { key } = await world.app.db
      .selectFrom('blob')
      .select('key')
      .where('size', '=', big.length + 9)
      .executeTakeFirstOrThrow()
    await truncate(join(world.folder, 'blobs', key), big.length)
    const request = await begun(anna, fileUrl(fileId))
    request.write('GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')
    const length = await received(request)
    // With S3 the error is known before the response begins.
    if (inject('store') === 's3') expect(await request.ended).toMatch(/^HTTP\/1.1 500/)
    else expect(length).toBe(big.length)
  })
})

describe('tickets', () => {
  test('[X36] a ticket opens its own items and nothing else', async () => {
    const folderId = await folderFor(270)
    const fileId = await anna.upload(folderId, 'a.txt', text)
    const other = await anna.upload(folderId, 'b.txt', text)
    const { ticket } = await anna.call('createDownloadTicket', { fileIdArray: [fileId] })
    const by = (url: string) => get(anna, `${url}&access_token=${ticket}`, {}, null)
    expect((await by(fileUrl(fileId))).body).toBe(text)
    expect((await by(fileUrl(fileId))).body).toBe(text)
    expect(Object.keys(await unzip((await by(`/DownloadMultiFile?files=fi_${fileId}`)).rawPayload))).toEqual(['a.txt'])
    expect(codeOf(await by(fileUrl(other)))).toBe(codes.noPermission.code)
    expect(codeOf(await by(`/DownloadMultiFile?files=fi_${fileId},fi_${other}`))).toBe(codes.noPermission.code)
    expect(codeOf(await by(`/DownloadMultiFile?files=fo_${folderId}`))).toBe(codes.noPermission.code)
    expect(codeOf(await by(`/services2/preview/content?fileId=${fileId}`))).toBe(codes.noPermission.code)
    expect((await get(anna, '/services2/user/getMyUserInfo', {}, ticket)).statusCode).toBe(401)
    expect(await ben.refusal('createDownloadTicket', { fileIdArray: [anna.library] })).toBe('notFound')
    expect(await ben.refusal('createDownloadTicket', {})).toBe('badRequest')
  })

  test('[X36] a ticket ends with its five minutes, its session, the right and the account', async () => {
    let now = Date.now()
    const timed = await openWorld({ now: () => now })
    const [carl, dora] = [await timed.person('carl'), await timed.person('dora')]
    const { folderId } = await carl.call('folderCreate', { parentId: carl.library, folderName: 'f' })
    const fileId = await carl.upload(folderId, 'a.txt', text)
    await carl.shares({ folderId }, [{ to: dora, rights: 270 }])
    const ticketOf = async (person: Person) =>
      (await person.call('createDownloadTicket', { fileIdArray: [fileId] })).ticket
    const use = async (ticket: string) => get(carl, fileUrl(fileId, `&access_token=${ticket}`), {}, null)
    const late = await ticketOf(dora)
    now += 5 * 60_000 - 1
    expect((await use(late)).body).toBe(text)
    now += 1
    expect([(await use(late)).statusCode, codeOf(await use(late))]).toEqual([401, codes.notLoggedIn.code])

    const unshared = await ticketOf(dora)
    await carl.shares({ folderId }, [{ to: dora, rights: 6 }])
    expect(codeOf(await use(unshared))).toBe(codes.noPermission.code)
    await carl.shares({ folderId }, [{ to: dora, rights: 270 }])
    expect((await use(unshared)).body).toBe(text)

    const frozen = await ticketOf(dora)
    await (await timed.admin()).call('setAccountState', { userId: dora.userId, state: 'frozen' })
    expect([codes.accountFrozen.code, codes.notLoggedIn.code]).toContain(codeOf(await use(frozen)))

    const gone = await ticketOf(carl)
    await carl.call('logout2', {})
    expect((await use(gone)).statusCode).toBe(401)
  })

  test('[X36] [R201] the session’s own token is taken from the query, of downloads alone', async () => {
    const fileId = await anna.upload(await folderFor(270), 'a.txt', text)
    const token = `&access_token=${anna.token}`
    expect((await get(anna, fileUrl(fileId, token), {}, null)).body).toBe(text)
    expect((await get(anna, fileUrl(fileId), {}, null)).statusCode).toBe(401)
    expect((await get(anna, fileUrl(fileId, '&access_token=forged'), {}, null)).statusCode).toBe(401)
    expect((await get(anna, fileUrl(fileId, '&access_token=a&access_token=b'), {}, null)).statusCode).toBe(400)
    expect((await get(anna, `/services2/user/getMyUserInfo?access_token=${anna.token}`, {}, null)).statusCode).toBe(401)
  })

  test('[R201] who may only preview gets the preview and no download', async () => {
    const folderId = await folderFor(6)
    const fileId = await anna.upload(folderId, 'a.txt', text)
    const { url, form } = await ben.call('getDocumentPreviewURL', { fileId })
    expect(form).toBe('rendition')
    expect(codeOf(await get(ben, url.replace(/^[^?]+/, '/services2/preview/content'), {}, null))).toBe(
      codes.noPermission.code,
    )
    expect(codeOf(await get(ben, fileUrl(fileId)))).toBe(codes.noPermission.code)
    expect(codeOf(await get(ben, fileUrl(fileId, `&${url.split('&').at(-1) ?? ''}`), {}, null))).toBe(
      codes.noPermission.code,
    )
    expect(await ben.refusal('createDownloadTicket', { fileIdArray: [fileId] })).toBe('noPermission')
  })
})

describe('many files', () => {
  const zipOf = async (person: Person, files: string) => {
    const response = await get(person, `/DownloadMultiFile?files=${files}`)
    expect(response.headers['content-type']).toBe('application/zip')
    return unzip(response.rawPayload)
  }

  // [R202] Many items as one zip.
  test('[R202] folders come with all they hold, empty ones too, and names told apart', async () => {
    const first = await folderFor(270)
    const second = await folderFor(270)
    const sub = (await anna.call('folderCreate', { parentId: first, folderName: '子文件夹' })).folderId
    await anna.call('folderCreate', { parentId: sub, folderName: '空' })
    await anna.upload(sub, '合同 😀.txt', '深')
    const one = await anna.upload(first, 'a.txt', 'one')
    const two = await anna.upload(second, 'A.txt', 'two')
    const empty = await anna.upload(second, 'empty.txt', '')
    expect(await zipOf(anna, `fi_${one},fo_${sub},fi_${two},fi_${empty},fi_${one}`)).toEqual({
      'a.txt': 'one',
      'A (2).txt': 'two',
      'empty.txt': '',
      '子文件夹/合同 😀.txt': '深',
      '子文件夹/空/': null,
    })
    const nothing = await folderFor(270)
    expect(Object.values(await zipOf(anna, `fo_${nothing}`))).toEqual([null])
  })

  // [R202] Names in a zip are no longer than Linux can unpack.
  test('[R202] names in a zip are no longer than what Linux unpacks, and told apart', async () => {
    const top = await folderFor(270)
    const folderId = await anna.folder(top, '内'.repeat(120))
    const long = '字'.repeat(200)
    for (const name of [`${long}一.txt`, `${long}二.txt`, '短.txt']) await anna.upload(folderId, name, name)
    const found = await zipOf(anna, `fo_${folderId}`)
    const names = Object.keys(found)
    for (const part of names.flatMap((name) => name.split('/')))
      expect(Buffer.byteLength(part)).toBeLessThanOrEqual(255)
    const above = '内'.repeat(85)
    expect(names.sort()).toEqual(
      [`${above}/${'字'.repeat(83)}.txt`, `${above}/${'字'.repeat(82)} (2).txt`, `${above}/短.txt`].sort(),
    )
    expect(new Set(Object.values(found))).toEqual(new Set([`${long}一.txt`, `${long}二.txt`, '短.txt']))
  })

  test('[R202] what may be seen and not downloaded is named in a list; what is hidden is nowhere', async () => {
    const folderId = await folderFor(270)
    const make = async (name: string) => anna.upload(folderId, name, name)
    await make('open.txt')
    await anna.shares({ fileId: await make('preview only.txt') }, [{ to: ben, rights: 6 }])
    await anna.shares({ fileId: await make('hidden.txt') }, [], { inherit: false })
    const closed = (await anna.call('folderCreate', { parentId: folderId, folderName: 'closed' })).folderId
    await anna.upload(closed, 'inside.txt')
    await anna.shares({ folderId: closed }, [{ to: ben, rights: 6 }], { inherit: false })
    const found = await zipOf(ben, `fo_${folderId}`)
    const [list = ''] = Object.keys(found).filter((name) => name.includes('not included'))
    const top = (await anna.call('getFolderInfo', { folderId })).fName
    expect(found[`${top}/open.txt`]).toBe('open.txt')
    expect(found[list]).toBe(`\ufeff${top}/preview only.txt\r\n${top}/closed\r\n`)
    expect(Object.keys(found)).toHaveLength(2)
    expect(JSON.stringify(found)).not.toMatch(/hidden|inside/)
    expect(codeOf(await get(ben, `/DownloadMultiFile?files=fo_${closed}`))).toBe(codes.noPermission.code)
    expect(codeOf(await get(ben, `/DownloadMultiFile?files=fo_${folderId},fo_999999`))).toBe(codes.notFound.code)
  })

  test.each(['', 'fi_', 'x_1', 'fi_1;fi_2', 'fi_-1', `fi_${'9'.repeat(30)}`])(
    '[R202] files=%s is refused as bad parameters',
    async (files) => {
      expect((await get(anna, `/DownloadMultiFile?files=${files}`)).statusCode).toBe(400)
    },
  )

  test('[R201] [R202] a client that goes away leaves no object open', async () => {
    const folderId = await folderFor(270)
    const fileId = await anna.upload(folderId, 'big.bin', big)
    const ways: [path: string, headers: Record<string, string>][] = [
      [fileUrl(fileId), {}],
      [fileUrl(fileId), { range: 'bytes=1000-' }],
      [`/DownloadMultiFile?files=fo_${folderId}`, {}],
    ]
    for (const [path, headers] of ways) {
      const request = await begun(anna, path, headers)
      await vi.waitFor(async () => expect(await openObjects()).toBe(1), 120_000)
      request.cut()
      await vi.waitFor(async () => expect(await openObjects()).toBe(0), 120_000)
    }
  })

  test('[R202] sizes beyond what a classic zip can say are written as zip64', async () => {
    const sink = new PassThrough()
    const bytes = buffer(sink)
    const zip = openZip(sink, true)
    const part = new PassThrough()
    const added = zip.file('大.txt', part, { size: 3, modifiedAt: Date.now() })
    part.end('abc')
    await added
    zip.folder('空/')
    await zip.end()
    expect((await bytes).includes(Buffer.from([0x50, 0x4b, 0x06, 0x06]))).toBe(true)
    expect(await unzip(await bytes)).toEqual({ '大.txt': 'abc', '空/': null })
  })

  test('[R202] a file of more than 4 GiB keeps its size and its sum', async () => {
    const piece = Buffer.alloc(1024 * 1024)
    const pieces = inject('full') ? 4097 : 5
    async function* zeros() {
      for (let n = 0; n < pieces; n += 1) yield piece
    }
    const sink = new PassThrough()
    const zip = openZip(sink)
    let length = 0
    const tail: Buffer[] = []
    sink.on('data', (chunk: Buffer) => {
      length += chunk.length
      tail.push(chunk)
      if (tail.length > 8) tail.shift()
    })
    await zip.file('zeros.bin', Readable.from(zeros()), { size: pieces * piece.length, modifiedAt: Date.now() })
    await zip.end()
    expect(length).toBeGreaterThan(pieces * piece.length)
    const isZip64 = Buffer.concat(tail).includes(Buffer.from([0x50, 0x4b, 0x06, 0x06]))
    expect(isZip64).toBe(pieces > 4095)
  })
})

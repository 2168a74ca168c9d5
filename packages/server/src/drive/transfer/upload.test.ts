import { createHash } from 'node:crypto'
import { codes } from '@cloudoc/domain'
import { sql } from 'kysely'
import { describe, expect, test, vi } from 'vitest'
import { contentsOf, countFrom, nothing } from '../../../test/contents.ts'
import { openWorld, type Person, sharedWorld } from '../../../test/harness.ts'
import { extraConnections, lockIsWaitedFor } from '../../../test/lock-waits.ts'
import { Pauses } from '../../../test/pauses.ts'
import { RawRequest } from '../../../test/raw-http.ts'

const world = sharedWorld()

const boundary = 'edge-7d1'
const field = (name: string, value: string): string =>
  `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
const part = (content: string, disposition = 'filename="a.txt"', name = 'file'): string =>
  `--${boundary}\r\ncontent-disposition: form-data; name="${name}"; ${disposition}\r\ncontent-type: text/plain\r\n\r\n${content}\r\n`
const close = `--${boundary}--\r\n`
const multipart = { 'content-type': `multipart/form-data; boundary=${boundary}` }

async function post(person: Person, body: string, path = '/services2/upload/uploadFile', type = multipart) {
  const response = await person.world.app.http.inject({
    method: 'POST',
    url: path,
    headers: { authorization: `Bearer ${person.token}`, ...type },
    payload: Buffer.from(body),
  })
  const { result, data, msg } = response.json<{ result: number; data: { fileId: number } | null; msg: string }>()
  return { status: response.statusCode, result, data, msg }
}

const rawPath = (folderId: number, fileName: string): string =>
  `/services2/upload/raw?folderId=${folderId}&fileName=${encodeURIComponent(fileName)}`

describe('multipart', () => {
  test.each(['/services2/upload/uploadFile', '/UploadServlet'])(
    '[R200] %s keeps the bytes of its file',
    async (path) => {
      const anna = await world.person('anna')
      const { result, data } = await post(
        anna,
        field('folderId', `${anna.library}`) + part('内容\r\n--edge') + close,
        path,
      )
      expect(result).toBe(codes.success.code)
      expect((await anna.download(data?.fileId ?? 0)).body).toBe('内容\r\n--edge')
      expect(await anna.names(anna.library)).toEqual(['a.txt'])
    },
  )

  test.each([
    ['UTF-8 in the part’s header', 'filename="合同 第1稿.txt"', '合同 第1稿.txt'],
    ['filename*', "filename*=UTF-8''%E5%90%88%E5%90%8C%20%26.txt", '合同 &.txt'],
    ['a whole Windows path', 'filename="C:\\\\文件\\\\报告.txt"', '报告.txt'],
    ['quotes escaped by a backslash', 'filename="a\\"b.txt"', undefined],
  ])('[R200] the name of a part is read from %s', async (_what, disposition, name) => {
    const anna = await world.person('anna')
    const { result } = await post(anna, field('folderId', `${anna.library}`) + part('x', disposition) + close)
    expect(await anna.names(anna.library)).toEqual(name === undefined ? [] : [name])
    expect(result).toBe(name === undefined ? codes.illegalName.code : codes.success.code)
  })

  test('[R197] the name sent as a field counts before the part’s own, and no name is refused with -6', async () => {
    const anna = await world.person('anna')
    const folder = field('folderId', `${anna.library}`)
    await post(anna, folder + field('fileName', '甲.txt') + part('x') + close)
    expect(await anna.names(anna.library)).toEqual(['甲.txt'])
    expect((await post(anna, folder + part('x', 'filename=""') + close)).result).toBe(codes.illegalName.code)
  })

  // [R200] Multipart uploads at both addresses.
  test('[R200] a body that is not as declared is refused with its code and leaves nothing', async () => {
    const added = await countFrom(world)
    const anna = await world.person('anna')
    const folder = field('folderId', `${anna.library}`)
    const sha256 = createHash('sha256').update('other').digest('hex')
    const bodies: [what: string, body: string, code: 'badRequest' | 'uploadInterrupted' | 'illegalName'][] = [
      ['no file', folder + close, 'badRequest'],
      ['file under another name', folder + part('refused', 'filename="a.txt"', 'upload') + close, 'badRequest'],
      ['a field after the file', folder + part('refused') + field('conflict', 'version') + close, 'badRequest'],
      ['the folder after the file', part('refused') + folder + close, 'badRequest'],
      ['two files', folder + part('refused') + part('refused too', 'filename="b.txt"') + close, 'badRequest'],
      ['a huge field', folder + field('fileName', 'x'.repeat(20_000)) + part('refused') + close, 'badRequest'],
      ['too many fields', folder + field('x', '1').repeat(30) + part('refused') + close, 'badRequest'],
      ['an unknown field', folder + field('owner', '1') + part('refused') + close, 'badRequest'],
      [
        'a prototype',
        folder + field('__proto__', '1') + field('constructor', '1') + part('refused') + close,
        'badRequest',
      ],
      ['no closing boundary', folder + part('refused').slice(0, -2), 'uploadInterrupted'],
      ['nothing after the fields', folder, 'badRequest'],
      ['nothing at all', '', 'badRequest'],
      ['another boundary', folder.replaceAll(boundary, 'other') + close, 'badRequest'],
      ['a wrong hash', folder + field('sha256', sha256) + part('refused') + close, 'uploadInterrupted'],
      ['no hash', folder + field('sha256', 'abc') + part('refused') + close, 'badRequest'],
      ['a reserved name', folder + part('refused', 'filename="con.txt"') + close, 'illegalName'],
    ]
    for (const [what, body, code] of bodies) {
      const { result, msg } = await post(anna, body)
      expect({ what, result, hasMessage: msg !== '' }).toEqual({ what, result: codes[code].code, hasMessage: true })
    }
    for (const type of ['text/plain', 'multipart/form-data', 'multipart/form-data; boundary=']) {
      expect((await post(anna, folder, undefined, { 'content-type': type })).result).toBe(codes.badRequest.code)
    }
    expect(await anna.names(anna.library)).toEqual([])
    expect(await added()).toEqual(nothing)
  })
})

describe('bodies that break off', () => {
  test('[R200] a connection cut inside the file leaves nothing, whichever way it was sent', async () => {
    const added = await countFrom(world)
    const anna = await world.person('anna')
    const folder = field('folderId', `${anna.library}`)
    const half = 'x'.repeat(300_000)
    const ways: [Record<string, string | number>, string, string][] = [
      [{ ...multipart, 'content-length': 900_000 }, '/services2/upload/uploadFile', folder + part(half)],
      [{ 'content-length': 900_000 }, rawPath(anna.library, 'raw.bin'), half],
      [{ 'transfer-encoding': 'chunked' }, rawPath(anna.library, 'chunked.bin'), `493e0\r\n${half}\r\n`],
    ]
    for (const [headers, path, body] of ways) {
      const request = await RawRequest.open(anna, path.includes('raw') ? 'PUT' : 'POST', path, headers)
      request.write(body)
      await vi.waitFor(async () => expect((await added()).staged).toBe(1), 120_000)
      request.cut()
      await vi.waitFor(async () => expect(await added()).toEqual(nothing), 120_000)
    }
    expect(await anna.names(anna.library)).toEqual([])
  })

  test('[R200] a chunked body that ends without its closing boundary is -9', async () => {
    const added = await countFrom(world)
    const anna = await world.person('anna')
    const body = field('folderId', `${anna.library}`) + part('x'.repeat(1000))
    const request = await RawRequest.open(anna, 'POST', '/services2/upload/uploadFile', {
      ...multipart,
      'transfer-encoding': 'chunked',
    })
    request.write(`${Buffer.byteLength(body).toString(16)}\r\n${body}\r\n0\r\n\r\n`)
    expect(await request.answer()).toMatchObject({ status: 200, result: codes.uploadInterrupted.code })
    request.cut()
    expect(await added()).toEqual(nothing)
  })

  test('[R200] a refused upload whose sender then vanishes does not take the server along', async () => {
    const anna = await world.person('anna')
    const ben = await world.person('ben')
    const request = await RawRequest.open(ben, 'POST', '/services2/upload/uploadFile', {
      ...multipart,
      'content-length': 5_000_000,
    })
    request.write(field('folderId', `${anna.library}`) + part('x'.repeat(100_000)))
    expect((await request.answer()).result).toBe(codes.notFound.code)
    request.cut()
    await request.ended
    expect(await ben.upload(ben.library, 'still here.txt')).toBeGreaterThan(0)
  })

  test.each(['multipart', 'raw'])('[R200] a large %s body is refused while it is being sent', async (way) => {
    const anna = await world.person('anna')
    const ben = await world.person('ben')
    const { folderId } = await anna.call('folderCreate', { parentId: anna.library, folderName: 'f' })
    await anna.upload(folderId, 'a.txt')
    await anna.shares({ folderId }, [{ to: ben, rights: 270 }])
    const before = await contentsOf(world)
    const attempts = [
      [anna, folderId, codes.alreadyExists.code],
      [ben, folderId, codes.noPermission.code],
      [ben, anna.library, codes.notFound.code],
    ] as const
    for (const [person, folder, code] of attempts) {
      const total = 1_000_000_000
      const request =
        way === 'raw'
          ? await RawRequest.open(person, 'PUT', rawPath(folder, 'a.txt'), { 'content-length': total })
          : await RawRequest.open(person, 'POST', '/UploadServlet', { ...multipart, 'content-length': total })
      if (way === 'multipart') request.write(field('folderId', `${folder}`) + part('x').slice(0, -2))
      const piece = Buffer.alloc(64 * 1024, 1)
      const more = (): void => {
        while (!request.socket.destroyed && request.write(piece));
      }
      request.socket.on('drain', more)
      more()
      expect((await request.answer()).result).toBe(code)
      request.cut()
    }
    expect(await contentsOf(world)).toEqual(before)
  })
})

describe('storing', () => {
  test('[R200] an empty file is a file', async () => {
    const added = await countFrom(world)
    const anna = await world.person('anna')
    const first = await anna.upload(anna.library, 'empty.txt', '')
    await anna.upload(anna.library, 'also empty.txt', '')
    const response = await anna.download(first)
    expect([response.statusCode, response.body, response.headers['content-length']]).toEqual([200, '', '0'])
    expect(await added()).toEqual({ blobs: 1, versions: 2, objects: 1, staged: 0 })
  })

  test('[R200] equal contents share one object, also when they arrive at the same moment', async () => {
    const added = await countFrom(world)
    const anna = await world.person('anna')
    await Promise.all(Array.from({ length: 8 }, (_, n) => anna.upload(anna.library, `${n}.txt`, 'the same')))
    await anna.upload(anna.library, 'later.txt', 'the same')
    await anna.upload(anna.library, 'other.txt', 'another')
    expect(await added()).toEqual({ blobs: 2, versions: 10, objects: 2, staged: 0 })
    for (const item of (await anna.call('getSubItemList3', { folderId: anna.library })).list) {
      expect((await anna.download(item.fId)).body).toBe(item.fName === 'other.txt' ? 'another' : 'the same')
    }
  })

  test.each([
    ['refuse', ['a.txt'], 1],
    ['skip', ['a.txt'], 1],
    ['keepBoth', ['a (2).txt', 'a (3).txt', 'a (4).txt', 'a.txt'], 4],
    ['version', ['a.txt'], 4],
  ] as const)(
    '[R200] of four uploads of one name at once, %s keeps what it says',
    async (conflict, names, versions) => {
      const added = await countFrom(world)
      const anna = await world.person('anna')
      const wires = await Promise.all(
        Array.from({ length: 4 }, (_, n) => anna.uploadWire(anna.library, 'a.txt', `${conflict} ${n}`, { conflict })),
      )
      const refused = wires.filter((wire) => wire.code === 'alreadyExists').length
      expect(wires.filter((wire) => wire.code === 'success').length + refused).toBe(4)
      expect(refused).toBe(4 - versions)
      expect((await anna.names(anna.library)).toSorted()).toEqual([...names])
      expect(await added()).toEqual({ blobs: versions, versions, objects: versions, staged: 0 })
    },
  )

  test('[R200] rights lost while the body arrived refuse the upload, and nothing is kept', async () => {
    const pauses = new Pauses()
    const world = await openWorld({ pause: pauses.at })
    const anna = await world.person('anna')
    const ben = await world.person('ben')
    const { folderId } = await anna.call('folderCreate', { parentId: anna.library, folderName: 'f' })
    await anna.shares({ folderId }, [{ to: ben, rights: 510 }])
    const stop = pauses.hold('content kept')
    const upload = ben.uploadWire(folderId, 'a.txt', 'text')
    await stop.reached
    await anna.shares({ folderId }, [{ to: ben, rights: 270 }])
    stop.release()
    expect((await upload).code).toBe('noPermission')
    expect(await contentsOf(world)).toEqual(nothing)
  })

  test('[R200] what the gates read is read when the rows are locked', async () => {
    const added = await countFrom(world)
    const anna = await world.person('anna')
    const { folderId } = await anna.call('folderCreate', { parentId: anna.library, folderName: 'f' })
    const beside = extraConnections(world)
    let upload: ReturnType<typeof anna.uploadWire> | undefined
    await beside.transaction().execute(async (tx) => {
      await sql`update item set deleted_at = 1, deleted_by = ${anna.userId} where id = ${folderId}`.execute(tx)
      upload = anna.uploadWire(folderId, 'a.txt', 'text')
      await lockIsWaitedFor(beside)
    })
    expect((await upload)?.code).toBe('notFound')
    expect(await added()).toEqual(nothing)
  })

  test('[R047] an account frozen while the body arrived keeps nothing either', async () => {
    const pauses = new Pauses()
    const world = await openWorld({ pause: pauses.at })
    const ben = await world.person('ben')
    const stop = pauses.hold('content kept')
    const upload = ben.uploadWire(ben.library, 'a.txt', 'text')
    await stop.reached
    await (await world.admin()).call('setAccountState', { userId: ben.userId, state: 'frozen' })
    stop.release()
    expect(['accountFrozen', 'notLoggedIn']).toContain((await upload).code)
    expect(await contentsOf(world)).toEqual(nothing)
  })

  test('bodies that trickle in hold no connection to the database', async () => {
    const world = await openWorld({ connections: 2, elected: false })
    const anna = await world.person('anna')
    const half = Buffer.alloc(100_000, 'half ')
    const slow = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        RawRequest.open(anna, 'PUT', rawPath(anna.library, `${n}.txt`), { 'content-length': 2 * half.length }),
      ),
    )
    for (const request of slow) request.write(half)
    await vi.waitFor(async () => expect((await contentsOf(world)).staged).toBe(20), 120_000)
    const { rows } = await sql<{ busy: number }>`
      select count(*)::int as busy from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`.execute(world.app.db)
    expect(rows[0]?.busy).toBe(0)
    expect(await anna.names(anna.library)).toEqual([])
    for (const request of slow) request.write(half)
    for (const request of slow) expect((await request.answer()).result).toBe(codes.success.code)
    expect(await anna.names(anna.library)).toHaveLength(20)
  })
})

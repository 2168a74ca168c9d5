import { createHash, randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type CodeName, limits, partBytesOf } from '@cloudoc/domain'
import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, inject, test, vi } from 'vitest'
import { contentsOf, countFrom, nothing } from '../../../test/contents.ts'
import { few } from '../../../test/full.ts'
import { openWorld, Person, sharedWorld, storeOf, type Wire, type World, wireOf } from '../../../test/harness.ts'
import { Pauses } from '../../../test/pauses.ts'
import { RawRequest } from '../../../test/raw-http.ts'
import { ServerProcess } from '../../../test/server-process.ts'

const partBytes = 1000
const script = join(import.meta.dirname, '../../../test/stopping-server.ts')
const hex = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
const partPath = (uploadId: string, number: number): string => `/services2/upload/part/${uploadId}/${number}`

/** Part n of a content, starting with 1. */
const piece = (content: Buffer, number: number): Buffer =>
  content.subarray((number - 1) * partBytes, number * partBytes)
const numbersOf = (content: Buffer): number[] =>
  Array.from({ length: Math.ceil(content.length / partBytes) }, (_, n) => n + 1)

async function sendPart(
  who: Person,
  uploadId: string,
  number: number,
  bytes: Uint8Array,
  sha256?: string,
): Promise<Wire> {
  const query = sha256 === undefined ? '' : `?sha256=${sha256}`
  const response = await who.world.app.http.inject({
    method: 'PUT',
    url: `${partPath(uploadId, number)}${query}`,
    headers: { authorization: `Bearer ${who.token}`, 'content-type': 'application/octet-stream' },
    payload: Buffer.from(bytes),
  })
  return wireOf(response)
}

async function begin(who: Person, content: Buffer, more: Partial<Parameters<typeof who.call<'uploadOpen'>>[1]> = {}) {
  const file = { folderId: who.library, fileName: 'a.bin', fileSize: content.length, ...more }
  return (await who.call('uploadOpen', file)).uploadId
}

async function sendAll(who: Person, uploadId: string, content: Buffer): Promise<void> {
  for (const number of numbersOf(content)) {
    expect((await sendPart(who, uploadId, number, piece(content, number))).code).toBe('success')
  }
}

/** The same user, connected to another process. */
const at = (world: World, { account, userId, token, library }: Person): Person =>
  new Person(world, account, userId, token, library)

/** The files in the upload folder. */
async function uploadFolders(world: World): Promise<string[]> {
  return readdir(join(world.folder, 'blobs', 'uploads')).catch(() => [])
}

const smallParts = { partBytes, elected: false } as const
const world = sharedWorld(smallParts)

describe('an upload in parts', () => {
  // [R197] An upload in parts that any server process continues, in any order, with its parameters; instant where the
  // caller may read the content.
  test('[R197] [R398] parts in any order, some sent twice, make the file byte for byte', async () => {
    const added = await countFrom(world)
    const anna = await world.person('anna')
    const content = randomBytes(3 * partBytes + 1)
    const uploadId = await begin(anna, content, { sha256: hex(content) })
    expect(await anna.call('uploadStatus', { uploadId })).toMatchObject({ parts: [], partSize: partBytes })
    for (const number of [4, 2, 2, 1, 4]) {
      const bytes = piece(content, number)
      const { data } = await sendPart(anna, uploadId, number, bytes, hex(bytes))
      expect(data).toEqual({ partNumber: number, size: bytes.length, sha256: hex(bytes) })
    }
    expect((await anna.call('uploadStatus', { uploadId })).parts).toEqual([1, 2, 4])
    expect(await anna.refusal('uploadComplete', { uploadId })).toBe('uploadNotFinished')
    expect(await anna.names(anna.library)).toEqual([])
    await sendPart(anna, uploadId, 3, piece(content, 3))
    const stored = await anna.call('uploadComplete', { uploadId })
    expect(stored).toMatchObject({ version: 1, fileSize: content.length, sha256: hex(content) })
    expect((await anna.download(stored.fileId)).rawPayload).toEqual(content)
    expect(await added()).toEqual({ blobs: 1, versions: 1, objects: 1, staged: 0 })
  })

  test('[R197] a part is as long as the documents’ figure, a very large file has larger ones, and never too many', async () => {
    const world = await openWorld({ elected: false })
    const anna = await world.person('anna')
    for (const fileSize of [0, 1, 8 * 1024 ** 2 + 1]) {
      const { partSize } = await anna.call('uploadOpen', { folderId: anna.library, fileName: 'a', fileSize })
      expect(partSize).toBe(limits.partBytes)
    }
    // Sizes that exceed the test disk.
    for (const size of [100 * 1024 ** 3, limits.largestFile]) {
      expect(partBytesOf(size)).toBeGreaterThan(limits.partBytes)
      expect(Math.ceil(size / partBytesOf(size))).toBeLessThanOrEqual(limits.partsMost)
    }
    const fileSize = limits.largestFile + 1
    expect(await anna.refusal('uploadOpen', { folderId: anna.library, fileName: 'a', fileSize })).toBe('badRequest')
  })

  test('[R197] an empty file needs no part', async () => {
    const anna = await world.person('anna')
    const uploadId = await begin(anna, Buffer.alloc(0))
    const { fileId } = await anna.call('uploadComplete', { uploadId })
    expect((await anna.download(fileId)).body).toBe('')
  })

  test('[R197] what is no part of the file, too long, too short or another content than said, is refused and not held', async () => {
    const anna = await world.person('anna')
    const content = randomBytes(2 * partBytes + 5)
    const uploadId = await begin(anna, content)
    const good = piece(content, 1)
    const cases: [number, Buffer, CodeName, string?][] = [
      [0, good, 'badRequest'],
      [4, good, 'badRequest'],
      [1, good.subarray(1), 'badRequest'],
      [3, good, 'badRequest'],
      [1, Buffer.concat([good, good]), 'badRequest'],
      [1, good, 'uploadInterrupted', hex(content)],
    ]
    for (const [number, bytes, code, sha256] of cases) {
      expect((await sendPart(anna, uploadId, number, bytes, sha256)).code).toBe(code)
    }
    for (const length of [partBytes - 1, partBytes + 1]) {
      const request = await RawRequest.open(anna, 'PUT', partPath(uploadId, 1), { 'transfer-encoding': 'chunked' })
      request.write(`${length.toString(16)}\r\n${'x'.repeat(length)}\r\n0\r\n\r\n`)
      expect([-9, -400]).toContain((await request.answer()).result)
      request.cut()
    }
    expect((await anna.call('uploadStatus', { uploadId })).parts).toEqual([])
    await sendAll(anna, uploadId, content)
    const { fileId } = await anna.call('uploadComplete', { uploadId })
    expect((await anna.download(fileId)).rawPayload).toEqual(content)
  })

  test('[R398] a part whose connection breaks is not held, leaves its place free and can be sent again', async () => {
    const anna = await world.person('anna')
    const content = randomBytes(2 * partBytes)
    const uploadId = await begin(anna, content)
    const request = await RawRequest.open(anna, 'PUT', partPath(uploadId, 1), { 'content-length': partBytes })
    request.write(Buffer.alloc(500, 1))
    const claims = () =>
      world.app.db.selectFrom('upload_part').select('number').where('upload_id', '=', uploadId).execute()
    await vi.waitFor(async () => expect(await claims()).toHaveLength(1), 120_000)
    request.cut()
    await vi.waitFor(async () => expect(await claims()).toEqual([]), 120_000)
    await sendAll(anna, uploadId, content)
    const attempts = await readdir(join(world.folder, 'blobs', 'uploads', uploadId.slice(-24)))
    if (inject('store') === 's3') expect(attempts).toHaveLength(2)
    else expect(attempts).toEqual(['whole'])
    const { fileId } = await anna.call('uploadComplete', { uploadId })
    expect((await anna.download(fileId)).rawPayload).toEqual(content)
  })

  test('[R398] of contents sent for one part at the same time exactly one counts, whole', async () => {
    const beside = await openWorld({ ...smallParts, peer: world })
    const anna = await world.person('anna')
    const uploadId = await begin(anna, Buffer.alloc(2 * partBytes))
    const people = [anna, at(beside, anna)]
    const sent = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        sendPart(people[n % 2] ?? anna, uploadId, n % 4 < 2 ? 1 : 2, Buffer.alloc(partBytes, n + 1)),
      ),
    )
    expect(new Set(sent.map(({ code }) => code))).toEqual(new Set(['success']))
    const { fileId } = await anna.call('uploadComplete', { uploadId })
    const bytes = (await anna.download(fileId)).rawPayload
    for (const number of [1, 2]) {
      const values = new Set(piece(bytes, number))
      expect(values.size).toBe(1)
      expect((number === 1 ? [1, 2, 5, 6] : [3, 4, 7, 8]).includes([...values][0] ?? 0)).toBe(true)
    }
    expect(await uploadFolders(world)).toEqual([])
  })

  test('[R398] whatever the order, repeats, replacements and processes, what was acknowledged is what is stored', async () => {
    const beside = await openWorld({ ...smallParts, peer: world })
    const anna = await world.person('anna')
    const both = [anna, at(beside, anna)]
    let files = 0
    const step = fc.record({
      by: fc.nat(1),
      part: fc.nat(),
      what: fc.constantFrom('send', 'send', 'send', 'other', 'wrong', 'status', 'complete', 'abort'),
    })
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 3 * partBytes }),
        fc.array(step, { maxLength: 14 }),
        async (size, steps) => {
          files += 1
          const contents = [randomBytes(size), randomBytes(size)]
          const count = Math.ceil(size / partBytes)
          const fileName = `${files}.bin`
          const uploadId = await begin(anna, Buffer.alloc(size), { fileName })
          const held = new Map<number, Buffer>()
          let ended: 'done' | 'aborted' | undefined
          const send = async (who: Person, number: number, from: number, isWrong = false): Promise<void> => {
            const bytes = piece(contents[from] ?? Buffer.alloc(0), number)
            const { code } = await sendPart(who, uploadId, number, bytes, hex(isWrong ? Buffer.from('?') : bytes))
            const refused = ended === 'done' ? 'duplicateOperation' : ended === 'aborted' ? 'notFound' : undefined
            expect(code).toBe(refused ?? (isWrong ? 'uploadInterrupted' : 'success'))
            if (code === 'success') held.set(number, bytes)
          }
          const complete = async (who: Person): Promise<void> => {
            const { code, data } = await who.wire('uploadComplete', { uploadId })
            const isWhole = held.size === count
            expect(code).toBe(ended === 'aborted' ? 'notFound' : isWhole ? 'success' : 'uploadNotFinished')
            if (code !== 'success') return
            ended = 'done'
            const expected = Buffer.concat(
              numbersOf(Buffer.alloc(size)).map((number) => held.get(number) ?? Buffer.of()),
            )
            expect((await who.download((data as { fileId: number }).fileId)).rawPayload).toEqual(expected)
          }
          for (const { by, part, what } of steps) {
            const who = both[by] ?? anna
            const number = count === 0 ? 1 : (part % count) + 1
            if (what === 'complete') await complete(who)
            else if (what === 'status') {
              const { code, data } = await who.wire('uploadStatus', { uploadId })
              expect(code).toBe(ended === 'aborted' ? 'notFound' : 'success')
              if (code === 'success') {
                expect((data as { parts: number[] }).parts).toEqual([...held.keys()].sort((a, b) => a - b))
              }
            } else if (what === 'abort') {
              const { code } = await who.wire('uploadAbort', { uploadId })
              expect(code).toBe(ended === 'done' ? 'duplicateOperation' : 'success')
              ended ??= 'aborted'
            } else if (count > 0) await send(who, number, what === 'other' ? 1 : 0, what === 'wrong')
          }
          if (ended === undefined) {
            for (let number = 1; number <= count; number += 1) if (!held.has(number)) await send(anna, number, 0)
            await complete(anna)
          }
          expect((await anna.names(anna.library)).includes(fileName)).toBe(ended === 'done')
          expect(await uploadFolders(world)).toEqual([])
        },
      ),
      { numRuns: inject('full') ? 300 : 25 },
    )
  })
})

describe('who', () => {
  test('[R144] the upload of somebody else is not there, whatever rights they have on its folder', async () => {
    const anna = await world.person('anna')
    const ben = await world.person('ben')
    const { folderId } = await anna.call('folderCreate', { parentId: anna.library, folderName: 'f' })
    await anna.shares({ folderId }, [{ to: ben, rights: 1022 }])
    const content = randomBytes(10)
    const uploadId = await begin(anna, content, { folderId })
    expect((await sendPart(ben, uploadId, 1, content)).code).toBe('notFound')
    for (const name of ['uploadStatus', 'uploadComplete', 'uploadAbort'] as const) {
      expect(await ben.refusal(name, { uploadId })).toBe('notFound')
    }
    const unknown = `${folderId}-${randomBytes(18).toString('base64url')}`
    expect(await ben.refusal('uploadStatus', { uploadId: unknown })).toBe('notFound')
    await sendAll(anna, uploadId, content)
    await anna.call('uploadComplete', { uploadId })
  })

  test('[R144] who loses the right to upload can only end what was begun', async () => {
    const added = await countFrom(world)
    const anna = await world.person('anna')
    const ben = await world.person('ben')
    const { folderId } = await anna.call('folderCreate', { parentId: anna.library, folderName: 'f' })
    await anna.shares({ folderId }, [{ to: ben, rights: 510 }])
    const content = randomBytes(partBytes + 1)
    const uploadId = await begin(ben, content, { folderId })
    await sendAll(ben, uploadId, content)
    await anna.shares({ folderId }, [{ to: ben, rights: 6 }])
    expect((await sendPart(ben, uploadId, 2, piece(content, 2))).code).toBe('noPermission')
    expect(await ben.refusal('uploadComplete', { uploadId })).toBe('noPermission')
    expect(await ben.refusal('uploadOpen', { folderId, fileName: 'b', fileSize: 1 })).toBe('noPermission')
    await ben.call('uploadAbort', { uploadId })
    await ben.call('uploadAbort', { uploadId })
    expect(await anna.names(folderId)).toEqual([])
    expect(await added()).toEqual(nothing)
  })
})

describe('the end', () => {
  test('[R197] a content other than the hash said at the beginning is -9, and the right part mends it', async () => {
    const added = await countFrom(world)
    const anna = await world.person('anna')
    const content = randomBytes(2 * partBytes)
    const uploadId = await begin(anna, content, { sha256: hex(content) })
    await sendAll(anna, uploadId, content)
    await sendPart(anna, uploadId, 1, Buffer.alloc(partBytes, 7))
    expect(await anna.refusal('uploadComplete', { uploadId })).toBe('uploadInterrupted')
    expect((await added()).objects).toBe(0)
    await sendPart(anna, uploadId, 1, piece(content, 1))
    const { fileId } = await anna.call('uploadComplete', { uploadId })
    expect((await anna.download(fileId)).rawPayload).toEqual(content)
  })

  test('[R197] [R121] a name that is taken is -5 at once and at the end, where another name or choice may be given', async () => {
    const anna = await world.person('anna')
    const taken = await anna.upload(anna.library, 'taken.bin')
    const file = { folderId: anna.library, fileSize: 5 }
    expect(await anna.refusal('uploadOpen', { ...file, fileName: 'taken.bin' })).toBe('alreadyExists')
    expect(await anna.refusal('uploadOpen', { ...file, fileName: 'taken.bin', conflict: 'skip' })).toBe('alreadyExists')
    const begun = []
    for (let n = 0; n < 4; n += 1) {
      const uploadId = await begin(anna, Buffer.from('abcde'), { fileName: 'free.bin' })
      await sendAll(anna, uploadId, Buffer.from(`abcd${n}`))
      begun.push(uploadId)
    }
    const [first = '', second = '', third = '', fourth = ''] = begun
    const { fileId } = await anna.call('uploadComplete', { uploadId: first })
    expect(await anna.refusal('uploadComplete', { uploadId: second })).toBe('alreadyExists')
    expect(await anna.call('uploadComplete', { uploadId: second, conflict: 'version' })).toMatchObject({
      fileId,
      version: 2,
    })
    await anna.call('uploadComplete', { uploadId: third, conflict: 'keepBoth' })
    await anna.call('uploadComplete', { uploadId: fourth, fileName: 'other.bin' })
    expect(await anna.names(anna.library)).toEqual(['free (2).bin', 'free.bin', 'other.bin', 'taken.bin'])
    expect((await anna.download(fileId)).body).toBe('abcd1')
    expect((await anna.download(taken)).body).toBe('taken.bin')
  })

  test('[R398] asked many times at once, by two processes, an upload makes one version and answers the same', async () => {
    const added = await countFrom(world)
    const beside = await openWorld({ ...smallParts, peer: world })
    const anna = await world.person('anna')
    for (const conflict of ['refuse', 'version', 'keepBoth'] as const) {
      const content = randomBytes(2 * partBytes)
      const uploadId = await begin(anna, content, { fileName: `${conflict}.bin`, conflict })
      await sendAll(anna, uploadId, content)
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, n) =>
          (n % 2 === 0 ? anna : at(beside, anna)).call('uploadComplete', { uploadId }),
        ),
      )
      answers.push(await anna.call('uploadComplete', { uploadId }))
      for (const answer of answers) expect(answer).toEqual(answers[0])
      const { total } = await anna.call('getVersionList', { fileId: answers[0]?.fileId ?? 0, from: 0, rows: 10 })
      expect(total).toBe(1)
    }
    expect(await anna.names(anna.library)).toHaveLength(3)
    expect(await added()).toEqual({ blobs: 3, versions: 3, objects: 3, staged: 0 })
  })

  test('[R398] a part that is replaced while the parts are joined does not slip in, nor get lost', async () => {
    const pauses = new Pauses()
    const world = await openWorld({ ...smallParts, pause: pauses.at })
    const anna = await world.person('anna')
    const content = randomBytes(2 * partBytes)
    const uploadId = await begin(anna, content)
    await sendAll(anna, uploadId, content)
    const stop = pauses.hold('content kept')
    const completing = anna.wire('uploadComplete', { uploadId })
    await stop.reached
    const other = Buffer.alloc(partBytes, 9)
    await sendPart(anna, uploadId, 2, other)
    stop.release()
    expect((await completing).code).toBe('uploadInterrupted')
    const { fileId } = await anna.call('uploadComplete', { uploadId })
    expect((await anna.download(fileId)).rawPayload).toEqual(Buffer.concat([piece(content, 1), other]))
    expect((await contentsOf(world)).objects).toBe(1)
  })

  test('[R207] an account has so many uploads open at a time and no more', async () => {
    const world = await openWorld(smallParts)
    const anna = await world.person('anna')
    const uploadId = await begin(anna, Buffer.from('x'))
    await sql`
      insert into upload (id, account_id, folder_id, name, size, part_size, conflict, expires_at)
      select 'x' || n, account_id, folder_id, name, size, part_size, conflict, expires_at
      from upload, generate_series(2, ${limits.openUploads}::int) n where id = ${uploadId}`.execute(world.app.db)
    const file = { folderId: anna.library, fileName: 'b', fileSize: 1 }
    expect(await anna.refusal('uploadOpen', file)).toBe('sendingTooOften')
    await anna.call('uploadAbort', { uploadId })
    await anna.call('uploadOpen', file)
    const ben = await world.person('ben')
    await ben.call('uploadOpen', { ...file, folderId: ben.library })
  })
})

describe('restarts and time', () => {
  const points = ['content staged', 'content renamed', 'content kept', 'commit uploadComplete', 'sequenced']
  // S3 has no rename.
  test.each(
    few(
      2,
      points.filter((point) => point !== 'content renamed' || inject('store') !== 's3'),
    ),
  )(
    '[R398] a server killed at “%s” of the end: the next one goes on, nothing is lost and nothing twice',
    async (point) => {
      const world = await openWorld({ elected: false })
      const anna = await world.person('anna')
      await world.app.settle()
      const content = randomBytes(limits.partBytes + 10)
      const { uploadId } = await anna.call('uploadOpen', {
        folderId: anna.library,
        fileName: 'a.bin',
        fileSize: content.length,
      })
      await sendPart(anna, uploadId, 1, content.subarray(0, limits.partBytes))
      const server = new ServerProcess([JSON.stringify(world.database), await storeOf(world), point], {}, script)
      const origin = await server.ready()
      const headers = { authorization: `Bearer ${anna.token}` }
      const part = await fetch(`${origin}${partPath(uploadId, 2)}`, {
        method: 'PUT',
        headers,
        body: content.subarray(limits.partBytes),
      })
      expect(part.status).toBe(200)
      const completing = fetch(`${origin}/services2/upload/uploadComplete`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ uploadId }),
      }).catch(() => undefined)
      await server.says(/stopped/)
      server.child.kill('SIGKILL')
      await server.exited
      await completing

      const after = await openWorld({ peer: world, elected: false })
      const again = await after.signIn('anna', 7)
      expect(await again.names(again.library)).toEqual(point === 'sequenced' ? ['a.bin'] : [])
      expect((await again.call('uploadStatus', { uploadId })).parts).toEqual([1, 2])
      const stored = await again.call('uploadComplete', { uploadId })
      expect(await again.call('uploadComplete', { uploadId })).toEqual(stored)
      expect(stored.version).toBe(1)
      expect((await again.download(stored.fileId)).rawPayload.equals(content)).toBe(true)
      expect(await again.names(again.library)).toEqual(['a.bin'])
      const { objects, staged, ...rest } = await contentsOf(after)
      expect(rest).toEqual({ blobs: 1, versions: 1 })
      // Parts that a killed process could not remove are removed when their upload expires.
      expect(staged).toBeLessThanOrEqual(point === 'sequenced' ? 2 : 0)
      // Objects that a killed process stored but did not reference are left to the collector.
      expect(objects).toBeLessThanOrEqual(2)
    },
  )

  test('[R398] a server killed while it writes a part: the part is not held, and the next server takes it', async () => {
    const world = await openWorld({ elected: false })
    const anna = await world.person('anna')
    const content = randomBytes(200_000)
    const { uploadId } = await anna.call('uploadOpen', { folderId: anna.library, fileName: 'a', fileSize: 200_000 })
    const server = new ServerProcess(
      [JSON.stringify(world.database), await storeOf(world), 'commit uploadPart'],
      {},
      script,
    )
    const origin = await server.ready()
    const headers = { authorization: `Bearer ${anna.token}` }
    const sending = fetch(`${origin}${partPath(uploadId, 1)}`, { method: 'PUT', headers, body: content }).catch(
      () => undefined,
    )
    await server.says(/stopped/)
    server.child.kill('SIGKILL')
    await server.exited
    await sending
    expect((await anna.call('uploadStatus', { uploadId })).parts).toEqual([])
    // The server does not know that the claim's owner is gone, so this attempt is written under another name.
    await sendPart(anna, uploadId, 1, content)
    const { fileId } = await anna.call('uploadComplete', { uploadId })
    expect((await anna.download(fileId)).rawPayload.equals(content)).toBe(true)
    expect(await contentsOf(world)).toMatchObject({ objects: 1, staged: 0 })
  })

  test('[R398] what nobody goes on with for a week is removed, each part gives another week, and nothing is left', async () => {
    let time = Date.now()
    const world = await openWorld({ partBytes, now: () => time })
    const anna = await world.person('anna')
    const content = randomBytes(2 * partBytes)
    const uploadId = await begin(anna, content)
    const vanished = await begin(anna, content, { fileName: 'vanished.bin' })
    const done = await begin(anna, content, { fileName: 'done.bin' })
    await sendAll(anna, done, content)
    const stored = await anna.call('uploadComplete', { uploadId: done })
    await sendPart(anna, vanished, 1, piece(content, 1))
    time += limits.uploadOpenMs - 60_000
    const later = await world.signIn('anna', 7)
    await sendPart(later, uploadId, 1, piece(content, 1))
    time += 2 * 60_000
    await vi.waitFor(async () => expect(await uploadFolders(world)).toEqual([uploadId.slice(-24)]), 120_000)
    expect(await later.refusal('uploadStatus', { uploadId: vanished })).toBe('notFound')
    expect((await sendPart(later, vanished, 2, piece(content, 2))).code).toBe('notFound')
    expect(await later.refusal('uploadComplete', { uploadId: vanished })).toBe('notFound')
    const { parts, expiresAt } = await later.call('uploadStatus', { uploadId })
    expect([parts, expiresAt > time]).toEqual([[1], true])
    time += limits.uploadOpenMs + limits.uploadKnownMs
    const rows = () => world.app.db.selectFrom('upload').select('id').execute()
    await vi.waitFor(async () => expect(await rows()).toEqual([{ id: uploadId }]), 120_000)
    time += limits.uploadKnownMs
    await vi.waitFor(async () => expect(await rows()).toEqual([]), 120_000)
    expect(await uploadFolders(world)).toEqual([])
    const last = await world.signIn('anna', 8)
    expect((await last.download(stored.fileId)).rawPayload).toEqual(content)
  })
})

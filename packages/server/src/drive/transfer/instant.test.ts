import { createHash, randomBytes } from 'node:crypto'
import { limits } from '@cloudoc/domain'
import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, inject, test } from 'vitest'
import { contentsOf, countFrom } from '../../../test/contents.ts'
import { recordStatements } from '../../../test/explain.ts'
import { openWorld, type Person, sharedWorld } from '../../../test/harness.ts'
import { Pauses } from '../../../test/pauses.ts'
import { purgeAll } from '../../../test/purge.ts'
import { challengeRanges } from './instant.ts'

const world = sharedWorld({ elected: false })

const hex = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

interface Challenge {
  readonly nonce: string
  readonly ranges: readonly { readonly start: number; readonly end: number }[]
}

/** The response of a client that has the content. */
function proofOf({ nonce, ranges }: Challenge, content: Buffer): string {
  const hash = createHash('sha256').update(Buffer.from(nonce, 'hex'))
  for (const { start, end } of ranges) hash.update(content.subarray(start, end + 1))
  return hash.digest('hex')
}

const fileOf = (folderId: number, content: Buffer, fileName = 'again.bin') => ({
  folderId,
  fileName,
  fileSize: content.length,
  sha256: hex(content),
})

/** Starts an upload of a content and answers its challenge with the bytes that the user has, which may be others. */
async function prove(who: Person, folderId: number, content: Buffer, has = content, fileName?: string) {
  const file = fileOf(folderId, content, fileName)
  const { uploadId, challenge } = await who.call('uploadOpen', file)
  if (challenge === undefined) return expect.fail('no challenge')
  const answered = { ...file, uploadId, proof: proofOf(challenge, has) }
  return { answered, challenge, wire: await who.wire('uploadOpen', answered) }
}

describe('instant upload', () => {
  test.each([0, 1, 5000, 65_536, 65_537, 1_000_003])(
    '[R197] a content of %i bytes that the caller may read is stored without being sent, once',
    async (size) => {
      const added = await countFrom(world)
      const anna = await world.person('anna')
      const content = randomBytes(size)
      await anna.upload(anna.library, 'first.bin', content)
      const { answered, wire } = await prove(anna, anna.library, content)
      expect(wire.data).toMatchObject({ done: true, version: 1, fileSize: size, sha256: hex(content) })
      const { fileId, uploadId } = wire.data as { fileId: number; uploadId: string }
      expect((await anna.download(fileId)).rawPayload).toEqual(content)
      const many = await Promise.all([
        anna.call('uploadOpen', answered),
        anna.call('uploadOpen', answered),
        anna.call('uploadComplete', { uploadId }),
      ])
      for (const again of many) expect(again).toMatchObject({ fileId, version: 1 })
      expect(await anna.names(anna.library)).toEqual(['again.bin', 'first.bin'])
      expect(await added()).toEqual({ blobs: 1, versions: 2, objects: 1, staged: 0 })
    },
  )

  test('a challenge covers the whole of a small content, and disjoint pieces all over a large one', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: limits.largestFile }),
        fc.uint8Array({ minLength: 32, maxLength: 32 }),
        (size, nonce) => {
          const ranges = challengeRanges(Buffer.from(nonce), size)
          const bytes = ranges.reduce((sum, { start, end }) => sum + end - start + 1, 0)
          expect(bytes).toBe(Math.min(size, limits.challengeRanges * limits.challengeRangeBytes))
          for (const [n, { start, end }] of ranges.entries()) {
            expect(start).toBeGreaterThan(ranges[n - 1]?.end ?? -1)
            expect(end).toBeLessThan(size)
          }
          expect(challengeRanges(Buffer.from(nonce), size)).toEqual(ranges)
        },
      ),
      { numRuns: inject('full') ? 10_000 : 500 },
    )
    const [a, b] = [randomBytes(32), randomBytes(32)]
    expect(challengeRanges(a, 1e9)).not.toEqual(challengeRanges(b, 1e9))
  })

  test('the hash alone, a part of the content, or another one’s answer do not do, and a challenge is answered once', async () => {
    const anna = await world.person('anna')
    const content = randomBytes(1_000_000)
    await anna.upload(anna.library, 'first.bin', content)
    const almost = Buffer.from(content)
    almost.fill(0, 0, 900_000)
    for (const has of [Buffer.alloc(content.length), almost]) {
      const { answered, challenge, wire } = await prove(anna, anna.library, content, has)
      // A user who may read the content learns that the proof is wrong.
      expect(wire).toMatchObject({ code: 'uploadInterrupted', data: null })
      expect(wire.msg).toContain('nonce')
      // A correct response that is too late, or one for another upload, does not count. The upload continues normally.
      const other = await anna.call('uploadOpen', fileOf(anna.library, content))
      for (const asked of [challenge, other.challenge ?? expect.fail()]) {
        const late = { ...answered, proof: proofOf(asked, content) }
        expect(await anna.call('uploadOpen', late)).not.toHaveProperty('done')
      }
      expect((await anna.call('uploadStatus', { uploadId: answered.uploadId })).parts).toEqual([])
    }
    expect(await anna.names(anna.library)).toEqual(['first.bin'])
  })

  test('what was answered counts for its own upload alone: folder, size and person are those it was begun with', async () => {
    const anna = await world.person('anna')
    const ben = await world.person('ben')
    const { folderId } = await anna.call('folderCreate', { parentId: anna.library, folderName: 'f' })
    await anna.shares({ folderId }, [{ to: ben, rights: 1022 }])
    const content = randomBytes(100)
    await anna.upload(folderId, 'first.bin', content)
    const file = fileOf(folderId, content)
    const { uploadId, challenge } = await anna.call('uploadOpen', file)
    const proof = proofOf(challenge ?? expect.fail(), content)
    expect(await ben.refusal('uploadOpen', { ...file, uploadId, proof })).toBe('notFound')
    expect(await anna.refusal('uploadOpen', { ...file, folderId: anna.library, uploadId, proof })).toBe('badRequest')
    expect(await anna.refusal('uploadOpen', { ...file, fileSize: 99, uploadId, proof })).toBe('badRequest')
    expect(await anna.refusal('uploadOpen', { ...file, uploadId })).toBe('badRequest')
    expect(await anna.refusal('uploadOpen', { ...file, proof })).toBe('badRequest')
    expect(await anna.call('uploadOpen', { ...file, uploadId, proof })).toMatchObject({ done: true })
  })

  test('names, kinds and space are asked as for every upload', async () => {
    const world = await openWorld({ elected: false })
    const admin = await world.admin()
    const anna = await world.person('anna')
    const content = randomBytes(100)
    await anna.upload(anna.library, 'taken.bin', content)
    const { challenge, uploadId } = await anna.call('uploadOpen', fileOf(anna.library, content))
    const answer = { ...fileOf(anna.library, content), uploadId, proof: proofOf(challenge ?? expect.fail(), content) }
    expect(await anna.refusal('uploadOpen', { ...answer, fileName: 'taken.bin' })).toBe('alreadyExists')
    await admin.call('modifyAccount', { userId: anna.userId, quota: 150 })
    expect(await anna.refusal('uploadOpen', answer)).toBe('userSizeExceeded')
    await admin.call('modifyAccount', { userId: anna.userId, quota: 200 })
    await admin.call('setServerSetting', { upload_types_denied: ['bin'] })
    expect(await anna.refusal('uploadOpen', answer)).toBe('typeRestricted')
    await admin.call('setServerSetting', { upload_types_denied: [] })
    const version = { ...answer, fileName: 'taken.bin', conflict: 'version' } as const
    expect(await anna.call('uploadOpen', version)).toMatchObject({ done: true, version: 2 })
  })
})

describe('nobody learns what others have', () => {
  /** Responses without the parts that differ between uploads. */
  const shape = (data: unknown): unknown => ({ ...(data as object), uploadId: '', challenge: undefined })

  test('a content that the caller may not read is answered like one that nobody has, in words and in statements', async () => {
    const anna = await world.person('anna')
    const mallory = await world.person('mallory')
    const { folderId: seen } = await anna.call('folderCreate', { parentId: anna.library, folderName: 'seen' })
    await anna.shares({ folderId: seen }, [{ to: mallory, rights: 6 }])
    const contents = { unknown: randomBytes(70_000), hidden: randomBytes(70_000), previewed: randomBytes(70_000) }
    await anna.upload(anna.library, 'hidden.bin', contents.hidden)
    await anna.upload(seen, 'previewed.bin', contents.previewed)
    await prove(mallory, mallory.library, randomBytes(10))
    const traces: Record<string, unknown> = {}
    for (const [kind, content] of Object.entries(contents)) {
      const opened = await recordStatements(() => mallory.wire('uploadOpen', fileOf(mallory.library, content)))
      const { uploadId, challenge } = opened.value.data as { uploadId: string; challenge: Challenge }
      expect(challenge.ranges).toHaveLength(limits.challengeRanges)
      const proof = proofOf(challenge, content)
      const proved = await recordStatements(() =>
        mallory.wire('uploadOpen', { ...fileOf(mallory.library, content), uploadId, proof }),
      )
      traces[kind] = {
        answers: [shape(opened.value.data), shape(proved.value.data), proved.value.code],
        statements: [...opened.statements, ...proved.statements]
          .map(({ text }) => text.replace(/cloudoc\.now = '\d+'/, 'cloudoc.now'))
          // The event reader runs its queries in the background.
          .filter((text) => !text.includes("where name = 'event'")),
        looksAt: proved.statements
          .filter(({ text }) => text.includes('recursive chain'))
          .map(({ values }) => (Array.isArray(values[0]) ? values[0].length : 1)),
      }
    }
    expect(traces['hidden']).toEqual(traces['unknown'])
    expect(traces['previewed']).toEqual(traces['unknown'])
    expect(await mallory.names(mallory.library)).toEqual([])
  })

  test('the last place where the caller may read a content decides: shared, taken back, deleted for good', async () => {
    const anna = await world.person('anna')
    const ben = await world.person('ben')
    const content = randomBytes(100)
    const { folderId } = await anna.call('folderCreate', { parentId: anna.library, folderName: 'f' })
    await anna.upload(anna.library, 'hidden.bin', content)
    const fileId = await anna.upload(folderId, 'shown.bin', content)
    const isDone = async (): Promise<boolean> => {
      const { wire } = await prove(ben, ben.library, content, content, `${Math.random()}.bin`)
      if ((wire.data as { done?: true }).done !== true) return false
      const { fileId: made } = wire.data as { fileId: number }
      await ben.call('fileOrFolderCompleteDelete', { fileIdArray: [made] })
      await purgeAll(world.app.db)
      return true
    }
    expect(await isDone()).toBe(false)
    await anna.shares({ folderId }, [{ to: ben, rights: 270 }])
    expect(await isDone()).toBe(true)
    // Old versions count too, because every user who may download the file may download them.
    await anna.upload(folderId, 'shown.bin', 'newer', { conflict: 'version' })
    expect(await isDone()).toBe(true)
    await anna.call('fileOrFolderDelete', { fileIdArray: [fileId] })
    expect(await isDone()).toBe(false)
    await anna.call('recycleRestore', { fileIdArray: [fileId] })
    await anna.shares({ folderId }, [{ to: ben, rights: 6 }])
    expect(await isDone()).toBe(false)
  })

  test('rights that are taken back between proof and storing count', async () => {
    const pauses = new Pauses()
    const world = await openWorld({ elected: false, pause: pauses.at })
    const anna = await world.person('anna')
    const ben = await world.person('ben')
    const content = randomBytes(100)
    const { folderId } = await anna.call('folderCreate', { parentId: anna.library, folderName: 'f' })
    await anna.upload(folderId, 'shown.bin', content)
    await anna.shares({ folderId }, [{ to: ben, rights: 270 }])
    const file = fileOf(ben.library, content)
    const { uploadId, challenge } = await ben.call('uploadOpen', file)
    const stop = pauses.hold('proved')
    const proving = ben.wire('uploadOpen', { ...file, uploadId, proof: proofOf(challenge ?? expect.fail(), content) })
    await stop.reached
    await anna.shares({ folderId }, [{ to: ben, rights: 6 }])
    stop.release()
    expect((await proving).data).not.toHaveProperty('done')
    expect(await ben.names(ben.library)).toEqual([])
  })

  test('a content that is collected between proof and storing is not promised', async () => {
    const pauses = new Pauses()
    const world = await openWorld({ elected: false, pause: pauses.at })
    const anna = await world.person('anna')
    const content = randomBytes(100)
    const fileId = await anna.upload(anna.library, 'first.bin', content)
    const file = fileOf(anna.library, content)
    const { uploadId, challenge } = await anna.call('uploadOpen', file)
    const stop = pauses.hold('proved')
    const proving = anna.wire('uploadOpen', { ...file, uploadId, proof: proofOf(challenge ?? expect.fail(), content) })
    await stop.reached
    await anna.call('fileOrFolderCompleteDelete', { fileIdArray: [fileId] })
    await purgeAll(world.app.db)
    await sql`delete from blob`.execute(world.app.db)
    stop.release()
    const { code, data } = await proving
    expect(code).toBe('success')
    expect(data).not.toHaveProperty('done')
    expect(await anna.names(anna.library)).toEqual([])
    expect(await contentsOf(world)).toMatchObject({ blobs: 0, versions: 0 })
  })

  test('an object that cannot be read proves nothing, and the content is sent instead', async () => {
    const world = await openWorld({ elected: false })
    const anna = await world.person('anna')
    const content = randomBytes(100)
    await anna.upload(anna.library, 'first.bin', content)
    const { key } = await world.app.db.selectFrom('blob').select('key').executeTakeFirstOrThrow()
    await world.app.blobs.remove(key)
    const { wire } = await prove(anna, anna.library, content)
    expect(wire.code).toBe('success')
    expect(wire.data).not.toHaveProperty('done')
  })
})

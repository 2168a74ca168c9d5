// Pictures in conversations lose their metadata before others read them; files stay as they are.
import { randomUUID } from 'node:crypto'
import { codes } from '@cloudoc/domain'
import sharp, { type Sharp } from 'sharp'
import { expect, test } from 'vitest'
import { type Person, sharedWorld } from '../../../test/harness.ts'
import { cleanOldPicture } from './old-pictures.ts'

const world = sharedWorld({ partBytes: 1000 })

const serial = 'SERIAL-4711'
const taken = (write: (picture: Sharp) => Sharp): Promise<Buffer> =>
  write(
    sharp(Buffer.from(Array.from({ length: 64 * 32 * 3 }, (_, n) => (n * 7919) % 251)), {
      raw: { width: 64, height: 32, channels: 3 },
    })
      .withMetadata({ orientation: 6 })
      .withIccProfile('p3')
      .withExif({
        IFD0: { Model: serial },
        IFD3: {
          GPSLatitudeRef: 'N',
          GPSLatitude: '31/1 13/1 49/1',
          GPSLongitudeRef: 'E',
          GPSLongitude: '121/1 28/1 25/1',
        },
      }),
  ).toBuffer()

async function pair() {
  const [anna, ben] = [await world.person('anna'), await world.person('ben')]
  return { anna, ben, conversationId: (await anna.call('imOpenChat', { userId: ben.userId })).conversationId }
}

const put = async (person: Person, url: string, payload: Buffer) =>
  (
    await world.app.http.inject({
      method: 'PUT',
      url: `/im/api/file/upload${url}`,
      headers: { authorization: `Bearer ${person.token}`, 'content-type': 'application/octet-stream' },
      payload,
    })
  ).json<{ result: number; data: { fileId: number } }>()

const whole = (person: Person, conversationId: number, payload: Buffer, picture: boolean) =>
  put(person, `?conversationId=${conversationId}&fileName=a.jpg&picture=${picture}`, payload)

async function inParts(person: Person, conversationId: number, payload: Buffer): Promise<number> {
  const input = { conversationId, fileName: 'a.jpg', fileSize: payload.length, picture: true }
  const { uploadId, partSize } = await person.call('imUploadOpen', input)
  for (let at = 0; at < payload.length; at += partSize)
    await put(person, `/part/${conversationId}/${uploadId}/${at / partSize + 1}`, payload.subarray(at, at + partSize))
  return (await person.call('imUploadComplete', { conversationId, uploadId })).fileId
}

const read = async (person: Person, conversationId: number, fileId: number): Promise<Buffer> =>
  (
    await world.app.http.inject({
      url: `/im/api/file/${conversationId}/${fileId}`,
      headers: { authorization: `Bearer ${person.token}` },
    })
  ).rawPayload

test.each([
  ['jpeg', (one: Sharp) => one.jpeg()],
  ['png', (one: Sharp) => one.png()],
  ['webp', (one: Sharp) => one.webp()],
])(
  '[R293] a %s sent as a picture has no position and no camera for anybody; as a file it stays as it is',
  async (_, write) => {
    const { anna, ben, conversationId } = await pair()
    const original = await taken(write)
    expect(original.includes(serial)).toBe(true)
    const ids = [
      (await whole(anna, conversationId, original, true)).data.fileId,
      await inParts(anna, conversationId, original),
    ]
    for (const fileId of ids) {
      await anna.call('imSend', { conversationId, uuid: randomUUID(), type: 'img', fileId })
      const seen = await read(ben, conversationId, fileId)
      expect(seen.includes(serial)).toBe(false)
      const [before, after] = [await sharp(original).metadata(), await sharp(seen).metadata()]
      expect([after.width, after.height, after.orientation]).toEqual([64, 32, 6])
      expect(after.icc).toEqual(before.icc)
      expect(await sharp(seen).raw().toBuffer()).toEqual(await sharp(original).raw().toBuffer())
      expect(await read(anna, conversationId, fileId)).toEqual(seen)
    }
    const { fileId } = (await whole(anna, conversationId, original, false)).data
    // What was uploaded as a file is not sent as a picture.
    const send = { conversationId, uuid: randomUUID(), fileId }
    expect(await anna.refusal('imSend', { ...send, type: 'img' })).toBe('notFound')
    await anna.call('imSend', { ...send, type: 'file' })
    expect(await read(ben, conversationId, fileId)).toEqual(original)
  },
)

test('what is no picture is refused as one, and nothing of it is stored', async () => {
  const { anna, conversationId } = await pair()
  const refused = await whole(anna, conversationId, Buffer.from('<html><script>alert(1)</script></html>'), true)
  expect(refused.result).toBe(codes.pictureUnreadable.code)
  const large = { conversationId, fileName: 'a.jpg', fileSize: 60 * 1024 * 1024, picture: true }
  expect(await anna.refusal('imUploadOpen', large)).toBe('pictureUnreadable')
  const rows = await world.app.db.selectFrom('talk_file').select('id').where('account_id', '=', anna.userId).execute()
  expect(rows).toEqual([])
})

/** A picture as it was sent before the server removed metadata: its bytes are those of the file. */
async function oldPicture(person: Person, conversationId: number, original: Buffer): Promise<number> {
  const { fileId } = (await whole(person, conversationId, original, false)).data
  await person.call('imSend', { conversationId, uuid: randomUUID(), type: 'file', fileId })
  await world.app.db.updateTable('talk_message').set({ type: 'img' }).where('file_id', '=', fileId).execute()
  await world.app.db.updateTable('talk_file').set({ clean_at: 0 }).where('id', '=', fileId).execute()
  return fileId
}

test('[R293] pictures that were sent with their metadata lose them later, others stay as they are', async () => {
  const { anna, ben, conversationId } = await pair()
  const original = await taken((one) => one.jpeg())
  const old = await oldPicture(anna, conversationId, original)
  const { fileId: file } = (await whole(anna, conversationId, original, false)).data
  await anna.call('imSend', { conversationId, uuid: randomUUID(), type: 'file', fileId: file })
  const strange = await oldPicture(anna, conversationId, Buffer.from('<html>'))
  expect((await read(ben, conversationId, old)).includes(serial)).toBe(true)
  const { db, blobs } = world.app
  while (await cleanOldPicture({ db, blobs, now: Date.now }));
  const seen = await read(ben, conversationId, old)
  expect(seen.includes(serial)).toBe(false)
  expect(await sharp(seen).raw().toBuffer()).toEqual(await sharp(original).raw().toBuffer())
  expect(await read(ben, conversationId, file)).toEqual(original)
  expect(String(await read(ben, conversationId, strange))).toBe('<html>')
  const rows = await db
    .selectFrom('talk_file')
    .select(['is_picture', 'clean_at', 'size'])
    .where('id', 'in', [old, strange])
    .orderBy('id')
    .execute()
  expect(rows).toEqual([
    { is_picture: true, clean_at: null, size: seen.length },
    { is_picture: false, clean_at: null, size: 6 },
  ])
})

// Files of conversations and attachments of mails are scanned like contents of the drive.
import { randomUUID } from 'node:crypto'
import { codes } from '@cloudoc/domain'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startClamd } from '../../../test/clamd-server.ts'
import { openWorld, type Person, type World } from '../../../test/harness.ts'
import { storedMail } from '../../../test/mails.ts'

const eicar = 'Eicar-Test-Signature'

const upload = async (world: World, person: Person, conversationId: number, fileName: string, payload: string) => {
  const sent = await world.app.http.inject({
    method: 'PUT',
    url: `/im/api/file/upload?${new URLSearchParams({ conversationId: String(conversationId), fileName }).toString()}`,
    headers: { authorization: `Bearer ${person.token}`, 'content-type': 'application/octet-stream' },
    payload,
  })
  const { fileId } = sent.json<{ data: { fileId: number } }>().data
  return person.call('imSend', { conversationId, uuid: randomUUID(), type: 'file', fileId })
}

/** Gives a stored mail a content with one attachment. */
async function holdMail(world: World, person: Person, mailId: number): Promise<void> {
  const lines = [
    ...['From: ben@example.com', 'Subject: a', 'MIME-Version: 1.0', 'Content-Type: multipart/mixed; boundary=b', ''],
    ...['--b', 'Content-Type: text/plain', '', 'see below'],
    ...['--b', 'Content-Type: application/octet-stream', 'Content-Disposition: attachment; filename=a.txt'],
    ...['Content-Transfer-Encoding: base64', '', Buffer.from(`of a mail`).toString('base64'), '--b--', ''],
  ]
  const fileId = await person.upload(person.library, 'a.eml', lines.join('\r\n'))
  const one = { number: 0, name: '附件.txt', size: 30, type: 'text/plain', contentId: '', isInline: false }
  await sql`
    update mail set attachments = ${JSON.stringify([one])}::jsonb,
      blob_id = (select v.blob_id from version v where v.item_id = ${fileId}) where id = ${mailId}`.execute(
    world.app.db,
  )
}

const reading =
  (world: World, way: 'file' | 'filePreview' = 'file') =>
  async (person: Person, conversationId: number, fileId: number) => {
    const response = await world.app.http.inject({
      url: `/im/api/${way}/${conversationId}/${fileId}`,
      headers: { authorization: `Bearer ${person.token}` },
    })
    const isJson = String(response.headers['content-type']).startsWith('application/json')
    return isJson ? response.json<{ result: number }>().result : response.body
  }

// [R386] Files of conversations in which a scanner finds malware are given to nobody.
test('[R386] a file of a conversation with malware is given to nobody, and recorded; one that was there before too', async () => {
  const clamd = await startClamd(eicar)
  const world = await openWorld({})
  const [admin, anna, ben] = [await world.admin(), await world.person('anna'), await world.person('ben')]
  const { conversationId } = await anna.call('imOpenChat', { userId: ben.userId })
  const early = await upload(world, anna, conversationId, '以前.txt', `early ${eicar}`)
  const read = reading(world)
  expect(await read(ben, conversationId, early.fileId)).toContain('early')
  await admin.call('setServerSetting', { scanner_address: `tcp://${clamd.address.host}:${clamd.address.port}` })
  const late = await upload(world, anna, conversationId, '后来.txt', `late ${eicar}`)
  for (const { fileId } of [early, late])
    await expect.poll(() => read(ben, conversationId, fileId), { timeout: 120_000 }).toBe(codes.virusFile.code)
  expect(await read(anna, conversationId, late.fileId)).toBe(codes.virusFile.code)
  expect(await reading(world, 'filePreview')(ben, conversationId, late.fileId)).toBe(codes.virusFile.code)
  expect(await anna.refusal('imSaveToDrive', { conversationId, fileId: late.fileId, folderId: anna.library })).toBe(
    'virusFile',
  )
  const found = await world.app.db.selectFrom('audit').select('detail').where('call', '=', 'virusFound').execute()
  expect(found.map(({ detail }) => detail)).toEqual(
    expect.arrayContaining(['以前.txt', '后来.txt'].map((name) => ({ name, virus: eicar }))),
  )
  // Who sent them is told, once for each; who received them is not.
  await world.app.settle()
  const toldTo = async (person: Person) =>
    (await person.call('getNoticeList', { unread: true, rows: 200 })).list
      .map(({ message }) => JSON.parse(message) as { virusName?: string; fName?: string; conversationId?: number })
      .filter(({ virusName }) => virusName === eicar)
      .map((one) => [one.fName, one.conversationId] as const)
  const told = await toldTo(anna)
  expect(told).toHaveLength(2)
  expect(new Map(told)).toEqual(new Map(['以前.txt', '后来.txt'].map((name) => [name, conversationId])))
  expect(await toldTo(ben)).toEqual([])
})

test('[R386] where inspection is demanded, files of conversations and saved mail attachments are closed to others until then', async () => {
  const clamd = await startClamd(eicar)
  const go = clamd.pause()
  const world = await openWorld({ clamd: clamd.address })
  const [admin, anna, ben, cara] = [
    await world.admin(),
    await world.person('anna'),
    await world.person('ben'),
    await world.person('cara'),
  ]
  const { conversationId } = await anna.call('imOpenChat', { userId: ben.userId })
  const before = await upload(world, anna, conversationId, '以前.txt', 'before')
  await admin.call('setServerSetting', { scanner_required: true })
  const { fileId, number } = await upload(world, anna, conversationId, '新.txt', 'new')
  const read = reading(world)
  expect(await read(ben, conversationId, before.fileId)).toBe('before')
  expect(await read(anna, conversationId, fileId)).toBe('new')
  expect(await read(ben, conversationId, fileId)).toBe(codes.notInspected.code)
  expect(await ben.refusal('imSaveToDrive', { conversationId, fileId, folderId: ben.library })).toBe('notInspected')
  // Forwarding opens it to nobody else.
  const to = (await ben.call('imOpenChat', { userId: cara.userId })).conversationId
  const { list } = await ben.call('imForward', {
    ...{ conversationId: to, from: conversationId, numbers: [number], uuid: randomUUID() },
  })
  const forwarded = list[0]?.fileId ?? 0
  for (const person of [ben, cara]) expect(await read(person, to, forwarded)).toBe(codes.notInspected.code)

  // What a person saves of a mail is a file of the drive, which others open after its inspection.
  const folderId = await anna.folder(anna.library, '邮件')
  await anna.shares({ folderId }, [{ to: ben, rights: 1022 }])
  const { boxId } = await anna.call('createMailbox', {
    ...{ account: 'anna@example.com', password: 'Test#2026', mailProtocol: 'imap', fetch: false },
    imapAddress: 'imap.invalid',
  })
  const mailId = await storedMail(world.app.db, anna.userId, boxId)
  await holdMail(world, anna, mailId)
  const saved = [
    await anna.call('saveMailAttachment', { mailId, folderId }),
    await anna.call('saveMailAttachment', { mailId, folderId, number: 0 }),
  ]
  expect(saved[1]?.fName).toBe('附件.txt')
  const fromMail = () =>
    Promise.all(
      saved.map(async ({ fileId }) => {
        const response = await ben.download(fileId)
        return response.statusCode === 200 ? 'success' : response.json<{ result: number }>().result
      }),
    )
  expect(await fromMail()).toEqual([codes.notInspected.code, codes.notInspected.code])

  go()
  await expect.poll(() => read(ben, conversationId, fileId), { timeout: 120_000 }).toBe('new')
  expect(await read(cara, to, forwarded)).toBe('new')
  await expect.poll(fromMail, { timeout: 120_000 }).toEqual(['success', 'success'])
})

// What an auditor sees beside rights: links, conversations, mails, exchanges, processes and signing.
import { randomUUID } from 'node:crypto'
import { accessKinds } from '@cloudoc/contract'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openWorld } from './harness.ts'
import { smallProcess } from './workflows.ts'

test('who can see a file in other ways is told by item and by person: a link, a conversation, a mail, an exchange, a process, a signer', async () => {
  const world = await openWorld({ elected: false })
  const [admin, anna, ben] = [await world.admin(), await world.person('anna'), await world.person('ben')]
  const { db } = world.app
  const folderId = await anna.folder(anna.library, '合同')
  const fileId = await anna.upload(folderId, 'a.txt', 'contents of a')
  const ask = async (input: object) => (await admin.call('getOtherAccess', input)).list

  // A link on the folder above leads to the file as well.
  await anna.call('externalCreate', { folderId, rights: 12, endTime: Date.now() + 3_600_000 })
  expect(await ask({ fileId })).toMatchObject([
    { way: 'link', userId: 0, fId: folderId, givenBy: 'anna', isOpen: true },
  ])

  // The file in a conversation: its members.
  const { conversationId } = await anna.call('imOpenChat', { userId: ben.userId })
  const sent = await world.app.http.inject({
    method: 'PUT',
    url: `/im/api/file/upload?conversationId=${conversationId}&fileName=a.txt`,
    headers: { authorization: `Bearer ${anna.token}`, 'content-type': 'application/octet-stream' },
    payload: 'contents of a',
  })
  const { fileId: sentId } = sent.json<{ data: { fileId: number } }>().data
  await anna.call('imSend', { conversationId, uuid: randomUUID(), type: 'file', fileId: sentId })
  expect((await ask({ fileId, way: 'talk' })).map(({ who }) => who).sort()).toEqual(['anna', 'ben'])

  // A process on the file, with its handler.
  const { processTemplateId } = await smallProcess(admin)
  const { processId } = await anna.call('createProcess', { templateId: processTemplateId, title: '会签', fileId })
  await anna.call('launchProcess', { processId })
  expect((await ask({ fileId, way: 'workflow' })).map(({ what }) => what)).toContain('会签')
  expect((await ask({ folderId })).map(({ way }) => way)).toEqual(expect.arrayContaining(['link', 'talk', 'workflow']))
  expect((await ask({ userId: ben.userId })).map(({ way }) => way)).toContain('talk')
  for (const way of accessKinds) {
    await ask({ fileId, way })
    await ask({ userId: ben.userId, way })
  }
  // What is over is left out where only the present is asked for.
  await sql`update external_link set cancelled_at = 1`.execute(db)
  expect(await ask({ fileId, way: 'link', current: true })).toEqual([])
  expect(await ask({ fileId, way: 'link' })).toMatchObject([{ isOpen: false }])
  expect(await anna.refusal('getOtherAccess', { fileId })).toBe('noPermission')
  expect(await admin.refusal('getOtherAccess', { fileId: 999_999 })).toBe('notFound')
})

// What was edited away, recalled or deleted is in no store: one search through all of them for its words.
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openWorld, type World } from '../../../test/harness.ts'
import { removeExpiredFiles, removeFileRows, removeOldMessages } from './files.ts'

/** The tables in which a word stands. */
async function tablesWith({ app: { db } }: World, word: string): Promise<string[]> {
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(db)
  const found: string[] = []
  for (const { name } of tables) {
    const { rows } = await sql`select 1 from ${sql.table(name)} t where t::text like ${`%${word}%`} limit 1`.execute(db)
    if (rows.length > 0) found.push(name)
  }
  return found
}

// [R296] A recalled message is nowhere any more; the same holds for what an edit has replaced, and for deleted messages.
test('[R296] nothing that is stored has the words of what was edited, recalled or deleted when its time was over', async () => {
  const world = await openWorld()
  const [anna, ben, cara] = [await world.person('anna'), await world.person('ben'), await world.person('cara')]
  const { conversationId } = await anna.call('imCreateGroup', {
    ...{ name: '群', userIdArray: [ben.userId] },
  })
  const say = (value: string, more: object = {}) =>
    anna.call('imSend', { conversationId, uuid: randomUUID(), type: 'text', value, ...more })
  const mentions = [{ userId: ben.userId, name: 'ben' }]
  const edited = await say('@ben 龘龘改前', { mentions })
  const recalled = await say('@ben 龘龘撤回', { mentions })
  const link = await anna.call('imSend', {
    ...{ conversationId, uuid: randomUUID(), type: 'link', value: '', url: 'https://a.example/', name: '龘龘链接' },
  })
  const upload = await world.app.http.inject({
    method: 'PUT',
    url: `/im/api/file/upload?conversationId=${conversationId}&fileName=${encodeURIComponent('龘龘文件.txt')}`,
    headers: { authorization: `Bearer ${anna.token}`, 'content-type': 'application/octet-stream' },
    payload: Buffer.from('龘龘内容'),
  })
  const { fileId } = upload.json<{ data: { fileId: number } }>().data
  const file = await anna.call('imSend', { conversationId, uuid: randomUUID(), type: 'file', fileId })
  // It is quoted, forwarded as a record, and noticed.
  await say('引用', { quote: recalled.number })
  const { conversationId: to } = await ben.call('imOpenChat', { userId: cara.userId })
  const numbers = [edited, recalled, link].map(({ number }) => number)
  await ben.call('imForward', { conversationId: to, from: conversationId, numbers, merged: true, uuid: randomUUID() })
  await expect.poll(async () => (await ben.call('getNotices', {})).groups.length).toBeGreaterThan(0)
  expect(await tablesWith(world, '龘龘改前')).not.toEqual([])
  expect(await tablesWith(world, '龘龘撤回')).not.toEqual([])

  await anna.call('imEdit', { conversationId, number: edited.number, value: '改后' })
  for (const { number } of [recalled, link, file]) await anna.call('imRecall', { conversationId, number })
  await world.app.db.updateTable('talk_file').set({ created_at: 0, expires_at: 0 }).execute()
  await removeExpiredFiles(world.app.db, Date.now())
  await removeFileRows(world.app.db)
  // Two letters are enough for the index.
  expect(await tablesWith(world, '龘')).toEqual([])
  const held = await sql`select 1 from talk_file where blob_id is not null`.execute(world.app.db)
  expect(held.rows).toEqual([])

  const last = await say('龘龘到期')
  await ben.call('imForward', {
    ...{ conversationId: to, from: conversationId, numbers: [last.number], merged: true, uuid: randomUUID() },
  })
  await removeOldMessages(world.app.db, 'group', Date.now() + 60_000)
  expect(await tablesWith(world, '龘')).toEqual([])
})

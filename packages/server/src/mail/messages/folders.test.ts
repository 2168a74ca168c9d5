// The parts that folders play, by what their server says and by their names.
import type { ImapFlow } from 'imapflow'
import { expect, test } from 'vitest'
import { listFolders } from './folders.ts'

interface Named {
  readonly path: string
  readonly specialUse?: string
  readonly flags?: readonly string[]
}

const server = (folders: readonly Named[]) =>
  ({
    list: async () =>
      folders.map(({ path, specialUse, flags = [] }) => ({
        ...{ path, name: path.split(/[/.]/).at(-1) ?? path, specialUse, flags: new Set(flags) },
      })),
  }) as unknown as ImapFlow
const roles = async (...folders: readonly Named[]) =>
  Object.fromEntries((await listFolders(server(folders))).map(({ path, role }) => [path, role]))

test('folders of a server that says nothing are known by their names, in Chinese and in English', async () => {
  const named = ['INBOX', '已发送', '草稿箱', '已删除', '垃圾邮件', '归档', '合同 & 协议'].map((path) => ({ path }))
  expect(await roles(...named)).toEqual({
    ...{ INBOX: 'inbox', 已发送: 'sent', 草稿箱: 'drafts', 已删除: 'trash', 垃圾邮件: 'junk', 归档: 'archive' },
    '合同 & 协议': 'other',
  })
  const english = ['INBOX', 'Sent Items', 'Drafts', 'Deleted Items', 'Junk E-mail'].map((path) => ({ path }))
  expect(Object.values(await roles(...english))).toEqual(['inbox', 'sent', 'drafts', 'trash', 'junk'])
})

test('what the server says counts before a name, one folder plays each part, and those that cannot be opened are left out', async () => {
  expect(
    await roles(
      { path: 'INBOX' },
      { path: 'Sent' },
      { path: '已发送', specialUse: '\\Sent' },
      { path: 'INBOX.Trash' },
      { path: 'INBOX/已删除' },
      { path: '[Gmail]', flags: ['\\Noselect'] },
    ),
  ).toEqual({ INBOX: 'inbox', Sent: 'other', 已发送: 'sent', 'INBOX.Trash': 'trash', 'INBOX/已删除': 'other' })
})

// A double of an Exchange server for tests: the requests of Exchange Web Services that mailboxes use, on folders in memory.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

interface Item {
  id: string
  mime: Buffer
  isRead: boolean
  flag: number
  verb: number
  receivedAt: number
}

interface Folder {
  readonly id: string
  name: string
  readonly distinguished: string
  items: Item[]
  /** What has happened, in order: the state of a client is a place in it. */
  readonly log: { kind: 'Create' | 'Update' | 'Delete' | 'ReadFlagChange'; id: string }[]
}

export interface ExchangeServer {
  readonly url: string
  /** Puts a mail into a folder, as a delivery does. */
  deliver(message: string, folder?: string): void
  folder(name: string): readonly Readonly<Item>[]
  /** Changes the mails of a folder, as another program does. */
  change(folder: string, change: (item: Item) => 'ReadFlagChange' | 'Update' | 'Delete'): void
  /** Forgets the states of all clients. */
  forget(): void
  /** What was sent, with its receivers in the envelope. */
  readonly sent: Buffer[]
  /** Names of requests, in order. */
  readonly asked: string[]
  /** The connection breaks after the next message was sent, before the answer. */
  breakAfterSending(): void
}

const failed = (code: string, of: string): string =>
  `<m:${of}ResponseMessage ResponseClass="Error"><m:MessageText>refused</m:MessageText><m:ResponseCode>${code}</m:ResponseCode></m:${of}ResponseMessage>`
const done = (of: string, body = ''): string =>
  `<m:${of}ResponseMessage ResponseClass="Success"><m:ResponseCode>NoError</m:ResponseCode>${body}</m:${of}ResponseMessage>`
const idsIn = (xml: string, name: 'ItemId' | 'FolderId'): string[] =>
  [...xml.matchAll(new RegExp(`<t:${name} Id="([^"]+)"`, 'g'))].map(([, id = '']) => id)

/** Starts the double. The account `CORP\\anna` has the password `secret`. It stops when the test ends. */
export async function startExchange(): Promise<ExchangeServer> {
  let count = 0
  let epoch = 1
  let isBreaking = false
  const sent: Buffer[] = []
  const asked: string[] = []
  const folders: Folder[] = []
  const add = (name: string, distinguished = ''): Folder => {
    const folder: Folder = { id: `F/${folders.length}+=`, name, distinguished, items: [], log: [] }
    folders.push(folder)
    return folder
  }
  for (const [name, id] of [
    ['收件箱', 'inbox'],
    ['已发送邮件', 'sentitems'],
    ['草稿', 'drafts'],
    ['已删除邮件', 'deleteditems'],
    ['垃圾邮件', 'junkemail'],
    ['合同往来', ''],
  ] as const)
    add(name, id)
  const named = (name: string): Folder => {
    const found = folders.find((folder) => folder.name === name || folder.distinguished === name)
    if (found === undefined) throw new Error(`no folder ${name}`)
    return found
  }
  const put = (folder: Folder, mime: Buffer, more: Partial<Item> = {}): Item => {
    count += 1
    const item = { id: `I/${count}+=`, mime, isRead: false, flag: 0, verb: 0, receivedAt: Date.now(), ...more }
    folder.items.push(item)
    folder.log.push({ kind: 'Create', id: item.id })
    return item
  }
  const holderOf = (id: string): Folder | undefined => folders.find(({ items }) => items.some((one) => one.id === id))
  const itemXml = ({ id, mime, isRead, flag, verb, receivedAt }: Item): string =>
    `<t:Message><t:ItemId Id="${id}" ChangeKey="x"/><t:Size>${mime.length}</t:Size><t:DateTimeReceived>${new Date(receivedAt).toISOString()}</t:DateTimeReceived><t:ExtendedProperty><t:ExtendedFieldURI PropertyTag="0x1090" PropertyType="Integer"/><t:Value>${flag}</t:Value></t:ExtendedProperty><t:ExtendedProperty><t:ExtendedFieldURI PropertyTag="0x1081" PropertyType="Integer"/><t:Value>${verb}</t:Value></t:ExtendedProperty><t:IsRead>${isRead}</t:IsRead></t:Message>`
  const folderXml = ({ id, name }: Folder): string =>
    `<t:Folder><t:FolderId Id="${id}"/><t:FolderClass>IPF.Note</t:FolderClass><t:DisplayName>${name}</t:DisplayName></t:Folder>`

  const sync = (xml: string): string => {
    const folder = folders.find(({ id }) => idsIn(xml, 'FolderId').includes(id))
    if (folder === undefined) return failed('ErrorFolderNotFound', 'SyncFolderItems')
    const [known = '', from = '0'] = (/<m:SyncState>([^<]*)</.exec(xml)?.[1] ?? `${epoch}:0`).split(':')
    if (Number(known) !== epoch) return failed('ErrorInvalidSyncStateData', 'SyncFolderItems')
    const most = Math.min(3, Number(/<m:MaxChangesReturned>(\d+)</.exec(xml)?.[1]))
    const until = Math.min(folder.log.length, Number(from) + most)
    const changes = folder.log.slice(Number(from), until).map(({ kind, id }) => {
      const item = folder.items.find((one) => one.id === id)
      if (kind === 'Delete') return `<t:Delete><t:ItemId Id="${id}"/></t:Delete>`
      if (item === undefined) return ''
      if (kind === 'ReadFlagChange')
        return `<t:ReadFlagChange><t:ItemId Id="${id}"/><t:IsRead>${item.isRead}</t:IsRead></t:ReadFlagChange>`
      return `<t:${kind}>${itemXml(item)}</t:${kind}>`
    })
    return done(
      'SyncFolderItems',
      `<m:SyncState>${epoch}:${until}</m:SyncState><m:IncludesLastItemInRange>${until === folder.log.length}</m:IncludesLastItemInRange><m:Changes>${changes.join('')}</m:Changes>`,
    )
  }

  const each = (xml: string, of: string, act: (item: Item, folder: Folder) => string): string =>
    idsIn(xml, 'ItemId')
      .map((id) => {
        const folder = holderOf(id)
        const item = folder?.items.find((one) => one.id === id)
        return folder === undefined || item === undefined
          ? failed('ErrorItemNotFound', of)
          : done(of, act(item, folder))
      })
      .join('')
  const take = (item: Item, folder: Folder): void => {
    folder.items = folder.items.filter((one) => one !== item)
    folder.log.push({ kind: 'Delete', id: item.id })
  }

  const answers: Readonly<Record<string, (xml: string) => string>> = {
    GetFolder: (xml) =>
      [...xml.matchAll(/<t:DistinguishedFolderId Id="(\w+)"/g)]
        .map(([, id = '']) => done('GetFolder', `<m:Folders>${folderXml(named(id))}</m:Folders>`))
        .join(''),
    FindFolder: () =>
      done(
        'FindFolder',
        `<m:RootFolder><t:Folders>${folders.map(folderXml).join('')}<t:Folder><t:FolderId Id="K"/><t:FolderClass>IPF.Contact</t:FolderClass><t:DisplayName>联系人</t:DisplayName></t:Folder></t:Folders></m:RootFolder>`,
      ),
    SyncFolderItems: sync,
    GetItem: (xml) =>
      each(
        xml,
        'GetItem',
        ({ id, mime }) =>
          `<m:Items><t:Message><t:MimeContent CharacterSet="UTF-8">${mime.toString('base64')}</t:MimeContent><t:ItemId Id="${id}"/></t:Message></m:Items>`,
      ),
    UpdateItem: (xml) =>
      [...xml.matchAll(/<t:ItemChange>.*?<\/t:ItemChange>/gs)]
        .map(([change]) =>
          each(change, 'UpdateItem', (item, folder) => {
            const isRead = /<t:IsRead>(\w+)</.exec(change)?.[1]
            if (isRead !== undefined) item.isRead = isRead === 'true'
            const value = Number(/<t:Value>(\d+)</.exec(change)?.[1])
            if (change.includes('0x1090')) item.flag = value
            if (change.includes('0x1081')) item.verb = value
            folder.log.push({ kind: isRead === undefined ? 'Update' : 'ReadFlagChange', id: item.id })
            return ''
          }),
        )
        .join(''),
    MoveItem: (xml) => {
      const target = folders.find(({ id }) => idsIn(xml, 'FolderId').includes(id))
      if (target === undefined) return failed('ErrorFolderNotFound', 'MoveItem')
      return each(xml, 'MoveItem', (item, folder) => {
        take(item, folder)
        const { id } = put(target, item.mime, { isRead: item.isRead, flag: item.flag, verb: item.verb })
        return `<m:Items><t:Message><t:ItemId Id="${id}"/></t:Message></m:Items>`
      })
    },
    DeleteItem: (xml) =>
      each(xml, 'DeleteItem', (item, folder) => {
        take(item, folder)
        return ''
      }),
    CreateFolder: (xml) =>
      done('CreateFolder', `<m:Folders>${folderXml(add(/<t:DisplayName>([^<]*)</.exec(xml)?.[1] ?? ''))}</m:Folders>`),
    CreateItem: (xml) => {
      const mime = Buffer.from(/<t:MimeContent[^>]*>([^<]*)</.exec(xml)?.[1] ?? '', 'base64')
      sent.push(mime)
      put(named('sentitems'), mime, { isRead: true })
      return done('CreateItem')
    },
    FindItem: (xml) => {
      const wanted = /Value="&lt;([^"]+)&gt;"/.exec(xml)?.[1] ?? ''
      const found = named('sentitems').items.filter(({ mime }) => mime.includes(`<${wanted}>`))
      return done('FindItem', `<m:RootFolder><t:Items>${found.map(itemXml).join('')}</t:Items></m:RootFolder>`)
    },
  }

  const server = createServer((request, response) => {
    void (async () => {
      const xml = (await buffer(request)).toString()
      const name = /<s:Body><m:(\w+)/.exec(xml)?.[1] ?? ''
      asked.push(name)
      const credentials = Buffer.from(`CORP\\anna:secret`).toString('base64')
      if (request.headers.authorization !== `Basic ${credentials}`) return response.writeHead(401).end()
      const body = answers[name]?.(xml)
      if (body === undefined) return response.writeHead(404).end()
      if (name === 'CreateItem' && isBreaking) {
        isBreaking = false
        return request.socket.destroy()
      }
      response.writeHead(200, { 'content-type': 'text/xml; charset=utf-8' })
      return response.end(
        `<?xml version="1.0"?><s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><m:${name}Response xmlns:m="m" xmlns:t="t"><m:ResponseMessages>${body}</m:ResponseMessages></m:${name}Response></s:Body></s:Envelope>`,
      )
    })()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/EWS/Exchange.asmx`,
    sent,
    asked,
    deliver: (message, folder = 'inbox') => void put(named(folder), Buffer.from(message)),
    folder: (name) => named(name).items,
    change(name, change) {
      const folder = named(name)
      for (const item of folder.items) {
        const kind = change(item)
        if (kind === 'Delete') take(item, folder)
        else folder.log.push({ kind, id: item.id })
      }
    },
    forget() {
      epoch += 1
    },
    breakAfterSending() {
      isBreaking = true
    },
  }
}

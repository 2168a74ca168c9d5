// What a mailbox asks of Exchange: folders, what has changed in one, mails, flags, moves, sending.
import type { MailRole } from '@cloudoc/contract'
import { all, type Element, type Ews, first, textOf, xmlText } from './ews.ts'

/** The names that Exchange has for the folders that play a part. */
const distinguished = {
  inbox: 'inbox',
  sentitems: 'sent',
  drafts: 'drafts',
  deleteditems: 'trash',
  junkemail: 'junk',
} as const satisfies Record<string, MailRole>
const archives = /^(archive|归档|存档)$/i
const mostFolders = 500
/** Changes of one answer: the most that Exchange gives. */
const mostChanges = 512

/** MAPI properties: the flag for follow-up (2: flagged), and what was last done (102, 103: answered). */
const flagProperty = '<t:ExtendedFieldURI PropertyTag="0x1090" PropertyType="Integer"/>'
const verbProperty = '<t:ExtendedFieldURI PropertyTag="0x1081" PropertyType="Integer"/>'

const idOf = (element: Element | undefined, name: 'ItemId' | 'FolderId'): string =>
  first(element, name)?.attributes['Id'] ?? ''
const itemIds = (ids: readonly string[]): string => ids.map((id) => `<t:ItemId Id="${xmlText(id)}"/>`).join('')

export interface ExchangeFolder {
  readonly path: string
  readonly name: string
  readonly role: MailRole
}

/** The folders of mails, with the part that each plays. */
export async function listExchangeFolders(ews: Ews): Promise<ExchangeFolder[]> {
  const named = Object.keys(distinguished)
  const known = await ews(
    `<m:GetFolder><m:FolderShape><t:BaseShape>IdOnly</t:BaseShape></m:FolderShape><m:FolderIds>${named
      .map((name) => `<t:DistinguishedFolderId Id="${name}"/>`)
      .join('')}</m:FolderIds></m:GetFolder>`,
  )
  const roles = new Map(
    known.map((message, n): [string, MailRole] => [
      idOf(message, 'FolderId'),
      distinguished[(named[n] ?? 'inbox') as keyof typeof distinguished],
    ]),
  )
  const [found] = await ews(
    `<m:FindFolder Traversal="Deep"><m:FolderShape><t:BaseShape>Default</t:BaseShape><t:AdditionalProperties><t:FieldURI FieldURI="folder:FolderClass"/></t:AdditionalProperties></m:FolderShape><m:IndexedPageFolderView MaxEntriesReturned="${mostFolders}" Offset="0" BasePoint="Beginning"/><m:ParentFolderIds><t:DistinguishedFolderId Id="msgfolderroot"/></m:ParentFolderIds></m:FindFolder>`,
  )
  return all(found ?? { name: '', attributes: {}, children: [], text: '' }, 'Folder')
    .filter((folder) => /^(IPF\.Note|$)/.test(textOf(folder, 'FolderClass')))
    .map((folder) => ({
      path: idOf(folder, 'FolderId'),
      name: textOf(folder, 'DisplayName'),
      // Older servers have no folder of their own for archived mail.
      role: roles.get(idOf(folder, 'FolderId')) ?? (archives.test(textOf(folder, 'DisplayName')) ? 'archive' : 'other'),
    }))
}

/** Asks for the inbox: whether address, account and password are right. */
export async function tryExchange(ews: Ews): Promise<void> {
  await ews(
    '<m:GetFolder><m:FolderShape><t:BaseShape>IdOnly</t:BaseShape></m:FolderShape><m:FolderIds><t:DistinguishedFolderId Id="inbox"/></m:FolderIds></m:GetFolder>',
  )
}

export interface ListedItem {
  readonly id: string
  readonly size: number
  readonly receivedAt: number
  readonly isRead: boolean
  readonly isStarred: boolean
  readonly isAnswered: boolean
}

/** What has changed in a folder since a state. */
export interface FolderChanges {
  /** New mails, and mails whose flags have changed. */
  readonly items: readonly ListedItem[]
  readonly read: readonly { readonly id: string; readonly isRead: boolean }[]
  readonly gone: readonly string[]
  readonly state: string
  readonly isLast: boolean
}

function itemOf(element: Element): ListedItem {
  const extended = new Map(
    all(element, 'ExtendedProperty').map((property) => [
      first(property, 'ExtendedFieldURI')?.attributes['PropertyTag']?.toLowerCase() ?? '',
      textOf(property, 'Value'),
    ]),
  )
  return {
    id: idOf(element, 'ItemId'),
    size: Number(textOf(element, 'Size')) || 0,
    receivedAt: Date.parse(textOf(element, 'DateTimeReceived')) || 0,
    isRead: textOf(element, 'IsRead') === 'true',
    isStarred: extended.get('0x1090') === '2',
    isAnswered: ['102', '103'].includes(extended.get('0x1081') ?? ''),
  }
}

/** Asks what has changed in a folder since `state`; empty: everything. */
export async function changesSince(ews: Ews, folderId: string, state: string): Promise<FolderChanges> {
  const [answer] = await ews(
    `<m:SyncFolderItems><m:ItemShape><t:BaseShape>IdOnly</t:BaseShape><t:AdditionalProperties><t:FieldURI FieldURI="item:Size"/><t:FieldURI FieldURI="item:DateTimeReceived"/><t:FieldURI FieldURI="message:IsRead"/>${flagProperty}${verbProperty}</t:AdditionalProperties></m:ItemShape><m:SyncFolderId><t:FolderId Id="${xmlText(folderId)}"/></m:SyncFolderId>${state === '' ? '' : `<m:SyncState>${xmlText(state)}</m:SyncState>`}<m:MaxChangesReturned>${mostChanges}</m:MaxChangesReturned></m:SyncFolderItems>`,
  )
  const changes = first(answer, 'Changes')?.children ?? []
  const of = (name: string): Element[] => changes.filter((change) => change.name === name)
  return {
    items: [...of('Create'), ...of('Update')].map(itemOf).filter(({ id }) => id !== ''),
    read: of('ReadFlagChange').map((change) => ({
      id: idOf(change, 'ItemId'),
      isRead: textOf(change, 'IsRead') === 'true',
    })),
    gone: of('Delete').map((change) => idOf(change, 'ItemId')),
    state: textOf(answer, 'SyncState'),
    isLast: textOf(answer, 'IncludesLastItemInRange') !== 'false',
  }
}

/** The bytes of mails, by id. What is gone meanwhile is left out. */
export async function mailsOf(ews: Ews, ids: readonly string[]): Promise<ReadonlyMap<string, Buffer>> {
  const answers = await ews(
    `<m:GetItem><m:ItemShape><t:BaseShape>IdOnly</t:BaseShape><t:IncludeMimeContent>true</t:IncludeMimeContent></m:ItemShape><m:ItemIds>${itemIds(ids)}</m:ItemIds></m:GetItem>`,
  )
  return new Map(
    answers.flatMap((answer): [string, Buffer][] => {
      const content = first(answer, 'MimeContent')
      return content === undefined ? [] : [[idOf(answer, 'ItemId'), Buffer.from(content.text, 'base64')]]
    }),
  )
}

const read = (on: boolean): string =>
  `<t:SetItemField><t:FieldURI FieldURI="message:IsRead"/><t:Message><t:IsRead>${on}</t:IsRead></t:Message></t:SetItemField>`
const extended = (property: string, value: number): string =>
  `<t:SetItemField>${property}<t:Message><t:ExtendedProperty>${property}<t:Value>${value}</t:Value></t:ExtendedProperty></t:Message></t:SetItemField>`

const fields = {
  read: read(true),
  unread: read(false),
  star: extended(flagProperty, 2),
  unstar: extended(flagProperty, 0),
  answered: extended(verbProperty, 102),
} as const

/** Sets a flag of mails. */
export async function markItems(ews: Ews, ids: readonly string[], flag: keyof typeof fields): Promise<void> {
  await ews(
    `<m:UpdateItem MessageDisposition="SaveOnly" ConflictResolution="AlwaysOverwrite"><m:ItemChanges>${ids
      .map((id) => `<t:ItemChange>${itemIds([id])}<t:Updates>${fields[flag]}</t:Updates></t:ItemChange>`)
      .join('')}</m:ItemChanges></m:UpdateItem>`,
  )
}

/** Moves mails into a folder; `trash` and the like where it has no id here yet. Returns their new ids, in their order. */
export async function moveItems(ews: Ews, ids: readonly string[], folderId: string): Promise<string[]> {
  const answers = await ews(
    `<m:MoveItem><m:ToFolderId><t:FolderId Id="${xmlText(folderId)}"/></m:ToFolderId><m:ItemIds>${itemIds(ids)}</m:ItemIds></m:MoveItem>`,
  )
  return answers.map((answer) => idOf(answer, 'ItemId'))
}

/** Deletes mails for good; the server keeps them for its own recovery. */
export async function deleteItems(ews: Ews, ids: readonly string[]): Promise<void> {
  await ews(`<m:DeleteItem DeleteType="SoftDelete"><m:ItemIds>${itemIds(ids)}</m:ItemIds></m:DeleteItem>`)
}

/** Creates a folder beside the inbox and returns its id. */
export async function createFolder(ews: Ews, name: string): Promise<string> {
  const [answer] = await ews(
    `<m:CreateFolder><m:ParentFolderId><t:DistinguishedFolderId Id="msgfolderroot"/></m:ParentFolderId><m:Folders><t:Folder><t:FolderClass>IPF.Note</t:FolderClass><t:DisplayName>${xmlText(name)}</t:DisplayName></t:Folder></m:Folders></m:CreateFolder>`,
  )
  return idOf(answer, 'FolderId')
}

/** Sends a message and files its copy. Exchange takes hidden receivers out of what it sends. */
export async function sendByExchange(ews: Ews, message: Buffer): Promise<void> {
  await ews(
    `<m:CreateItem MessageDisposition="SendAndSaveCopy"><m:SavedItemFolderId><t:DistinguishedFolderId Id="sentitems"/></m:SavedItemFolderId><m:Items><t:Message><t:MimeContent CharacterSet="UTF-8">${message.toString('base64')}</t:MimeContent></t:Message></m:Items></m:CreateItem>`,
  )
}

/** Whether the folder of sent mail has a mail of that Message-ID. */
export async function isSentByExchange(ews: Ews, messageId: string): Promise<boolean> {
  const [answer] = await ews(
    `<m:FindItem Traversal="Shallow"><m:ItemShape><t:BaseShape>IdOnly</t:BaseShape></m:ItemShape><m:IndexedPageItemView MaxEntriesReturned="1" Offset="0" BasePoint="Beginning"/><m:Restriction><t:IsEqualTo><t:FieldURI FieldURI="message:InternetMessageId"/><t:FieldURIOrConstant><t:Constant Value="${xmlText(`<${messageId}>`)}"/></t:FieldURIOrConstant></t:IsEqualTo></m:Restriction><m:ParentFolderIds><t:DistinguishedFolderId Id="sentitems"/></m:ParentFolderIds></m:FindItem>`,
  )
  return all(answer ?? { name: '', attributes: {}, children: [], text: '' }, 'ItemId').length > 0
}

// Messages: sending, history, search, recall, files ([R293]-[R299]).
import { limits } from '@cloudoc/domain'
import { z } from 'zod'
import { accountHolder, on } from '../authority.ts'
import { call } from '../call.ts'
import { renditionCodes } from '../documents/renditions.ts'
import { folder } from '../drive/items.ts'
import { feature } from '../feature.ts'
import { Count, Flag, FType, Id, ItemName, integer, rows, StoredItem, Time, text } from '../fields.ts'
import { push } from '../push.ts'
import type { SampleIds } from '../sample.ts'
import {
  at,
  conversation,
  conversationKind,
  DataType,
  frequent,
  MessageText,
  reading,
  TalkMessage,
  Uuid,
  writing,
} from './fields.ts'
import { AsPicture, TalkUploaded, talkUploadCalls, talkUploadCodes } from './uploads.ts'

const codes = ['notFound', 'noPermission'] as const
const one = { ...conversation, number: Count.describe('The number of the message in its conversation.') }
const sampleOne = (ids: SampleIds) => ({ conversationId: ids.conversationId, number: ids.messageNumber })
const uuid = '00000000-0000-4000-8000-000000000001'
const Mentions = z
  .array(z.strictObject({ userId: Id, name: text(100) }))
  .max(200)
  .default([])
  .describe('The people whom the text names with @.')
const Moment = integer(0, Number.MAX_SAFE_INTEGER)
const Page = z.strictObject({
  /** Ascending by number. */
  list: z.array(TalkMessage),
  /** There are older, or newer ones. */
  older: z.boolean(),
  newer: z.boolean(),
})

const messageCalls = {
  imSend: call({
    ...frequent,
    summary: 'Sends a message',
    notes: 'The same `uuid` again answers the first message and writes nothing.',
    title: { zh: '发送消息', en: 'Message sent' },
    path: '/im/api/message/send',
    quiet: true,
    gate: at('write', 'change'),
    input: z.strictObject({
      ...conversation,
      uuid: Uuid,
      type: z
        .enum(['text', 'img', 'file', 'link', 'share'])
        .describe('The kind of message; `share` is a card of a file or folder.'),
      value: MessageText.default(''),
      fileId: Id.optional().describe(
        'Of `img` and `file`: what imUpload answered; of `img` one that was uploaded as a picture.',
      ),
      fType: FType.optional().describe('Of `share`: 1 a file, 2 a folder.'),
      fId: Id.optional().describe('Of `share`: an item of the drive that the sender can see.'),
      url: text(2048).optional().describe('Of `link`: its address.'),
      name: text(255).optional().describe('Of `link`: its title.'),
      quote: Count.default(0).describe('The number of the message that it answers; 0 for none.'),
      mentions: Mentions,
    }),
    sample: (ids) => ({ conversationId: ids.conversationId, uuid, type: 'text', value: '你好' }),
    data: TalkMessage,
    codes: [...codes, 'badRequest', 'alreadyExists', 'sensitiveFile'],
  }),
  imHistory: call({
    ...reading,
    summary: 'Reads messages of a conversation, by pages in both directions',
    notes:
      'With `before` or `after` the messages next to that number; with `around` or `date` those around; else the newest.',
    path: '/im/api/message/history',
    payload: 'query',
    gate: at('see'),
    input: z.strictObject({
      ...conversation,
      before: Count.optional().describe('Messages before this number.'),
      after: Count.optional().describe('Messages after this number.'),
      around: Count.optional().describe('Messages around this number.'),
      date: Moment.optional().describe('Messages from this moment on.'),
      userId: Id.optional().describe('Only messages of this account.'),
      rows: rows(limits.talkPage, 100),
    }),
    sample: (ids) => ({ conversationId: ids.conversationId }),
    data: Page,
    codes: ['notFound'],
  }),
  imMessages: call({
    ...reading,
    summary: 'Reads messages by their numbers, those that the caller may read',
    path: '/im/api/message/get',
    payload: 'query',
    gate: at('see'),
    input: z.strictObject({
      ...conversation,
      numbers: text(2000)
        .regex(/^\d{1,15}(,\d{1,15}){0,99}$/)
        .describe('The numbers of the messages, with commas.'),
    }),
    sample: (ids) => ({ conversationId: ids.conversationId, numbers: '1' }),
    data: z.strictObject({ list: z.array(TalkMessage) }),
    codes: ['notFound'],
  }),
  imShares: call({
    ...reading,
    summary: 'Lists the files, pictures, links or cards of a conversation, the newest first',
    path: '/im/api/message/shares',
    payload: 'query',
    gate: at('see'),
    input: z.strictObject({
      ...conversation,
      kind: z.enum(['img', 'file', 'link', 'share']).describe('The kind of message.'),
      before: Count.optional().describe('Messages before this number.'),
      rows: rows(limits.talkSharesPage, limits.talkSharesPage),
    }),
    sample: (ids) => ({ conversationId: ids.conversationId, kind: 'img' }),
    data: z.strictObject({ list: z.array(TalkMessage), more: z.boolean() }),
    codes: ['notFound'],
  }),
  imDays: call({
    ...reading,
    summary: 'Tells on which days of a month messages were written',
    path: '/im/api/message/days',
    payload: 'query',
    gate: at('see'),
    input: z.strictObject({
      ...conversation,
      days: text(700)
        .regex(/^\d{1,15}(,\d{1,15}){1,31}$/)
        .describe(
          "The first moment of each day of the month by the caller's clock, then the end of the month, with commas.",
        ),
    }),
    sample: (ids) => ({ conversationId: ids.conversationId, days: '0,86400000' }),
    data: z.strictObject({ list: z.array(Time) }),
    codes: ['notFound'],
  }),
  imSearch: call({
    ...reading,
    method: 'POST',
    summary: 'Searches everything that the caller may read',
    path: '/im/api/message/search',
    payload: 'json',
    guard: accountHolder,
    input: z.strictObject({
      keyword: text(100),
      conversationId: Id.optional().describe('Only this conversation.'),
      userId: Id.optional().describe('Only messages of this account.'),
      kind: DataType.optional().describe('Only this kind of message.'),
      from: Moment.optional().describe('Written at this moment or later.'),
      to: Moment.optional().describe('Written before this moment.'),
      before: Count.optional().describe('The id of the last hit of the page before.'),
      rows: rows(limits.talkPage, 100),
    }),
    sample: () => ({ keyword: '好' }),
    data: z.strictObject({
      list: z.array(z.strictObject({ message: TalkMessage, chat: z.string() })),
      more: z.boolean(),
    }),
  }),
  imRecall: call({
    ...writing,
    summary: 'Takes a message back',
    title: { zh: '撤回消息', en: 'Message taken back' },
    path: '/im/api/message/recall',
    gate: at('change', 'change'),
    input: z.strictObject(one),
    sample: sampleOne,
    data: TalkMessage,
    codes: [...codes, 'alreadyHandled'],
  }),
  imEdit: call({
    ...writing,
    summary: 'Changes the text of a message',
    title: { zh: '编辑消息', en: 'Message edited' },
    path: '/im/api/message/edit',
    gate: at('change', 'change'),
    input: z.strictObject({ ...one, value: MessageText, mentions: Mentions }),
    sample: (ids) => ({ conversationId: ids.conversationId, number: ids.messageNumber, value: '好' }),
    data: TalkMessage,
    codes: [...codes, 'badRequest', 'alreadyHandled', 'sensitiveFile'],
  }),
  imReact: call({
    ...frequent,
    summary: 'Adds a reaction to a message, or takes it off',
    title: { zh: '消息回应', en: 'Reaction' },
    path: '/im/api/message/react',
    gate: at('change', 'change'),
    input: z.strictObject({
      ...one,
      emoji: text(16).min(1).describe('One emoji.'),
      on: Flag.describe('Whether the reaction is added; false takes it off.'),
    }),
    sample: (ids) => ({ conversationId: ids.conversationId, number: ids.messageNumber, emoji: '👍', on: true }),
    data: TalkMessage,
    codes: [...codes, 'badRequest'],
  }),
  imForward: call({
    ...writing,
    summary: 'Forwards messages into another conversation, one by one or as one record',
    title: { zh: '转发消息', en: 'Messages forwarded' },
    path: '/im/api/message/forward',
    gate: ({ conversationId, from }) => [
      on(conversationKind, conversationId, 'write', 'change'),
      on(conversationKind, from, 'see'),
    ],
    input: z.strictObject({
      ...conversation,
      from: Id.describe('The conversation in which the messages are.'),
      numbers: z.array(Count).min(1).max(limits.talkForwardMost).describe('The numbers of the messages.'),
      merged: Flag.default(false).describe('Whether they become one record instead of a message each.'),
      uuid: Uuid,
    }),
    sample: (ids) => ({
      conversationId: ids.conversationId,
      from: ids.conversationId,
      numbers: [ids.messageNumber],
      uuid,
    }),
    data: z.strictObject({ list: z.array(TalkMessage) }),
    codes: [...codes, 'alreadyExists', 'sensitiveFile'],
  }),
  imUpload: call({
    summary: 'Uploads a picture or a file for a conversation as the body of the request',
    title: { zh: '上传聊天文件', en: 'File uploaded to a conversation' },
    log: 'none',
    audit: 'technical',
    kind: 'staged',
    method: 'PUT',
    path: '/im/api/file/upload',
    auth: 'required',
    payload: 'raw',
    origin: 'ours',
    quiet: true,
    timeoutMs: 3_600_000,
    gate: at('write'),
    input: z.strictObject({
      ...conversation,
      fileName: ItemName,
      picture: AsPicture,
      width: Count.optional(),
      height: Count.optional(),
      sha256: z
        .string()
        .regex(/^[0-9a-fA-F]{64}$/)
        .optional(),
    }),
    sample: (ids) => ({ conversationId: ids.conversationId, fileName: '图.png' }),
    data: TalkUploaded,
    codes: talkUploadCodes,
  }),
  ...talkUploadCalls,
  imFile: call({
    ...reading,
    kind: 'stream',
    answers: '*/*',
    summary: 'Answers the content of a picture or file of a conversation',
    title: { zh: '下载聊天文件', en: 'File of a conversation downloaded' },
    path: '/im/api/file/{conversationId}/{fileId}',
    payload: 'query',
    gate: at('see'),
    input: z.strictObject({
      ...conversation,
      fileId: Id,
      /** Of a picture: a small one in its place, once it is made ([R169]). */
      thumbnail: Flag.default(false),
    }),
    sample: (ids) => ({ conversationId: ids.conversationId, fileId: ids.talkFileId }),
    data: z.never(),
    codes: ['notFound', 'virusFile', 'notInspected'],
    statuses: [206, 304, 416],
  }),
  imFilePreview: call({
    ...reading,
    kind: 'stream',
    answers: 'application/octet-stream',
    summary: 'Answers what is shown of a file of a conversation',
    title: { zh: '预览聊天文件', en: 'Preview of a file of a conversation' },
    notes: 'A rendition, as for a file of an archive (archiveEntryServlet). -205 where nothing shows it.',
    path: '/im/api/filePreview/{conversationId}/{fileId}',
    payload: 'query',
    gate: at('see'),
    input: z.strictObject({ ...conversation, fileId: Id }),
    sample: (ids) => ({ conversationId: ids.conversationId, fileId: ids.talkFileId }),
    data: z.never(),
    codes: ['notFound', 'virusFile', 'notInspected', ...renditionCodes],
  }),
  imSaveToDrive: call({
    summary: 'Saves a file of a conversation into a folder of the drive',
    title: { zh: '聊天文件存到云文档', en: 'File of a conversation saved to the drive' },
    log: 'add',
    kind: 'staged',
    method: 'POST',
    path: '/im/api/file/saveToDrive',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    timeoutMs: limits.talkTimeoutMs,
    gate: ({ conversationId, folderId }) => [
      on(conversationKind, conversationId, 'see'),
      { item: folder(folderId), action: 'upload', lock: 'hold' },
    ],
    input: z.strictObject({ ...conversation, fileId: Id, folderId: Id }),
    sample: (ids) => ({ conversationId: ids.conversationId, fileId: ids.talkFileId, folderId: ids.folderId }),
    data: StoredItem.extend({ fileId: z.int(), fileSize: z.int(), sha256: z.string() }),
    codes: [...codes, 'userSizeExceeded', 'folderSizeExceeded', 'capacityExceeded', 'virusFile', 'notInspected'],
  }),
  /** Evaluated for the caller at each call; a card of an item that the caller may not see tells nothing of it. */
  imCards: call({
    ...reading,
    method: 'POST',
    summary: 'Tells what the caller may see of the items on cards',
    path: '/im/api/message/cards',
    payload: 'json',
    guard: accountHolder,
    input: z.strictObject({
      items: z
        .array(z.strictObject({ fType: FType, fId: Id }))
        .max(100)
        .describe('The files and folders of the cards.'),
    }),
    sample: (ids) => ({ items: [{ fType: 1, fId: ids.fileId }] }),
    data: z.strictObject({
      list: z.array(
        z.strictObject({
          fType: z.union([z.literal(1), z.literal(2)]),
          fId: z.int(),
          name: z.string(),
          size: z.int(),
          version: z.int(),
          rights: z.int(),
          path: z.string(),
          modifyTime: Time,
          parentFolderId: z.int(),
        }),
      ),
    }),
  }),
  /** For the sender of a card: the people of the conversation who cannot open the item. */
  imCardReaders: call({
    ...reading,
    summary: 'Tells who in the conversation cannot open the item on a card',
    path: '/im/api/message/cardReaders',
    payload: 'query',
    gate: at('keep'),
    input: z.strictObject({ ...one }),
    sample: sampleOne,
    data: z.strictObject({
      without: z.array(z.strictObject({ userId: z.int(), name: z.string() })),
      /** More than were checked. */
      more: z.boolean(),
      mayGrant: z.boolean(),
    }),
    codes,
  }),
}

export const talkMessages = feature({
  about: { name: 'messages', text: 'What is said in conversations' },
  switchedBy: 'talk',
  calls: messageCalls,
  objects: { conversation: conversationKind },
  pushes: {
    /** [R311] A message, or a message that was edited, recalled or reacted to, as it is now. */
    messageReceived: push({
      summary: 'A message was written, or has changed',
      type: 2,
      delivery: 'replayed',
      payload: TalkMessage,
    }),
  },
})

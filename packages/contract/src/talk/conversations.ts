// Conversations: the list of a person, groups and their members, read marks ([R293], [R299], [R399]).
import { limits } from '@cloudoc/domain'
import { z } from 'zod'
import { accountHolder } from '../authority.ts'
import { call } from '../call.ts'
import { folder } from '../drive/items.ts'
import { feature } from '../feature.ts'
import { Count, Flag, Id, Nothing, pageOf, rows, Time, text } from '../fields.ts'
import { Picture } from '../people/pictures.ts'
import { push } from '../push.ts'
import type { SampleIds } from '../sample.ts'
import { at, conversation, frequent, PushKind, reading, TalkChat, TalkPerson, writing } from './fields.ts'

const sample = (ids: SampleIds) => ({ conversationId: ids.conversationId })
const people = { userIdArray: z.array(Id).min(1).max(limits.talkMembersMost) }
const GroupName = text(60).refine((name) => name.trim() !== '', 'a name')
const codes = ['notFound', 'noPermission'] as const

const Member = z.strictObject({
  ...TalkPerson.shape,
  account: z.string(),
  groupName: z.string(),
  title: z.string(),
  avatar: z.string(),
  role: z.enum(['owner', 'manager', 'member']),
  /** ONLINE or OFFLINE. */
  status: z.enum(['ONLINE', 'OFFLINE']),
  readAnnouncement: z.boolean(),
})

const conversationCalls = {
  imServerInfo: call({
    ...reading,
    summary: 'Tells the folders and ports of instant messaging',
    path: '/im/api/server/getInfo',
    payload: 'none',
    guard: accountHolder,
    input: z.strictObject({}),
    data: z.strictObject({
      chatFolder: z.literal('/im'),
      mainFolder: z.literal('/server'),
      /** Where chat programs find the pages and the push channel: the port of the address asked for, without one 333 and 444. */
      webPort: z.int(),
      pushPort: z.int(),
      socket: z.literal('/im/ws'),
      longestMessage: z.int(),
      largestFile: z.int(),
      recallMs: z.int(),
      fileDays: z.int(),
    }),
  }),
  /** [R352] Asked before a conversation opens. */
  imChatAbility: call({
    ...reading,
    summary: 'Tells whether the caller may write to a person',
    path: '/im/api/chat/ability/{userId}',
    payload: 'none',
    guard: accountHolder,
    input: z.strictObject({ userId: Id }),
    sample: (ids) => ({ userId: ids.userId }),
    data: z.strictObject({ ability: z.boolean(), reason: z.enum(['', 'self', 'gone', 'guest', 'rule']) }),
    codes: ['notFound'],
  }),
  imOpenChat: call({
    ...writing,
    summary: 'Opens the conversation with a person, and makes it the first time',
    title: { zh: '打开会话', en: 'Conversation opened' },
    audits: ['userId'],
    path: '/im/api/chat/open',
    guard: accountHolder,
    input: z.strictObject({ userId: Id }),
    sample: (ids) => ({ userId: ids.userId }),
    data: TalkChat,
    codes,
  }),
  imChatList: call({
    ...reading,
    summary: 'Lists the recent contacts, pinned ones first, then the newest first',
    path: '/im/api/chat/list',
    payload: 'query',
    guard: accountHolder,
    input: z.strictObject({
      /** Only with unread messages. */
      unread: Flag.default(false),
      keyword: text(60).default(''),
      ...pageOf(100, 500),
    }),
    data: z.strictObject({
      list: z.array(TalkChat),
      more: z.boolean(),
      /** Unread messages of conversations that are not muted, and mentions in muted ones (X76). */
      unread: z.int(),
    }),
  }),
  imGetChat: call({
    ...reading,
    summary: 'Reads one conversation',
    path: '/im/api/chat/get/{conversationId}',
    payload: 'none',
    gate: at('see'),
    input: z.strictObject(conversation),
    sample,
    data: TalkChat,
    codes: ['notFound'],
  }),
  imDeleteChat: call({
    ...frequent,
    summary: 'Takes a conversation off the list until something new is written',
    title: { zh: '删除会话', en: 'Conversation taken off the list' },
    path: '/im/api/chat/delete',
    gate: at('see'),
    input: z.strictObject(conversation),
    sample,
    data: Nothing,
    codes: ['notFound'],
  }),
  imTopChat: call({
    ...frequent,
    summary: 'Pins a conversation, or no longer',
    title: { zh: '置顶会话', en: 'Conversation pinned' },
    path: '/im/api/chat/top',
    gate: at('see'),
    input: z.strictObject({ ...conversation, top: Flag.describe('Whether it stays at the top of the list.') }),
    sample: (ids) => ({ conversationId: ids.conversationId, top: true }),
    data: Nothing,
    codes: ['notFound'],
  }),
  imMuteChat: call({
    ...frequent,
    summary: 'Mutes a person or a group, or no longer',
    title: { zh: '消息免打扰', en: 'Conversation muted' },
    path: '/im/api/chat/mute',
    gate: at('see'),
    input: z.strictObject({ ...conversation, mute: Flag.describe('Whether its messages are not announced.') }),
    sample: (ids) => ({ conversationId: ids.conversationId, mute: true }),
    data: Nothing,
    codes: ['notFound'],
  }),
  imMarkRead: call({
    servesReading: true,
    ...frequent,
    summary: 'Moves the read mark forward',
    title: { zh: '标为已读', en: 'Marked as read' },
    path: '/im/api/chat/read',
    quiet: true,
    gate: at('see'),
    input: z.strictObject({
      ...conversation,
      number: Count.describe('The number of the newest message that was read.'),
    }),
    sample: (ids) => ({ conversationId: ids.conversationId, number: ids.messageNumber }),
    data: Nothing,
    codes: ['notFound'],
  }),
  imMarkUnread: call({
    ...frequent,
    summary: 'Marks a conversation as unread until it is opened again',
    title: { zh: '标为未读', en: 'Marked as unread' },
    path: '/im/api/chat/unread',
    gate: at('see'),
    input: z.strictObject(conversation),
    sample,
    data: Nothing,
    codes: ['notFound'],
  }),
  imSaveDraft: call({
    ...frequent,
    summary: 'Keeps what the person has begun to write',
    title: { zh: '保存草稿', en: 'Draft saved' },
    path: '/im/api/chat/draft',
    quiet: true,
    gate: at('see'),
    input: z.strictObject({
      ...conversation,
      draft: text(4 * limits.longestMessage).describe('The text that was not sent yet; empty removes it.'),
    }),
    sample: (ids) => ({ conversationId: ids.conversationId, draft: '' }),
    data: Nothing,
    codes: ['notFound'],
  }),
  imTyping: call({
    ...frequent,
    kind: 'staged',
    summary: 'Says that the person has the conversation open, and whether they type',
    title: { zh: '正在输入', en: 'Typing' },
    path: '/im/api/chat/typing',
    quiet: true,
    gate: at('keep'),
    input: z.strictObject({
      ...conversation,
      open: Flag.describe('Whether the caller has the conversation open.'),
      typing: Flag.describe('Whether the caller types in it.'),
    }),
    sample: (ids) => ({ conversationId: ids.conversationId, open: true, typing: false }),
    data: Nothing,
    codes,
  }),
  imReadStatus: call({
    ...reading,
    summary: 'Tells who has read a message',
    notes: 'The sender of the message alone may ask.',
    path: '/im/api/message/readStatus',
    payload: 'query',
    gate: at('see'),
    input: z.strictObject({
      ...conversation,
      number: Count.describe('The number of the message.'),
      rows: rows(200, 1000),
    }),
    sample: (ids) => ({ conversationId: ids.conversationId, number: ids.messageNumber }),
    data: z.strictObject({
      read: z.array(TalkPerson),
      unread: z.array(TalkPerson),
      readCount: z.int(),
      unreadCount: z.int(),
    }),
    codes,
  }),
  imCreateGroup: call({
    ...writing,
    summary: 'Makes a group',
    title: { zh: '创建群聊', en: 'Group created' },
    audits: ['userIdArray'],
    path: '/im/api/group/create',
    guard: accountHolder,
    input: z.strictObject({ name: text(60).default(''), ...people }),
    sample: (ids) => ({ userIdArray: [ids.userId] }),
    data: TalkChat,
    codes,
  }),
  imOpenLibraryGroup: call({
    ...writing,
    summary: 'Opens the group of a library, in which the caller becomes a member',
    notes: 'It is made the first time. Whoever no longer sees the library is no longer a member.',
    title: { zh: '打开文档库群聊', en: 'Group of a library opened' },
    audits: ['libraryId'],
    path: '/im/api/group/openOfLibrary',
    gate: ({ libraryId }) => [{ item: folder(libraryId), action: 'see' }],
    input: z.strictObject({ libraryId: Id }),
    sample: (ids) => ({ libraryId: ids.libraryId }),
    data: TalkChat,
    codes: [...codes, 'accountCountExceeded'],
  }),
  imLibraryGroups: call({
    ...reading,
    summary: 'Lists the libraries that the caller sees, with their groups',
    path: '/im/api/group/ofLibraries',
    payload: 'none',
    guard: accountHolder,
    input: z.strictObject({}),
    data: z.strictObject({
      list: z.array(
        z.strictObject({
          libraryId: z.int(),
          name: z.string(),
          kind: z.enum(['company', 'department', 'project', 'archive']),
          /** 0: nobody has opened it yet. */
          conversationId: z.int(),
          members: z.int(),
          isMember: z.boolean(),
        }),
      ),
    }),
  }),
  imUpdateGroup: call({
    ...writing,
    summary: 'Changes the name, the announcement or the rules of a group',
    title: { zh: '修改群聊', en: 'Group changed' },
    path: '/im/api/group/update',
    gate: at('manage', 'change'),
    input: z.strictObject({
      ...conversation,
      name: GroupName.optional(),
      announcement: text(1000).optional().describe('What every member is asked to read; empty removes it.'),
      allMuted: Flag.optional().describe('Whether only owner and managers write.'),
      approvesInvites: Flag.optional().describe('Whether people whom members invite wait for the owner or a manager.'),
      leadersMentionAll: Flag.optional().describe('Whether only owner and managers mention everybody.'),
      showsHistory: Flag.optional().describe('Whether new members read what was written before.'),
      picture: Picture.optional(),
    }),
    sample,
    data: Nothing,
    codes: [...codes, 'pictureRefused'],
  }),
  imGroupMembers: call({
    ...reading,
    summary: 'Lists the members of a group, owner and managers first',
    path: '/im/api/group/members',
    payload: 'query',
    gate: at('keep'),
    input: z.strictObject({
      ...conversation,
      keyword: text(60).default(''),
      ...pageOf(100, 500),
    }),
    sample,
    data: z.strictObject({
      list: z.array(Member),
      total: z.int(),
      announcementRead: z.int(),
      /** Invitations that wait, to owner and managers. */
      waiting: z.array(z.strictObject({ ...TalkPerson.shape, invitedBy: z.string(), time: Time })),
    }),
    codes,
  }),
  imAddMembers: call({
    ...writing,
    summary: 'Adds people to a group, or asks its owner to',
    title: { zh: '添加群成员', en: 'Members added' },
    audits: ['userIdArray'],
    path: '/im/api/group/addMembers',
    gate: at('invite', 'change'),
    input: z.strictObject({ ...conversation, ...people }),
    sample: (ids) => ({ conversationId: ids.conversationId, userIdArray: [ids.userId] }),
    data: z.strictObject({
      list: z.array(z.strictObject({ userId: z.int(), outcome: z.enum(['added', 'asked', 'already', 'refused']) })),
    }),
    codes: [...codes, 'accountCountExceeded'],
  }),
  imDecideInvitation: call({
    ...writing,
    summary: 'Lets an invited person in, or not',
    title: { zh: '处理入群邀请', en: 'Invitation decided' },
    audits: ['userId'],
    path: '/im/api/group/decideInvitation',
    gate: at('manage', 'change'),
    input: z.strictObject({ ...conversation, userId: Id, approve: Flag.describe('Whether the invited person joins.') }),
    sample: (ids) => ({ conversationId: ids.conversationId, userId: ids.userId, approve: true }),
    data: Nothing,
    codes: [...codes, 'alreadyHandled'],
  }),
  imRemoveMembers: call({
    ...writing,
    summary: 'Removes people from a group',
    title: { zh: '移除群成员', en: 'Members removed' },
    audits: ['userIdArray'],
    path: '/im/api/group/removeMembers',
    gate: at('manage', 'change'),
    input: z.strictObject({ ...conversation, ...people }),
    sample: (ids) => ({ conversationId: ids.conversationId, userIdArray: [ids.userId] }),
    data: Nothing,
    codes,
  }),
  imSetRole: call({
    ...writing,
    summary: 'Makes a member a manager, a manager a member, or hands the group over',
    title: { zh: '设置群角色', en: 'Role in a group' },
    audits: ['userId'],
    path: '/im/api/group/setRole',
    gate: at('own', 'change'),
    input: z.strictObject({
      ...conversation,
      userId: Id,
      role: z.enum(['owner', 'manager', 'member']).describe('The role in the group; `owner` hands the group over.'),
    }),
    sample: (ids) => ({ conversationId: ids.conversationId, userId: ids.userId, role: 'manager' }),
    data: Nothing,
    codes,
  }),
  imExitGroup: call({
    ...writing,
    summary: 'Leaves a group',
    notes: 'The owner hands the group over first.',
    title: { zh: '退出群聊', en: 'Group left' },
    path: '/im/api/group/exit',
    gate: at('leave', 'change'),
    input: z.strictObject(conversation),
    sample,
    data: Nothing,
    codes,
  }),
  imDissolveGroup: call({
    ...writing,
    summary: 'Dissolves a group; what was written stays readable',
    title: { zh: '解散群聊', en: 'Group dissolved' },
    path: '/im/api/group/delete',
    gate: at('own', 'change'),
    input: z.strictObject(conversation),
    sample,
    data: Nothing,
    codes,
  }),
  imReadAnnouncement: call({
    ...frequent,
    summary: 'Says that the person has read the announcement',
    title: { zh: '已读群公告', en: 'Announcement read' },
    path: '/im/api/group/readAnnouncement',
    quiet: true,
    gate: at('keep'),
    input: z.strictObject(conversation),
    sample,
    data: Nothing,
    codes,
  }),
  imUserAvatar: call({
    ...reading,
    kind: 'stream',
    answers: 'image/*',
    summary: 'Answers the picture of a person',
    title: { zh: '取得头像', en: 'Picture of a person' },
    path: '/im/user/{userId}/avatar',
    payload: 'none',
    guard: accountHolder,
    input: z.strictObject({ userId: Id }),
    sample: (ids) => ({ userId: ids.userId }),
    data: z.never(),
    codes: ['notFound'],
  }),
  imGroupAvatar: call({
    ...reading,
    kind: 'stream',
    answers: 'image/*',
    summary: 'Answers the picture of a group',
    title: { zh: '取得群头像', en: 'Picture of a group' },
    path: '/im/group/{conversationId}/avatar',
    payload: 'none',
    gate: at('see'),
    input: z.strictObject(conversation),
    sample,
    data: z.never(),
    codes: ['notFound'],
  }),
}

const conversationPushes = {
  /** Name, members, rules or the reader's membership have changed. */
  talkChanged: push({
    summary: 'A conversation has changed, or what the person keeps of it',
    type: 231,
    delivery: 'replayed',
    payload: z.strictObject({ conversationId: z.int() }),
  }),
  /** Sent to the reader's own devices, and to those whose messages were read. */
  talkRead: push({
    summary: 'Somebody has read a conversation up to a message',
    type: 232,
    delivery: 'replayed',
    payload: z.strictObject({ conversationId: z.int(), userId: z.int(), readNumber: z.int() }),
  }),
  /** To those who have the conversation open. */
  talkTyping: push({
    summary: 'Who types in a conversation just now',
    type: 233,
    delivery: 'ephemeral',
    payload: z.strictObject({ conversationId: z.int(), people: z.array(TalkPerson) }),
  }),
  /** [R100] A notice of unread messages. */
  unreadMessages: push({
    summary: 'Unread messages in a conversation',
    type: 234,
    delivery: 'confirmed',
    notice: {
      group: 'instantMessage',
      key: ({ push: kind, id }) => `${kind} ${id}`,
      merge: 'later',
      sentence: ({ name, length, mentioned, by }) => ({
        ...(mentioned
          ? { zh: '{by} 在“{name}”里提到你', en: '{by} mentioned you in “{name}”' }
          : { zh: '“{name}”有 {length} 条未读消息', en: '{length} unread messages in “{name}”' }),
        values: { name, length, by },
      }),
      path: ({ conversationId }) => `/im/index?chat=${conversationId}`,
    },
    payload: z.strictObject({
      serverId: z.int(),
      remindId: z.int(),
      conversationId: z.int(),
      name: z.string(),
      length: z.int(),
      push: PushKind,
      id: z.int(),
      mentioned: z.boolean(),
      by: z.string(),
    }),
  }),
}

export const talkConversations = feature({
  about: { name: 'talk', text: 'Conversations of people and groups' },
  switchedBy: 'talk',
  calls: conversationCalls,
  pushes: conversationPushes,
  settings: {
    setting: {
      /** Minutes within which a message can be taken back (X82). */
      im_recall_minutes: z.int().min(0).max(1440).default(5),
      /** Days after which files of conversations are deleted. */
      im_file_days: z.int().min(1).max(3650).default(30),
      /** Days after which messages are deleted, by kind of conversation; 0: never. */
      im_user_days: z.int().min(0).max(36_500).default(0),
      im_group_days: z.int().min(0).max(36_500).default(0),
      /** Days for which what recalled messages said is kept for exports (X75). */
      im_sealed_days: z.int().min(0).max(3650).default(30),
      /** Who may make groups: everybody, or administrators alone. */
      im_groups_by_all: z.boolean().default(true),
    },
    administered: {
      im_recall_minutes: {
        label: { zh: '消息撤回时限（分钟）', en: 'Recall window (minutes)' },
        note: {
          zh: '发出后这么久之内可以撤回自己的消息；0 表示不能撤回。',
          en: 'How long after sending people can take their own messages back; 0: not at all.',
        },
        power: 'system',
        group: 'site',
        as: 'number',
      },
      im_file_days: {
        label: { zh: '聊天文件保留天数', en: 'Days that chat files are kept' },
        note: {
          zh: '到期后从聊天里删除；存到云文档的副本不受影响。',
          en: 'They are deleted from conversations afterwards; copies saved to the drive stay.',
        },
        power: 'system',
        group: 'space',
        as: 'number',
      },
      im_user_days: {
        label: { zh: '单聊消息保留天数', en: 'Days that messages between two people are kept' },
        note: { zh: '到期后彻底删除；0 表示永久保留。', en: 'They are deleted for good afterwards; 0: never.' },
        power: 'security',
        group: 'site',
        as: 'number',
      },
      im_group_days: {
        label: { zh: '群聊消息保留天数', en: 'Days that messages of groups are kept' },
        note: { zh: '到期后彻底删除；0 表示永久保留。', en: 'They are deleted for good afterwards; 0: never.' },
        power: 'security',
        group: 'site',
        as: 'number',
      },
      im_sealed_days: {
        label: { zh: '撤回内容封存天数', en: 'Days that recalled messages stay sealed' },
        note: {
          zh: '任何人都看不到，只在经两人同意的导出里出现；到期删除。',
          en: 'Nobody reads them; only an export that two have agreed to contains them. Deleted afterwards.',
        },
        power: 'security',
        group: 'site',
        as: 'number',
      },
      im_groups_by_all: {
        label: { zh: '所有人可以建群', en: 'Everybody may create groups' },
        note: {
          zh: '关闭后只有管理员可以创建群聊，已有的群不受影响。',
          en: 'Switched off, administrators alone create groups; existing groups stay.',
        },
        power: 'system',
        group: 'site',
        as: 'switch',
      },
    },
  },
})

// Instant messaging as the company governs it: who may write to whom (X74), groups, exports that two agree to (X75).
import { z } from 'zod'
import { administrator, linkOverseer, securityAdministrator } from '../authority.ts'
import { call } from '../call.ts'
import { feature } from '../feature.ts'
import { Count, Flag, Id, integer, Nothing, pageOf, Time, text } from '../fields.ts'
import { reading, TalkPerson, writing } from './fields.ts'

/** A side of a rule: everybody, a person, a department with those below it, or a role. */
const SubjectType = z.enum(['all', 'user', 'group', 'role'])
const governing = { ...writing, audit: 'administration' } as const

const ruleFields = {
  fromType: SubjectType,
  /** 0 for everybody. */
  fromId: Count,
  toType: SubjectType,
  toId: Count,
  /** Also the other way round. */
  bothWays: z.boolean(),
  /** Lets them write although another rule refuses it. */
  allows: z.boolean(),
}

const TalkExport = z.strictObject({
  exportId: z.int(),
  askedBy: TalkPerson,
  reason: z.string(),
  /** The person or the group whose messages are asked for. */
  subject: z.strictObject({ type: z.enum(['user', 'group']), id: z.int(), name: z.string() }),
  fromTime: Time,
  toTime: Time,
  time: Time,
  state: z.enum(['waiting', 'agreed', 'refused', 'ended']),
  votes: z.array(z.strictObject({ ...TalkPerson.shape, agrees: z.boolean(), time: Time })),
  /** The caller may vote, or download. */
  mayVote: z.boolean(),
  mayDownload: z.boolean(),
})

const Moment = integer(0, Number.MAX_SAFE_INTEGER)

export const talkAdministration = feature({
  about: { name: 'talk administration', text: 'Rules, groups and exports of conversations' },
  switchedBy: 'talk',
  calls: {
    getTalkRules: call({
      ...reading,
      summary: 'Lists who may not write to whom',
      path: '/im/api/admin/rules',
      payload: 'none',
      guard: administrator,
      input: z.strictObject({}),
      data: z.strictObject({
        list: z.array(
          z.strictObject({
            ruleId: z.int(),
            ...ruleFields,
            fromId: z.int(),
            toId: z.int(),
            fromName: z.string(),
            toName: z.string(),
          }),
        ),
      }),
    }),
    addTalkRule: call({
      ...governing,
      summary: 'Adds a rule about who may write to whom',
      notes: 'A rule that allows wins over those that refuse. Within the side `to` of a rule everybody may write.',
      title: { zh: '新增聊天规则', en: 'Rule of conversations added' },
      path: '/im/api/admin/addRule',
      guard: securityAdministrator,
      input: z.strictObject(ruleFields),
      sample: (ids) => ({
        fromType: 'group',
        fromId: ids.groupId,
        toType: 'role',
        toId: ids.roleId,
        bothWays: true,
        allows: false,
      }),
      data: z.strictObject({ ruleId: z.int() }),
      codes: ['notFound', 'alreadyExists', 'badRequest'],
    }),
    removeTalkRule: call({
      ...governing,
      summary: 'Removes a rule about who may write to whom',
      title: { zh: '删除聊天规则', en: 'Rule of conversations removed' },
      audits: ['ruleId'],
      path: '/im/api/admin/removeRule',
      guard: securityAdministrator,
      input: z.strictObject({ ruleId: Id }),
      sample: () => ({ ruleId: 1 }),
      data: Nothing,
      codes: ['notFound'],
    }),
    getTalkGroups: call({
      ...reading,
      summary: 'Lists the groups of the company, the newest activity first',
      path: '/im/api/admin/groups',
      payload: 'query',
      guard: administrator,
      input: z.strictObject({ keyword: text(60).default(''), ...pageOf(50, 200) }),
      data: z.strictObject({
        list: z.array(
          z.strictObject({
            conversationId: z.int(),
            name: z.string(),
            owner: z.string(),
            members: z.int(),
            messages: z.int(),
            time: Time,
            dissolved: z.boolean(),
            libraryId: z.int(),
          }),
        ),
        more: z.boolean(),
      }),
    }),
    endTalkGroup: call({
      ...governing,
      summary: 'Dissolves a group of the company',
      title: { zh: '管理员解散群聊', en: 'Group dissolved by an administrator' },
      audits: ['conversationId'],
      path: '/im/api/admin/endGroup',
      guard: securityAdministrator,
      input: z.strictObject({ conversationId: Id }),
      sample: (ids) => ({ conversationId: ids.conversationId }),
      data: Nothing,
      codes: ['notFound', 'alreadyHandled'],
    }),
    getTalkExports: call({
      ...reading,
      summary: 'Lists the exports that were asked for, the newest first',
      path: '/im/api/admin/exports',
      payload: 'none',
      guard: administrator,
      input: z.strictObject({}),
      data: z.strictObject({ list: z.array(TalkExport) }),
    }),
    askTalkExport: call({
      ...governing,
      summary: 'Asks for an export of the messages of a person or a group',
      notes: 'Two administrators other than the caller have to agree.',
      title: { zh: '申请导出聊天记录', en: 'Export of messages asked for' },
      path: '/im/api/admin/askExport',
      guard: linkOverseer,
      input: z.strictObject({
        reason: text(500).min(1),
        userId: Id.optional(),
        conversationId: Id.optional(),
        fromTime: Moment,
        toTime: Moment,
      }),
      sample: (ids) => ({ reason: '调查', userId: ids.userId, fromTime: 0, toTime: ids.now }),
      data: z.strictObject({ exportId: z.int() }),
      codes: ['notFound', 'badRequest'],
    }),
    voteTalkExport: call({
      ...governing,
      summary: 'Agrees to an export, or refuses it',
      title: { zh: '审批聊天记录导出', en: 'Export of messages decided' },
      audits: ['exportId'],
      path: '/im/api/admin/voteExport',
      guard: administrator,
      input: z.strictObject({ exportId: Id, agrees: Flag }),
      sample: () => ({ exportId: 1, agrees: true }),
      data: Nothing,
      codes: ['notFound', 'noPermission', 'alreadyHandled'],
    }),
    downloadTalkExport: call({
      ...reading,
      kind: 'stream',
      answers: 'text/csv',
      summary: 'Answers the messages of an export that two have agreed to',
      title: { zh: '下载聊天记录导出', en: 'Exported messages downloaded' },
      path: '/im/api/admin/export/{exportId}',
      payload: 'none',
      guard: linkOverseer,
      input: z.strictObject({ exportId: Id }),
      sample: () => ({ exportId: 1 }),
      data: z.never(),
      codes: ['notFound', 'noPermission'],
    }),
  },
})

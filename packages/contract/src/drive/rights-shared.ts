// What one shared, and what was shared with one ([R213]).
import { z } from 'zod'
import { ownAccount } from '../authority.ts'
import { call } from '../call.ts'
import { Count, Id, ItemRecord, rows, Time, text } from '../fields.ts'
import { SubjectType } from './rights-fields.ts'

const page = { keyword: text(100).default(''), from: Count.default(0), rows: rows(30, 1000) }
const ours = { auth: 'required', origin: 'ours', kind: 'read', method: 'GET', guard: ownAccount } as const

/** An item of these lists, with how it is shared. */
const Shared = ItemRecord.extend({
  shareTime: Time,
  /** Who shared it; of what one shared oneself, with whom. */
  shareNames: z.array(z.string()),
  expireTime: Time.nullable().describe('When the first of its entries ends; null: none does.'),
}).meta({ id: 'SharedItem' })
const list = z.strictObject({ list: z.array(Shared), total: z.int() })

export const sharedCalls = {
  /** What others gave the caller, by name, department or role, the latest first; also what lies in folders they do not see. */
  getSharedToMeList: call({
    summary: 'Lists what was shared with the caller',
    ...ours,
    path: '/services2/share/getSharedToMeList',
    payload: 'query',
    input: z.strictObject({ ...page, userId: Id.optional().describe('Only what this person gave.') }),
    data: list,
  }),
  getMyShareList: call({
    summary: 'Lists what the caller shared',
    ...ours,
    path: '/services2/share/getMyShareList',
    payload: 'query',
    input: z.strictObject(page),
    data: list,
  }),
  /** Whom the caller shared something with lately, to share with again. */
  getShareReceivers: call({
    summary: 'Lists whom the caller shared with lately',
    ...ours,
    path: '/services2/share/getShareReceivers',
    payload: 'none',
    input: z.strictObject({}),
    data: z.strictObject({
      list: z.array(z.strictObject({ type: SubjectType, id: z.int(), name: z.string() })),
    }),
  }),
} as const

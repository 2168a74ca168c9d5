// Items that the caller shared, and items shared with the caller ([R213]).
import { z } from 'zod'
import { ownAccount } from '../authority.ts'
import { call } from '../call.ts'
import { Id, ItemRecord, pageOf, Time, text } from '../fields.ts'
import { SubjectType } from './rights-fields.ts'

const page = { keyword: text(100).default(''), ...pageOf(30, 1000) }
const ours = { auth: 'required', origin: 'ours', kind: 'read', method: 'GET', guard: ownAccount } as const

/** An item of these lists with its sharing information. */
const Shared = ItemRecord.extend({
  shareTime: Time,
  /** Who shared it; for the caller's own shares, with whom. */
  shareNames: z.array(z.string()),
  expireTime: Time.nullable().describe('When the first of its entries ends; null: none does.'),
}).meta({ id: 'SharedItem' })
const list = z.strictObject({ list: z.array(Shared), total: z.int() })

export const sharedCalls = {
  /**
   * Items that others shared with the caller, directly or by department or role, newest first; also items in folders
   * that the caller does not see.
   */
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
  /** Recent share receivers of the caller, as suggestions. */
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

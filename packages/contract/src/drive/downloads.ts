// Daily download limits per user ([R284], [R285], [R329]).
import { z } from 'zod'
import { linkOverseer, ownAccount, securityAdministrator } from '../authority.ts'
import { call } from '../call.ts'
import { feature } from '../feature.ts'
import { Count, Id, Nothing, pageOf, Time, TimeZone } from '../fields.ts'
import { push } from '../push.ts'

const ours = { auth: 'required', origin: 'ours' } as const
const whom = { subjectType: z.enum(['everybody', 'user', 'group', 'role']), subjectId: Id }

const Limit = z.strictObject({
  limitId: z.int(),
  ...whom,
  subjectName: z.string(),
  perDay: z.int().describe('So many files on a day; 0: as many as they like.'),
})
export type DownloadLimit = z.output<typeof Limit>

const noticeIds = { serverId: z.int(), remindId: z.int() }

const downloadsOfOther = {
  near: {
    zh: '今天下载了 {n} 次，接近限额 {limit}',
    en: 'has downloaded {n} files today, near the limit of {limit}',
  },
  reached: {
    zh: '今天下载了 {n} 次，达到限额 {limit}',
    en: 'has downloaded {n} files today and reached the limit of {limit}',
  },
} as const
const ownDownloads = {
  near: { zh: '今天的下载已用 {n} / {limit} 次', en: '{n} of {limit} downloads of today are used' },
  reached: { zh: '今天的下载次数已用完（{limit} 次）', en: 'All {limit} downloads of today are used' },
} as const

export const downloadLimits = feature({
  about: { name: 'download limits', text: 'How many files somebody may download on a day' },
  calls: {
    getDownloadLimits: call({
      summary: 'Lists how many files may be downloaded on a day, and by whom',
      ...ours,
      kind: 'read',
      method: 'GET',
      path: '/services2/download/getDownloadLimits',
      payload: 'query',
      guard: linkOverseer,
      input: z.strictObject({}),
      data: z.strictObject({ list: z.array(Limit) }),
    }),
    setDownloadLimit: call({
      summary: 'Says how many files somebody may download on a day',
      title: { zh: '设置下载次数', en: 'Limit of downloads set' },
      notes:
        'What is said of a person counts before their roles, of which the lowest does, before the nearest department, before everybody.',
      ...ours,
      kind: 'write',
      audit: 'administration',
      method: 'POST',
      path: '/services2/download/setDownloadLimit',
      payload: 'json',
      guard: securityAdministrator,
      input: z.strictObject({
        subjectType: whom.subjectType,
        subjectId: Id.default(0),
        perDay: Count.pipe(z.int().max(1_000_000)),
      }),
      sample: () => ({ subjectType: 'everybody', perDay: 0 }),
      data: z.strictObject({ limitId: z.int() }),
      codes: ['notFound'],
    }),
    removeDownloadLimit: call({
      summary: 'Takes back how many files somebody may download on a day',
      title: { zh: '取消下载次数限制', en: 'Limit of downloads taken back' },
      ...ours,
      kind: 'write',
      audit: 'administration',
      method: 'POST',
      path: '/services2/download/removeDownloadLimit',
      payload: 'json',
      guard: securityAdministrator,
      input: z.strictObject({ limitId: Id }),
      sample: () => ({ limitId: 987_654_321 }),
      data: Nothing,
      codes: ['notFound'],
    }),
    getDownloadToday: call({
      summary: 'Tells how many files the caller has downloaded today, and how many they may',
      ...ours,
      kind: 'read',
      method: 'GET',
      path: '/services2/download/getDownloadToday',
      payload: 'query',
      guard: ownAccount,
      input: z.strictObject({}),
      data: z.strictObject({
        count: z.int(),
        limit: z.int().describe('0: as many as they like.'),
        more: z.int().describe('How many of these were given for today beside what is usual.'),
        /** When the counter is reset. */
        until: Time,
      }),
    }),
    getDownloadAudit: call({
      summary: 'Lists who has downloaded how many files today, of those who have a limit; the most first',
      ...ours,
      kind: 'read',
      method: 'GET',
      path: '/services2/download/getDownloadAudit',
      payload: 'query',
      guard: linkOverseer,
      input: z.strictObject(pageOf(50, 1000)),
      data: z.strictObject({
        list: z.array(
          z.strictObject({
            accountId: z.int(),
            account: z.string(),
            accountName: z.string(),
            groupName: z.string(),
            count: z.int(),
          }),
        ),
        total: z.int(),
      }),
    }),
  },
  pushes: {
    /** Sent to security administrators and auditors: a user approaches or has reached the download limit. */
    downloadAudit: push({
      summary: 'Somebody has nearly or wholly used up their downloads of the day',
      type: 41,
      delivery: 'confirmed',
      notice: {
        group: 'downloadLimit',
        key: ({ accountId }) => String(accountId),
        merge: 'later',
        actor: ({ accountName }) => accountName,
        sentence: ({ count, limit, state }) => ({ ...downloadsOfOther[state], values: { n: count, limit } }),
        path: () => '/doc/admin/links/limits',
      },
      payload: z.strictObject({
        ...noticeIds,
        accountId: z.int(),
        account: z.string(),
        accountName: z.string(),
        groupName: z.string(),
        count: z.int(),
        time: Time,
        limit: z.int(),
        state: z.enum(['near', 'reached']),
      }),
    }),
    /** Not in the spec: the same notice for the user concerned. */
    downloadsLow: push({
      summary: 'The person has nearly or wholly used up their downloads of the day',
      type: 152,
      delivery: 'confirmed',
      notice: {
        group: 'downloadLimit',
        key: () => 'own',
        merge: 'later',
        sentence: ({ count, limit, state }) => ({ ...ownDownloads[state], values: { n: count, limit } }),
        path: () => '/doc/folder/share/download-application',
      },
      payload: z.strictObject({
        ...noticeIds,
        count: z.int(),
        limit: z.int(),
        time: Time,
        state: z.enum(['near', 'reached']),
      }),
    }),
  },
  settings: {
    setting: {
      /** The company's time zone: its days count downloads and growth, its midnight begins every "today", its time is in watermarks. */
      download_time_zone: z.string().default('Asia/Shanghai'),
    },
    administered: {
      download_time_zone: {
        label: { zh: '公司的时区', en: 'Time zone of the company' },
        note: {
          zh: '“今天”、统计图和每天的下载次数都按这个时区的自然日，水印上的时间也按它写，例如 Asia/Shanghai',
          en: 'Decides when a day begins for “today”, for charts and for daily download limits, and the time in watermarks, such as Asia/Shanghai',
        },
        power: 'security',
        group: 'files',
        as: 'text',
        entered: TimeZone,
      },
    },
  },
})

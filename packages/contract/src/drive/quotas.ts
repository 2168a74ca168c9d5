// Limits on file type, size, storage and counts, for the administrator ([R207], [R288]). In bytes unless stated
// otherwise; 0: no limit.
import { formatSize } from '@cloudoc/domain'
import { z } from 'zod'
import { call } from '../call.ts'
import { feature } from '../feature.ts'
import { Id } from '../fields.ts'
import { push } from '../push.ts'
import { folder } from './items.ts'

const Limit = z.int().min(0)
const Extensions = z.array(z.string().regex(/^[a-z0-9_+~-]{0,16}$/)).max(1000)

const quotaCalls = {
  /**
   * Sets the storage limit of a folder over all levels, including old versions and the recycle bin; 0: no limit
   * ([R119]). Only managers of the library may set it. The library's own limit applies in addition.
   */
  setFolderLimit: call({
    summary: 'Sets how much a folder may hold',
    title: { zh: '设置文件夹容量', en: 'Limit of a folder' },
    log: 'none',
    kind: 'write',
    method: 'POST',
    path: '/services2/file/operate/setFolderLimit',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    gate: (input) => [{ item: folder(input.folderId), action: 'limitSpace', lock: 'change' }],
    input: z.strictObject({ folderId: Id, limit: Limit }),
    sample: (ids) => ({ folderId: ids.folderId, limit: 0 }),
    /** The bytes that currently count. */
    data: z.strictObject({ used: z.int() }),
    codes: ['notFound', 'noPermission'],
  }),
}

const noticeIds = { serverId: z.int(), remindId: z.int() }
const newest = { delivery: 'confirmed', newest: true } as const

const quotaPushes = {
  /** Sent to system administrators: the server is running out of storage ([R286], [R330]). */
  serverSpaceLow: push({
    summary: 'The server is nearly full',
    type: 43,
    ...newest,
    notice: {
      group: 'reminder',
      key: () => 'server space',
      merge: 'later',
      sentence: ({ freeSpaceSize, totalSpaceSize }) => ({
        zh: '服务器空间不足：还剩 {free}，共 {total}',
        en: 'The server is nearly full: {free} of {total} are left',
        values: { free: formatSize(freeSpaceSize), total: formatSize(totalSpaceSize) },
      }),
      path: () => '/doc/admin/libraries/storage',
    },
    payload: z.strictObject({
      ...noticeIds,
      totalSpaceSize: z.int(),
      freeSpaceSize: z.int(),
      /** The threshold of free bytes below which the push is sent. */
      limitSpaceSize: z.int(),
    }),
  }),
  /**
   * The storage usage of the user has changed ([R332]). Sent to connected clients with the value at the time of
   * sending.
   */
  spaceRefresh: push({
    summary: 'How much space the person uses has changed',
    type: 48,
    delivery: 'replayed',
    payload: z.strictObject({ serverId: z.int(), used: z.int(), total: z.int() }),
  }),
  /** The user's own storage is running out ([R287], [R336]). */
  personalSpaceLow: push({
    summary: "The person's space is nearly full",
    type: 62,
    ...newest,
    notice: {
      group: 'reminder',
      key: () => 'personal space',
      merge: 'later',
      sentence: ({ percent, used, total }) => ({
        zh: '你的空间快满了：已用 {percent}%（{used}，共 {total}）',
        en: 'Your space is nearly full: {percent}% are used ({used} of {total})',
        values: { percent, used: formatSize(used), total: formatSize(total) },
      }),
      path: () => '/doc/folder/recycle',
    },
    payload: z.strictObject({
      ...noticeIds,
      /** Percentage used. */
      percent: z.int(),
      used: z.int(),
      total: z.int(),
    }),
  }),
  /** Sent to system administrators and auditors: the log storage is running out ([R287], [R340]). */
  logSpaceLow: push({
    summary: 'The room for the log is nearly full',
    type: 69,
    ...newest,
    notice: {
      group: 'reminder',
      key: ({ isArchive }) => (isArchive ? 'log archive space' : 'log space'),
      merge: 'later',
      sentence: ({ restSpaceSize, isArchive }) => ({
        ...(isArchive
          ? {
              zh: '审计归档空间不足：还剩 {rest}',
              en: 'The room for archives of the log is nearly full: {rest} are left',
            }
          : { zh: '日志空间不足：还剩 {rest}', en: 'The room for the log is nearly full: {rest} are left' }),
        values: { rest: formatSize(restSpaceSize) },
      }),
      path: () => '/doc/admin/settings',
    },
    payload: z.strictObject({
      ...noticeIds,
      restSpaceSize: z.int(),
      /** True for the storage of the log archives, false for the log itself. */
      isArchive: z.boolean(),
    }),
  }),
}

const Percent = z.int().min(1).max(100)

export const quotas = feature({
  about: { name: 'limits', text: 'Limits of kind, size and space' },
  calls: quotaCalls,
  pushes: quotaPushes,
  settings: {
    beside: {
      /** Storage per user in bytes; 0: no limit. */
      user_space: z.int().min(0).default(0),
      /** Storage of the installation in bytes; 0: no limit. */
      server_space: z.int().min(0).default(0),
      /** Number of shared libraries (company and departments); 0: no limit ([R207]). */
      workspace_count: z.int().min(0).default(0),
      /** Maximum bytes of one upload; 0: no limit. */
      upload_max_size: z.int().min(0).default(0),
      /**
       * Allowed upload extensions, lower case without the dot; empty: all. The next setting lists the forbidden ones.
       */
      upload_types_allowed: z.array(z.string().max(16)).max(1000).default([]),
      upload_types_denied: z.array(z.string().max(16)).max(1000).default([]),
      /** Percentage from which a user's storage or a library counts as nearly full. */
      personal_space_percent: Percent.default(90),
    },
    inner: {
      /** Same for the server. */
      server_space_percent: Percent.default(90),
      /** Storage of the log in bytes; 0: no limit. A warning is sent when this percentage is left. */
      log_space: z.int().min(0).default(0),
      log_space_percent: Percent.default(10),
    },
    administered: {
      user_space: {
        label: { zh: '每人空间', en: 'Space of a person' },
        note: {
          zh: '一个人最多能存放的字节数；没有单独设置配额的人按这一项。',
          en: 'The most that one person may store, unless they have a quota of their own.',
        },
        power: 'system',
        group: 'space',
        as: 'bytes',
      },
      server_space: {
        label: { zh: '服务器总空间', en: 'Space of the server' },
        note: {
          zh: '全部文档库合计最多存放多少，到了就停止上传。',
          en: 'The most that all libraries hold together; uploads stop there.',
        },
        power: 'system',
        group: 'space',
        as: 'bytes',
      },
      personal_space_percent: {
        label: { zh: '个人空间提醒', en: 'Warning of personal space' },
        note: {
          zh: '用到百分之几时提醒本人，文档库也按这一项算作快满。',
          en: 'At so many percent a person is told; libraries count as nearly full then.',
        },
        power: 'system',
        group: 'space',
        as: 'number',
      },
      server_space_percent: {
        label: { zh: '服务器空间提醒', en: 'Warning of server space' },
        note: {
          zh: '服务器或磁盘用到百分之几时提醒系统管理员。',
          en: 'At so many percent of the server or its disk the administrators are told.',
        },
        power: 'system',
        group: 'space',
        as: 'number',
      },
      log_space: {
        label: { zh: '日志空间', en: 'Space of the log' },
        note: {
          zh: '审计日志最多占用多少，只用来提醒，不会停止记录。',
          en: 'How much the audit log should take; it only warns, nothing stops being recorded.',
        },
        power: 'system',
        group: 'space',
        as: 'bytes',
      },
      log_space_percent: {
        label: { zh: '日志空间提醒', en: 'Warning of log space' },
        note: {
          zh: '日志空间或归档空间只剩百分之几时提醒管理员。',
          en: 'The administrators are told when so many percent of the log or of its archives are left.',
        },
        power: 'system',
        group: 'space',
        as: 'number',
      },
      workspace_count: {
        label: { zh: '共享文档库个数', en: 'Shared libraries' },
        note: {
          zh: '公司和部门的文档库最多有几个，0 表示不限。',
          en: 'How many libraries of the company and departments there may be; 0 for no limit.',
        },
        power: 'system',
        group: 'space',
        as: 'number',
      },
      upload_max_size: {
        label: { zh: '单个文件上限', en: 'Largest file' },
        note: { zh: '超过这个大小的文件不能上传。', en: 'Larger files cannot be uploaded.' },
        power: 'system',
        group: 'upload',
        as: 'bytes',
      },
      upload_types_allowed: {
        label: { zh: '只允许上传的类型', en: 'Only these types' },
        note: {
          zh: '小写扩展名，不带点；留空表示都可以。',
          en: 'Extensions in lower case without the dot; empty allows all.',
        },
        power: 'system',
        group: 'upload',
        as: 'lines',
        entered: Extensions,
      },
      upload_types_denied: {
        label: { zh: '不许上传的类型', en: 'Types not allowed' },
        note: {
          zh: '小写扩展名，不带点，例如 exe。已在库里的文件不受影响。',
          en: 'Extensions in lower case without the dot, such as exe. Files already there stay.',
        },
        power: 'system',
        group: 'upload',
        as: 'lines',
        entered: Extensions,
      },
    },
  },
})

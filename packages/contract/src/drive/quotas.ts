// Limits of kind, size, space and number, for the administrator ([R207], [R288]). Bytes, unless said; 0 sets no limit.
import { z } from 'zod'
import { systemAdministrator } from '../authority.ts'
import { call } from '../call.ts'
import { feature } from '../feature.ts'
import { Id, Nothing } from '../fields.ts'
import { push } from '../push.ts'
import { folder } from './items.ts'

const Limit = z.int().min(0)
const Extensions = z.array(z.string().regex(/^[a-z0-9_+~-]{0,16}$/)).max(1000)

const quotaCalls = {
  /** What one account may put anywhere; null is what holds for everybody. */
  setAccountQuota: call({
    summary: 'Sets how much space an account may use',
    kind: 'write',
    method: 'POST',
    path: '/services2/organization/setAccountQuota',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    guard: systemAdministrator,
    input: z.strictObject({ userId: Id, quota: Limit.nullable() }),
    data: Nothing,
    codes: ['notFound'],
  }),
  /** What a library, named by its root folder, may hold, and how large one file in it may be. */
  setLibraryQuota: call({
    summary: 'Sets how much a library may hold',
    kind: 'write',
    method: 'POST',
    path: '/services2/file/operate/setLibraryQuota',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    guard: systemAdministrator,
    input: z.strictObject({ folderId: Id, quota: Limit, fileLimit: Limit.default(0) }),
    data: Nothing,
    codes: ['notFound'],
  }),
  /**
   * What a folder may hold at any depth, old versions and what lies in the bin included; 0 sets no limit ([R119]). Whoever
   * manages its library says so; the library's own limit counts beside it.
   */
  setFolderLimit: call({
    summary: 'Sets how much a folder may hold',
    kind: 'write',
    method: 'POST',
    path: '/services2/file/operate/setFolderLimit',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    gate: (input) => [{ item: folder(input.folderId), action: 'limitSpace', lock: 'change' }],
    input: z.strictObject({ folderId: Id, limit: Limit }),
    /** The bytes that count now. */
    data: z.strictObject({ used: z.int() }),
    codes: ['notFound', 'noPermission'],
  }),
}

const noticeIds = { serverId: z.int(), remindId: z.int() }
const newest = { delivery: 'confirmed', newest: true } as const

const quotaPushes = {
  /** To whoever administers the system: what the server has room for runs out ([R286], [R330]). */
  serverSpaceLow: push({
    summary: 'The server is nearly full',
    type: 43,
    ...newest,
    notice: { group: 'reminder', key: () => 'server space', merge: 'later' },
    payload: z.strictObject({
      ...noticeIds,
      totalSpaceSize: z.int(),
      freeSpaceSize: z.int(),
      /** Below so many free bytes it is told. */
      limitSpaceSize: z.int(),
    }),
  }),
  /** The bytes that the person uses have changed ([R332]). Told to who is there, as it is then. */
  spaceRefresh: push({
    summary: 'How much space the person uses has changed',
    type: 48,
    delivery: 'replayed',
    payload: z.strictObject({ used: z.int(), total: z.int() }),
  }),
  /** The person's own space runs out ([R287], [R336]). */
  personalSpaceLow: push({
    summary: "The person's space is nearly full",
    type: 62,
    ...newest,
    notice: { group: 'reminder', key: () => 'personal space', merge: 'later' },
    payload: z.strictObject({
      ...noticeIds,
      /** How much of it is used. */
      percent: z.int(),
      used: z.int(),
      total: z.int(),
    }),
  }),
  /** To whoever administers the system or reads the log: the room for the log runs out ([R287], [R340]). */
  logSpaceLow: push({
    summary: 'The room for the log is nearly full',
    type: 69,
    ...newest,
    notice: {
      group: 'reminder',
      key: ({ isArchive }) => (isArchive ? 'log archive space' : 'log space'),
      merge: 'later',
    },
    payload: z.strictObject({
      ...noticeIds,
      restSpaceSize: z.int(),
      /** The room of the archives, not that of the log itself. */
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
      /** Bytes a person may use; 0 sets no limit. */
      user_space: z.int().min(0).default(0),
      /** Bytes that the installation may hold; 0 sets no limit. */
      server_space: z.int().min(0).default(0),
      /** Libraries that people share, of the company and of departments; 0 sets no limit ([R207]). */
      workspace_count: z.int().min(0).default(0),
      /** Bytes of one upload; 0 sets no limit. */
      upload_max_size: z.int().min(0).default(0),
      /** Extensions that may come in, in lower case without the dot; none: all. And those that may not. */
      upload_types_allowed: z.array(z.string().max(16)).max(1000).default([]),
      upload_types_denied: z.array(z.string().max(16)).max(1000).default([]),
      /** From so many percent on a person, and a library, are nearly full. */
      personal_space_percent: Percent.default(90),
    },
    inner: {
      /** The same of the server. */
      server_space_percent: Percent.default(90),
      /** Bytes that the log may take; 0 sets no limit. It is told of when so many percent are left. */
      log_space: z.int().min(0).default(0),
      log_space_percent: Percent.default(10),
    },
    administered: {
      user_space: { power: 'system', group: 'space', as: 'bytes' },
      server_space: { power: 'system', group: 'space', as: 'bytes' },
      personal_space_percent: { power: 'system', group: 'space', as: 'number' },
      server_space_percent: { power: 'system', group: 'space', as: 'number' },
      log_space: { power: 'system', group: 'space', as: 'bytes' },
      log_space_percent: { power: 'system', group: 'space', as: 'number' },
      workspace_count: { power: 'system', group: 'space', as: 'number' },
      upload_max_size: { power: 'system', group: 'upload', as: 'bytes' },
      upload_types_allowed: { power: 'system', group: 'upload', as: 'lines', entered: Extensions },
      upload_types_denied: { power: 'system', group: 'upload', as: 'lines', entered: Extensions },
    },
  },
})

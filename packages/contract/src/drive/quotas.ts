// Limits on file type, size, storage and counts, for the administrator ([R207], [R288]). In bytes unless stated
// otherwise; 0: no limit.
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
  /** Sets the total storage quota of one account; null: the default for all users applies. */
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
  /** Sets the storage limit of a library, named by its root folder, and the maximum size of one file in it. */
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
   * Sets the storage limit of a folder over all levels, including old versions and the recycle bin; 0: no limit
   * ([R119]). Only managers of the library may set it. The library's own limit applies in addition.
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
    notice: { group: 'reminder', key: () => 'server space', merge: 'later' },
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
    payload: z.strictObject({ used: z.int(), total: z.int() }),
  }),
  /** The user's own storage is running out ([R287], [R336]). */
  personalSpaceLow: push({
    summary: "The person's space is nearly full",
    type: 62,
    ...newest,
    notice: { group: 'reminder', key: () => 'personal space', merge: 'later' },
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

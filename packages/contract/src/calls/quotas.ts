// Limits of kind, size, space and number, for the administrator ([R207], [R288]). Bytes, unless said; 0 sets no limit.
import { z } from 'zod'
import { systemAdministrator } from '../authority.ts'
import { call } from '../call.ts'
import { feature } from '../feature.ts'
import { Id, Nothing } from '../fields.ts'

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
}

export const quotas = feature({
  about: { name: 'limits', text: 'Limits of kind, size and space' },
  calls: quotaCalls,
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
    },
    administered: {
      user_space: { power: 'system', group: 'space', as: 'bytes' },
      server_space: { power: 'system', group: 'space', as: 'bytes' },
      workspace_count: { power: 'system', group: 'space', as: 'number' },
      upload_max_size: { power: 'system', group: 'upload', as: 'bytes' },
      upload_types_allowed: { power: 'system', group: 'upload', as: 'lines', entered: Extensions },
      upload_types_denied: { power: 'system', group: 'upload', as: 'lines', entered: Extensions },
    },
  },
})

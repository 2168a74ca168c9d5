// Editing alone ([R178], decisions "Locks"). 64 is the client type of edit locks; other kinds of it are not taken.
import { z } from 'zod'
import { call } from '../call.ts'
import { feature } from '../feature.ts'
import { Id, Nothing, Time } from '../fields.ts'
import { file } from './items.ts'

const lockCalls = {
  /**
   * Takes the lock of a file, or renews one's own: to be asked again well before it ends. Somebody else's is refused with
   * -40 until its time is over. `version` is what is to be edited, and what submitFile is told.
   */
  fileEditLock: call({
    summary: 'Takes or renews the edit lock of a file',
    kind: 'write',
    method: 'POST',
    path: '/services2/edit/fileEditLock/{fileId}/64',
    auth: 'required',
    payload: 'none',
    origin: 'spec',
    gate: (input) => [{ item: file(input.fileId), action: 'editHere', lock: 'change' }],
    input: z.strictObject({ fileId: Id }),
    data: z.strictObject({
      editorId: z.int(),
      editorName: z.string(),
      /** Since when the caller has it. */
      lockTime: Time,
      /** Ours: when somebody else may take it. */
      expiresAt: Time,
      /** Ours. */
      version: z.int(),
    }),
    codes: ['notFound', 'noPermission', 'fileLocked', 'alreadyInProcess', 'secretLevel'],
  }),
  /** Gives back the caller's own lock; -41 where there is none. */
  fileEditUnlock: call({
    summary: 'Gives an edit lock back',
    kind: 'write',
    method: 'POST',
    path: '/services2/edit/fileEditUnlock/{fileId}/64',
    auth: 'required',
    payload: 'none',
    origin: 'spec',
    gate: (input) => [{ item: file(input.fileId), action: 'see', lock: 'change' }],
    input: z.strictObject({ fileId: Id }),
    data: Nothing,
    codes: ['notFound', 'noEditLock'],
  }),
}

export const locks = feature({
  about: { name: 'locks', text: 'Editing a file alone' },
  calls: lockCalls,
  settings: {
    setting: {
      /** Files are edited in the page ([R147], [R171]). */
      online_edit: z.boolean().default(true),
    },
    administered: { online_edit: { power: 'system', group: 'files', as: 'switch' } },
  },
})

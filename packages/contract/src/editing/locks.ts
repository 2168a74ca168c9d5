// Editing alone ([R178], decisions "Locks"). 64 is the client type of edit locks; other kinds of it are not taken.
import { LockType, limits } from '@cloudoc/domain'
import { z } from 'zod'
import { signedIn, systemAdministrator } from '../authority.ts'
import { call } from '../call.ts'
import { file } from '../drive/items.ts'
import { feature } from '../feature.ts'
import { BatchAnswer, Count, Flag, Id, IdArray, Nothing, rows, Time, text } from '../fields.ts'
import { push } from '../push.ts'
import { WebAddress } from '../setting.ts'

/** A version in numbers with dots; empty where none is said. */
const DottedVersion = text(32)
  .regex(/^\d{1,6}(\.\d{1,6}){0,4}$/)
  .or(z.literal(''))

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
  /**
   * Ends that files are edited: the caller's own, whichever session edits them; with `all` whatever others edit too, alone or
   * together, by whoever may ([R149], [R181]). Who edited them is told (fileForceUnlocked).
   */
  forceUnlockFiles: call({
    summary: 'Ends the editing of files: one’s own, or with `all` that of others',
    kind: 'batch',
    method: 'POST',
    path: '/services2/edit/forceUnlockFiles',
    auth: 'required',
    payload: 'json',
    origin: 'spec',
    batch: {
      items: ({ fileIdArray }) => fileIdArray.map(file),
      gate: (item, { all }) => [{ item, action: all ? 'forceUnlock' : 'see', lock: 'change' }],
    },
    input: z.strictObject({ fileIdArray: IdArray, all: Flag.default(false) }),
    data: BatchAnswer,
    codes: ['notFound', 'noPermission', 'fileLocked', 'noEditLock', 'secretLevel'],
  }),
  /**
   * Asks whoever edits a file alone to let the caller, who is first then; the answer comes as fileUnlocked or unlockRejected.
   * Asked again within a minute, the holder is not told again. -41 where nobody edits it. `message`: what they are told with it.
   */
  fileRequestUnlock: call({
    summary: 'Asks whoever edits a file to leave it to the caller',
    kind: 'write',
    audit: 'technical',
    method: 'POST',
    path: '/services2/edit/fileRequestUnlock/{fileId}/64',
    auth: 'required',
    payload: 'json',
    origin: 'spec',
    gate: (input) => [{ item: file(input.fileId), action: 'editHere', lock: 'change' }],
    input: z.strictObject({ fileId: Id, message: text(limits.unlockMessage).default('') }),
    data: z.strictObject({ editorId: z.int(), editorName: z.string(), lockTime: Time }),
    codes: ['notFound', 'noPermission', 'fileLocked', 'noEditLock', 'alreadyInProcess', 'secretLevel'],
  }),
  /** Who edits a file alone, and since when; -1 and 0 where nobody does. */
  getFileLock: call({
    summary: 'Reads who edits a file alone, and since when',
    kind: 'read',
    method: 'GET',
    path: '/services2/edit/getFileLock/{fileId}',
    auth: 'required',
    payload: 'none',
    origin: 'ours',
    gate: (input) => [{ item: file(input.fileId), action: 'see' }],
    input: z.strictObject({ fileId: Id }),
    data: z.strictObject({ editorId: z.int(), editorName: z.string(), lockTime: Time }),
    codes: ['notFound'],
  }),
  /** The newest control program, which edits files with the programs of a machine ([R182]); empty where nothing is said of it. */
  getEditControlVersion: call({
    summary: 'Reads which version of the control program there is, and where to get it',
    kind: 'read',
    method: 'GET',
    path: '/services2/edit/getEditControlVersion',
    auth: 'required',
    payload: 'none',
    origin: 'spec',
    guard: signedIn,
    input: z.strictObject({}),
    data: z.strictObject({
      version: z.string(),
      /** Ours. */
      address: z.string(),
    }),
  }),
  /** Waits for a file that somebody edits, or ends that: once it is free it is kept for who has waited longest (fileUnlocked). */
  fileEditWait: call({
    summary: 'Waits for a file that somebody else edits, or ends waiting',
    kind: 'write',
    audit: 'technical',
    method: 'POST',
    path: '/services2/edit/fileEditWait/{fileId}',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    gate: (input) => [{ item: file(input.fileId), action: 'editHere', lock: 'change' }],
    input: z.strictObject({ fileId: Id, wait: Flag.default(true) }),
    data: z.strictObject({
      /** How many come before the caller. */
      before: z.int(),
    }),
    codes: ['notFound', 'noPermission', 'noEditLock', 'alreadyInProcess', 'secretLevel'],
  }),
  /** Which files are edited now, by whom and since when: alone, together in the page, or on an office server. */
  getEditedFiles: call({
    summary: 'Lists the files that are edited now, for administrators',
    kind: 'read',
    method: 'GET',
    path: '/services2/edit/getEditedFiles',
    auth: 'required',
    payload: 'query',
    origin: 'ours',
    guard: systemAdministrator,
    input: z.strictObject({ from: Count.default(0), rows: rows(100, 1000) }),
    data: z.strictObject({
      list: z.array(
        z.strictObject({
          fileId: z.int(),
          fName: z.string(),
          libraryName: z.string(),
          way: z.enum(['alone', 'together', 'office']),
          /** Who edits it; those who have a key of an office server may have left already. */
          editors: z.array(z.string()),
          since: Time,
          /** Until when it is locked, unless that is renewed. */
          until: Time,
        }),
      ),
      total: z.int(),
    }),
  }),
  /** Ends that a file is edited, whoever edits it; they are told (fileForceUnlocked), and keep what they have not handed in. */
  endEditing: call({
    summary: 'Ends that a file is edited, for administrators',
    kind: 'write',
    audit: 'administration',
    method: 'POST',
    path: '/services2/edit/endEditing',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    guard: systemAdministrator,
    input: z.strictObject({ fileId: Id }),
    data: Nothing,
    codes: ['notFound', 'noEditLock'],
  }),
  /**
   * Leaves a file to somebody who asked for it, or does not; by the session that edits it. With `minutes` it is not left yet:
   * who asked goes on waiting, first of all.
   */
  answerUnlockRequest: call({
    summary: 'Answers somebody who asked for a file that the caller edits',
    kind: 'write',
    audit: 'technical',
    method: 'POST',
    path: '/services2/edit/answerUnlockRequest',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    gate: (input) => [{ item: file(input.fileId), action: 'see', lock: 'change' }],
    input: z.strictObject({ fileId: Id, userId: Id, approved: Flag, minutes: z.int().min(0).max(60).default(0) }),
    data: Nothing,
    codes: ['notFound', 'noEditLock'],
  }),
}

const lockPushes = {
  /** To whoever sees the file, as it is when it is told ([R316]). */
  fileLock: push({
    summary: 'Who edits a file alone is another one now, or nobody',
    type: 12,
    delivery: 'replayed',
    payload: z.strictObject({
      serverId: z.int(),
      fileId: z.int(),
      userId: z.int().describe('Whose lock it is; -1: nobody’s.'),
      userName: z.string(),
      lockTime: Time.describe('Since when; 0 where nobody has it.'),
    }),
  }),
  /** To who has waited longest, or was let: the file is kept for them until then ([R180], [R317]). */
  fileUnlocked: push({
    summary: 'A file that the receiver waits for is free, and locked for them for some minutes',
    type: 13,
    delivery: 'confirmed',
    payload: z.strictObject({
      serverId: z.int(),
      fileId: z.int(),
      fileName: z.string(),
      version: z.int(),
      /** Whose lock it is: the receiver's. */
      userId: z.int(),
      userName: z.string(),
      lockTime: Time,
      keptUntil: Time,
    }),
  }),
  /** To whoever edits it ([R179], [R318]). */
  unlockApplied: push({
    summary: 'Somebody asks the receiver to leave them a file that the receiver edits',
    type: 14,
    delivery: 'confirmed',
    payload: z.strictObject({
      serverId: z.int(),
      fileId: z.int(),
      fileName: z.string(),
      /** Who asks. */
      userId: z.int(),
      userName: z.string(),
      /** Ours: what they say with it. */
      message: z.string().optional(),
      applyTime: Time,
    }),
  }),
  /** To who asked ([R319]). */
  unlockRejected: push({
    summary: 'Whoever edits a file does not leave it to the receiver now',
    type: 15,
    delivery: 'confirmed',
    payload: z.strictObject({
      serverId: z.int(),
      fileId: z.int(),
      fileName: z.string(),
      /** Who edits it. */
      userId: z.int(),
      userName: z.string(),
      result: z.literal(2),
      /** Ours: in how many minutes they will be asked again; the receiver goes on waiting. */
      minutes: z.int().optional(),
      handleTime: Time,
    }),
  }),
  /** To whoever edited the file, wherever they did: what they typed is theirs to save as another one ([R339]). */
  fileForceUnlocked: push({
    summary: 'Somebody ended that the receiver edits a file',
    type: 66,
    delivery: 'confirmed',
    payload: z.strictObject({
      serverId: z.int(),
      fileId: z.int(),
      fileName: z.string(),
      /** Who did it; the receiver themselves from another session. */
      userId: z.int(),
      userName: z.string(),
      lockType: z.enum(LockType),
      handleTime: Time,
    }),
  }),
}

export const locks = feature({
  about: { name: 'locks', text: 'Editing a file alone' },
  calls: lockCalls,
  pushes: lockPushes,
  settings: {
    setting: {
      /** Files are edited in the page ([R147], [R171]). */
      online_edit: z.boolean().default(true),
      /** Owners and managers may end that others edit files of their libraries ([R149]). */
      force_unlock_file: z.boolean().default(true),
      /** Files may be edited with the programs of a machine, where a control program answers there ([R182], [R362]). */
      local_edit: z.boolean().default(false),
    },
    inner: {
      /** The newest control program, as `1.4.0`, and where people get it. */
      edit_control_version: z.string().max(32).default(''),
      edit_control_address: z.string().max(500).default(''),
    },
    administered: {
      online_edit: { power: 'system', group: 'files', as: 'switch' },
      force_unlock_file: { power: 'system', group: 'files', as: 'switch' },
      local_edit: { power: 'system', group: 'files', as: 'switch' },
      edit_control_version: { power: 'system', group: 'files', as: 'text', entered: DottedVersion },
      edit_control_address: { power: 'system', group: 'files', as: 'address', entered: WebAddress },
    },
  },
})

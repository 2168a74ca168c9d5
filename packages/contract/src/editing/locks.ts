// Exclusive editing with locks ([R178], decisions "Locks"). Only client type 64 (edit locks) is supported.
import { LockType, limits } from '@cloudoc/domain'
import { z } from 'zod'
import { signedIn, systemAdministrator } from '../authority.ts'
import { call } from '../call.ts'
import { file } from '../drive/items.ts'
import { feature } from '../feature.ts'
import { BatchAnswer, Flag, Id, IdArray, Nothing, pageOf, Time, text } from '../fields.ts'
import { push } from '../push.ts'
import { WebAddress } from '../setting.ts'

/** A dotted version number; empty if none is given. */
const DottedVersion = text(32)
  .regex(/^\d{1,6}(\.\d{1,6}){0,4}$/)
  .or(z.literal(''))

const lockCalls = {
  /**
   * Acquires the lock of a file, or renews the caller's lock; it has to be renewed well before it expires. If another
   * user holds it, the call is refused with -40 until the lock expires. `version` is the base version of the edit and
   * the input for submitFile.
   */
  fileEditLock: call({
    summary: 'Takes or renews the edit lock of a file',
    title: { zh: '开始编辑', en: 'Editing begun' },
    log: 'none',
    kind: 'write',
    method: 'POST',
    path: '/services2/edit/fileEditLock/{fileId}/64',
    auth: 'required',
    payload: 'none',
    origin: 'spec',
    gate: (input) => [{ item: file(input.fileId), action: 'editHere', lock: 'change' }],
    input: z.strictObject({ fileId: Id }),
    sample: (ids) => ({ fileId: ids.fileId }),
    data: z.strictObject({
      editorId: z.int(),
      editorName: z.string(),
      /** Since when the caller holds the lock. */
      lockTime: Time,
      /** Not in the spec: when the lock expires and another user can acquire it. */
      expiresAt: Time,
      /** Not in the spec. */
      version: z.int(),
    }),
    codes: ['notFound', 'noPermission', 'fileLocked', 'alreadyInProcess', 'secretLevel'],
  }),
  /** Releases the caller's own lock; -41 if there is none. */
  fileEditUnlock: call({
    servesReading: true,
    summary: 'Gives an edit lock back',
    title: { zh: '结束编辑', en: 'Editing ended' },
    log: 'none',
    kind: 'write',
    method: 'POST',
    path: '/services2/edit/fileEditUnlock/{fileId}/64',
    auth: 'required',
    payload: 'none',
    origin: 'spec',
    gate: (input) => [{ item: file(input.fileId), action: 'see', lock: 'change' }],
    input: z.strictObject({ fileId: Id }),
    sample: (ids) => ({ fileId: ids.fileId }),
    data: Nothing,
    codes: ['notFound', 'noEditLock'],
  }),
  /**
   * Ends the editing of files: the caller's own edits in all sessions; with `all` also those of other users, exclusive
   * or co-edited, if the caller has the right to ([R149], [R181]). The editors are notified (fileForceUnlocked).
   */
  forceUnlockFiles: call({
    summary: 'Ends the editing of files: one’s own, or with `all` that of others',
    title: { zh: '强制解锁', en: 'Forced unlock' },
    log: 'none',
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
    sample: (ids) => ({ fileIdArray: [ids.fileId] }),
    data: BatchAnswer,
    codes: ['notFound', 'noPermission', 'fileLocked', 'noEditLock', 'secretLevel'],
  }),
  /**
   * Asks the lock holder of a file to hand the lock over to the caller, who becomes first in the lock queue. The answer
   * arrives as fileUnlocked or unlockRejected. A repeated request within a minute does not notify the holder again. -41
   * if the file is not locked. `message` is sent to the holder.
   */
  fileRequestUnlock: call({
    summary: 'Asks whoever edits a file to leave it to the caller',
    log: 'none',
    kind: 'write',
    audit: 'technical',
    method: 'POST',
    path: '/services2/edit/fileRequestUnlock/{fileId}/64',
    auth: 'required',
    payload: 'json',
    origin: 'spec',
    gate: (input) => [{ item: file(input.fileId), action: 'editHere', lock: 'change' }],
    input: z.strictObject({ fileId: Id, message: text(limits.unlockMessage).default('') }),
    sample: (ids) => ({ fileId: ids.fileId }),
    data: z.strictObject({ editorId: z.int(), editorName: z.string(), lockTime: Time }),
    codes: ['notFound', 'noPermission', 'fileLocked', 'noEditLock', 'alreadyInProcess', 'secretLevel'],
  }),
  /** The holder of the exclusive lock of a file, and since when; -1 and 0 if it is not locked. */
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
    sample: (ids) => ({ fileId: ids.fileId }),
    data: z.strictObject({ editorId: z.int(), editorName: z.string(), lockTime: Time }),
    codes: ['notFound'],
  }),
  /**
   * The newest version of the control program, which opens files in the desktop programs of a computer ([R182]); empty
   * if not configured.
   */
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
      /** Not in the spec. */
      address: z.string(),
    }),
  }),
  /**
   * Enters or leaves the lock queue of a file. When the lock becomes free, it is reserved for the first user in the
   * queue (fileUnlocked).
   */
  fileEditWait: call({
    summary: 'Waits for a file that somebody else edits, or ends waiting',
    log: 'none',
    kind: 'write',
    audit: 'technical',
    method: 'POST',
    path: '/services2/edit/fileEditWait/{fileId}',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    gate: (input) => [{ item: file(input.fileId), action: 'editHere', lock: 'change' }],
    input: z.strictObject({ fileId: Id, wait: Flag.default(true) }),
    sample: (ids) => ({ fileId: ids.fileId }),
    data: z.strictObject({
      /** Number of users before the caller in the queue. */
      before: z.int(),
    }),
    codes: ['notFound', 'noPermission', 'noEditLock', 'alreadyInProcess', 'secretLevel'],
  }),
  /**
   * Files that are being edited now, by whom and since when: under an exclusive lock, co-edited in the page, or on a
   * WOPI office server.
   */
  getEditedFiles: call({
    summary: 'Lists the files that are edited now, for administrators',
    kind: 'read',
    method: 'GET',
    path: '/services2/edit/getEditedFiles',
    auth: 'required',
    payload: 'query',
    origin: 'ours',
    guard: systemAdministrator,
    input: z.strictObject(pageOf(100, 1000)),
    data: z.strictObject({
      list: z.array(
        z.strictObject({
          fileId: z.int(),
          fName: z.string(),
          libraryName: z.string(),
          way: z.enum(['alone', 'together', 'office']),
          /** The current editors. Holders of an office server token may already have left. */
          editors: z.array(z.string()),
          since: Time,
          /** Expiry of the lock unless renewed. */
          until: Time,
        }),
      ),
      total: z.int(),
    }),
  }),
  /** Ends all editing of a file. The editors are notified (fileForceUnlocked) and retain their unsubmitted changes. */
  endEditing: call({
    servesReading: true,
    summary: 'Ends that a file is edited, for administrators',
    title: { zh: '管理员结束编辑', en: 'Editing ended by an administrator' },
    kind: 'write',
    audit: 'administration',
    method: 'POST',
    path: '/services2/edit/endEditing',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    guard: systemAdministrator,
    input: z.strictObject({ fileId: Id }),
    sample: (ids) => ({ fileId: ids.fileId }),
    data: Nothing,
    codes: ['notFound', 'noEditLock'],
  }),
  /**
   * Answers an unlock request by handing the lock over or refusing; only from the session that edits the file. With
   * `minutes` the lock is not released yet: the requester stays first in the queue.
   */
  answerUnlockRequest: call({
    summary: 'Answers somebody who asked for a file that the caller edits',
    log: 'none',
    audits: ['userId'],
    kind: 'write',
    audit: 'technical',
    method: 'POST',
    path: '/services2/edit/answerUnlockRequest',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    gate: (input) => [{ item: file(input.fileId), action: 'see', lock: 'change' }],
    input: z.strictObject({ fileId: Id, userId: Id, approved: Flag, minutes: z.int().min(0).max(60).default(0) }),
    sample: (ids) => ({ fileId: ids.fileId, userId: ids.userId, approved: true }),
    data: Nothing,
    codes: ['notFound', 'noEditLock'],
  }),
}

const lockPushes = {
  /** Sent to all users who see the file, with the state at the time of sending ([R316]). */
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
  /**
   * Sent to the first user in the lock queue, or to the user whose request was accepted: the lock is reserved for them
   * until the given time ([R180], [R317]).
   */
  fileUnlocked: push({
    summary: 'A file that the receiver waits for is free, and locked for them for some minutes',
    type: 13,
    delivery: 'confirmed',
    payload: z.strictObject({
      serverId: z.int(),
      fileId: z.int(),
      fileName: z.string(),
      version: z.int(),
      /** Holder of the reservation: the receiver. */
      userId: z.int(),
      userName: z.string(),
      lockTime: Time,
      keptUntil: Time,
    }),
  }),
  /** Sent to the lock holder ([R179], [R318]). */
  unlockApplied: push({
    summary: 'Somebody asks the receiver to leave them a file that the receiver edits',
    type: 14,
    delivery: 'confirmed',
    payload: z.strictObject({
      serverId: z.int(),
      fileId: z.int(),
      fileName: z.string(),
      /** The requester. */
      userId: z.int(),
      userName: z.string(),
      /** Not in the spec: message of the requester. */
      message: z.string().optional(),
      applyTime: Time,
    }),
  }),
  /** Sent to the requester ([R319]). */
  unlockRejected: push({
    summary: 'Whoever edits a file does not leave it to the receiver now',
    type: 15,
    delivery: 'confirmed',
    payload: z.strictObject({
      serverId: z.int(),
      fileId: z.int(),
      fileName: z.string(),
      /** The lock holder. */
      userId: z.int(),
      userName: z.string(),
      result: z.literal(2),
      /** Not in the spec: minutes until the holder is asked again; the receiver stays in the queue. */
      minutes: z.int().optional(),
      handleTime: Time,
    }),
  }),
  /**
   * Sent to everyone who edited the file, wherever they did. They can save their unsubmitted changes as another file
   * ([R339]).
   */
  fileForceUnlocked: push({
    summary: 'Somebody ended that the receiver edits a file',
    type: 66,
    delivery: 'confirmed',
    payload: z.strictObject({
      serverId: z.int(),
      fileId: z.int(),
      fileName: z.string(),
      /** The user who ended the editing; may be the receiver in another session. */
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
      /** Files can be edited in the page ([R147], [R171]). */
      online_edit: z.boolean().default(true),
      /** Owners and managers can end other users' editing of files in their libraries ([R149]). */
      force_unlock_file: z.boolean().default(true),
      /** Files can be edited with desktop programs if a control program is running on the computer ([R182], [R362]). */
      local_edit: z.boolean().default(false),
      /**
       * On Windows, files that a user may change but not download are for the sandbox; without its driver the page offers
       * the secure view ([R184], X42).
       */
      sandbox_edit: z.boolean().default(false),
      /** On Windows, people who may not download edit with others in the sandbox alone; it has no driver (X42, [R148]). */
      security_edit: z.boolean().default(false),
      /** On macOS too ([R147]). */
      mac_editor: z.boolean().default(false),
    },
    inner: {
      /** The newest version of the control program, such as `1.4.0`, and its download address. */
      edit_control_version: z.string().max(32).default(''),
      edit_control_address: z.string().max(500).default(''),
    },
    administered: {
      online_edit: {
        label: { zh: '在线编辑', en: 'Editing in the page' },
        note: {
          zh: '文件可以直接在网页里打开编辑；关闭后只能以只读方式打开。',
          en: 'Files can be edited in the page. With this off they open read-only.',
        },
        power: 'system',
        group: 'files',
        as: 'switch',
      },
      force_unlock_file: {
        label: { zh: '强制解锁', en: 'Forced unlock' },
        note: {
          zh: '文档库的所有者和管理者可以结束别人对库内文件的编辑；对方没保存的内容留在其浏览器里，可另存。',
          en: 'Owners and managers of a library may end that others edit its files. What these have not saved stays in their browsers, to be saved as copies.',
        },
        power: 'system',
        group: 'files',
        as: 'switch',
      },
      local_edit: {
        label: { zh: '用本机程序编辑', en: 'Editing with programs of the computer' },
        note: {
          zh: '装有编辑控件的电脑上，文件可以用那里的程序（如 Word）打开编辑，保存后成为新版本；没有控件的电脑上不显示。',
          en: 'On computers with the edit control, files open in a program there, such as Word, and are saved as new versions. Others are not offered it.',
        },
        power: 'system',
        group: 'files',
        as: 'switch',
      },
      mac_editor: {
        label: { zh: 'macOS 上用本机程序编辑', en: 'Editing with programs on macOS' },
        note: {
          zh: '开启“用本机程序编辑”后，Mac 上也可以用；没有为 macOS 发布编辑控件时请保持关闭。',
          en: 'With editing by local programs on, Macs offer it too. Leave it off while you have no edit control for macOS.',
        },
        power: 'system',
        group: 'files',
        as: 'switch',
      },
      sandbox_edit: {
        label: { zh: '沙箱编辑', en: 'Editing in the sandbox' },
        note: {
          zh: 'Windows 上，可修改但不能下载的文件提示在沙箱中编辑；没有沙箱驱动的电脑改为安全查看（带水印，不能复制、打印和下载）。',
          en: 'On Windows, files that people may change but not download are for the sandbox. Computers without its driver are offered the secure view instead: with a watermark, not to be copied, printed or downloaded.',
        },
        power: 'security',
        group: 'files',
        as: 'switch',
      },
      security_edit: {
        label: { zh: '安全编辑', en: 'Safe editing' },
        note: {
          zh: 'Windows 上，不能下载的人只在沙箱中与别人一起编辑；没有沙箱驱动的电脑改为安全查看。其他系统不受影响。',
          en: 'On Windows, people who may not download edit with others in the sandbox alone. Computers without its driver are offered the secure view instead. Other systems are not affected.',
        },
        power: 'security',
        group: 'files',
        as: 'switch',
      },
      edit_control_version: {
        label: { zh: '编辑控件的最新版本', en: 'Newest edit control' },
        note: {
          zh: '如 1.4.0；比它旧的控件会提示更新。留空则不检查。',
          en: 'Such as 1.4.0; older ones are asked to be updated. Empty: not checked.',
        },
        power: 'system',
        group: 'files',
        as: 'text',
        entered: DottedVersion,
      },
      edit_control_address: {
        label: { zh: '编辑控件的下载地址', en: 'Address of the edit control' },
        note: {
          zh: '控件没有回应或需要更新时，从这里下载。',
          en: 'Where people get it when none answers, or theirs is old.',
        },
        power: 'system',
        group: 'files',
        as: 'address',
        entered: WebAddress,
      },
    },
  },
})

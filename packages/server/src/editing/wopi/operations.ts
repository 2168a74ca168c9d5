/*
 * The operations of the WOPI host, each with its gate. They know nothing of keys, proofs and statuses: host.ts serves
 * them.
 */
import type { GateUse } from '@cloudoc/contract'
import { type CodeName, denial, extNameOf, fail, gates, itemName, LogBit, numberedName } from '@cloudoc/domain'
import type { FastifyRequest } from 'fastify'
import type { Contents } from '../../core/blobs/contents.ts'
import { readRaw } from '../../core/call/bodies.ts'
import { actorOf, type Context } from '../../core/call/context.ts'
import type { Work } from '../../core/call/operation.ts'
import type { Db } from '../../core/db/database.ts'
import type { Services } from '../../core/services.ts'
import { type StoredVersions, storeNewFile, storeVersion } from '../../drive/content/index.ts'
import { rename } from '../../drive/files/index.ts'
import { sendContent } from '../../drive/transfer/index.ts'
import { accessTo, holderOf, itemEvent } from '../../drive/tree/index.ts'
import { placeOf, readChoice } from '../../drive/watermarks/index.ts'
import { addressOf, mayEdit } from './index.ts'
import { issueKey } from './keys.ts'
import { editorsAmong, endSharedLocks, sharedLock, takeSharedLock } from './shared-lock.ts'
import { fromUtf7, toUtf7 } from './utf7.ts'

/** Maximum length of a lock id. */
const longestLock = 1024
const longestName = 255
const nameBatch = 20

/** What the operations need of the server. */
export interface OperationParts extends Pick<Services, 'db' | 'blobs' | 'now' | 'publicUrl'> {
  readonly contents: Contents
  readonly storedVersion: StoredVersions
}

export type Input = { readonly fileId: number; readonly folderId: number }
/** The JSON answer of an operation; undefined means headers only. */
export type OperationAnswer = object | undefined
export type FileWork = Exclude<Work<Input, OperationAnswer>, { kind: 'batch' }>

/** What an office server asks of one file. */
export interface FileOperation {
  readonly name: string
  readonly gate: (input: Input) => readonly GateUse[]
  readonly work: FileWork
}
const fileOperation = (name: string, gate: FileOperation['gate'], work: FileWork): FileOperation => ({
  name,
  gate,
  work,
})

const file = (fId: number) => ({ fType: 1, fId }) as const
export const headerOf = (request: FastifyRequest, name: string): string => {
  const value = request.headers[name]
  return typeof value === 'string' ? value : ''
}
const hasHeader = (request: FastifyRequest, name: string): boolean => request.headers[name] !== undefined

const reads = (fileId: number): readonly GateUse[] => [{ item: file(fileId), action: 'openTogether' }]
const changes = (fileId: number, action: 'openTogether' | 'editTogether' | 'rename'): readonly GateUse[] => [
  { item: file(fileId), action, lock: 'change' },
]

/** The current content of a file, with its name and version. */
const contentOf = async ({ storedVersion }: OperationParts, context: Context, fileId: number) => {
  const { row } = context.item(file(fileId))
  const content = await storedVersion(fileId, row.version)
  return content === undefined ? fail('versionMissing') : { ...content, name: row.name, version: row.version }
}
/** Refuses as the protocol demands: 409 with the current lock. */
const locked = ({ reply }: Context, lockId: string | undefined): never => {
  reply.header('x-wopi-lock', lockId ?? '')
  return fail('fileLocked')
}
const wantedLock = ({ request }: Context, name = 'x-wopi-lock'): string => {
  const lockId = headerOf(request, name)
  return lockId === '' || lockId.length > longestLock ? fail('badRequest', name) : lockId
}

/** Whether copies can be saved in the same folder. */
const mayAddTo = async ({ db }: OperationParts, context: Context, folderId: number): Promise<boolean> => {
  const folder = await accessTo(db, actorOf(context), { fType: 2, fId: folderId }, context.now)
  return folder !== undefined && denial(gates.upload, folder.facts) === undefined
}

/** What a file is and what its user may do with it. */
export function checkFileInfo(parts: OperationParts): FileOperation {
  return fileOperation('wopiCheckFileInfo', ({ fileId }) => reads(fileId), {
    kind: 'read',
    async run(context, { fileId }) {
      const { request } = context
      const actor = actorOf(context)
      const access = context.item(file(fileId))
      const { row, facts, library, path: above } = access
      const { sha256, size, modifiedAt } = await contentOf(parts, context, fileId)
      const isOurs = actor.settings.inner.preview_multi_edit.includes(row.ext.toLowerCase())
      const canWrite = isOurs && row.editor_id === null && mayEdit(access)
      const mayTake = denial(gates.download, facts) === undefined
      const chosen = (await readChoice(context))(
        placeOf(access),
        'preview',
        !mayTake && actor.settings.setting.security_preview,
      )
      const folder = above.at(-1)
      const folderId = row.parent_id ?? 0
      const mayAdd = canWrite && folderId !== 0 && (await mayAddTo(parts, context, folderId))
      return {
        BaseFileName: row.name,
        FileExtension: row.ext === '' ? '' : `.${row.ext}`,
        OwnerId: String(library.ownerId ?? row.created_by),
        Size: size,
        SHA256: sha256.toString('base64'),
        Version: String(row.version),
        LastModifiedTime: new Date(modifiedAt).toISOString(),
        UserId: String(actor.accountId),
        UserFriendlyName: actor.name,
        UserCanWrite: canWrite,
        ReadOnly: !canWrite,
        UserCanRename: canWrite && denial(gates.rename, facts) === undefined,
        UserCanNotWriteRelative: !mayAdd,
        SupportsLocks: true,
        SupportsGetLock: true,
        SupportsExtendedLockLength: true,
        SupportsUpdate: true,
        SupportsRename: true,
        SupportsDeleteFile: false,
        FileNameMaxLength: longestName,
        // A user who may not download may only view.
        DisablePrint: denial(gates.printItem, facts) !== undefined,
        HidePrintOption: denial(gates.printItem, facts) !== undefined,
        DisableExport: !mayTake,
        HideExportOption: !mayTake,
        DisableCopy: !mayTake,
        ...(mayTake ? {} : { ProtectInClient: true }),
        ...(chosen === undefined ? {} : { WatermarkText: chosen.watermark.lines.join(' ') }),
        BreadcrumbFolderName: folder?.visible === true ? folder.name : '',
        PostMessageOrigin: new URL(addressOf(request, parts.publicUrl)).origin,
      }
    },
  })
}

/** The bytes of the current version. */
export function getFile(parts: OperationParts): FileOperation {
  return fileOperation('wopiGetFile', ({ fileId }) => reads(fileId), {
    kind: 'stream',
    async run(context, { fileId }) {
      const content = await contentOf(parts, context, fileId)
      const most = Number(headerOf(context.request, 'x-wopi-maxexpectedsize') || Number.POSITIVE_INFINITY)
      if (content.size > most) return fail('duplicateOperation')
      context.reply.header('x-wopi-itemversion', String(content.version))
      await sendContent(context, parts.contents, content, { whole: true })
      return undefined
    },
  })
}

const take = fileOperation('wopiLock', ({ fileId }) => changes(fileId, 'editTogether'), {
  kind: 'write',
  async run(context, { fileId }) {
    const { tx, request, reply } = context
    const wanted = wantedLock(context)
    const before = hasHeader(request, 'x-wopi-oldlock') ? wantedLock(context, 'x-wopi-oldlock') : undefined
    const held = await sharedLock(tx, fileId, context.now)
    if (held !== (before ?? wanted) && (held !== undefined || before !== undefined)) return locked(context, held)
    const { row } = context.item(file(fileId))
    reply.header('x-wopi-itemversion', String(row.version))
    if (!(await takeSharedLock(tx, fileId, wanted, context.now))) {
      reply.header('x-wopi-lockfailurereason', 'edited by one person alone')
      return locked(context, undefined)
    }
    if (held === undefined) {
      context.audit({ log: LogBit.startEdit })
      context.event(itemEvent(row, 'edit', actorOf(context).name))
    }
    return undefined
  },
})
const refresh = fileOperation('wopiRefreshLock', ({ fileId }) => changes(fileId, 'editTogether'), {
  kind: 'write',
  async run(context, { fileId }) {
    const wanted = wantedLock(context)
    const held = await sharedLock(context.tx, fileId, context.now)
    if (held !== wanted || !(await takeSharedLock(context.tx, fileId, wanted, context.now)))
      return locked(context, held)
    return undefined
  },
})
// A user who has lost the right to change the file can still release the lock.
const unlock = fileOperation('wopiUnlock', ({ fileId }) => changes(fileId, 'openTogether'), {
  kind: 'write',
  async run(context, { fileId }) {
    const wanted = wantedLock(context)
    const { row } = context.item(file(fileId))
    const held = await sharedLock(context.tx, fileId, context.now)
    if (held !== wanted) return locked(context, held)
    await endSharedLocks(context.tx, [fileId])
    context.reply.header('x-wopi-itemversion', String(row.version))
    context.event(itemEvent(row, 'edit', actorOf(context).name))
    return undefined
  },
})
const getLock = fileOperation('wopiGetLock', ({ fileId }) => reads(fileId), {
  kind: 'read',
  async run(context, { fileId }) {
    const held = await sharedLock(context.db, fileId, context.now)
    if (held === undefined && context.item(file(fileId)).row.editor_id !== null) return locked(context, undefined)
    context.reply.header('x-wopi-lock', held ?? '')
    return undefined
  },
})

/** Stores the next version. */
export function putFile(parts: OperationParts): FileOperation {
  return fileOperation('wopiPutFile', ({ fileId }) => [{ item: file(fileId), action: 'editTogether' }], {
    kind: 'staged',
    async run(context, { fileId }) {
      const { request, reply } = context
      const { accountId } = actorOf(context)
      const wanted = headerOf(request, 'x-wopi-lock')
      /** A file without a lock may get its first content; otherwise the lock it is edited under is required. */
      const check = async (reader: Db, row: { size: number; editor_id: number | null }): Promise<void> => {
        const held = await sharedLock(reader, fileId, context.now)
        const isFirst = held === undefined && wanted === '' && row.size === 0 && row.editor_id === null
        if (!isFirst && (held === undefined || held !== wanted)) locked(context, held)
      }
      await check(context.db, context.item(file(fileId)).row)
      const named = headerOf(request, 'x-wopi-editors')
        .split(',')
        .map((id) => Number(id.trim()))
        .filter((id) => Number.isSafeInteger(id) && id > 0)
        .slice(0, 200)
      const editors = [...new Set([accountId, ...(await editorsAmong(context.db, fileId, named))])]
      const stored = await storeVersion(context, parts.blobs, {
        ...{ fileId, editors, content: readRaw(request.raw) },
        check: ({ row }, { tx }) => check(tx, row),
      })
      reply.header('x-wopi-itemversion', String(stored.version))
      return { LastModifiedTime: new Date(stored.modifyTime).toISOString() }
    },
  })
}

/** Stores a copy under another name in the same folder. */
export function putRelative(parts: OperationParts): FileOperation {
  return fileOperation(
    'wopiPutRelativeFile',
    ({ fileId, folderId }) => [
      { item: file(fileId), action: 'openTogether' },
      { item: { fType: 2, fId: folderId }, action: 'upload', lock: 'hold' },
    ],
    {
      kind: 'staged',
      async run(context, { fileId, folderId }) {
        const { request, reply } = context
        const suggested = fromUtf7(headerOf(request, 'x-wopi-suggestedtarget'))
        const relative = fromUtf7(headerOf(request, 'x-wopi-relativetarget'))
        if ((suggested === '') === (relative === '')) return fail('badRequest', 'x-wopi-suggestedtarget')
        const own = context.item(file(fileId)).row.name
        const base = own.slice(0, own.length - (extNameOf(own).length === 0 ? 0 : extNameOf(own).length + 1))
        const name =
          relative !== '' ? relative : legalName(suggested.startsWith('.') ? `${base}${suggested}` : suggested)
        const checked = itemName(name)
        if ('code' in checked) return fail(checked.code)
        const overwrites = headerOf(request, 'x-wopi-overwriterelativetarget').toLowerCase() === 'true'
        const holder = relative === '' ? undefined : await holderOf(context.db, folderId, checked.name)
        if (holder !== undefined) {
          const held = await sharedLock(context.db, holder.id, context.now)
          if (!overwrites)
            reply.header('x-wopi-validrelativetarget', toUtf7(await freeName(parts, folderId, checked.name)))
          if (!overwrites) return fail('alreadyExists')
          // Sent if the operation is refused below.
          reply.header('x-wopi-lock', held ?? '')
        }
        const stored = await storeNewFile(context, parts.blobs, {
          ...{ folderId, name: checked.name, content: readRaw(request.raw) },
          conflict: relative === '' ? 'keepBoth' : overwrites ? 'version' : 'refuse',
        })
        const made = { id: stored.fileId, parent_id: folderId }
        const { key } = await issueKey(context.db, actorOf(context), made, context.now)
        const address = `${addressOf(request, parts.publicUrl)}/wopi/files/${stored.fileId}`
        return { Name: stored.fName, Url: `${address}?access_token=${encodeURIComponent(key)}` }
      },
    },
  )
}

/** A name that nothing in the folder has yet. */
const freeName = async ({ db, now }: OperationParts, folderId: number, name: string): Promise<string> => {
  for (let n = 2; n < 2 + nameBatch; n += 1) {
    const candidate = numberedName(name, n, { isFolder: false })
    if ((await holderOf(db, folderId, candidate)) === undefined) return candidate
  }
  return numberedName(name, now() % 1_000_000, { isFolder: false })
}

const renameFile = fileOperation('wopiRenameFile', ({ fileId }) => changes(fileId, 'rename'), {
  kind: 'write',
  async run(context, { fileId }) {
    const { request, reply, tx } = context
    const access = context.item(file(fileId))
    const ext = extNameOf(access.row.name)
    const held = await sharedLock(tx, fileId, context.now)
    if (held !== undefined && held !== headerOf(request, 'x-wopi-lock')) return locked(context, held)
    const wanted = fromUtf7(headerOf(request, 'x-wopi-requestedname'))
    const checked = itemName(ext === '' ? wanted : `${wanted}.${ext}`)
    const refuse = (code: CodeName): never => {
      reply.header('x-wopi-invalidfilenameerror', code)
      return fail('illegalName')
    }
    if ('code' in checked) return refuse(checked.code)
    const holder = await holderOf(tx, access.row.parent_id ?? 0, checked.name)
    if (holder !== undefined && holder.id !== fileId) return refuse('alreadyExists')
    const { fName } = await rename(context, access, checked.name)
    return { Name: ext === '' ? fName : fName.slice(0, -ext.length - 1) }
  },
})

/** The operations that a header names in a request to the file itself. */
export const postedOperations = (parts: OperationParts): Readonly<Record<string, FileOperation>> => ({
  LOCK: take,
  UNLOCK: unlock,
  REFRESH_LOCK: refresh,
  GET_LOCK: getLock,
  PUT_RELATIVE: putRelative(parts),
  RENAME_FILE: renameFile,
})

/** Turns a suggested name into a valid one. */
function legalName(name: string): string {
  const plain = name.replace(/[\\/:*?"<>|\p{C}]/gu, '_').trim()
  return plain === '' ? '_' : plain
}

/*
 * A WOPI host (https://learn.microsoft.com/microsoft-365/cloud-storage-partner-program/rest): the file interface for
 * office servers. Every request is signed by the office server and runs as an operation, with the key of its user, its
 * gate and its codes. Only the form of requests and answers follows the protocol.
 */
import type { GateUse } from '@cloudoc/contract'
import {
  type CodeName,
  denial,
  extNameOf,
  fail,
  gates,
  itemName,
  LogBit,
  MultiEdit,
  numberedName,
} from '@cloudoc/domain'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Contents } from '../../core/blobs/contents.ts'
import { readRaw } from '../../core/call/bodies.ts'
import { readRest } from '../../core/call/body-time.ts'
import { actorOf, type Context } from '../../core/call/context.ts'
import type { Perform, Work } from '../../core/call/operation.ts'
import type { Services } from '../../core/services.ts'
import { type StoredVersions, storeNewFile, storeVersion } from '../../drive/content/index.ts'
import { rename } from '../../drive/files/index.ts'
import { sendContent } from '../../drive/transfer/index.ts'
import { accessTo, holderOf, itemEvent } from '../../drive/tree/index.ts'
import { placeOf, readChoice } from '../../drive/watermarks/index.ts'
import type { Office } from './discovery.ts'
import { addressOf, mayEdit } from './index.ts'
import { issueKey } from './keys.ts'
import { isInTime, isProven, type Signed } from './proof.ts'
import { editorsAmong, endSharedLocks, sharedLock, takeSharedLock } from './shared-lock.ts'
import { fromUtf7, toUtf7 } from './utf7.ts'

const path = '/wopi/files/:fileId'
/** Maximum length of a lock id. */
const longestLock = 1024
const longestName = 255
const nameBatch = 20

/** Refusals with a status of their own in the protocol; any other is 500. */
const statuses: Partial<Record<CodeName, number>> = {
  badRequest: 400,
  illegalName: 400,
  nameTooLong: 400,
  typeRestricted: 400,
  notLoggedIn: 401,
  accountFrozen: 401,
  accountLocked: 401,
  accountRestricted: 401,
  deviceWiped: 401,
  passwordChangeRequired: 401,
  passwordExpired: 401,
  secondFactorMissing: 401,
  noPermission: 401,
  secretLevel: 401,
  readOnlyLibrary: 401,
  notFound: 404,
  versionMissing: 404,
  virusFile: 404,
  alreadyExists: 409,
  alreadyInProcess: 409,
  fileLocked: 409,
  fileConflict: 409,
  uploadSizeExceeded: 413,
  fileSizeExceeded: 413,
  folderSizeExceeded: 413,
  userSizeExceeded: 413,
  colleagueSizeExceeded: 413,
  capacityExceeded: 413,
  capacityNotSatisfied: 413,
  /** A size that the office server does not expect. */
  duplicateOperation: 412,
}

interface HostParts extends Pick<Services, 'db' | 'blobs' | 'settings' | 'now' | 'publicUrl'> {
  readonly perform: Perform
  readonly office: Office
  readonly contents: Contents
  readonly storedVersion: StoredVersions
}

type Input = { readonly fileId: number; readonly folderId: number }
type FileWork = Exclude<Work<Input, OperationAnswer>, { kind: 'batch' }>
type Answer = (request: FastifyRequest, reply: FastifyReply, fileId: number) => Promise<FastifyReply>
/** The JSON answer of an operation; undefined means headers only. */
type OperationAnswer = object | undefined

const file = (fId: number) => ({ fType: 1, fId }) as const
const headerOf = (request: FastifyRequest, name: string): string => {
  const value = request.headers[name]
  return typeof value === 'string' ? value : ''
}
const hasHeader = (request: FastifyRequest, name: string): boolean => request.headers[name] !== undefined

/** Refuses a session token as a key: it allows more than an office page should. */
function onlyWithKey(work: FileWork): FileWork {
  const withKey =
    <C extends Context>(run: (context: C, input: Input) => Promise<OperationAnswer>) =>
    async (context: C, input: Input): Promise<OperationAnswer> =>
      actorOf(context).joined === input.fileId ? run(context, input) : fail('notLoggedIn')
  switch (work.kind) {
    case 'write':
      return { kind: work.kind, run: withKey(work.run) }
    case 'staged':
      return { kind: work.kind, run: withKey(work.run) }
    default:
      return { kind: work.kind, run: withKey(work.run) }
  }
}

/** Serves WOPI if an office server is set. */
export function serveWopi(app: FastifyInstance, parts: HostParts): void {
  const { db, blobs, contents, storedVersion, settings, office, now, perform, publicUrl } = parts

  /** Answers a request by an operation on the file of its key. */
  const operation =
    (name: string, gate: (input: Input) => readonly GateUse[], work: FileWork): Answer =>
    async (request, reply, fileId) => {
      const row = await db.selectFrom('item').select('parent_id').where('id', '=', fileId).executeTakeFirst()
      const input: Input = { fileId, folderId: row?.parent_id ?? 0 }
      const performed = await perform({
        operation: { name, auth: 'query', payload: 'none', gate, ...onlyWithKey(work) },
        request,
        reply,
        incoming: () => Promise.resolve({ input }),
      })
      if ('isCut' in performed || reply.raw.headersSent || reply.sent) return reply
      if ('code' in performed) {
        const status = statuses[performed.code] ?? 500
        if (status === 409 && !reply.hasHeader('x-wopi-lock')) reply.header('x-wopi-lock', '')
        return reply.status(status).header('x-wopi-servererror', performed.code).send()
      }
      const { data } = performed
      return data === undefined ? reply.status(200).send() : reply.status(200).type('application/json').send(data)
    }
  const reads = (fileId: number): readonly GateUse[] => [{ item: file(fileId), action: 'openTogether' }]
  const changes = (fileId: number, action: 'openTogether' | 'editTogether' | 'rename'): readonly GateUse[] => [
    { item: file(fileId), action, lock: 'change' },
  ]

  const contentOf = async (context: Context, fileId: number) => {
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
  const mayAddTo = async (context: Context, folderId: number): Promise<boolean> => {
    const folder = await accessTo(db, actorOf(context), { fType: 2, fId: folderId }, context.now)
    return folder !== undefined && denial(gates.upload, folder.facts) === undefined
  }

  const checkFileInfo = operation('wopiCheckFileInfo', ({ fileId }) => reads(fileId), {
    kind: 'read',
    async run(context, { fileId }) {
      const { request } = context
      const actor = actorOf(context)
      const access = context.item(file(fileId))
      const { row, facts, library, path: above } = access
      const { sha256, size, modifiedAt } = await contentOf(context, fileId)
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
      const mayAdd = canWrite && folderId !== 0 && (await mayAddTo(context, folderId))
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
        PostMessageOrigin: new URL(addressOf(request, publicUrl)).origin,
      }
    },
  })
  const getFile = operation('wopiGetFile', ({ fileId }) => reads(fileId), {
    kind: 'stream',
    async run(context, { fileId }) {
      const content = await contentOf(context, fileId)
      const most = Number(headerOf(context.request, 'x-wopi-maxexpectedsize') || Number.POSITIVE_INFINITY)
      if (content.size > most) return fail('duplicateOperation')
      context.reply.header('x-wopi-itemversion', String(content.version))
      await sendContent(context, contents, content, { whole: true })
      return undefined
    },
  })

  const take = operation('wopiLock', ({ fileId }) => changes(fileId, 'editTogether'), {
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
  const refresh = operation('wopiRefreshLock', ({ fileId }) => changes(fileId, 'editTogether'), {
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
  const unlock = operation('wopiUnlock', ({ fileId }) => changes(fileId, 'openTogether'), {
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
  const getLock = operation('wopiGetLock', ({ fileId }) => reads(fileId), {
    kind: 'read',
    async run(context, { fileId }) {
      const held = await sharedLock(context.db, fileId, context.now)
      if (held === undefined && context.item(file(fileId)).row.editor_id !== null) return locked(context, undefined)
      context.reply.header('x-wopi-lock', held ?? '')
      return undefined
    },
  })

  const putFile = operation('wopiPutFile', ({ fileId }) => [{ item: file(fileId), action: 'editTogether' }], {
    kind: 'staged',
    async run(context, { fileId }) {
      const { request, reply } = context
      const { accountId } = actorOf(context)
      const wanted = headerOf(request, 'x-wopi-lock')
      /** A file without a lock may get its first content; otherwise the lock it is edited under is required. */
      const check = async (reader: typeof db, row: { size: number; editor_id: number | null }): Promise<void> => {
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
      const stored = await storeVersion(context, blobs, {
        ...{ fileId, editors, content: readRaw(request.raw) },
        check: ({ row }, { tx }) => check(tx, row),
      })
      reply.header('x-wopi-itemversion', String(stored.version))
      return { LastModifiedTime: new Date(stored.modifyTime).toISOString() }
    },
  })

  const putRelative = operation(
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
          if (!overwrites) reply.header('x-wopi-validrelativetarget', toUtf7(await freeName(folderId, checked.name)))
          if (!overwrites) return fail('alreadyExists')
          // Sent if the operation is refused below.
          reply.header('x-wopi-lock', held ?? '')
        }
        const stored = await storeNewFile(context, blobs, {
          ...{ folderId, name: checked.name, content: readRaw(request.raw) },
          conflict: relative === '' ? 'keepBoth' : overwrites ? 'version' : 'refuse',
        })
        const made = { id: stored.fileId, parent_id: folderId }
        const { key } = await issueKey(context.db, actorOf(context), made, context.now)
        const address = `${addressOf(request, publicUrl)}/wopi/files/${stored.fileId}`
        return { Name: stored.fName, Url: `${address}?access_token=${encodeURIComponent(key)}` }
      },
    },
  )
  const freeName = async (folderId: number, name: string): Promise<string> => {
    for (let n = 2; n < 2 + nameBatch; n += 1) {
      const candidate = numberedName(name, n, { isFolder: false })
      if ((await holderOf(db, folderId, candidate)) === undefined) return candidate
    }
    return numberedName(name, now() % 1_000_000, { isFolder: false })
  }

  const renameFile = operation('wopiRenameFile', ({ fileId }) => changes(fileId, 'rename'), {
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

  const posted: Readonly<Record<string, Answer>> = {
    LOCK: take,
    UNLOCK: unlock,
    REFRESH_LOCK: refresh,
    GET_LOCK: getLock,
    PUT_RELATIVE: putRelative,
    RENAME_FILE: renameFile,
  }

  /** Whether the office server has signed a request. Its keys may have changed since they were read. */
  const isSigned = async (request: FastifyRequest): Promise<boolean> => {
    const { access_token: token } = request.query as { access_token?: unknown }
    const timestamp = headerOf(request, 'x-wopi-timestamp')
    if (typeof token !== 'string' || !isInTime(timestamp, now())) return false
    const signed: Signed = {
      ...{ token, timestamp, url: `${new URL(addressOf(request, publicUrl)).origin}${request.url}` },
      proof: headerOf(request, 'x-wopi-proof'),
      oldProof: headerOf(request, 'x-wopi-proofold'),
    }
    return isProven(signed, await office.discovery()) || isProven(signed, await office.refresh())
  }

  const answer =
    (choose: (request: FastifyRequest) => Answer | undefined) =>
    async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      reply.header('cache-control', 'no-store').header('x-wopi-machinename', 'cloudoc')
      const refuse = (status: number): FastifyReply => {
        if (!request.raw.complete) readRest(request.raw)
        return reply.status(status).send()
      }
      const { setting, inner } = await settings.current()
      if (setting.multi_edit_type !== MultiEdit.office || inner.office_server === '') return refuse(404)
      const { fileId = '' } = request.params as { fileId?: string }
      if (!/^[1-9]\d{0,14}$/.test(fileId)) return refuse(404)
      const { access_token: token } = request.query as { access_token?: unknown }
      if (typeof token !== 'string' || token === '') return refuse(401)
      // The protocol demands this status for an invalid proof.
      if (!(await isSigned(request).catch(() => false))) return refuse(500)
      const chosen = choose(request)
      return chosen === undefined ? refuse(501) : chosen(request, reply, Number(fileId))
    }

  app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, body, parsed) => parsed(null, body))
    const bodyLimit = Number.MAX_SAFE_INTEGER
    const override = (request: FastifyRequest): string => headerOf(request, 'x-wopi-override').toUpperCase()
    scope.route({ method: 'GET', url: path, handler: answer(() => checkFileInfo) })
    scope.route({ method: 'GET', url: `${path}/contents`, handler: answer(() => getFile) })
    scope.route({ method: 'POST', url: path, bodyLimit, handler: answer((request) => posted[override(request)]) })
    scope.route({
      ...{ method: 'POST', url: `${path}/contents`, bodyLimit },
      handler: answer((request) => (override(request) === 'PUT' ? putFile : undefined)),
    })
    done()
  })
}

/** Turns a suggested name into a valid one. */
function legalName(name: string): string {
  const plain = name.replace(/[\\/:*?"<>|\p{C}]/gu, '_').trim()
  return plain === '' ? '_' : plain
}

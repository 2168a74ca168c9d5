/*
 * A WOPI host (https://learn.microsoft.com/microsoft-365/cloud-storage-partner-program/rest): the file interface for
 * office servers. Every request is signed by the office server and runs as an operation, with the key of its user, its
 * gate and its codes. Only the form of requests and answers follows the protocol.
 */
import { type CodeName, fail, MultiEdit } from '@cloudoc/domain'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { readRest } from '../../core/call/body-time.ts'
import { actorOf, type Context } from '../../core/call/context.ts'
import type { Perform } from '../../core/call/operation.ts'
import type { Services } from '../../core/services.ts'
import type { Office } from './discovery.ts'
import { addressOf } from './index.ts'
import {
  checkFileInfo,
  type FileOperation,
  type FileWork,
  getFile,
  headerOf,
  type Input,
  type OperationAnswer,
  type OperationParts,
  postedOperations,
  putFile,
} from './operations.ts'
import { isInTime, isProven, type Signed } from './proof.ts'

const path = '/wopi/files/:fileId'

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

interface HostParts extends OperationParts, Pick<Services, 'settings'> {
  readonly perform: Perform
  readonly office: Office
}

type Answer = (request: FastifyRequest, reply: FastifyReply, fileId: number) => Promise<FastifyReply>

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
  const { db, settings, office, now, perform, publicUrl } = parts

  /** Answers requests by an operation on the file of their key. */
  const serve =
    ({ name, gate, work }: FileOperation): Answer =>
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
  const posted = new Map(
    Object.entries(postedOperations(parts)).map(([override, operation]) => [override, serve(operation)]),
  )
  const info = serve(checkFileInfo(parts))
  const content = serve(getFile(parts))
  const put = serve(putFile(parts))

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
    scope.route({ method: 'GET', url: path, handler: answer(() => info) })
    scope.route({ method: 'GET', url: `${path}/contents`, handler: answer(() => content) })
    scope.route({ method: 'POST', url: path, bodyLimit, handler: answer((request) => posted.get(override(request))) })
    scope.route({
      ...{ method: 'POST', url: `${path}/contents`, bodyLimit },
      handler: answer((request) => (override(request) === 'PUT' ? put : undefined)),
    })
    done()
  })
}

// Co-editing on an office server: keys, the redirect to the office page, and administration ([R172], [R182]).
import { createHash } from 'node:crypto'
import { features, type InstallationSetting } from '@cloudoc/contract'
import { ClientType, denial, fail, gates, isWindowsClient, LogBit, MultiEdit, ResultError } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Access } from '../../core/access.ts'
import type { AccountActor } from '../../core/actor.ts'
import { actorOf, type Context, type WriteContext } from '../../core/call/context.ts'
import { localeOf, messageFor } from '../../core/call/dispatcher.ts'
import { implement } from '../../core/call/implement.ts'
import type { Services } from '../../core/services.ts'
import { recordRecent } from '../../drive/recent/index.ts'
import { issueLoginKey, limitHandOuts } from '../../people/auth/index.ts'
import { type Discovery, type Office, pageAddress } from './discovery.ts'
import { issueKey } from './keys.ts'
import { keyLifeMs } from './shared-lock.ts'

export { officeOrigin } from './discovery.ts'
export {
  coeditLock,
  endSharedLocks,
  forceSharedLock,
  hasJoined,
  keyLifeMs,
  recordEditor,
  sharedLock,
  sharingNow,
  takeSharedLock,
} from './shared-lock.ts'

const mostListed = 1000
const file = (fId: number) => ({ fType: 1, fId }) as const

/** The address of this server for browsers and for the office server. */
export const addressOf = ({ protocol, host }: Context['request'], publicUrl: string | undefined): string =>
  publicUrl?.replace(/\/+$/, '') ?? `${protocol}://${host}`

/** Refuses files that cannot be co-edited. */
export function checkKind({ setting, inner }: InstallationSetting, ext: string): void {
  if (setting.multi_edit_type !== MultiEdit.office || inner.office_server === '') fail('officeNotSetUp')
  if (!inner.preview_multi_edit.includes(ext.toLowerCase())) fail('conversionUnsupported')
}

/** Whether the caller may change a file on the office page. */
export const mayEdit = ({ facts }: Pick<Access, 'facts'>): boolean => denial(gates.editTogether, facts) === undefined

/**
 * With `security_edit`, people who may not download edit in a sandbox on Windows ([R148]). It needs a driver that does
 * not exist (X42), so they are refused there, and their page offers the secure view.
 */
function checkSandbox({ request }: Pick<Context, 'request'>, { settings }: AccountActor, access: Access): void {
  if (!settings.setting.security_edit || !isWindowsClient(request.headers)) return
  if (mayEdit(access) && denial(gates.download, access.facts) !== undefined) fail('sandboxMissing')
}

interface Parts extends Pick<Services, 'publicUrl' | 'sees'> {
  readonly office: Office
}

export function wopiHandlers({ publicUrl, sees, office }: Parts) {
  return implement(features.wopi.calls, {
    async createEditKey(context, { fileId, local }) {
      const actor = actorOf(context)
      if (local) return { ...(await localKey(context, actor)), canWrite: true }
      const access = context.item(file(fileId))
      checkKind(actor.settings, access.row.ext)
      checkSandbox(context, actor, access)
      const canWrite = mayEdit(access)
      context.audit({ log: canWrite ? LogBit.startEdit : LogBit.preview })
      await recordRecent(context.tx, actor.accountId, [fileId], canWrite ? 'edit' : 'open', context.now)
      return { ...(await issueKey(context.tx, actor, access.row, context.now)), canWrite }
    },

    async getWopiLockFileIdList(context) {
      const { db, now } = context
      const actor = actorOf(context)
      const { rows } = await sql<{ id: number }>`
        select item_id as id from shared_edit where until > ${now} order by since desc limit ${mostListed}`.execute(db)
      const seen = await sees(
        db,
        rows.map(({ id }) => ({ actor, item: file(id) })),
      )
      return { list: rows.flatMap(({ id }, n) => (seen[n] === true ? [id] : [])) }
    },

    async multiEditPage(context, { fileId }) {
      const { reply, request, now } = context
      const actor = actorOf(context)
      const access = context.item(file(fileId))
      const page = (policy: string, html: string): void => {
        void reply
          .status(200)
          .type('text/html; charset=utf-8')
          .header('content-security-policy', `default-src 'none'; base-uri 'none'; frame-ancestors 'self'; ${policy}`)
          .header('referrer-policy', 'no-referrer')
          .header('cache-control', 'no-store')
          .send(`<!doctype html><meta charset="utf-8"><title>${escaped(access.row.name)}</title>${html}`)
      }
      try {
        checkKind(actor.settings, access.row.ext)
        checkSandbox(context, actor, access)
        const found = await office.discovery()
        const source = `${addressOf(request, publicUrl)}/wopi/files/${fileId}`
        const address = addressFor(found, access, source, localeOf(request) === 'zh' ? 'zh-CN' : 'en-US')
        const { access_token: presented } = request.query as { access_token?: string }
        const isKey = actor.joined === fileId && presented !== undefined
        const { key, expiresAt } = isKey
          ? { key: presented, expiresAt: now + keyLifeMs }
          : await issueKey(context.db, actor, access.row, now)
        const script = 'document.forms[0].submit()'
        const allowed = `script-src 'sha256-${createHash('sha256').update(script).digest('base64')}'`
        page(
          `${allowed}; form-action ${found.origin}`,
          `<form method="post" action="${escaped(address)}"><input type="hidden" name="access_token" value="${escaped(key)}"><input type="hidden" name="access_token_ttl" value="${expiresAt}"></form><script>${script}</script>`,
        )
      } catch (error) {
        if (!(error instanceof ResultError)) throw error
        const words = messageFor(error.code, error.detail, localeOf(request))
        page('', `<p role="alert">${escaped(words)}</p>`)
      }
    },

    async testOfficeServer(context) {
      const { inner } = actorOf(context).settings
      const { edit } = await office.ask()
      const edits = inner.preview_multi_edit.filter((ext) => edit.has(ext))
      return { edits, others: edit.size - edits.length }
    },
  })
}

/** The login key for a program on the caller's machine. The lock that it takes is its own. */
async function localKey(
  { tx, now, address }: WriteContext,
  actor: AccountActor,
): Promise<{ key: string; expiresAt: number }> {
  if (!actor.settings.setting.local_edit) fail('noPermission')
  await limitHandOuts(tx, 'loginKey', address, now)
  return issueLoginKey(tx, actor, now, ClientType.editLock)
}

/** The office page for a file: to edit or to view it. */
function addressFor({ edit, view }: Discovery, access: Access, source: string, locale: string): string {
  const ext = access.row.ext.toLowerCase()
  const address = mayEdit(access) ? edit.get(ext) : (view.get(ext) ?? edit.get(ext))
  return address === undefined ? fail('conversionUnsupported') : pageAddress(address, source, locale)
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`)

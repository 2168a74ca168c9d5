// LOCK, UNLOCK and PROPPATCH.
import { randomUUID } from 'node:crypto'
import { fail, hasRight } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Access } from '../../core/access.ts'
import { isEditor } from '../../drive/tree/index.ts'
import { hrefOf } from './addresses.ts'
import { type DavExchange, refuse, refuseBy } from './exchange.ts'
import { parseIf, tokensOf } from './if-header.ts'
import { activeLock, type DavLock, locksOver, timeoutOf } from './locks.ts'
import { instructionsOf, isKnown, patch, propstat } from './properties.ts'
import { isFolder } from './resources.ts'
import { childOf, childrenOf, type Element, escapeXml, writeElement, writeXml, xmlHead } from './xml.ts'

/** Whether the caller may change what a lock would reserve. */
const mayChange = ({ row, facts }: Access): boolean => hasRight(facts.rights, row.f_type === 1 ? 'modify' : 'upload')

/** Takes a lock, or renews one. Where nothing stands an empty file is made first. */
export async function lock(exchange: DavExchange): Promise<void> {
  const body = await exchange.body()
  return body === undefined ? renew(exchange) : take(exchange, body)
}

async function take(exchange: DavExchange, body: Element): Promise<void> {
  const scopes = childrenOf(childOf(body, 'lockscope')).map(({ name }) => name)
  if (body.name !== 'lockinfo' || scopes.length !== 1 || childOf(childOf(body, 'locktype'), 'write') === undefined)
    refuse(400)
  const shared = scopes[0] === 'shared'
  const depth = (exchange.header('depth') ?? 'infinity').toLowerCase()
  if (depth !== '0' && depth !== 'infinity') refuse(400)
  const found = await exchange.look(async (sight) => {
    const { target, actor } = sight
    if (target.isRoot) return refuse(403)
    const { item } = target
    if (item !== undefined) {
      if (!mayChange(item)) return refuse(403)
      const { editor_id } = item.row
      // Whoever edits it in the page may lock it in a program too.
      const isOwnElsewhere = editor_id === actor.accountId && !isEditor(item.row, actor)
      return { id: item.row.id, isFile: item.row.f_type === 1, isOwnElsewhere, parentId: 0 }
    }
    const parent = target.parent ?? refuse(409)
    await exchange.assertUnlocked(sight, target, { memberOf: parent })
    return { id: 0, isFile: true, isOwnElsewhere: false, parentId: parent.row.id }
  })
  const made = found.id === 0
  const fileName = exchange.names.at(-1) ?? ''
  const id = made
    ? (
        await exchange.call(
          'uploadRaw',
          { folderId: found.parentId, fileName, conflict: 'refuse' },
          { fileName: '', content: nothing() },
        )
      ).fileId
    : found.id
  const token = `urn:uuid:${randomUUID()}`
  const takesEditLock = found.isFile && !shared && !found.isOwnElsewhere
  const owner = childOf(body, 'owner')
  const row = await exchange.write(async ({ tx, now }, actor) => {
    // Of two who ask at once the second waits here, and then sees the lock of the first.
    await sql`select 1 from item where id = ${id} for no key update`.execute(tx)
    const [item] = await exchange.parts.meet(tx, [{ actor, item: { fType: found.isFile ? 1 : 2, fId: id } }])
    const others = await locksOver(tx, item ?? fail('notFound'), { withInside: depth === 'infinity' }, now)
    if (others.some((other) => !shared || !other.shared)) refuseBy(423, 'no-conflicting-lock')
    const made: DavLock = {
      ...{ token, item_id: id, account_id: actor.accountId, session_id: actor.sessionId },
      ...{ deep: depth === 'infinity', shared, owner: owner === undefined ? '' : insideOf(owner) },
      expires_at: now + timeoutOf(exchange.header('timeout')),
    }
    await tx.insertInto('dav_lock').values(made).execute()
    return made
  })
  if (takesEditLock) {
    try {
      await exchange.call('fileEditLock', { fileId: id })
    } catch (error) {
      await exchange.write(({ tx }) => tx.deleteFrom('dav_lock').where('token', '=', token).execute())
      throw error
    }
  }
  exchange.reply.header('lock-token', `<${token}>`)
  await sendLock(exchange, row, made ? 201 : 200)
}

async function* nothing(): AsyncIterable<Uint8Array> {}

const longestOwner = 4000

function insideOf(owner: Element): string {
  const inside = owner.children
    .map((child) => (typeof child === 'string' ? escapeXml(child) : writeXml(child)))
    .join('')
  return inside.length > longestOwner ? refuse(400) : inside
}

async function renew(exchange: DavExchange): Promise<void> {
  const lists = parseIf(exchange.header('if') ?? '') ?? refuse(400)
  const tokens = new Set(tokensOf(lists))
  const item = await exchange.look(({ target }) => Promise.resolve(target.item ?? refuse(404)))
  const held = await exchange.write(async ({ tx, now }, { accountId }) => {
    const covering = await locksOver(tx, item, {}, now)
    const own = covering.find(({ token, account_id }) => tokens.has(token) && account_id === accountId)
    if (own === undefined) return refuse(412)
    const expires_at = now + timeoutOf(exchange.header('timeout'))
    await tx.updateTable('dav_lock').set({ expires_at }).where('token', '=', own.token).execute()
    return { ...own, expires_at }
  })
  const { id, f_type, editor_id, editor_session } = item.row
  // The page with which it shared the edit lock may have given that back.
  const isFree = editor_id === null || editor_session === held.session_id
  if (f_type === 1 && !held.shared && held.item_id === id && isFree) await exchange.call('fileEditLock', { fileId: id })
  await sendLock(exchange, held, 200)
}

async function sendLock(exchange: DavExchange, held: DavLock, status: number): Promise<void> {
  const { reply, names, parts } = exchange
  const active = activeLock(held, hrefOf(names, false), parts.now())
  const text = `${xmlHead}<d:prop xmlns:d="DAV:">${writeElement('DAV:', 'lockdiscovery', active)}</d:prop>`
  await reply.status(status).type('application/xml; charset=utf-8').send(text)
}

/** Gives a lock back. */
export async function unlock(exchange: DavExchange): Promise<void> {
  const token = /^<(.+)>$/.exec(exchange.header('lock-token') ?? '')?.[1] ?? refuse(400)
  const { item, held } = await exchange.look(async ({ target, context, actor }) => {
    const item = target.item ?? refuse(404)
    const covering = await locksOver(context.db, item, {}, context.now)
    const held = covering.find((one) => one.token === token) ?? refuseBy(409, 'lock-token-matches-request-uri')
    return held.account_id === actor.accountId ? { item, held } : refuse(403)
  })
  await exchange.write(({ tx }) => tx.deleteFrom('dav_lock').where('token', '=', token).execute())
  const { row } = item
  const isLocked = row.f_type === 1 && row.id === held.item_id && row.editor_session === held.session_id
  if (isLocked && !held.shared) await exchange.call('fileEditUnlock', { fileId: row.id })
  await exchange.reply.status(204).send()
}

/** Stores and removes properties of clients, all or none. */
export async function proppatch(exchange: DavExchange): Promise<void> {
  const instructions = instructionsOf((await exchange.body()) ?? refuse(400))
  const { item, isDirectory } = await exchange.look(async (sight) => {
    const item = sight.target.item ?? refuse(sight.target.isRoot ? 403 : 404)
    if (!mayChange(item)) return refuse(403)
    await exchange.assertUnlocked(sight, sight.target)
    return { item, isDirectory: isFolder(sight.target) }
  })
  const named = instructions.map(({ property: { ns, name } }) => ({ ns, name, isKnown: isKnown(ns, name) }))
  const isRefused = named.some((one) => one.isKnown)
  if (!isRefused) await exchange.write(({ tx }) => patch(tx, item.row.id, instructions))
  const props = (known: boolean): string[] =>
    named.filter((one) => one.isKnown === known).map(({ ns, name }) => writeElement(ns, name, ''))
  const parts = isRefused ? propstat(props(true), 403) + propstat(props(false), 424) : propstat(props(false), 200)
  const href = writeElement('DAV:', 'href', escapeXml(hrefOf(exchange.names, isDirectory)))
  const text = `${xmlHead}<d:multistatus xmlns:d="DAV:">${writeElement('DAV:', 'response', href + parts)}</d:multistatus>`
  await exchange.reply.status(207).type('application/xml; charset=utf-8').send(text)
}

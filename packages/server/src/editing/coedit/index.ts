// Co-editing in the page ([R148], [R397]): joining, changes, presence and versions.
import { randomInt } from 'node:crypto'
import { features, type InstallationSetting } from '@cloudoc/contract'
import { denial, fail, gates, ItemStatusBit, LogBit, limits, MultiEdit, ResultError } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Access } from '../../core/access.ts'
import { actorOf, type WriteContext } from '../../core/call/context.ts'
import { implement } from '../../core/call/implement.ts'
import type { Tx } from '../../core/db/database.ts'
import type { Rooms } from '../../core/push/index.ts'
import { recordRecent } from '../../drive/recent/index.ts'
import { itemEvent } from '../../drive/tree/index.ts'
import { lockChanged } from '../locks/index.ts'
import { coeditLock, keyLifeMs, recordEditor, sharedLock, takeSharedLock } from '../wopi/index.ts'
import type { Codec, Encoding } from './codec.ts'
import { codecFor, codecNamed } from './codecs.ts'
import { type DocumentRow, documentRows, lacking, seeded } from './documents.ts'
import type { createEditing } from './edits.ts'
import { coeditedFiles, leave, memberOf, presentIn, recordPresence, renew, renewPresence } from './session.ts'
import { changeStructure, type StructureParts } from './structure.ts'
import { type StructureKind, sheetStructure, slidesStructure } from './structure-kinds.ts'

const file = (fId: number) => ({ fType: 1, fId }) as const
const mostClients = 10_000
const byOffice = { zh: '正在 Office 服务器上编辑', en: 'it is edited on an office server' }
const byMany = { zh: `最多 ${limits.togetherPeople} 人同时编辑`, en: `${limits.togetherPeople} people at most edit it` }

interface Parts extends StructureParts {
  readonly editing: ReturnType<typeof createEditing>
  readonly broadcast: Rooms
}

/** The initial state of a new document from a content, and the version of that content. */
interface Seed extends NonNullable<Awaited<ReturnType<typeof seeded>>> {
  readonly version: number
}

/** Another version was stored meanwhile. */
const isOlder = Symbol('the content is not the newest any more')

/** Refuses files that cannot be co-edited in the page. */
function checkKind({ setting }: InstallationSetting, { row }: Access): Codec {
  const shape = setting.multi_edit_type === MultiEdit.here ? codecFor(row.ext) : undefined
  if (shape === undefined) return fail('conversionUnsupported')
  return row.size > shape.mostBytes ? fail('fileSizeExceeded') : shape
}

export function coeditHandlers({ editing, broadcast, ...building }: Parts) {
  const { documents, makeVersion, contentOf } = building
  /** The document continues if it is based on the file's newest version or has changes not yet in a version. */
  const goesOn = (row: DocumentRow | undefined, version: number): row is DocumentRow =>
    row !== undefined && (row.version === version || row.seq > row.savedSeq)

  const begin = async (tx: Tx, fileId: number, { state, form, version }: Seed, now: number): Promise<void> => {
    await tx.deleteFrom('together_document').where('item_id', '=', fileId).execute()
    await sql`
      insert into together_document (item_id, generation, version, form, state, state_seq, seq, saved_seq, stamp, touched_at)
      values (${fileId}, nextval('together_generation'), ${version}, ${JSON.stringify(form)}::jsonb, ${Buffer.from(state)},
        0, 0, 0, ${randomInt(1, 2 ** 47)}, ${now})`.execute(tx)
  }

  return implement(features.coedit.calls, {
    async joinTogether(context, { fileId, generation, client, vector }) {
      const actor = actorOf(context)
      for (;;) {
        const access = context.item(file(fileId))
        const shape = checkKind(actor.settings, access)
        const newest = await context.db
          .selectFrom('item')
          .select('version')
          .where('id', '=', fileId)
          .executeTakeFirstOrThrow()
        const there = (await documentRows(context.db, [fileId], { lock: false })).get(fileId)
        let seed: Seed | undefined
        if (!goesOn(there, newest.version)) {
          if (generation > 0) return fail('fileConflict')
          const content = (await contentOf(fileId, newest.version)) ?? fail('versionMissing')
          const made = (await seeded(shape, content)) ?? fail('conversionUnsupported')
          seed = { ...made, version: newest.version }
        }
        const joined = await context.commit(async (write) => {
          const { tx, now } = write
          const before = write.item(file(fileId))
          let row = (await documentRows(tx, [fileId], { lock: true })).get(fileId)
          if (!goesOn(row, before.row.version)) {
            if (generation > 0) return fail('fileConflict')
            if (seed?.version !== before.row.version) return isOlder
            await begin(tx, fileId, seed, now)
            row = (await documentRows(tx, [fileId], { lock: true })).get(fileId)
          }
          if (row === undefined || (generation > 0 && row.generation !== generation)) return fail('fileConflict')
          const canWrite = await takeLock(write, before)
          const own = await clientFor(tx, fileId, actor.accountId, client)
          const people = (await presentIn(tx, [fileId], now)).get(fileId) ?? []
          if (people.length >= limits.togetherPeople && !people.some((one) => one.client === own))
            return fail('fileLocked', byMany)
          const { accountId, sessionId } = actor
          const isNew = !people.some(({ userId, canWrite: writes }) => userId === actor.accountId && writes)
          if (canWrite && isNew) write.event(lockChanged(before.row))
          await recordPresence(tx, { fileId, client: own, accountId, sessionId, cursor: '', canWrite }, now)
          if (canWrite) await recordEditor(tx, fileId, accountId, now + keyLifeMs)
          if (own !== client) {
            write.audit({ log: canWrite ? LogBit.startEdit : LogBit.preview })
            await recordRecent(tx, accountId, [fileId], canWrite ? 'edit' : 'open', now)
          }
          const members = (await presentIn(tx, [fileId], now)).get(fileId) ?? []
          const { doc } = await documents.at(tx, row)
          const update = Buffer.from(lacking(doc, Buffer.from(vector, 'base64'))).toString('base64')
          const { seq, version, savedSeq, form } = row
          return {
            ...{ generation: row.generation, client: own, update, seq, canWrite, version, savedSeq },
            ...{
              shape: codecNamed(form.shape).name,
              form: encodingAnswer(form),
              members: members.map(memberOf),
              turns: row.turns.map(({ made: _, ...turn }) => turn),
            },
          }
        })
        if (joined === isOlder) continue
        broadcast.changed(fileId)
        return joined
      }
    },

    async editTogether(context, { fileId, generation, client, update }) {
      const change = Buffer.from(update, 'base64')
      const stored = await context.commitShared(editing, { fileId, generation, client, change })
      broadcast.changed(fileId)
      return stored
    },

    async presentTogether(context, { fileId, generation, client, cursor, leaves }) {
      const { accountId, sessionId } = actorOf(context)
      const there = await context.commit(async (write) => {
        const { tx, now } = write
        const { facts } = write.item(file(fileId))
        const row = (await documentRows(tx, [fileId], { lock: false })).get(fileId)
        if (row?.generation !== generation) throw new ResultError('fileConflict')
        await ownClient(tx, fileId, accountId, client)
        const isOpen = (await coeditedFiles(tx, [fileId], now)).has(fileId)
        const canWrite = isOpen && !leaves && denial(gates.editHere, facts) === undefined
        const refused = leaves ? undefined : denial(gates.download, facts)
        if (refused !== undefined) return fail(refused)
        if (leaves) {
          if (await leave(tx, fileId, client)) write.event(lockChanged(write.item(file(fileId)).row))
        } else await recordPresence(tx, { fileId, client, accountId, sessionId, cursor, canWrite }, now)
        if (canWrite) await renew(tx, fileId, now)
        const present = (await presentIn(tx, [fileId], now)).get(fileId) ?? []
        const { seq, version, savedSeq } = row
        return { seq, canWrite, version, savedSeq, members: leaves ? [] : present.map(memberOf), present }
      })
      const { present, ...answer } = there
      const stored = leaves && !present.some(({ canWrite }) => canWrite) ? await makeVersion(fileId) : undefined
      broadcast.changed(fileId)
      return { ...answer, ...stored }
    },

    async saveTogether(context, { fileId, generation }) {
      await context.commit(async ({ tx, now }) => {
        const row = (await documentRows(tx, [fileId], { lock: false })).get(fileId)
        if (row?.generation !== generation) fail('fileConflict')
        if (!(await coeditedFiles(tx, [fileId], now)).has(fileId)) fail('noEditLock')
      })
      const stored = (await makeVersion(fileId)) ?? fail('fileConflict')
      broadcast.changed(fileId)
      return stored
    },

    async buildTogether(context, { fileId, generation, client, change: asked }) {
      const shape = await context.commit(async ({ tx, now }) => {
        await ownClient(tx, fileId, actorOf(context).accountId, client)
        // Renews presence, so that making a version first does not end the lock.
        await renewPresence(tx, fileId, client, now)
        const row = (await documentRows(tx, [fileId], { lock: false })).get(fileId)
        return row === undefined ? fail('fileConflict') : row.form['shape']
      })
      const where = { fileId, generation, client }
      const make = <Change, Entry>(kind: StructureKind<Change, Entry>) =>
        changeStructure(context, building, where, { kind, change: kind.parse(asked) ?? fail('badRequest', 'change') })
      const built = await (shape === slidesStructure.shape ? make(slidesStructure) : make(sheetStructure))
      broadcast.changed(fileId)
      return built
    },
  })
}

const encodingAnswer = ({ encoding = '', hasMark, end = '' }: Encoding) => ({
  encoding: String(encoding),
  hasMark: hasMark === true,
  end: String(end),
})

/** Takes the shared lock if the caller may write; returns false if they can only read. */
async function takeLock(context: WriteContext, { row, facts }: Access): Promise<boolean> {
  const { tx, now } = context
  const held = await sharedLock(tx, row.id, now)
  if (held !== undefined && held !== coeditLock) return fail('fileLocked', byOffice)
  if (denial(gates.editHere, facts) !== undefined) return false
  if (held === coeditLock) await renew(tx, row.id, now)
  if (held === coeditLock) return true
  if (!(await takeSharedLock(tx, row.id, coeditLock, now))) return fail('fileLocked', row.editor ?? '')
  // Readers may have opened the document before, without a lock.
  if ((row.status & ItemStatusBit.editMulti) === 0) context.event(itemEvent(row, 'edit', actorOf(context).name))
  return true
}

/** The client id of a sender: the previous one, or a new one. */
async function clientFor(tx: Tx, fileId: number, accountId: number, before: number): Promise<number> {
  if (before > 0) {
    await ownClient(tx, fileId, accountId, before)
    return before
  }
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from together_client where item_id = ${fileId}`.execute(tx)
  if ((rows[0]?.n ?? 0) >= mostClients) return fail('fileLocked', byMany)
  const client = randomInt(1, 2 ** 32)
  await tx.insertInto('together_client').values({ item_id: fileId, client, account_id: accountId }).execute()
  return client
}

/** Refuses a client id that belongs to another account. */
async function ownClient(tx: Tx, fileId: number, accountId: number, client: number): Promise<void> {
  const row = await tx
    .selectFrom('together_client')
    .select('account_id')
    .where('item_id', '=', fileId)
    .where('client', '=', client)
    .executeTakeFirst()
  if (row?.account_id !== accountId) fail('badRequest', 'client')
}

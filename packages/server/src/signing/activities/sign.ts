/*
 * One signer signs: the places of theirs are filled, each signature an incremental update of the revision that they have
 * seen. The signature is computed before the transaction, which stores it only if nothing has changed since: a process
 * that ends in between leaves the file as it was.
 */
import { fail, SignState } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Contents } from '../../core/blobs/contents.ts'
import { actorOf, type StagedContext, type WriteContext, whileAsked } from '../../core/call/context.ts'
import type { Services } from '../../core/services.ts'
import {
  appendEvidence,
  type BaseField,
  drawStamp,
  endOf,
  type FilledText,
  sliceOf,
  unprintable,
} from '../../documents/signing/index.ts'
import { contentRow, persist, storeAtomically } from '../../drive/content/index.ts'
import { confirmCaller } from '../../people/auth/index.ts'
import { companyKey, keyOf, signPdf, type UsableKey } from '../certificates/index.ts'
import { logSealUse, ownSignature, usableSeal } from '../signatures/index.ts'
import { advance, assertMaySign, conclude, settle } from './acts.ts'
import { askedBy, signerFor } from './askable.ts'
import { bytesOf, only } from './launch.ts'
import {
  type ActivityRow,
  authorOfEntry,
  changed,
  type FieldRow,
  fieldsOf,
  isExternal,
  lockActivity,
  notify,
  readActivity,
  record,
  revisionOf,
  signersOf,
} from './rows.ts'
import { type Trust, trustFor } from './trust.ts'

export type SigningParts = Pick<Services, 'blobs' | 'settings' | 'contributed' | 'secrets' | 'pause' | 'publicUrl'> & {
  readonly contents: Contents
}

/** What the signer sends. */
export interface ToBeSigned {
  readonly activityId: number
  readonly revision: number
  readonly signatureId?: number | undefined
  readonly sealId?: number | undefined
  readonly texts: readonly { readonly fieldId: number; readonly text: string }[]
  readonly comments: string
  readonly password?: string | undefined
  readonly factorCode?: string | undefined
}

const two = (n: number): string => String(n).padStart(2, '0')

/** A time with its offset: the same instant in the stamp, the course and the evidence. */
export function stampTime(at: number): string {
  const day = new Date(at)
  const offset = -day.getTimezoneOffset()
  const zone = `${offset < 0 ? '-' : '+'}${two(Math.floor(Math.abs(offset) / 60))}:${two(Math.abs(offset) % 60)}`
  const date = `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`
  return `${date} ${two(day.getHours())}:${two(day.getMinutes())} ${zone}`
}

const placeOf = (row: ActivityRow, { number }: FieldRow): BaseField =>
  row.layout.fields[number] ?? fail('versionMissing')

interface Pictures {
  readonly signature: Buffer | undefined
  readonly seal: Buffer | undefined
}

/** Fills the places of a signer. Returns the next revision and its number of objects. */
async function fill(
  row: ActivityRow,
  bytes: Buffer,
  signer: {
    readonly name: string
    readonly fields: readonly FieldRow[]
    readonly texts: ToBeSigned['texts']
    readonly pictures: Pictures
    readonly key: UsableKey
    /** By which seals sign, if the company has a certificate of its own. */
    readonly sealKey: UsableKey
    readonly at: number
    readonly reason: string
    /** Time stamps and what issuers say of the certificates. */
    readonly trust: Trust
    /** The role or the person in whose place they sign. */
    readonly signsFor: string
  },
): Promise<{ bytes: Buffer; size: number }> {
  const { trust } = signer
  const { name, fields, texts, pictures, key, sealKey, at, reason, signsFor } = signer
  const shownName = signsFor === '' ? name : `${name}（代 ${signsFor}）`
  const filled: FilledText[] = []
  for (const one of fields.filter(({ kind }) => kind === 'date' || kind === 'text')) {
    const said = texts.find(({ fieldId }) => fieldId === one.id)?.text.trim() ?? ''
    const text = one.kind === 'date' ? stampTime(at).slice(0, 10) : said
    if (text === '') return fail('badRequest', { zh: '还有文字没填', en: 'texts: a place of text is empty' })
    const [rare] = unprintable(text)
    if (rare !== undefined)
      return fail('badRequest', {
        zh: `“${rare}”这个字无法写进文件，请换一个写法`,
        en: `texts: “${rare}” cannot be drawn into the file, write it another way`,
      })
    const field = placeOf(row, one)
    filled.push({ field, text, stamp: await drawStamp(uprightOf(field), { picture: undefined, lines: [text] }) })
  }
  let next = { bytes, size: row.objects }
  const signed = fields.filter(({ kind }) => kind === 'signature' || kind === 'seal')
  for (const [n, one] of signed.entries()) {
    const field = placeOf(row, one)
    const picture = one.kind === 'seal' ? pictures.seal : pictures.signature
    if (one.kind === 'seal' && picture === undefined)
      return fail('badRequest', { zh: '请选择印章', en: 'sealId: a seal is needed' })
    const lines = one.kind === 'seal' ? [] : [shownName, stampTime(at)]
    const count = field.slice?.count ?? 1
    const { width, height } = uprightOf(field)
    const whole = await drawStamp({ width: width * count, height }, { picture, lines })
    const stamp = field.slice === undefined ? whole : sliceOf(whole, field.slice)
    const marks = row.layout.fields
      .filter(({ of }) => of === one.number)
      .map((mark) => ({
        ...{ field: mark, text: undefined },
        stamp: mark.slice === undefined ? whole : sliceOf(whole, mark.slice),
      }))
    next = await signPdf(next.bytes, {
      ...{ layout: row.layout, size: next.size, field, stamp, at, signer: name, reason },
      key: (one.kind === 'seal' ? sealKey : key).key,
      stamping: trust.stamping,
      texts: n === 0 ? [...filled, ...marks] : marks,
    })
  }
  const evidence =
    trust.evidence === undefined
      ? undefined
      : appendEvidence(next.bytes, row.layout, endOf(next.bytes, next.size), trust.evidence)
  return evidence ?? next
}

/** The size of a place as it is shown. */
const uprightOf = ({ place, turn }: BaseField) =>
  turn % 180 === 0 ? place : { width: place.height, height: place.width }

/** Who signs, with or without an account. */
interface Signatory {
  readonly signerId: number
  readonly name: string
  readonly mail: string
  /** How they were identified. */
  readonly how: string
  readonly accountId: number | null
  readonly pictures: Pictures
  /** Checks once more, in the transaction that stores the signature, that it is them and that they may use the seal. */
  readonly holds: (write: WriteContext) => Promise<void>
  /** Logs what was used. */
  readonly stored: (write: WriteContext) => Promise<void>
}

/** A signer with an account signs. Returns the number of the new revision and the state as the signer is told. */
export async function sign(context: StagedContext, parts: SigningParts, asked: ToBeSigned, call: string) {
  const { db, now, address } = context
  const { accountId, name } = actorOf(context)
  const row = await readActivity(db, asked.activityId)
  const signer = (await signerFor(db, actorOf(context), row.id, now)) ?? fail('notFound')
  assertMaySign(row, signer, { revision: asked.revision, accountId, now })
  const confirmed = await confirmCaller(context, parts, asked, call)
  const fields = await fieldsOf(db, row.id, signer.id)
  const needsSeal = fields.some(({ kind }) => kind === 'seal') && asked.sealId !== undefined
  const seal = needsSeal ? await usableSeal(db, actorOf(context), asked.sealId ?? 0) : undefined
  const use = { sealId: asked.sealId ?? 0, accountId, title: row.title, at: now, address }
  if (seal !== undefined) await logSealUse(db, { ...use, isDone: false })
  const mail = await db.selectFrom('account').select('email').where('id', '=', accountId).executeTakeFirst()
  return signAs(context, parts, asked, {
    ...{ signerId: signer.id, accountId, name, mail: mail?.email ?? '', how: confirmed.how },
    pictures: {
      signature: asked.signatureId === undefined ? undefined : await ownSignature(db, accountId, asked.signatureId),
      seal: seal?.picture,
    },
    async holds(write) {
      await confirmed.holds(write)
      // A role may have been taken away, and a stand-in may have ended.
      const still = await signerFor(write.tx, actorOf(write), row.id, write.now)
      if (still?.id !== signer.id) fail('notFound')
      if (seal !== undefined) await usableSeal(write.tx, actorOf(write), asked.sealId ?? 0)
    },
    async stored({ tx }) {
      if (seal !== undefined) await logSealUse(tx, { ...use, isDone: true })
    },
  })
}

/** Signs for somebody who was identified. */
export async function signAs(context: StagedContext, parts: SigningParts, asked: ToBeSigned, who: Signatory) {
  const { db, now, address } = context
  const row = await readActivity(db, asked.activityId)
  const set = await parts.settings.current()
  const fields = await fieldsOf(db, row.id, who.signerId)
  const key = await keyOf(db, parts.secrets, who, now, parts.publicUrl)
  const sealKey = fields.some(({ kind }) => kind === 'seal') ? await companyKey(db, parts.secrets, now) : undefined
  const signedFor = (await signersOf(db, row.id)).find(({ id }) => id === who.signerId) ?? fail('notFound')
  const chains = [key.key.chain, ...(sealKey === undefined ? [] : [sealKey.key.chain])]
  const trust = await whileAsked(context, (signal) =>
    trustFor(set, chains, { at: now, signal, publicUrl: parts.publicUrl }),
  )
  const before = await bytesOf(parts.contents, await revisionOf(db, row.id, asked.revision))
  const next = await fill(row, before, {
    trust,
    ...{ name: who.name, fields, texts: asked.texts, pictures: who.pictures, key, at: now, reason: asked.comments },
    sealKey: sealKey ?? key,
    signsFor: signedFor.account_id === who.accountId ? '' : signedFor.name,
  })
  const content = await persist(await parts.blobs.stage(only(next.bytes)))
  await parts.pause('signed')
  return storeAtomically(context, parts.blobs, [content], async (write) => {
    const { tx } = write
    const locked = await lockActivity(tx, row.id)
    const signer = (await signersOf(tx, row.id)).find(({ id }) => id === who.signerId) ?? fail('notFound')
    assertMaySign(locked, signer, { revision: asked.revision, accountId: who.accountId, now: write.now })
    if (who.accountId === null && !isExternal(signer)) fail('notFound')
    await who.holds(write)
    const people = await askedBy(tx, row, [signer], write.now)
    const actedBy = who.accountId === signer.account_id ? null : who.accountId
    const blob = await contentRow(tx, content, now)
    const certificateId = await key.store(tx, now)
    await sealKey?.store(tx, now)
    const number = locked.revision + 1
    await tx
      .insertInto('sign_revision')
      .values({
        ...{ activity_id: row.id, number, blob_id: blob.id, size: content.size, sha256: content.sha256 },
        created_at: now,
      })
      .execute()
    await sql`
      update sign_signer set state = 'signed', acted_by = ${actedBy}, acted_at = ${now}, comments = ${asked.comments}, address = ${address},
        proof = ${who.how}, level = ${trust.level()}, certificate_id = ${certificateId} where id = ${signer.id}`.execute(
      tx,
    )
    await sql`
      update sign_activity set revision = ${number}, objects = ${next.size}, locked_signer = null, locked_until = 0
      where id = ${row.id}`.execute(tx)
    const acting = who.accountId === null ? null : { accountId: who.accountId, name: who.name }
    await record(tx, row.id, now, 'signed', { ...authorOfEntry(signer, acting), text: asked.comments })
    await who.stored(write)
    for (const one of people) await settle(write, row.id, one)
    await afterSigning(write, parts, { ...locked, revision: number }, who)
    write.audit({ activityId: row.id })
    return { made: { revision: number, activityState: SignState.signed }, keys: new Set([blob.key]) }
  })
}

/** The next signer is asked; after the last one the archive is written. */
async function afterSigning(
  write: WriteContext,
  parts: Pick<SigningParts, 'secrets' | 'settings'>,
  row: ActivityRow,
  signer: Pick<Signatory, 'accountId' | 'name'>,
): Promise<void> {
  const { now } = write
  if (await advance(write, parts, row)) await conclude(write, row)
  if (row.launcher_id !== signer.accountId)
    for (const event of notify(row, SignState.signed, [row.launcher_id], { by: signer.name, at: now }))
      write.event(event)
  write.event(changed(row.id))
}

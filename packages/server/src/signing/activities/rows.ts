// The rows of signing processes, and what every change of one shares: the course, the file, the people who are told.
import type { FactsOfSigning, SigningState } from '@cloudoc/contract'
import { features } from '@cloudoc/contract'
import { fail, ItemStatusBit, type SignFieldKind, SignState, secretLevelNow } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { ItemRow, ObjectAccess } from '../../core/access.ts'
import type { Db, Tx } from '../../core/db/database.ts'
import { type FeatureEvent, type NewEvent, personal } from '../../core/events.ts'
import type { Objects } from '../../core/loaders.ts'
import { type Audience, audibleToAccount } from '../../core/push/index.ts'
import type { BaseLayout } from '../../documents/signing/index.ts'
import { itemEvent } from '../../drive/tree/index.ts'
import { holdersOf, signaturesFor, standInsOf } from './entitled.ts'
import type { SignEntryWhat, SignerState } from './tables.ts'

/** A signing process, with the name of its launcher. */
export interface ActivityRow {
  readonly id: number
  readonly launcher_id: number
  readonly launcher: string
  readonly item_id: number | null
  readonly file_name: string
  readonly file_level: number
  readonly file_level_until: number | null
  readonly title: string
  readonly comments: string
  readonly in_order: boolean
  readonly watermark_template_id: number | null
  readonly archive_folder_id: number
  readonly state: SigningState
  readonly created_at: number
  readonly ended_at: number | null
  readonly deadline: number | null
  readonly layout: BaseLayout
  readonly revision: number
  readonly objects: number
  readonly locked_signer: number | null
  readonly locked_until: number
  /** The account that keeps others from signing. */
  readonly lock_holder: number | null
  readonly may_hand_on: boolean
  readonly archive_problem: number | null
  readonly archived: number[]
}

/** A signer with their name: of their account or role, or as the launcher wrote it. */
export interface SignerRow {
  readonly id: number
  readonly place: number
  readonly account_id: number | null
  readonly role_id: number | null
  /** Who signed or refused for the role, or in the place of the person. */
  readonly acted_by: number | null
  readonly actor: string | null
  /** The addresses of a signer without an account; empty of others. */
  readonly mail: string
  readonly phone: string
  readonly name: string
  readonly state: SignerState
  readonly acted_at: number | null
  readonly comments: string
  readonly address: string
  readonly proof: string
  /** The level of the signature by PAdES; empty without one. */
  readonly level: string
}

export interface FieldRow {
  readonly id: number
  readonly signer_id: number
  readonly kind: SignFieldKind
  readonly number: number
}

/** Reads a process. */
export async function readActivity(db: Db, id: number): Promise<ActivityRow> {
  const { rows } = await sql<ActivityRow>`
    select s.*, a.name as launcher from sign_activity s join account a on a.id = s.launcher_id where s.id = ${id}`.execute(
    db,
  )
  return rows[0] ?? fail('notFound')
}

/** Locks a process. Everything that changes it happens while its row is locked. */
export async function lockActivity(tx: Tx, id: number): Promise<ActivityRow> {
  await sql`select 1 from sign_activity where id = ${id} for no key update`.execute(tx)
  return readActivity(tx, id)
}

/** The joins by which the name of a signer `s` is read, and the name. */
export const signerNames = sql`
  left join account a on a.id = s.account_id left join sign_outsider o on o.signer_id = s.id`
export const signerName = sql`coalesce(a.name, o.name, s.role_name)`

/** The accounts among signers, and those who signed for them. */
export const accountsOf = (signers: readonly Pick<SignerRow, 'account_id' | 'acted_by'>[]): number[] => [
  ...new Set(signers.flatMap(({ account_id, acted_by }) => [account_id ?? [], acted_by ?? []].flat())),
]

/** Whether a signer has no account: neither a person of the company nor a role. */
export const isExternal = ({ account_id, role_id }: Pick<SignerRow, 'account_id' | 'role_id'>): boolean =>
  account_id === null && role_id === null

/** The signers in their order. */
export async function signersOf(db: Db, id: number): Promise<SignerRow[]> {
  const { rows } = await sql<SignerRow>`
    select s.id, s.place, s.account_id, s.role_id, s.acted_by, b.name as actor, ${signerName} as name,
      coalesce(o.mail, '') as mail, coalesce(o.phone, '') as phone, s.state, s.acted_at, s.comments, s.address, s.proof, s.level
    from sign_signer s ${signerNames} left join account b on b.id = s.acted_by where s.activity_id = ${id} order by s.place, s.id`.execute(
    db,
  )
  return rows
}

/** Who acts for a signer: an account, or null for a signer without one. */
export type ActingAccount = { readonly accountId: number; readonly name: string } | null

/** Whom an entry of the course names for what was done for a signer, and in whose place. */
export const authorOfEntry = (signer: Pick<SignerRow, 'account_id' | 'name'>, acting: ActingAccount) => ({
  by: acting?.accountId ?? null,
  to: acting === null || acting.accountId === signer.account_id ? null : signer.account_id,
  outside: acting === null ? signer.name : '',
})

export async function fieldsOf(db: Db, id: number, signerId: number): Promise<FieldRow[]> {
  const { rows } = await sql<FieldRow>`
    select id, signer_id, kind, number from sign_field
    where activity_id = ${id} and signer_id = ${signerId} order by number`.execute(db)
  return rows
}

/** The content of a revision. */
export async function revisionOf(db: Db, id: number, number: number) {
  const { rows } = await sql<{ blobId: number; key: string; size: number; sha256: Buffer; modifiedAt: number }>`
    select b.id as "blobId", b.key, b.size, b.sha256, r.created_at as "modifiedAt"
    from sign_revision r join blob b on b.id = r.blob_id where r.activity_id = ${id} and r.number = ${number}`.execute(
    db,
  )
  return rows[0] ?? fail('versionMissing')
}

/** The secret level of the file at this moment. */
export const levelOf = ({ file_level, file_level_until }: ActivityRow, now: number): number =>
  secretLevelNow(file_level, file_level_until, now)

/** Signing processes as objects of gates. */
export const signingObjects = (now: () => number): Objects<ObjectAccess<FactsOfSigning>> => ({
  kind: features.signing.objects.signing,
  async load(db, actor, ids) {
    // A visitor neither launches nor signs (X51).
    if (actor.kind !== 'account' || actor.isGuest) return new Map()
    const { rows } = await sql<ActivityRow & { mine: SignerState | null; is_own: boolean | null }>`
      select s.*, g.state as mine, g.is_own from sign_activity s
      left join ${signaturesFor(actor, now())} g on g.activity_id = s.id
      where s.id = any(${ids.map(Number)}) and (s.launcher_id = ${actor.accountId}
        or g.state is distinct from 'left' and g.signer_id is not null)`.execute(db)
    return new Map(
      rows.map((row) => [
        row.id,
        {
          facts: {
            state: row.state,
            isLauncher: row.launcher_id === actor.accountId,
            isSigner: row.mine !== null && row.mine !== 'left',
            isTurn: row.mine === 'now',
            hasActed: row.mine === 'signed' || row.mine === 'rejected',
            secretLevel: actor.secretLevel,
            fileLevel: levelOf(row, now()),
            archiveFailed: row.state === 'signed' && row.archive_problem !== null,
            mayHandOn: row.may_hand_on && row.is_own === true,
          },
        },
      ]),
    )
  },
  async lock(tx, id) {
    await sql`select 1 from sign_activity where id = ${Number(id)} for no key update`.execute(tx)
  },
})

/** Records what happened. */
export async function record(
  tx: Tx,
  id: number,
  at: number,
  what: SignEntryWhat,
  {
    by = null,
    to = null,
    text = '',
    outside = '',
  }: { by?: number | null; to?: number | null; text?: string; outside?: string } = {},
): Promise<void> {
  await tx
    .insertInto('sign_entry')
    .values({ activity_id: id, at, what, account_id: by, to_id: to, text, outside_name: outside })
    .execute()
}

/** Marks the file as being signed, or takes the mark away. Returns the event by which lists learn of it. */
export async function markItem(
  tx: Tx,
  itemId: number | null,
  isSigning: boolean,
  name: string,
): Promise<NewEvent | undefined> {
  if (itemId === null) return undefined
  const bit = ItemStatusBit.signing
  const { rows } = await sql<ItemRow>`
    update item set status = ${isSigning ? sql`status | ${bit}::int` : sql`status & ~${bit}::int`}
    where id = ${itemId} returning *`.execute(tx)
  const [row] = rows
  return row === undefined ? undefined : itemEvent(row, 'edit', name)
}

/** A signing process has changed: its people load it again. */
interface SigningEvent extends FeatureEvent {
  readonly kind: 'signing.changed'
  readonly activityId: number
}
export const changed = (activityId: number): SigningEvent => ({ kind: 'signing.changed', activityId })

/** The launcher, the signers, and whoever may act for them. */
export const signingAudience: Audience<SigningEvent> = {
  async prepare(db, events) {
    const ids = events.map(({ event }) => event.activityId)
    const { rows } = await sql<{ id: number; people: number[] }>`
      select s.id, array(select s.launcher_id union
        select x.id from sign_signer g cross join lateral (
          select g.account_id as id union select g.acted_by
          union ${standInsOf(sql`g.account_id`, Date.now())} union ${holdersOf(sql`g.role_id`)}) x
        where g.activity_id = s.id and x.id is not null) as people
      from sign_activity s where s.id = any(${ids})`.execute(db)
    const peopleOf = new Map(rows.map(({ id, people }) => [id, new Set(people.map(Number))]))
    return new Map(
      events.map(({ position, event }) => {
        const people = peopleOf.get(event.activityId) ?? new Set<number>()
        const view = { name: 'signChanged', payload: { activityId: event.activityId } } as const
        return [
          position,
          {
            ...audibleToAccount(null, view),
            concerns: { accountIds: people, groupIds: new Set<number>(), roleIds: new Set<number>() },
            viewFor: (actor) => (people.has(actor.accountId) ? view : undefined),
          },
        ]
      }),
    )
  },
}

/** Tells people what happened ([R277]). */
export function notify(
  row: Pick<ActivityRow, 'id' | 'launcher_id' | 'title'>,
  state: SignState,
  people: readonly number[],
  said: { readonly by: string; readonly at: number; readonly comments?: string },
): NewEvent[] {
  const toLauncher = people.filter((id) => id === row.launcher_id)
  const toSigners = people.filter((id) => id !== row.launcher_id)
  return [
    { people: toLauncher, isLauncher: true },
    { people: toSigners, isLauncher: false },
  ].flatMap(({ people: to, isLauncher }) =>
    to.length === 0
      ? []
      : [
          personal('fileSign', to, {
            ...{ serverId: 0, launchId: row.launcher_id, activityId: row.id, activityTitle: row.title },
            ...{ activityState: state, operatorName: said.by, createTime: said.at, comments: said.comments ?? '' },
            // To sign their own file they go to what waits for them.
            isLauncher: isLauncher && state !== SignState.launched,
          }),
        ],
  )
}

/*
 * Recomputes the chain of the audit, through its archives and then its tables, and reports rows that differ from what
 * was sealed. It reads one page at a time and changes nothing. With externally stored heads it also detects truncation
 * that includes the heads. It cannot tell who did it.
 */
import { createPublicKey } from 'node:crypto'
import { sql } from 'kysely'
import type { BlobStore } from '../../core/blobs/store.ts'
import type { Db } from '../../core/db/database.ts'
import { readArchive } from './archive-file.ts'
import {
  hashOf,
  isSigned,
  loadAuditKeys,
  noHash,
  pemOf,
  readHead,
  rowAccount,
  rowText,
  type WrittenHead,
  writtenHead,
} from './chain.ts'

/**
 * `altered`: the row differs. `removed`: the row with that number is missing. `inserted`: an extra row. `cut`: the end
 * is missing. `head`: a signature does not belong to this chain.
 */
export interface Problem {
  readonly what: 'altered' | 'removed' | 'inserted' | 'cut' | 'head'
  readonly seq: number
  readonly auditId: number
  readonly count: number
}

export interface Verified {
  readonly rows: number
  /** The first problems, in the order of the chain. */
  readonly problems: readonly Problem[]
  readonly problemCount: number
}

/** Exported heads, with the key that must have signed them. */
export interface ExportedHeads {
  readonly publicKey: string
  readonly heads: readonly WrittenHead[]
}

const rowBatch = 5000
const maxProblems = 50

interface Sealed {
  readonly seq: number
  readonly hash: Buffer
  readonly audit_id: number
  readonly text: string | null
  /** Whether its seal has the same values as the row. */
  readonly isCopied: boolean
}

interface SealedRow extends Omit<Sealed, 'isCopied'> {
  readonly at: number
  readonly account_id: number | null
  readonly address: string
  readonly row: { readonly at: number; readonly account_id: number | null; readonly address: string } | null
}

interface VerifyOptions {
  readonly exported?: ExportedHeads | undefined
  readonly onProgress?: (done: number, of: number) => void
  readonly signal?: AbortSignal
}

export async function verifyAudit(
  db: Db,
  blobs: Pick<BlobStore, 'open'>,
  { exported, onProgress, signal }: VerifyOptions = {},
): Promise<Verified> {
  const keys = await loadAuditKeys(db)
  const publicKey = exported === undefined ? keys.publicKey : createPublicKey(exported.publicKey)
  const own = await db.selectFrom('audit_head').selectAll().orderBy('seq').execute()
  const heads = [...own, ...(exported?.heads ?? []).map(readHead)].sort((a, b) => a.seq - b.seq)
  const last = heads.at(-1)
  const found = collector()
  const walk: { seq: number; end: Buffer; before: Buffer; rows: number } = {
    seq: 0,
    end: noHash,
    before: noHash,
    rows: 0,
  }
  const waiting = [...heads]

  const row = (sealed: Sealed): void => {
    const missing = sealed.seq - walk.seq - 1
    if (missing > 0) found.add({ what: 'removed', seq: walk.seq + 1, auditId: 0, count: missing })
    walk.rows += 1
    if (sealed.text === null) found.add({ what: 'removed', seq: sealed.seq, auditId: sealed.audit_id, count: 1 })
    else if (missing === 0 && !hashOf(walk.end, sealed.text).equals(sealed.hash)) {
      // The row follows the one before the last: the last was inserted in between.
      const isAfterInserted = walk.seq > 0 && hashOf(walk.before, sealed.text).equals(sealed.hash)
      if (isAfterInserted) found.add({ what: 'inserted', seq: walk.seq, auditId: sealed.audit_id, count: 1 })
      else found.add({ what: 'altered', seq: sealed.seq, auditId: sealed.audit_id, count: 1 })
    } else if (!sealed.isCopied) found.add({ what: 'altered', seq: sealed.seq, auditId: sealed.audit_id, count: 1 })
    // Continues with the stored hash, so that the rows after a bad one are checked independently.
    walk.before = walk.end
    walk.end = sealed.hash
    walk.seq = sealed.seq
    for (let head = waiting[0]; head !== undefined && head.seq <= walk.seq; head = waiting[0]) {
      waiting.shift()
      if (!isSigned(head, publicKey) || (head.seq === walk.seq && !head.hash.equals(walk.end)))
        found.add({ what: 'head', seq: head.seq, auditId: 0, count: 1 })
    }
  }

  const archives = await db
    .selectFrom('audit_archive as r')
    .innerJoin('blob as b', 'b.id', 'r.blob_id')
    .select(['r.to_seq', 'b.key'])
    .orderBy('r.from_seq')
    .execute()
  for (const { to_seq: to, key } of archives) {
    try {
      await using file = await blobs.open(key)
      for await (const archived of readArchive(file)) {
        signal?.throwIfAborted()
        row({ ...archived, audit_id: idIn(archived.text), isCopied: true })
      }
    } catch (error) {
      if (!isUnreadable(error)) throw error
    }
    onProgress?.(walk.seq, last?.seq ?? walk.seq)
    if (walk.seq >= to) continue
    found.add({ what: 'removed', seq: walk.seq + 1, auditId: 0, count: to - walk.seq })
    // Its head tells how the chain continues.
    walk.end = heads.find(({ seq }) => seq === to)?.hash ?? noHash
    walk.seq = to
  }
  const archivedUpTo = walk.seq

  for (;;) {
    signal?.throwIfAborted()
    const { rows } = await sql<SealedRow>`
      select s.seq, s.audit_id, s.at, s.account_id, s.address, s.hash,
        case when a.id is not null then ${rowText} end as text,
        case when a.id is not null then json_build_object('at', a.at, 'account_id', ${rowAccount}, 'address', a.address) end as row
      from audit_seal s left join audit a on a.id = s.audit_id
      where s.seq > ${walk.seq} order by s.seq limit ${rowBatch}`.execute(db)
    for (const sealed of rows) row({ ...sealed, isCopied: isCopied(sealed) })
    onProgress?.(walk.seq, last?.seq ?? walk.seq)
    if (rows.length < rowBatch) break
  }
  // The chain may have grown since its heads were read. Only rows that the newest head does not cover either were
  // inserted.
  const newest = await db.selectFrom('audit_head').select('seq').orderBy('seq', 'desc').limit(1).executeTakeFirst()
  const signedUpTo = Math.max(last?.seq ?? 0, newest?.seq ?? 0)
  if (walk.seq > signedUpTo)
    found.add({ what: 'inserted', seq: signedUpTo + 1, auditId: 0, count: walk.seq - signedUpTo })
  if (last !== undefined && last.seq > walk.seq) {
    found.add({ what: 'cut', seq: walk.seq + 1, auditId: 0, count: last.seq - walk.seq })
  }
  const { rows: strangers } = await sql<{ id: number }>`
    select a.id from audit a where a.id <= ${own.at(-1)?.settled ?? 0}
      and not exists (select 1 from audit_seal s where s.audit_id = a.id) order by a.id limit 1000`.execute(db)
  const { rows: back } = await sql<{ seq: number; audit_id: number }>`
    select seq, audit_id from audit_seal where seq <= ${archivedUpTo} order by seq limit 1000`.execute(db)
  for (const { seq, audit_id } of back) found.add({ what: 'inserted', seq, auditId: audit_id, count: 1 })
  for (const { id } of strangers) found.add({ what: 'inserted', seq: 0, auditId: id, count: 1 })
  return { rows: walk.rows, problems: found.problems, problemCount: found.count() }
}

/** The id at the beginning of the text of a row. */
const idIn = (text: string | null): number => Number(/^\[(\d+)/.exec(text ?? '')?.[1] ?? 0)

/** Whether a file is missing or corrupt. If it is only unreachable, the verification has to be retried. */
function isUnreadable(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return error instanceof SyntaxError || code === 'ENOENT' || code.startsWith('Z_')
}

function isCopied({ row, at, account_id, address }: SealedRow): boolean {
  return row !== null && row.at === at && row.account_id === account_id && row.address === address
}

function collector() {
  const problems: Problem[] = []
  let n = 0
  return {
    problems,
    add(problem: Problem) {
      n += 1
      if (problems.length < maxProblems) problems.push(problem)
    },
    count: () => n,
  }
}

/** Exports the heads, to be stored out of reach of database administrators. */
export async function exportHeads(db: Db): Promise<ExportedHeads> {
  const { publicKey } = await loadAuditKeys(db)
  const heads = await db.selectFrom('audit_head').selectAll().orderBy('seq').execute()
  return {
    publicKey: pemOf(publicKey),
    heads: heads.map(writtenHead),
  }
}

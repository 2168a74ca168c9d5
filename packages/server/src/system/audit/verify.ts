/*
 * Computes the chain of the audit again, and says which rows are not what they were when they were sealed. Reads a page at a
 * time, changes nothing, and needs nothing but the database; with heads that were kept elsewhere it also finds what was cut
 * off together with its heads. It cannot know who did it.
 */
import { createPublicKey, type KeyObject } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../../core/db/database.ts'
import { type Head, hashOf, isSigned, loadAuditKeys, noHash, rowAccount, rowText } from './chain.ts'

/**
 * `altered`: the row is there and another one. `removed`: the row with that number is gone. `inserted`: one too many.
 * `cut`: the end is missing. `head`: a signature is not that of this chain.
 */
export interface Problem {
  readonly what: 'altered' | 'removed' | 'inserted' | 'cut' | 'head'
  readonly seq: number
  readonly auditId: number
  readonly count: number
}

export interface Verified {
  readonly rows: number
  /** The first of them, in the order of the chain. */
  readonly problems: readonly Problem[]
  readonly problemCount: number
}

/** Heads that were exported, with the key that they are to be signed by. */
export interface KeptHeads {
  readonly publicKey: string
  readonly heads: readonly { seq: number; hash: string; settled: number; at: number; signature: string }[]
}

const rowsAtOnce = 5000
const problemsKept = 50

interface Sealed {
  readonly seq: number
  readonly audit_id: number
  readonly at: number
  readonly account_id: number | null
  readonly address: string
  readonly hash: Buffer
  readonly row: { readonly at: number; readonly account_id: number | null; readonly address: string } | null
  readonly text: string | null
}

interface VerifyOptions {
  readonly kept?: KeptHeads | undefined
  readonly onProgress?: (done: number, of: number) => void
  readonly signal?: AbortSignal
}

export async function verifyAudit(db: Db, { kept, onProgress, signal }: VerifyOptions = {}): Promise<Verified> {
  const keys = await loadAuditKeys(db)
  const publicKey = kept === undefined ? keys.publicKey : createPublicKey(kept.publicKey)
  const own = await db.selectFrom('audit_head').selectAll().orderBy('seq').execute()
  const heads = [...own, ...(kept?.heads ?? []).map(headFrom)].sort((a, b) => a.seq - b.seq)
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
      // The row hangs on the one before the last: the last was put in between.
      const isAfterInserted = walk.seq > 0 && hashOf(walk.before, sealed.text).equals(sealed.hash)
      if (isAfterInserted) found.add({ what: 'inserted', seq: walk.seq, auditId: sealed.audit_id, count: 1 })
      else found.add({ what: 'altered', seq: sealed.seq, auditId: sealed.audit_id, count: 1 })
    } else if (!isCopied(sealed)) found.add({ what: 'altered', seq: sealed.seq, auditId: sealed.audit_id, count: 1 })
    // What was stored goes on, so that the rows behind a bad one are compared by themselves.
    walk.before = walk.end
    walk.end = sealed.hash
    walk.seq = sealed.seq
    for (let head = waiting[0]; head !== undefined && head.seq <= walk.seq; head = waiting[0]) {
      waiting.shift()
      if (!isSigned(head, publicKey) || (head.seq === walk.seq && !head.hash.equals(walk.end)))
        found.add({ what: 'head', seq: head.seq, auditId: 0, count: 1 })
    }
  }

  for (;;) {
    signal?.throwIfAborted()
    const { rows } = await sql<Sealed>`
      select s.seq, s.audit_id, s.at, s.account_id, s.address, s.hash,
        case when a.id is not null then ${rowText} end as text,
        case when a.id is not null then json_build_object('at', a.at, 'account_id', ${rowAccount}, 'address', a.address) end as row
      from audit_seal s left join audit a on a.id = s.audit_id
      where s.seq > ${walk.seq} order by s.seq limit ${rowsAtOnce}`.execute(db)
    for (const sealed of rows) row(sealed)
    onProgress?.(walk.seq, last?.seq ?? walk.seq)
    if (rows.length < rowsAtOnce) break
  }
  // The chain may have grown since its heads were read; only what nobody signs now either was added.
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
  for (const { id } of strangers) found.add({ what: 'inserted', seq: 0, auditId: id, count: 1 })
  return { rows: walk.rows, problems: found.problems, problemCount: found.count() }
}

/** Whether a seal says the same of its row as the row does. */
function isCopied({ row, at, account_id, address }: Sealed): boolean {
  return row !== null && row.at === at && row.account_id === account_id && row.address === address
}

function collector() {
  const problems: Problem[] = []
  let n = 0
  return {
    problems,
    add(problem: Problem) {
      n += 1
      if (problems.length < problemsKept) problems.push(problem)
    },
    count: () => n,
  }
}

function headFrom({ hash, signature, ...head }: KeptHeads['heads'][number]): Head {
  return { ...head, hash: Buffer.from(hash, 'hex'), signature: Buffer.from(signature, 'base64') }
}

/** What is exported of the heads, to be kept where nobody who rules the database can change it. */
export async function exportHeads(db: Db): Promise<KeptHeads> {
  const { publicKey } = await loadAuditKeys(db)
  const heads = await db.selectFrom('audit_head').selectAll().orderBy('seq').execute()
  return {
    publicKey: pemOf(publicKey),
    heads: heads.map(({ hash, signature, ...head }) => ({
      ...head,
      hash: hash.toString('hex'),
      signature: signature.toString('base64'),
    })),
  }
}

const pemOf = (key: KeyObject): string => key.export({ type: 'spki', format: 'pem' })
